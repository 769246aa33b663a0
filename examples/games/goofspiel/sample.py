"""A player of Goofspiel: it bids the card of the prize's own value, or the nearest that it still has."""
import sys

cards, prize = [], 0
for line in sys.stdin:
    word, *rest = line.split()
    if word == "INFO" and rest[0] == "cards":
        cards = list(range(1, int(rest[1]) + 1))
    elif word == "INFO" and rest[0] == "prize":
        prize = int(rest[1])
    elif word == "READY":
        print("OK", flush=True)
    elif word == "TURN":
        card = min(cards, key=lambda card: abs(card - prize))
        cards.remove(card)
        print("MOVE", card, flush=True)
    elif word == "FINISH":
        break
