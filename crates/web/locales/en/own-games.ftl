# Rules that a host uploads.
own-games-title = Games of your own
own-games-hint = Upload rules as { $page } describes them. They are checked as { $check } checks them, and become a game with a ladder when the site starts again.
own-games-file = Name of the file; without one, that of the file below
own-games-choose = Rules as a file, or drop it here
own-games-example = othello.py
own-games-source = Or paste them, one program
own-games-limits = At most { $size } KiB, and { $most } files. Rules run in a jail; a game that they spoil is interrupted, and no program is blamed.
own-games-upload = Check and keep
own-games-kept = The rules pass their check and are kept. Start the site again to open the game.
own-games-name = The file needs a plain name of letters, digits, - and _, with the ending of a language: othello.py.
own-games-empty = The rules are empty.
own-games-too-long = The rules have more than { $size } KiB.
own-games-known = There are rules of this name. Changed rules are another game: give the file another name.
own-games-too-many = The site keeps { $most } files of rules. Remove one from the folder “rules” of its data first.
own-games-late = The check took more than { $seconds } s.
own-games-fails = The rules do not pass their check.
own-games-no-moves = The rules list no moves. A site needs them, so that newcomers have an opponent.
