object Bot {
  def main(words: Array[String]): Unit =
    io.Source.stdin.getLines().takeWhile(!_.startsWith("FINISH")).foreach { line =>
      if (line.startsWith("READY")) println("OK")
      if (line.startsWith("TURN")) println("MOVE -1 -1")
    }
}
