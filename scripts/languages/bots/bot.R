input <- file("stdin", "r")
repeat {
  line <- readLines(input, n = 1)
  if (length(line) == 0 || startsWith(line, "FINISH")) break
  if (startsWith(line, "READY")) cat("OK\n")
  if (startsWith(line, "TURN")) cat("MOVE -1 -1\n")
}
