# Ladders, and lists of games.
ladder-title = Ladder of { $title }
ladder-empty = No programs yet. { $link }.
ladder-first = Submit the first one
ladder-none = No programs yet.
ladder-none-mine = You have no program on this ladder.
ladder-none-team = Your teams have no program on this ladder.
ladder-none-language = No program on this ladder is written in { $language }.
ladder-change = Change it
ladder-better = ← Better
ladder-weaker = Weaker →
ladder-levels = Built-in players by rating
ladder-levels-scale = Compare them with the column Rating; the points, which decide the places, are another scale.
ladder-fixed = ⚓ marks fixed points, which games leave as they are.
ladder-fixed-point = A fixed point: games leave it as it is
ladder-pace = New versions play at once, older ones less often.
ladder-repeated =
    { $count ->
        [one] { $count } game repeats an earlier one of the same versions move for move and is left out of all figures.
       *[other] { $count } games repeat earlier ones of the same versions move for move and are left out of all figures.
    }
ladder-language = Language
filter-all = All
filter-mine = Mine
filter-team = My teams
filter-any = Any language
filter-show = Show
pages-cancel = Cancel
pages-label = Pages
column-program = Program
column-elo = Ladder points, which decide the place: Elo game by game from 1500, K = 32
column-day = 24 h
column-day-title = Change within a day
feats-title = { $count ->
    [one] Of the last game
   *[other] Of the last { $count } games
 }
feats-streak = Most wins in a row
feats-wins = { $count } wins
feats-streak-end = the last of these wins
feats-upset = Biggest upset
feats-longest = Longest game
feats-shortest = Fastest win
feats-against = against { $name }
column-places = Places since yesterday
column-points = Points
column-course = Course
column-games = Games
column-won = Score
column-faults = Faults
column-form = Form
column-game = Game
column-first = First
column-second = Second
column-result = Result
column-moves = Moves
column-reason = Reason
column-played = Played
column-version = Version
column-state = State
column-rating = Rating
column-rating-title = Strength of the version that plays: maximum likelihood over all rated games of the ladder, each version a player of its own (Bradley–Terry), with its 95 % interval
column-repeats = Repeated
column-repeats-title = Games that repeat an earlier one of the same versions in the same seats move for move: they are shown, and count nowhere
column-submitted = Submitted
rating-few = too few games
rating-between = between { $low } and { $high }
rating-course = rating over the last { $count } games: from { $from } to { $to }
change-up = up
change-down = down
form-label = last games, the newest at the end: { $results }
result-won = won
result-drawn = drawn
result-lost = lost
result-void = void
result-live = live
owner-by = by { $name }
owner-builtin = built in
games-of = Games of { $title }
games-last = Last games
games-all = All games
games-played = Played
games-none = None yet. The first games are played as soon as a program is submitted.
games-older = Older →
terms-limits = Limits
terms-daily =
    { $count ->
        [one] { $count } submission a day
       *[other] { $count } submissions a day
    }
terms-openings = Openings
terms-balanced = balanced ones, for each game of two programs another: { $line } lines before READY have them
terms-balanced-boards = balanced boards, for each game of two programs another
terms-openings-unread = A program that does not read them begins at the start, and plays each opponent once from either seat.
terms-drawn = { $count } plies, drawn anew for each game: { $line } lines before READY have them
openings-read = read
openings-unread = not read: one game against each opponent from either seat
terms-languages = Languages
terms-entry = Entry
terms-entered = by invitation: you are in
terms-invited = by invitation of the host
terms-private = hidden from all others
terms-moves = Moves
terms-hidden = shown when the competition has closed; until then to a game's two authors
filter-group = Group
filter-own-group = My group: { $group }
filter-any-group = Any group
ladder-none-group = No program of the group { $group } is on this ladder.
ladder-paused = The host has paused this ladder: no rated games are played at present. Submissions are taken and checked.
form-won = W
form-drawn = D
form-lost = L
ladder-unrated = not rated
ladder-unchecked =
    { $count ->
        [one] One submission is still being checked.
       *[other] { $count } submissions are still being checked.
    }
ladder-first-games =
    { $count ->
        [one] The ladder goes on until every version that was accepted in time has had { $games } games or has no new ones left, for three days at most: one has had fewer.
       *[other] The ladder goes on until every version that was accepted in time has had { $games } games or has no new ones left, for three days at most: { $count } have had fewer.
    }
ladder-never-rated =
    { $count ->
        [one] One program has had no rated game and takes no place; a final would rank it.
       *[other] { $count } programs have had no rated game and take no place; a final would rank them.
    }
league-title = Weekly league
league-of = Weekly league of { $title }
league-week = { $from } to { $to }
league-hint = For a week, programs play within groups of ten of similar strength. On Monday at midnight the best { $moving } of each group move up and the last { $moving } down, by share of points; new programs join.
league-none = The league begins with the first programs on the ladder.
league-group = Group { $number }
league-own = { $program }: group { $group }, place { $place }
league-up = moves up
league-down = moves down
league-earlier = ← Week before
league-current = This week →
league-begin = Start a weekly league
league-end = End the weekly league
