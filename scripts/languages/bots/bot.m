1;
while true
  line = fscanf(stdin, "%s", "C");
  if strncmp(line, "READY", 5)
    puts("OK\n");
  elseif strncmp(line, "TURN", 4)
    puts("MOVE -1 -1\n");
  elseif strncmp(line, "FINISH", 6)
    break
  end
  fflush(stdout);
end
