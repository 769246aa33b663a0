# The page of the queue.
queue-title = 대기열
queue-waiting = 제출 { $queued }개가 대기 중이고 { $checking }개를 검사하고 있습니다.
queue-running = 동시에 최대 { $most }경기를 할 수 있으며 지금 { $games }경기를 하고 있습니다.
queue-order = 검사를 순위 경기보다 먼저 합니다.
queue-fleet = 경기는 연결된 여러 컴퓨터에서 합니다.
queue-fleet-and-here = 경기는 연결된 여러 컴퓨터와 이 서버에서 합니다.
queue-fleet-idle = 지금은 경기할 수 있는 컴퓨터가 없어 경기가 대기 중입니다.
queue-estimate = 지금 제출할 때 예상 시간: 대기 { $wait }, 검사 { $check }. 최근 검사로 추정했습니다.
queue-unknown = 검사가 한 번 끝나면 예상 시간을 알려 드립니다.
queue-nothing = 지금은 사이트에서 경기를 하지 않아 검사도 하지 않습니다.
queue-oldest = 가장 오래 기다린 프로그램은 { $ago } 제출되었습니다.
