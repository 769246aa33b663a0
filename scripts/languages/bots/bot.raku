for lines() {
    when /^READY/ { say "OK"; $*OUT.flush }
    when /^TURN/ { say "MOVE -1 -1"; $*OUT.flush }
    when /^FINISH/ { last }
}
