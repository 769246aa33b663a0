# What the crates below say. The English text is the pattern by which a message is found: it must be what the code says.
# Verdicts and their causes.
said-resigns = { $side } 기권
said-forfeit = 몰수패: { $why }
said-first-out = 선공이 출전할 수 없음
said-second-out = 후공이 출전할 수 없음
said-both-out = 양쪽 모두 출전할 수 없음
# Ends of games.
said-o-vanished = O가 모두 사라짐
said-x-vanished = X가 모두 사라짐
said-no-empty = 빈칸이 없음
said-acted = 양쪽이 200번씩 둠
said-passed = 양쪽이 연달아 패스
said-have-passed = 양쪽이 연달아 패스
said-full = 양쪽 모두 도미노를 놓을 곳이 없음
said-five = { $side }: { $from }–{ $to } ({ $line }) 다섯 완성
said-overline = { $side }: { $from }–{ $to } ({ $line }) 장목 완성
said-row = 가로
said-column = 세로
said-diagonal = 대각선
said-black = 흑
said-white = 백
# Parameters of games, and what they can be.
said-values-8 = 1부터 8까지
said-values-99 = 0부터 99까지
said-values-255 = 4부터 255까지
said-values-65535 = 1부터 65535까지
# Games, their ends, and events.
said-limits-session = 경기당 각 { $time }, { $memory } MiB
said-limits-action = 행동당 { $time }, { $memory } MiB
said-jail = 격리 수준: { $level }
said-seed-fact = 시드 { $seed }
said-wins = { $seat } { $name } 승: { $reason }
said-draw-result = 무승부: { $reason }
said-no-result = 결과 없음: { $reason }
said-rising = 우상향 대각선
said-falling = 우하향 대각선
# 이전 버전의 기록에 쓰인 문장.
said-event-by-link = 링크로
said-event-list = 계정 { $count }개의 목록
said-event-signed-up = 가입
said-event-administrator = 초대로 관리자가 됨
said-event-by-invitation = 초대로
said-event-for = 계정 { $count }개
said-event-for-administrators = 관리자 { $count }명
said-event-open = 누구나 가입할 수 있음
said-event-closed = 초대받은 사람만 가입할 수 있음
said-event-read-only = 읽기 전용 해제
said-curve-known = 알려진 초기 배치
said-curve-meaning = { $meaning }: 가운데보다 위면 { $first }, 아래면 { $second } 우세.
said-extinct-first = 선공의 군체가 모두 사라짐
said-extinct-second = 후공의 군체가 모두 사라짐
said-extinct-both = 두 군체가 모두 사라짐
said-last-turn = 마지막 차례 종료: { $first }칸 대 { $second }칸
said-last-turn-one = 마지막 차례 종료: 1칸 대 { $second }칸
said-gauge-cells = 칸
said-gauge-points = 점
said-gauge-energy = 에너지
said-curve-champion = 수별로 챔피언이 본 형세
said-curve-cells = 수별로 챔피언이 본 형세(칸 수)
said-curve-points = 챔피언이 증명하거나 추정한 최종 점수 차
said-curve-colonies = 차례별 두 군체의 칸 수
said-curve-note = { $meaning }: 가운데보다 위면 { $first }, 아래면 { $second } 우세. 페트리 접시의 챔피언은 행동을 비교해 고를 뿐 형세를 평가하지 않습니다.
said-point-won = { $seat } 승
said-point-draw = 무승부
said-point-known = 알려진 초기 배치
said-point-wins = { $seat } { $plies }수 후 승
said-point-proved = { $lead }(증명됨)
said-point-estimated = { $lead }(추정)
said-point-ahead = { $seat } { $by } 차로 우세
said-point-even = 호각
said-point-cells = 칸 수 { $first } 대 { $second }
said-point-ahead-proved = { $seat } { $by } 차로 우세(증명됨)
said-point-ahead-estimated = { $seat } { $by } 차로 우세(추정)
# Boards: forbidden points, puzzles, what is wrong with a question or a file.
said-time-over = { $side } 시간 초과
said-agreed = 합의 무승부
said-puzzle-fours = { $seat } 차례: 연속 사로 이기세요. 다른 수를 두면 모두 집니다
said-puzzle-threats = { $seat } 차례: 사와 삼으로 이기세요. 다른 수를 두면 모두 집니다
said-puzzle-quiet = { $seat } 차례: 조용한 첫 수를 찾아 이기세요. 다른 수를 두면 모두 집니다
said-puzzle-defence = { $seat } 차례: 지지 않는 유일한 수를 찾으세요
said-puzzle-exact = { $seat } 차례: 이기는 유일한 도미노를 찾으세요
said-puzzle-race = { $seat } 차례: 이기는 유일한 수를 찾으세요
said-engine-wins = { $plies }수 후 승
said-engine-loses = { $plies }수 후 패
# 접시의 종.
said-memory-fact = { $seat } 최대 메모리 { $mib } MiB
# 세포가 쉬는 이유.
# 파일과 국면을 읽는 쪽의 말.
said-file-utf-16 = UTF-16 텍스트입니다. UTF-8로 저장하세요
said-position-point = `{ $text }`: A~O 열과 1~15 행으로 적은 점이 아닙니다
said-made-five = { $side }: 다섯 완성
said-made-overline = { $side }: 장목 완성
said-turns-over = 마지막 차례 종료
# Levels of the jail, spans of time, what is noted among the events.
said-span-seconds = { $line_number }초
said-jail-full = 격리 수준: 전체
said-jail-landlock = 격리 수준: Landlock
said-jail-none = 격리 수준: 없음
said-noted-password = 잘못된 비밀번호
said-noted-name = 없는 계정 이름
said-noted-frozen = 동결된 계정
said-noted-code = 잘못된 코드
