import sys
def choose(free):
    return free[9]
for line in sys.stdin:
    if line[0] == 'R':
        print('OK', flush=True)
    if line[0] == 'T':
        choose([])
