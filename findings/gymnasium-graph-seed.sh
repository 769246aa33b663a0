#!/usr/bin/env bash
# One seed, other samples: which spaces of gymnasium draw differently from the same seed in 0.29.1, 1.0.0, 1.3.0, 1.4.0.
#
# Seen on 2026-11-28 with Python 3.11 and numpy 2.4.6, seed 42, each space seeded and sampled once:
#   Discrete, MultiDiscrete, MultiBinary, Box, Dict and Tuple are the same in all four;
#   Sequence(Discrete(100)) changed from 0.29.1 (8, 77, 65, ...) to 1.0.0 (2, 81, 64, ...);
#   Graph(Discrete(100), None) changed from 1.3.0 (43, 85, 69, ...) to 1.4.0 (81, 62, 88, ...);
#   Dict.seed(42) returns a list of seeds in 0.29.1 and a dict from 1.0.0 on; the samples are the same.
# A composite of these spaces is therefore reproduced by seed and version, not by the seed. The script fails if one of this
# changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
pip=("$folder/venv/bin/python" -m pip install -q --disable-pip-version-check)
"${pip[@]}" numpy==2.4.6 cloudpickle==3.1.3 typing_extensions==4.16.0 Farama-Notifications==0.0.6
for version in 0.29.1 1.0.0 1.3.0 1.4.0; do
    "${pip[@]}" --no-deps --target "$folder/$version" "gymnasium==$version"
    PYTHONPATH=$folder/$version "$folder/venv/bin/python" -W ignore - > "$folder/$version.txt" <<'PYTHON'
import numpy as np
from gymnasium import spaces


def drawn(space):
    seeds = space.seed(42)
    sample = space.sample()
    return type(seeds).__name__, getattr(sample, "nodes", sample)


hundred = lambda: spaces.Discrete(100)
for name, space in {
    "Discrete": hundred(),
    "MultiDiscrete": spaces.MultiDiscrete([100, 100, 100]),
    "MultiBinary": spaces.MultiBinary(12),
    "Box": spaces.Box(0, 1, (3,)),
    "Dict": spaces.Dict(a=hundred(), b=hundred()),
    "Tuple": spaces.Tuple([hundred(), hundred()]),
    "Sequence": spaces.Sequence(hundred()),
    "Graph": spaces.Graph(hundred(), None),
}.items():
    seeds, sample = drawn(space)
    values = list(sample.values()) if isinstance(sample, dict) else sample
    print(name, [round(float(value), 6) for value in np.ravel(np.asarray(values))], seeds if name == "Dict" else "")
PYTHON
    echo "gymnasium $version"
    cat "$folder/$version.txt"
done
python3 - "$folder" <<'PYTHON'
import sys

rows = {
    version: dict(line.split(" ", 1) for line in open(f"{sys.argv[1]}/{version}.txt").read().splitlines())
    for version in ("0.29.1", "1.0.0", "1.3.0", "1.4.0")
}
old, one, three, four = rows.values()
for name in ("Discrete", "MultiDiscrete", "MultiBinary", "Box", "Tuple"):
    assert len({row[name] for row in rows.values()}) == 1, name
assert old["Sequence"] != one["Sequence"] == three["Sequence"] == four["Sequence"], "Sequence"
assert old["Graph"] == one["Graph"] == three["Graph"] != four["Graph"], "Graph"
assert old["Dict"].split("]")[0] == four["Dict"].split("]")[0], "Dict"
assert (old["Dict"].split()[-1], one["Dict"].split()[-1]) == ("list", "dict"), "Dict.seed"
PYTHON
echo "as seen"
