do while lines() > 0
  line = linein()
  select
    when left(line, 5) = 'READY' then say 'OK'
    when left(line, 4) = 'TURN' then say 'MOVE -1 -1'
    when left(line, 6) = 'FINISH' then exit
    otherwise nop
  end
end
