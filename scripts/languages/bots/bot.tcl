while {[gets stdin line] >= 0} {
    switch -glob -- $line {
        READY* { puts OK }
        TURN* { puts "MOVE -1 -1" }
        FINISH* { break }
    }
    flush stdout
}
