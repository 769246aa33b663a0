(* Renju: a sample bot in OCaml. It looks ahead while its time lasts. Replace `choose` by your own idea.

   Build: ocamlopt -O3 -I +unix unix.cmxa sample.ml -o sample        (-O3 matters to flambda compilers only) *)

(* ---- Board ---------------------------------------------------------------------------------------------------------
   A board is an array of cells, row by row, with a margin of walls. A direction is the distance to the next cell. A
   position is a board seen by the player to move: its score for him, and what a stone on each cell is worth to both. *)
type content = Empty | Black | White | Wall
type position =
  { board : content array; player : content; stones : int; score : int; own : int array; foe : int array }

let side, width = 15, 20
let other player = if player = Black then White else Black
let directions = [ 1; width; width + 1; width - 1 ]
let pass = (width * 4) - 1 (* as if it were the cell (-1,-1) *)
let cells = List.init (side * side) (fun n -> (width * ((n / side) + 6)) + (n mod side) + 1)

let start () =
  let board = Array.make (width * 27) Wall and zeros = Array.make (width * 27) 0 in
  List.iter (fun cell -> board.(cell) <- Empty) cells;
  { board; player = Black; stones = 0; score = 0; own = zeros; foe = zeros }

(* How many of the [n] cells from [from] on, in direction [d], hold [wanted]. *)
let count board from d n (wanted : content) =
  let sum = ref 0 in
  for i = 0 to n - 1 do if board.(from + (i * d)) = wanted then incr sum done;
  !sum

(* ---- Rules ---------------------------------------------------------------------------------------------------------
   What a black stone on [cell] makes in direction [d]: the length of its row, FOURs, THREEs. *)
let shapes board cell d =
  let rec run step at = if board.(at + step) = Black then 1 + run step (at + step) else 0 in
  let back n = cell - (n * d) in
  (* A FOUR is four of five neighbouring cells, the fifth empty. Two of them on one line take five stones. *)
  let is_four n = count board (back n) d 5 Black = 4 && count board (back n) d 5 Empty = 1 in
  let four = if List.exists is_four [ 0; 1; 2; 3; 4 ] then min 2 (count board (back 4) d 9 Black - 3) else 0 in
  (* A THREE is three of four neighbouring cells, the fourth and both outer neighbours empty. *)
  let is_three n = count board (back n) d 4 Black = 3 && count board (back (n + 1)) d 6 Empty = 3 in
  1 + run d cell + run (-d) cell, four, if List.exists is_three [ 0; 1; 2; 3 ] then 1 else 0

(* Whether an empty cell is legal for certain. For Black the full rule looks ahead from every THREE; this one counts all
   that looks like a FOUR or a THREE: it never plays a forbidden move, but refuses some that are allowed. *)
let may_play { board; player; stones; _ } cell =
  if stones < 3 then (* the first is on (8,8), the second a step from it, the third two *)
    max (abs ((cell / width) - 13)) (abs ((cell mod width) - 8)) <= stones
  else player = White || begin
    board.(cell) <- Black; (* for a moment *)
    let made = List.map (shapes board cell) directions in
    board.(cell) <- Empty;
    let sum f = List.fold_left (fun total shape -> total + f shape) 0 made in
    let legal = sum (fun (_, four, _) -> four) < 2 && sum (fun (_, _, three) -> three) < 2 in
    List.exists (fun (row, _, _) -> row = 5) made || (List.for_all (fun (row, _, _) -> row < 5) made && legal)
  end

(* ---- Choice --------------------------------------------------------------------------------------------------------
   A stone is worth something in every five neighbouring cells in which all the other stones are one player's. The index
   is the number of those stones: own, then the opponent's. [order] is for the order of moves, [value] for the score.
   Four stones decide; an open three is three stones in two such fives at once. *)
let win, four, infinity = 1_000_000, 50_000, 10_000_000
let breadth = 10 (* moves tried in a position *)
let max_depth = 64 (* moves to look ahead; a bot with a small number repeats its games *)
let share, reserve = 30., 100. (* a move may take a thirtieth of the time left, but for the last 100 milliseconds *)
let deadline = ref 0.
exception Out_of_time

let worth own_list foe_list own foe = if foe = 0 then own_list.(own) else if own = 0 then foe_list.(foe) else 0
let order = worth [| 0; 6; 50; 1500; win; 0 |] [| 0; 5; 40; 1000; four; 0 |]
let value = worth [| 1; 6; 50; 500; 0 |] [| 0; 1; 7; 57; 557 |]

(* The position after a move. It changes the 20 fives through the cell, and with them the worth of their other cells. *)
let after { board; player; stones; score; own; foe } cell =
  if cell = pass then { board; player = other player; stones; score = -score; own = foe; foe = own }
  else begin
    let board = Array.copy board and own = Array.copy own and foe = Array.copy foe and score = ref score in
    directions |> List.iter (fun d ->
      for back = 0 to 4 do
        let from = cell - (back * d) in
        if count board from d 5 Wall = 0 then begin
          let mine = count board from d 5 player and others = count board from d 5 (other player) in
          let add worths near gain = worths.(near) <- worths.(near) + gain in
          for i = 0 to 4 do
            add own (from + (i * d)) (order (mine + 1) others - order mine others);
            add foe (from + (i * d)) (order others (mine + 1) - order others mine)
          done;
          score := !score + value mine others
        end
      done);
    board.(cell) <- player;
    { board; player = other player; stones = stones + 1; score = - !score; own = foe; foe = own }
  end

(* The moves to try, the one worth most first; after a four, only those that complete or block it. *)
let list_moves ({ board; own; _ } as position) =
  let rec take n urgent = function
    | cell :: others when n > 0 && not (urgent && own.(cell) < four) ->
      if may_play position cell then cell :: take (n - 1) (own.(cell) >= four) others else take n urgent others
    | _ -> []
  in
  let free = List.filter (fun cell -> board.(cell) = Empty) cells in
  take breadth false (List.stable_sort (fun a b -> compare own.(b) own.(a)) free) (* equals stay in their order *)

(* What the player to move can reach in [depth] moves (negamax with alpha-beta). *)
let rec search position depth alpha beta =
  if Unix.gettimeofday () > !deadline then raise Out_of_time;
  match if depth > 0 then list_moves position else [] with
  | [] -> position.score
  | best :: _ when position.own.(best) >= win -> win + (side * side) - position.stones (* the sooner, the better *)
  | best :: _ as moves ->
    let depth = if position.own.(best) >= four then depth + 1 else depth in (* a forced move does not count *)
    let rec loop alpha = function
      | cell :: others when alpha < beta ->
        loop (max alpha (- (search (after position cell) (depth - 1) (-beta) (-alpha)))) others
      | _ -> alpha
    in
    loop alpha (if depth = 1 then [ best ] else moves) (* the last move is the one that looks best *)

(* The cell to play, or a PASS when none is sure to be legal. [my_time], in milliseconds, is left for the game. *)
let choose position my_time =
  deadline := Unix.gettimeofday () +. ((my_time -. reserve) /. share /. 1000.);
  let rec deepen depth moves = (* each iteration moves its best move to the front; the next one tries it first *)
    let consider (best, alpha) cell =
      let value = - (search (after position cell) depth (-infinity) (-alpha)) in
      if value > alpha then cell, value else best, alpha
    in
    if depth >= max_depth then moves
    else match List.fold_left consider (pass, -infinity) moves with
      | best, _ -> deepen (depth + 1) (best :: List.filter (( <> ) best) moves)
      | exception Out_of_time -> moves
  in
  match list_moves position with
  | [] -> pass
  | best :: others as moves -> if others = [] || position.own.(best) >= win then best else List.hd (deepen 2 moves)

(* ---- Protocol: one command a line; a PASS is -1 -1 --------------------------------------------------------------- *)
let rec play position =
  match String.split_on_char ' ' (String.trim (read_line ())) with
  | "READY" :: _ -> (* FIRST or SECOND, which follows from the moves as well *)
    print_endline "OK"; (* it flushes, or the judge would wait for an answer that never leaves this process *)
    play position
  | "TURN" :: my_time :: _ ->
    let cell = choose position (float_of_string my_time) in
    let x, y = if cell = pass then -1, -1 else (cell / width) - 5, cell mod width in
    Printf.printf "MOVE %d %d\n%!" x y;
    play (after position cell)
  | ("OPP" | "OPENING") :: x :: y :: _ -> (* OPENING: a move made for us before READY *)
    play (after position ((width * (int_of_string x + 5)) + int_of_string y))
  | "FINISH" :: _ -> if Sys.getenv_opt "AGON_STAY" <> None then play (start ()) (* the same program plays on *)
  | _ -> play position

let () = try play (start ()) with End_of_file -> ()
