import sys

for line in iter(sys.stdin.readline, ""):
    word = line.split()[:1]
    if word == ["READY"]:
        print("OK")
    elif word == ["TURN"]:
        print("MOVE -1 -1")
    elif word == ["FINISH"]:
        break
    sys.stdout.flush()
