for line in io.lines() do
  local word = line:match("^%u+")
  if word == "READY" then print("OK")
  elseif word == "TURN" then print("MOVE -1 -1")
  elseif word == "FINISH" then break end
  io.stdout:flush()
end
