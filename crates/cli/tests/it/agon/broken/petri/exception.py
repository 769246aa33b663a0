# Its cells raise an exception in every action.
import sys

words = sys.stdin.read().split()
if words == ["BEGIN"]:
    print(4, 8, 0)
else:
    raise ValueError("no idea what to do")
