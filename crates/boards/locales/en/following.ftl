# What visitors follow, and the news since their last visit.
following-begin = Follow
following-stop = Following
following-all = All you follow
following-full = You follow { $limit } already
following-title = You follow
following-browser = Without an account, this list stays in your browser.
following-none = Nothing yet: the page of a program or a person has a button for it.
following-people = People:
news-title = Since your last visit
news-since = Your last visit: { $ago }
news-recent = The last { $days } days
news-place = { $place ->
    [1] 1st
    [2] 2nd
    [3] 3rd
   *[other] place { $place }
 }
news-playing = playing now
news-nothing = nothing new
news-games = { $count ->
    [one] 1 game
   *[other] { $count } games
 }: { $wins } won, { $draws } drawn, { $losses } lost.
news-last = last game
news-version = new version v{ $number }
news-best = best win: over { $name }
