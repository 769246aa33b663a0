# It raises an exception at its first move.
import sys


for line in sys.stdin:
    if line.startswith("READY"):
        print("OK", flush=True)
    elif line.startswith("TURN"):
        raise ValueError("no idea what to play")
    elif line.startswith("FINISH"):
        break
