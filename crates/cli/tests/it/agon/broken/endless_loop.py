# Its search does not end.
import sys

for line in sys.stdin:
    if line.startswith("READY"):
        print("OK", flush=True)
    elif line.startswith("TURN"):
        depth = 1
        while depth > 0:
            depth += 1
    elif line.startswith("FINISH"):
        break
