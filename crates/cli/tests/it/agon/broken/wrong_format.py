# It forgets the word MOVE.
import sys

for line in sys.stdin:
    if line.startswith("READY"):
        print("OK", flush=True)
    elif line.startswith("TURN"):
        print("3 3", flush=True)
    elif line.startswith("FINISH"):
        break
