# A day of a host.
today-title = 오늘
today-room = 남은 디스크 공간: { $free } GiB.
today-stuck = 검사 3회 연속 실패
today-no-stuck = 없습니다.
today-resting = 경기를 멈춘 프로그램: 연속 실패
today-no-resting = 경기를 멈춘 프로그램이 없습니다.
today-failed = 최근 24시간 동안 실패한 검사
today-no-failed = 실패한 검사가 없습니다.
