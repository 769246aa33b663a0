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
queue-order = Games of finals come first, then checks, then games of ladders.
queue-fleet = Games are played by a fleet of machines.
queue-fleet-and-here = Games are played by a fleet of machines and here.
queue-fleet-idle = No machine of the fleet plays at the moment; games wait.
queue-estimate = What is submitted now waits { $wait }, and its check takes { $check }, as the last checks did.
queue-unknown = How long a check takes is known after the first one.
queue-nothing = Nothing is checked at the moment: this site plays no games.
queue-oldest = The oldest of them was submitted { $ago }.
queue-why = What waits, and why
queue-what-checks =
    { $count ->
        [one] One check waits:
       *[other] { $count } checks wait:
    }
queue-what-final = The final { $title } waits:
queue-what-asked =
    { $count ->
        [one] One game that was asked for waits:
       *[other] { $count } games that were asked for wait:
    }
queue-what-ladder = The ladder of { $title } waits:
queue-why-stopped = the site is read-only, or its disk is full.
queue-why-no-workers = no machine plays at the moment.
queue-why-busy = all workers are playing ({ $games }).
queue-why-busy-until = all workers are playing ({ $games }); one is free by { $at }, { $left }.
queue-why-round = the next round depends on the games that are being played ({ $games }).
queue-why-checks =
    { $count ->
        [one] a check comes first.
       *[other] { $count } checks come first.
    }
queue-why-final = { $link } comes first.
queue-a-final = a final
queue-why-paused = its host has paused it.
