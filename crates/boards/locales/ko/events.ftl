# Events, for the host.
events-title = 보안 기록
events-what-label = 종류{ " " }
events-everything = 전체
events-account-label = 계정{ " " }
events-show = 보기
events-csv = CSV로 내려받기
events-none = 조건에 맞는 기록이 없습니다.
events-when = 시각
events-what = 종류
events-account = 계정
events-by = 실행한 사람
events-from = IP 주소
events-earlier = 이전 기록 →
events-command-line = 명령줄
