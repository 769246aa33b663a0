s/^READY.*/OK/p
s/^TURN.*/MOVE -1 -1/p
/^FINISH/q
