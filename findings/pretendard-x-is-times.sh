#!/bin/sh
# Pretendard 1.3.9 writes a small x between two numbers as a multiplication sign, also across a space: the protocol line
# `MOVE x1 y1 x2 y2` looks like `MOVE x1 y1 ×2 y2`. The rule is in two features that are on by default, `calt` and `clig`,
# so switching off either leaves it; `font-variant-ligatures: no-contextual no-common-ligatures` shows the letter.
#
# Seen with HarfBuzz (uharfbuzz 0.56.0): the x of `x2` is another glyph by default, without `calt` and without `clig`, and
# the letter without both. Fails if that changes.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm pack --silent pretendard@1.3.9 > pack.log 2>&1 || { cat pack.log >&2; exit 2; }
tar -xzf pretendard-1.3.9.tgz
python3 -m venv venv
venv/bin/pip -q install uharfbuzz==0.56.0 fonttools==4.68.0
cat > look.py <<'END'
import io, sys

import uharfbuzz as hb
from fontTools.ttLib import TTFont

font = TTFont("package/dist/public/static/Pretendard-Regular.otf")
plain = io.BytesIO()
font.save(plain)
face = hb.Face(plain.getvalue())
line = "MOVE x1 y1 x2 y2"


def glyph(**features):
    """The glyph of the x before the 2."""
    buffer = hb.Buffer()
    buffer.add_str(line)
    buffer.guess_segment_properties()
    hb.shape(hb.Font(face), buffer, features)
    return font.getGlyphName(buffer.glyph_infos[line.index("x2")].codepoint)


letter = font.getBestCmap()[ord("x")]
seen = {
    "default": glyph(),
    "without calt": glyph(calt=False),
    "without clig": glyph(clig=False),
    "without both": glyph(calt=False, clig=False),
}
print("the letter:", letter)
print("the x of x2:", seen)
sys.exit([name == letter for name in seen.values()] != [False, False, False, True])
END
venv/bin/python look.py
