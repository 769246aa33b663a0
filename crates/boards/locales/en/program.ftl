# Programs, people, and two programs against each other.
program-plays = version { $number } plays
program-barred = disqualified
program-fixed = (fixed)
program-place = Place
program-results = Won, drawn, lost
program-stronger = Stronger than { $name }: its whole interval lies above it.
program-versions = Versions
program-opponents = By opponent
program-endings = How its games end
program-no-games = None yet. It plays as soon as a version has passed its check.
program-challenge = Challenge it with { $name }
program-by-hand = Play against it
program-by-hand-own = Only you can play against it on a board.
program-by-hand-all = Everybody who has signed in can play against it on a board.
program-by-hand-open = Let everybody play
program-by-hand-close = Keep it to yourself
program-chart = Elo over the last { $count } rated games; a line begins each version.
program-matchups = From the strongest opponent to the weakest: the share of the points, the opponent's Elo, and games won–drawn–lost.
program-causes = Why games were lost
program-phases = Short games and long ones
program-rated-games =
    { $count ->
        [one] { $count } rated game
       *[other] { $count } rated games
    }
phase-short = the shortest
phase-middle = the middle
phase-long = the longest
phase-moves = { $from } to { $to } moves, { $games } games
phase-share = The share of the points in each third of the games.
cause-fault = { $verdict }: its own fault
version-plays = plays
version-source = Source and check
version-activate = Let it play
versus-games =
    { $count ->
        [one] { $count } rated game: { $wins } won, { $draws } drawn, { $losses } lost by { $name }.
       *[other] { $count } rated games: { $wins } won, { $draws } drawn, { $losses } lost by { $name }.
    }
versus-ask = Games to play, not rated
versus-play = Play them
versus-none = They have not met yet.
versus-first = Ask for their first games above.
person-since = here since { $ago }
person-games = Rated games
person-account = Your account
versus-asked = Your games are in the queue. { $link } shows how far they are.
versus-asked-link = Your page
