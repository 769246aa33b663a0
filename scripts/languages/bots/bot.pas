program bot;
var line: string;
begin
  while not eof do begin
    readln(line);
    if copy(line, 1, 5) = 'READY' then writeln('OK');
    if copy(line, 1, 4) = 'TURN' then writeln('MOVE -1 -1');
    if copy(line, 1, 6) = 'FINISH' then break;
    flush(output);
  end;
end.
