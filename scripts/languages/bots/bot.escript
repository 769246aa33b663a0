#!/usr/bin/env escript
main(_) -> answer(io:get_line("")).

answer(eof) -> ok;
answer("FINISH" ++ _) -> ok;
answer("READY" ++ _) -> io:format("OK~n"), main([]);
answer("TURN" ++ _) -> io:format("MOVE -1 -1~n"), main([]);
answer(_) -> main([]).
