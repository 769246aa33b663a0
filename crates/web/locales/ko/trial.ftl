# Trying a source without submitting it.
trial-title = 시험 실행
trial-rival = 추가 경기 상대
trial-no-rival = 없음
trial-source = 소스 코드
trial-hint = 제출하지 않고 제출할 때와 똑같이 검사합니다. 결과는 본인에게만 보이며 저장되지 않습니다.
trial-button = 시험 실행
trial-waiting = 차례를 기다리고 있습니다.
trial-running = 시험하고 있습니다. 몇 분 걸릴 수 있습니다.
trial-game = 경기 보기
trial-own = 내 프로그램
trial-back = 규칙으로 돌아가기
trial-ready = 문제가 없습니다. 제출할 수 있습니다.
trial-not-ready = 제출하기 전에 고쳐야 할 문제가 있습니다.
trial-measures = { $games }경기. READY 응답 { $ready } ms, 가장 느린 수 { $slowest } ms, 경기당 최대 { $game } ms, 메모리 { $memory } MiB.
trial-sign-in = { $link } 제출하지 않고도 소스 코드를 시험해 볼 수 있습니다.
trial-sign-in-link = 로그인하면
