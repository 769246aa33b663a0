#!/bin/bash
# A name with quotes, as PGN's standard writes it (8.1.1: `\"` within the value of a tag), is read in three ways.
#
#   [White "Ada \"the ace\" L."]
#
# @mliebelt/pgn-parser takes the backslashes away; python-chess keeps them, and writes a name with quotes without any, so
# that other readers refuse what it has written; chess.js refuses the game. Lines that begin with `%` (standard, 6) are
# passed over by python-chess, and refused by chess.js.
#
# Seen with chess 1.11.2 of PyPI, chess.js 1.4.0 and @mliebelt/pgn-parser 1.4.19 of npm. Exits with 0 while it is so.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
python3 -m venv python > log 2>&1
python/bin/pip install --quiet chess==1.11.2 >> log 2>&1
npm install --silent --no-fund --no-audit --prefix . chess.js@1.4.0 @mliebelt/pgn-parser@1.4.19 >> log 2>&1

cat > name.pgn <<'EOF'
[White "Ada \"the ace\" L."]
[Black "Ben"]
[Result "*"]

1. e4 e5 *
EOF
cat > escaped.pgn <<'EOF'
[White "Ada"]
[Black "Ben"]
[Result "*"]

% for other programs
1. e4 e5 *
EOF
cat > read.py <<'EOF'
import io
import chess.pgn

read = lambda text: chess.pgn.read_game(io.StringIO(text))
print("python-chess", read(open("name.pgn").read()).headers["White"])
print("python-chess", read(open("escaped.pgn").read()).mainline_moves())
game = chess.pgn.Game()
game.headers["White"] = 'Ada "the ace" L.'
open("written.pgn", "w").write(f"{game}\n")
print("python-chess writes", str(game).splitlines()[4])
EOF
cat > read.js <<'EOF'
const fs = require('fs');
const { Chess } = require('chess.js');
const { parse } = require('@mliebelt/pgn-parser');
const chess = (name) => {
  const game = new Chess();
  try {
    game.loadPgn(fs.readFileSync(name, 'utf8'));
    return game.getHeaders().White;
  } catch {
    return 'refuses';
  }
};
for (const name of ['name.pgn', 'escaped.pgn', 'written.pgn']) console.log('chess.js', name, chess(name));
console.log('pgn-parser', parse(fs.readFileSync('name.pgn', 'utf8'), { startRule: 'game' }).tags.White);
EOF
{ python/bin/python read.py && node read.js; } > seen 2>> log

cat > wanted <<'EOF'
python-chess Ada \"the ace\" L.
python-chess 1. e4 e5
python-chess writes [White "Ada "the ace" L."]
chess.js name.pgn refuses
chess.js escaped.pgn refuses
chess.js written.pgn refuses
pgn-parser Ada "the ace" L.
EOF
cat seen
diff wanted seen && echo "as it was seen"
