let starts line word =
  let n = String.length word in
  String.length line >= n && String.sub line 0 n = word

let rec answer () =
  match read_line () with
  | exception End_of_file -> ()
  | line when starts line "FINISH" -> ()
  | line ->
    if starts line "READY" then print_endline "OK";
    if starts line "TURN" then print_endline "MOVE -1 -1";
    answer ()

let () = answer ()
