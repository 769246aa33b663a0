int main() {
  while (string line = Stdio.stdin.gets()) {
    if (has_prefix(line, "READY")) write("OK\n");
    else if (has_prefix(line, "TURN")) write("MOVE -1 -1\n");
    else if (has_prefix(line, "FINISH")) break;
  }
}
