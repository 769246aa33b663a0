free = [(row, column) for row in (1, 2, 3) for column in (1, 2, 3)]
while True:
    words = input().split()
    if words[0] == "READY":
        print("OK", flush=True)
    elif words[0] == "OPP":
        free.remove(tuple(map(int, words[1:3])))
    elif words[0] == "TURN":
        print("MOVE", *free.pop(0), flush=True)
    elif words[0] == "FINISH":
        break
