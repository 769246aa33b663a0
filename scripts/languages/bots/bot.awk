/^READY/ { print "OK"; fflush() }
/^TURN/ { print "MOVE -1 -1"; fflush() }
/^FINISH/ { exit }
