$stdout.sync = true
while (line = gets)
  case line.split.first
  when "READY" then puts "OK"
  when "TURN" then puts "MOVE -1 -1"
  when "FINISH" then break
  end
end
