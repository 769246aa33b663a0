void main () {
    string? line;
    while ((line = stdin.read_line ()) != null && !line.has_prefix ("FINISH")) {
        if (line.has_prefix ("READY")) print ("OK\n");
        if (line.has_prefix ("TURN")) print ("MOVE -1 -1\n");
    }
}
