# A day of a host.
today-title = 오늘
today-room = 디스크에 { $free } GiB가 남아 있습니다.
today-stuck = 막힌 사람: 검사 세 번 연속 실패
today-no-stuck = 막힌 사람이 없습니다.
today-resting = 쉬는 프로그램: 연달아 실패
today-no-resting = 쉬는 프로그램이 없습니다.
today-failed = 하루 동안 실패한 검사
today-no-failed = 실패한 검사가 없습니다.
