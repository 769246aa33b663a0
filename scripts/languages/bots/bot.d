import std.algorithm : startsWith;
import std.stdio;

void main() {
    foreach (line; stdin.byLine) {
        if (line.startsWith("READY")) writeln("OK");
        else if (line.startsWith("TURN")) writeln("MOVE -1 -1");
        else if (line.startsWith("FINISH")) break;
        stdout.flush();
    }
}
