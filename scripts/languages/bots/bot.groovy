for (line in System.in.newReader()) {
    if (line.startsWith("READY")) println "OK"
    else if (line.startsWith("TURN")) println "MOVE -1 -1"
    else if (line.startsWith("FINISH")) return
}
