:- initialization(main, main).

main :- read_line_to_string(user_input, Line), answer(Line).

answer(end_of_file) :- !.
answer(Line) :- sub_string(Line, 0, _, _, "FINISH"), !.
answer(Line) :- sub_string(Line, 0, _, _, "READY"), !, say("OK").
answer(Line) :- sub_string(Line, 0, _, _, "TURN"), !, say("MOVE -1 -1").
answer(_) :- main.

say(Text) :- writeln(Text), flush_output, main.
