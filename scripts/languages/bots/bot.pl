$| = 1;
while (<STDIN>) {
    if (/^READY/) { print "OK\n" }
    elsif (/^TURN/) { print "MOVE -1 -1\n" }
    elsif (/^FINISH/) { last }
}
