# The page of the queue.
queue-title = 대기열
queue-waiting = 제출 { $queued }개가 기다리고 있고 { $checking }개를 검사하고 있습니다.
queue-running = 경기 { $games }개를 하고 있으며 한 번에 { $most }개까지 할 수 있습니다.
queue-order = 검사를 순위표 경기보다 먼저 합니다.
queue-fleet = 경기는 여러 대의 다른 컴퓨터에서 합니다.
queue-fleet-and-here = 경기는 여러 대의 다른 컴퓨터와 이 서버에서 합니다.
queue-fleet-idle = 지금은 경기를 하는 컴퓨터가 없어 경기가 기다리고 있습니다.
queue-estimate = 지금 제출하면 { $wait } 기다리고 검사에 { $check } 걸립니다. 최근 검사로 어림한 시간입니다.
queue-unknown = 검사에 걸리는 시간은 첫 검사가 끝나야 알 수 있습니다.
queue-nothing = 이 사이트는 지금 경기를 하지 않아 검사도 하지 않습니다.
queue-oldest = 가장 오래 기다린 것은 { $ago } 제출한 것입니다.
