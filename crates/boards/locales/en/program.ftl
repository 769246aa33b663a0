# Programs, people, and two programs against each other.
program-plays = version { $number } plays
program-barred = disqualified
program-withdrawn = withdrawn
program-withdrawn-no-games = None: its author has withdrawn it.
program-withdrawn-done = Program withdrawn. It plays no more games until you let it return.
program-returned-done = The program is back on the ladder.
program-renamed-done = Program renamed.
program-manage = Manage this program
program-name = Name
program-rename = Rename
program-rename-hint = Records of games and tables of finals keep the old name.
program-withdraw = Withdraw
program-withdraw-sure = It plays no more games and leaves the ladder. Its games stay; running games and finals are played to their end. You can let it return.
program-return = Return to the ladder
program-return-hint = It plays again with the version that it had, and keeps its rating.
program-delete = Delete this program
program-delete-sure = { $name } is deleted with all its versions and checks. This cannot be undone.
program-delete-not = It has played on the ladder or is in a final, and its games belong to its opponents too: it can be withdrawn, but not deleted.
program-fixed = (fixed)
program-place = Place
program-results = Won, drawn, lost
program-stronger = Stronger than { $name }: its whole interval lies above it.
program-versions = Versions
program-opponents = By opponent
program-endings = How its games end
program-builtin-no-games = None yet.
program-no-games = None yet. It plays as soon as a version has passed its check.
program-challenge = Challenge it with { $name }
program-by-hand = Play against it
program-by-hand-own = Only you can play against it on a board.
program-by-hand-all = Everybody who has signed in can play against it on a board.
program-by-hand-open = Let everybody play
program-by-hand-close = Keep it to yourself
program-chart = Elo over the last { $count } rated games; a line begins each version.
program-matchups = From the strongest opponent to the weakest: the share of the points, the opponent's Elo, and games won–drawn–lost.
program-causes = How lost games ended
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
cause-fault = its own failure: { $verdict }
verdict-tle = out of time
verdict-mle = out of memory
verdict-ce = does not compile
verdict-re = runtime error
verdict-interrupted = stopped by the judge
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
program-rival = Rival
program-rival-title = The program met most often: won, drawn and lost against it
