"""A player of last-stone: it leaves a multiple of four where it can."""
import sys

stones = 0
for line in sys.stdin:
    word, *rest = line.split()
    if word == "INFO":
        stones = int(rest[1])
    elif word == "READY":
        print("OK", flush=True)
    elif word == "OPP":
        stones -= int(rest[0])
    elif word == "TURN":
        taken = stones % 4 or 1
        stones -= taken
        print("MOVE", taken, flush=True)
    elif word == "FINISH":
        break
