# Kept alive by LOOP, it does not flush its answers.
import sys

for line in sys.stdin:
    if line.startswith("BEGIN"):
        print("4 8 0 LOOP", flush=True)
    elif line.startswith("END"):
        break
    elif len(line.split()) == 4:
        print("REST")
