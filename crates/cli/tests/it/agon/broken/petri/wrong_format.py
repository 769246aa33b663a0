# Its cells use a word that is no action.
import sys

words = sys.stdin.read().split()
if words == ["BEGIN"]:
    print(4, 8, 0)
else:
    print("GO NORTH")
