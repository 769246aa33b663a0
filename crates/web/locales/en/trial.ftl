# Trying a source without submitting it.
trial-title = Try it
trial-rival = Then a game against
trial-no-rival = no one
trial-source = Source
trial-hint = Checks the program as a submission is checked, without submitting it. Only you see what is found; nothing is kept.
trial-button = Try it
trial-waiting = It waits for its turn.
trial-running = It is being tried; that takes up to some minutes.
trial-game = The game
trial-own = your program
trial-back = Back to the rules
trial-ready = Nothing was found: it is ready to be submitted.
trial-not-ready = Something must be mended before it is submitted.
trial-measures = { $games } games; READY took { $ready } ms, the slowest move { $slowest } ms, a game { $game } ms at most; { $memory } MiB of memory.
trial-sign-in = { $link } to try a source here without submitting it.
trial-sign-in-link = Sign in
