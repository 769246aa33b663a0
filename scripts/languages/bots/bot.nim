import std/strutils

for line in stdin.lines:
  if line.startsWith("READY"): echo "OK"
  elif line.startsWith("TURN"): echo "MOVE -1 -1"
  elif line.startsWith("FINISH"): break
