Enum.each(IO.stream(:stdio, :line), fn line ->
  case hd(String.split(line <> " ")) do
    "READY" -> IO.puts("OK")
    "TURN" -> IO.puts("MOVE -1 -1")
    "FINISH" -> System.halt(0)
    _ -> :ok
  end
end)
