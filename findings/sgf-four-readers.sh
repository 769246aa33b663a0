#!/bin/bash
# Four readers of SGF read the same two files of renju in four ways.
#
# 1. FF[4] takes a line end behind a backslash out of a text, and the backslash before any other character
#    (red-bean.com/sgf/sgf4.html, "Text"). sgfmill and @sabaki/sgf do; sgf keeps the line end; smartgame keeps the
#    backslashes, also in a name.
# 2. FF[3] has long names whose small letters say nothing, Black[hh] (red-bean.com/sgf/ff1_3/ff3.html). sgfmill and
#    @sabaki/sgf read a move of Black; sgf refuses the file; smartgame has a property `Black`, and so no move.
#
# Seen with sgf 0.5 and sgfmill 1.1.1 of PyPI, @sabaki/sgf 3.4.7 and smartgame 0.1.5 of npm. Exits with 0 while it is so.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
python3 -m venv python > log 2>&1
python/bin/pip install --quiet sgf==0.5 sgfmill==1.1.1 >> log 2>&1
npm install --silent --no-fund --no-audit --prefix . @sabaki/sgf@3.4.7 smartgame@0.1.5 >> log 2>&1

printf '%s' '(;FF[4]GM[4]SZ[15]PB[a\]b]C[soft\
break \: x];B[hh];W[ig])' > four.sgf
printf '%s' '(;FiFo[3]GaMe[4]SiZe[15];Black[hh];White[ig])' > three.sgf

cat > read.py <<'EOF'
import sgf
from sgfmill import sgf as sgfmill

four, three = open("four.sgf").read(), open("three.sgf").read()
root = sgf.parse(four).children[0].root
print("sgf", repr(root.properties["PB"][0]), repr(root.properties["C"][0]))
try:
    print("sgf", [node.properties for node in sgf.parse(three).children[0].nodes])
except sgf.ParseException as error:
    print("sgf refuses", error)
root = sgfmill.Sgf_game.from_string(four).get_root()
print("sgfmill", repr(root.get("PB")), repr(root.get("C")))
print("sgfmill", [node.get_move() for node in sgfmill.Sgf_game.from_string(three).get_main_sequence()][1:])
EOF
cat > read.js <<'EOF'
const fs = require('fs');
const [sabaki, smartgame] = [require('@sabaki/sgf'), require('smartgame')];
const [four, three] = ['four.sgf', 'three.sgf'].map((name) => fs.readFileSync(name, 'utf8'));
const { PB, C } = sabaki.parse(four)[0].data;
console.log('sabaki', JSON.stringify(PB[0]), JSON.stringify(C[0]));
console.log('sabaki', JSON.stringify(sabaki.parse(three)[0].children[0].data));
const root = smartgame.parse(four).gameTrees[0].nodes[0];
console.log('smartgame', JSON.stringify(root.PB), JSON.stringify(root.C));
console.log('smartgame', JSON.stringify(smartgame.parse(three).gameTrees[0].nodes[1]));
EOF
{ python/bin/python read.py && node read.js; } > seen 2>> log

cat > wanted <<'EOF'
sgf 'a]b' 'soft\nbreak : x'
sgf refuses ('i', 3)
sgfmill 'a]b' 'softbreak : x'
sgfmill [('b', (7, 7)), ('w', (8, 8))]
sabaki "a]b" "softbreak : x"
sabaki {"B":["hh"]}
smartgame "a\\]b" "soft\\\nbreak \\: x"
smartgame {"Black":"hh"}
EOF
cat seen
diff wanted seen && echo "as it was seen"
