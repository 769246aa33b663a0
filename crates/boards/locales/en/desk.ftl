# The desk of a competition's host.
desk-overview = Overview
desk-people = People
desk-rules = Games and rules
desk-rules-page = Rules page
desk-people-count = { $count ->
        [one] 1 person
       *[other] { $count } people
    }
desk-all = all
desk-stages = how far people have come
desk-stage = How far
desk-version = Version
desk-plays = { $version } plays
desk-seen = Last seen
desk-seen-ago = seen { $ago }
desk-no-password = no password yet
desk-nothing-submitted = nothing submitted
desk-checking = being checked
desk-failed = check failed
desk-resting = resting
desk-idle = idle: nothing new for { $days } days
desk-playing = playing
desk-stuck = In need of help
desk-rests = It rests because it failed in game after game.
desk-more = and { $count } more
desk-queue = Queue
desk-queue-now = Checks waiting: { $checks }. Games in progress: { $games }.
desk-queue-page = Why something waits
desk-decide = For you to decide
desk-invite = No one is in this competition yet: { $link }.
desk-invite-link = add a list of names or make an invitation
desk-paused = The ladder is paused.
desk-begin-final = Begin a final
desk-begin-another = Begin another final
desk-final-replaces = If you set a time, this final takes the place of the scheduled one.
desk-more-settings = Reuse
desk-danger = Danger zone
desk-final-sure = Begin this final?
desk-final-games = { $count ->
        [one] 1 game
       *[other] { $count } games
    }
desk-final-time = By the last games of this site it takes { $time } ({ $games } games).
desk-final-no-time = It has { $games } games.
desk-final-at-once = It begins at once with the versions that play now.
desk-final-at = It begins:
desk-final-then = The programs that are best at that moment take part, each with the version that plays then.
desk-final-put-off = Begin it then
desk-final-begins = It begins { $left }
desk-final-failed = Its time came, and it could not begin
desk-final-cancel = Cancel it
desk-final-page = Page of the final
desk-final-back = Change it
desk-look-final = Show what it would be
