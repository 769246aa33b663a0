# It prints what it thinks to standard output.
import sys

for line in sys.stdin:
    if line.startswith("READY"):
        print("OK", flush=True)
    elif line.startswith("TURN"):
        print("debug: looked at 12 moves", flush=True)
        print("MOVE 1 1", flush=True)
    elif line.startswith("FINISH"):
        break
