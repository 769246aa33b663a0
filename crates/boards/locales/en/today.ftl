# A day of a host.
today-title = Today
today-room = { $free } GiB are free on the disk.
today-stuck = Stuck: three failed checks in a row
today-no-stuck = No one is stuck.
today-resting = Resting: failed again and again
today-no-resting = No program rests.
today-failed = Failed checks within a day
today-no-failed = No check has failed.
