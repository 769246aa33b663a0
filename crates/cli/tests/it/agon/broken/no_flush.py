# Its answers stay in a buffer: `print` does not send a line at once to a pipe.
import sys

for line in sys.stdin:
    if line.startswith("READY"):
        print("OK")
    elif line.startswith("TURN"):
        print("MOVE 1 1")
    elif line.startswith("FINISH"):
        break
