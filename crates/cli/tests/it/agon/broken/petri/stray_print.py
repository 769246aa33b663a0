# Its cells print what they think before they answer.
import sys

words = sys.stdin.read().split()
if words == ["BEGIN"]:
    print(4, 8, 0)
else:
    print("debug: looked at 8 squares")
    print("DIVIDE E")
