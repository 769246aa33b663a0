(* Bacteria War: a sample bot in OCaml. It looks ahead while its time lasts. Replace `choose` by your own idea.

   Build: ocamlopt -O3 -I +unix unix.cmxa sample.ml -o sample        (-O3 matters to flambda compilers only) *)

(* ---- Board ---------------------------------------------------------------------------------------------------------
   A set of cells is a number: bit 7*row + column (both from 0) is one cell. A board is two such sets, [own] and [foe],
   seen by the player to move. A move goes from a cell to a cell, each 0..48. *)

type move = Pass | Move of int * int

let side = 7
let area = side * side
let full = (1 lsl area) - 1
let start = 1 lsl 0 lor (1 lsl 48), 1 lsl 6 lor (1 lsl 42) (* the first player, who moves, has (1,1) and (7,7) *)
let has set cell = set lsr cell land 1 = 1
let every_cell = List.init area Fun.id
let distance a b = max (abs ((a / side) - (b / side))) (abs ((a mod side) - (b mod side)))

(* For every cell, the cells at distance 1 (a division comes from there, an infection goes there) and at distance 2
   (a leap comes from there). *)
let around wanted =
  let set_of cell other = if distance cell other = wanted then 1 lsl other else 0 in
  Array.init area (fun cell -> List.fold_left (fun set other -> set lor set_of cell other) 0 every_cell)

let near = around 1
let far = around 2
let rec count set = if set = 0 then 0 else 1 + count (set land (set - 1)) (* without its lowest cell *)

(* ---- Rules ------------------------------------------------------------------------------------------------------- *)

(* All moves, the one that gains most first. Divisions to one cell all have the same effect: one stands for all. *)
let list_moves own foe =
  let moves_to target =
    let infected = count (foe land near.(target)) in
    let from set gain =
      List.map (fun cell -> gain, Move (cell, target)) (List.filter (has (own land set)) every_cell)
    in
    let divisions = from near.(target) ((2 * infected) + 1) and leaps = from far.(target) (2 * infected) in
    match divisions with
    | division :: _ -> division :: leaps
    | [] -> leaps
  in
  let moves = List.concat_map moves_to (List.filter (has (full land lnot (own lor foe))) every_cell) in
  if moves = [] then [ Pass ]
  else List.map snd (List.stable_sort (fun (a, _) (b, _) -> compare b a) moves) (* equals stay in their order *)

(* The board after a move, seen by the other player. *)
let after own foe = function
  | Pass -> foe, own
  | Move (from, target) ->
    let infected = foe land near.(target) in
    let stayed = if has far.(target) from then own land lnot (1 lsl from) else own in (* a leap empties its source *)
    foe land lnot infected, stayed lor infected lor (1 lsl target)

(* ---- Choice ------------------------------------------------------------------------------------------------------ *)

let share, reserve = 30., 100. (* a move may take a thirtieth of the time left, but for the last 100 milliseconds *)
let max_depth = 64 (* moves to look ahead; a bot with a small number repeats its games *)
let infinity = 1_000_000
let deadline = ref 0.

exception Out_of_time

(* What the player to move can reach in [depth] moves: own cells minus foe cells (negamax with alpha-beta). *)
let rec search own foe depth alpha beta =
  let lead = count own - count foe in
  if own = 0 || foe = 0 || own lor foe = full then 100 * lead (* the game is over *)
  else if depth = 0 then lead
  else if Unix.gettimeofday () > !deadline then raise Out_of_time
  else
    let value move alpha =
      let foe', own' = after own foe move in
      - (search foe' own' (depth - 1) (-beta) (-alpha))
    in
    let rec loop alpha = function
      | move :: others when alpha < beta -> loop (max alpha (value move alpha)) others
      | _ -> alpha
    in
    let moves = list_moves own foe in
    loop alpha (if depth = 1 then [ List.hd moves ] else moves) (* the last move is the one that gains most *)

(* The move to play; [my_time] is what is left of the clock for the whole game, in milliseconds. *)
let choose own foe my_time =
  deadline := Unix.gettimeofday () +. ((my_time -. reserve) /. share /. 1000.);
  let rec deepen depth moves = (* each iteration moves its best move to the front; the next one tries it first *)
    let consider (best, alpha) move =
      let foe', own' = after own foe move in
      let value = - (search foe' own' depth (-infinity) (-alpha)) in
      if value > alpha then move, value else best, alpha
    in
    if depth >= max_depth then moves
    else match List.fold_left consider (Pass, -infinity) moves with
      | best, _ -> deepen (depth + 1) (best :: List.filter (( <> ) best) moves)
      | exception Out_of_time -> moves
  in
  match list_moves own foe with
  | [ only ] -> only
  | moves -> List.hd (deepen 1 moves)

(* ---- Protocol: one command a line; rows and columns count from 1; a PASS is -1 -1 -1 -1 -------------------------- *)

(* The cells of a letter in rows of x, o and numbers of empty cells. *)
let read_set letter rows =
  let add (set, cell) = function
    | '1' .. '9' as digit -> set, cell + Char.code digit - Char.code '0'
    | '/' -> set, cell
    | c -> (if c = letter then set lor (1 lsl cell) else set), cell + 1
  in
  fst (Seq.fold_left add (0, 0) (String.to_seq rows))

let rec play own foe =
  let continue move = let own, foe = after own foe move in play own foe in
  match String.split_on_char ' ' (String.trim (read_line ())) with
  | "READY" :: _ -> (* FIRST or SECOND, which follows from the moves as well *)
    print_endline "OK"; (* it flushes, or the judge would wait for an answer that never leaves this process *)
    play own foe
  | "TURN" :: my_time :: _ ->
    let move = choose own foe (float_of_string my_time) in
    (match move with
     | Pass -> print_endline "MOVE -1 -1 -1 -1"
     | Move (a, b) ->
       Printf.printf "MOVE %d %d %d %d\n%!" (a / side + 1) (a mod side + 1) (b / side + 1) (b mod side + 1));
    continue move
  | ("OPP" | "OPENING") :: x1 :: y1 :: x2 :: y2 :: _ -> (* OPENING: a move made for us before READY *)
    let cell x y = (side * (int_of_string x - 1)) + int_of_string y - 1 in
    continue (if x1 = "-1" then Pass else Move (cell x1 y1, cell x2 y2))
  | "POSITION" :: rows :: mover :: _ -> (* where the game begins; x is the first player *)
    let x = read_set 'x' rows and o = read_set 'o' rows in
    if mover = "x" then play x o else play o x
  | "FINISH" :: _ ->
    if Sys.getenv_opt "AGON_STAY" <> None then play (fst start) (snd start) (* the same program plays on *)
  | _ -> play own foe

let () = try play (fst start) (snd start) with End_of_file -> ()
