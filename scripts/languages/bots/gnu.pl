:- initialization(main).

main :- line(Codes), atom_codes(Line, Codes), answer(Line).

line(Codes) :- get_code(C), rest(C, Codes).
rest(C, []) :- (C =:= 10 ; C =:= -1), !.
rest(C, [C | Codes]) :- line(Codes).

answer(Line) :- sub_atom(Line, 0, _, _, 'FINISH'), !, halt.
answer(Line) :- sub_atom(Line, 0, _, _, 'READY'), !, say('OK').
answer(Line) :- sub_atom(Line, 0, _, _, 'TURN'), !, say('MOVE -1 -1').
answer(_) :- main.

say(Text) :- write(Text), nl, flush_output, main.
