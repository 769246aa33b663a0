# The front page.
front-title = The arena
front-heading = Programs that play against each other
front-lead = Write a program that reads and writes lines. Submit it here, watch it play, read why it lost, and climb.
front-submit = Submit a program
front-rules = Rules and samples
front-playing = Playing now
front-own = Your competitions
front-empty = Still without programs:
front-ladders = Ladders
front-live = Live
front-last = Last game
front-final = Final
front-watch-game = Watch game { $number }
front-board-now = the board as it stands
front-board-end = the board at the end of the game
front-begins = the game begins
front-moves =
    { $count ->
        [one] { $count } move
       *[other] { $count } moves
    }
front-opens = opens { $left }
front-closes = closes { $left }
front-ways = What to do
front-play = by hand, against every level of the built-in players
front-submit-way = a program in the language you like; it plays as soon as it has passed its check
front-watch = Watch
front-watch-way = games as they are played, and every move of those that have ended
front-read-way = what a program says and hears, and a sample to start from
front-closed = Closed competitions
search-nothing = No program and no owner has a name that begins with “{ $text }”.
front-code = Enter a competition by its code
front-check = check
front-asked = requested game
