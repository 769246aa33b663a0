fun main(args: Array<String>) {
    while (true) {
        val line = readLine() ?: break
        if (line.startsWith("READY")) println("OK")
        if (line.startsWith("TURN")) println("MOVE -1 -1")
        if (line.startsWith("FINISH")) break
    }
}
