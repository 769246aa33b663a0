# A day of a host.
today-title = Today
today-room = { $free } GiB are free on the disk.
today-stuck = Three failed checks in a row
today-no-stuck = None.
today-resting = Resting: failed again and again
today-no-resting = No program rests.
today-failed = Failed checks within a day
today-no-failed = No check has failed.
