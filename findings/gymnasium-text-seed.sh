#!/usr/bin/env bash
# gymnasium.spaces.Text: one seed, one version, three processes, three samples in 0.29.1; the same sample in 1.4.0.
#
# Seen on 2026-11-28 with Python 3.11 and numpy 2.4.6: with gymnasium 0.29.1, `Text(8)` seeded with 42 draws other texts
# in every process, though `Discrete(100)` beside it draws 8 each time. The space draws by position from a frozenset of
# characters, whose order follows from Python's hash of the process: with PYTHONHASHSEED 1, 2 and 3 there are three
# samples, with 1 again the first. So a run of 0.29.1 with such a space is not reproduced by its seeds. In 1.4.0 the four
# runs agree. The script fails if one of this changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
pip=("$folder/venv/bin/python" -m pip install -q --disable-pip-version-check)
"${pip[@]}" numpy==2.4.6 cloudpickle==3.1.3 typing_extensions==4.16.0 Farama-Notifications==0.0.6
for version in 0.29.1 1.4.0; do
    "${pip[@]}" --no-deps --target "$folder/$version" "gymnasium==$version"
    : > "$folder/samples"
    for hash_seed in 1 2 3 1; do
        PYTHONHASHSEED=$hash_seed PYTHONPATH=$folder/$version "$folder/venv/bin/python" - <<'PYTHON' >> "$folder/samples"
from gymnasium import spaces

text, number = spaces.Text(8), spaces.Discrete(100)
text.seed(42), number.seed(42)
print([text.sample() for _ in range(5)], int(number.sample()))
PYTHON
    done
    echo "gymnasium $version, hash seeds 1, 2, 3 and 1:"
    cat "$folder/samples"
    python3 - "$folder/samples" "$version" <<'PYTHON'
import sys

rows = [line.rsplit(" ", 1) for line in open(sys.argv[1]).read().splitlines()]
texts, numbers = zip(*rows)
expected = 3 if sys.argv[2] == "0.29.1" else 1
assert len(set(texts[:3])) == expected, f"{len(set(texts[:3]))} samples, where {expected} were seen"
assert texts[3] == texts[0], "the samples of Text differ with one hash seed"
assert set(numbers) == {"8"}, numbers
PYTHON
done
echo "as seen"
