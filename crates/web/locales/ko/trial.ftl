# Trying a source without submitting it.
trial-title = 시험해 보기
trial-rival = 그 뒤 경기 상대
trial-no-rival = 없음
trial-source = 소스 코드
trial-hint = 제출하지 않고 제출할 때와 똑같이 검사합니다. 결과는 본인만 볼 수 있고 보관하지 않습니다.
trial-button = 시험하기
trial-waiting = 차례를 기다리고 있습니다.
trial-running = 시험하고 있습니다. 몇 분까지 걸릴 수 있습니다.
trial-game = 경기
trial-own = 내 프로그램
trial-back = 규칙으로 돌아가기
trial-ready = 문제를 찾지 못했습니다. 제출해도 됩니다.
trial-not-ready = 제출하기 전에 고칠 것이 있습니다.
trial-measures = { $games }경기. READY { $ready } ms, 가장 느린 수 { $slowest } ms, 한 경기 최대 { $game } ms, 메모리 { $memory } MiB.
trial-sign-in = { $link } 제출하지 않고 소스 코드를 시험해 볼 수 있습니다.
trial-sign-in-link = 로그인하면
