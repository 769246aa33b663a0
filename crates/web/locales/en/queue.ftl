# The page of the queue.
queue-title = Queue
queue-waiting =
    { $queued ->
        [one] { $queued } submission is
       *[other] { $queued } submissions are
    } waiting, { $checking } being checked.
queue-running =
    { $games ->
        [one] { $games } game is
       *[other] { $games } games are
    } being played, { $most } at most at once.
queue-order = A check comes before the games of the ladder.
queue-fleet = Games are played by a fleet of machines.
queue-fleet-and-here = Games are played by a fleet of machines and here.
queue-fleet-idle = No machine of the fleet plays at the moment; games wait.
queue-estimate = What is submitted now waits { $wait }, and its check takes { $check }, as the last checks did.
queue-unknown = How long a check takes is known after the first one.
queue-nothing = Nothing is checked at the moment: this site plays no games.
queue-oldest = The oldest of them was submitted { $ago }.
