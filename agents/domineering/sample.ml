(* Domineering: a sample bot in OCaml. It looks ahead while its time lasts. Replace `choose` by your own idea.

   Build: ocamlopt -O3 -I +unix unix.cmxa sample.ml -o sample        (-O3 matters to flambda compilers only) *)

(* ---- Board ---------------------------------------------------------------------------------------------------------
   Each player lays dominoes along lines of his own: [first] rows, the other columns. A place (line, i) is a line
   and the index of the domino's first cell on it, from 0. [own] and [foe] are the lines of the player to move and those
   of the other; each line is a number, in which bit i is set if its cell i is taken. *)

let first = 0 (* the other of [player] is 1 - player *)
let weight = [| [||]; [||] |] (* for each player, the numbers on each of his lines *)

(* ---- Rules ------------------------------------------------------------------------------------------------------- *)

let points player line i = weight.(player).(line).(i) + weight.(player).(line).(i + 1)

(* The board after a move, seen by the other player; None is a PASS. *)
let after own foe place =
  let own = Array.copy own and foe = Array.copy foe in
  let take side line cells = side.(line) <- side.(line) lor cells in
  Option.iter (fun (line, i) ->
    take own line (3 lsl i);
    take foe i (1 lsl line);
    take foe (i + 1) (1 lsl line)) place;
  foe, own

(* ---- Choice ------------------------------------------------------------------------------------------------------ *)

let share, reserve = 10., 100. (* a move may take a tenth of the time left, but for the last 100 milliseconds *)
let max_depth = 64 (* moves to look ahead; a bot with a small number repeats its games *)
let infinity = 1_000_000
let deadline = ref 0.

exception Out_of_time

type move = { value : int; gain : int; place : int * int }

(* The points a player could still make on a line with these cells taken, if the other laid no more dominoes.
   The first j+1 cells are worth what the first j are, or what the first j-1 are and a domino on the last two. *)
let known = Hashtbl.create 4096

let line_prospects player line cells =
  match Hashtbl.find_opt known (player, line, cells) with
  | Some best -> best
  | None ->
    let best = ref 0 and shorter = ref 0 in (* for the first j cells and the first j-1 cells *)
    for i = 0 to Array.length weight.(player).(line) - 2 do
      let with_domino = if cells lsr i land 3 = 0 then !shorter + points player line i else 0 in
      shorter := !best;
      best := max !best with_domino
    done;
    Hashtbl.add known (player, line, cells) !best;
    !best

(* What a player could make on all his lines; his dominoes never cross from line to line. *)
let prospects player lines = Array.fold_left ( + ) 0 (Array.mapi (line_prospects player) lines)

(* All moves, the highest value first. The value is the points and the board after them: own prospects minus the
   other's. A move changes one line of the player and two of the other. *)
let list_moves player own foe =
  let now = prospects player own - prospects (1 - player) foe and moves = ref [] in
  let change who line cells more = line_prospects who line (cells lor more) - line_prospects who line cells in
  own |> Array.iteri (fun line cells ->
    for i = 0 to Array.length foe - 2 do
      if cells lsr i land 3 = 0 then begin
        let gain = points player line i and foe_change j = change (1 - player) j foe.(j) (1 lsl line) in
        let value = now + gain + change player line cells (3 lsl i) - foe_change i - foe_change (i + 1) in
        moves := { value; gain; place = line, i } :: !moves
      end
    done);
  List.stable_sort (fun a b -> compare b.value a.value) (List.rev !moves) (* equals stay in their order *)

(* The points that the player to move can still gain on the other one (negamax with alpha-beta). *)
let rec search player own foe depth alpha beta =
  if Unix.gettimeofday () > !deadline then raise Out_of_time;
  match list_moves player own foe with
  | [] -> - (prospects (1 - player) foe) (* the other one now lays all the dominoes that fit *)
  | best :: _ when depth = 1 -> best.value
  | moves ->
    let rec loop alpha = function
      | { gain; place; _ } :: others when alpha < beta ->
        let foe', own' = after own foe (Some place) in
        loop (max alpha (gain - search (1 - player) foe' own' (depth - 1) (gain - beta) (gain - alpha))) others
      | _ -> alpha
    in
    loop alpha moves

(* The place to play; a PASS only when there is none. [my_time], in milliseconds, is left for the whole game. *)
let choose player own foe my_time =
  deadline := Unix.gettimeofday () +. (my_time -. reserve) /. share /. 1000.;
  let rec deepen depth moves = (* each iteration moves its best move to the front; the next one tries it first *)
    let consider (best, alpha) move =
      let foe', own' = after own foe (Some move.place) in
      let value = move.gain - search (1 - player) foe' own' depth (-infinity) (move.gain - alpha) in
      if value > alpha then move, value else best, alpha
    in
    if depth >= max_depth then moves
    else match List.fold_left consider (List.hd moves, -infinity) moves with
      | best, _ -> deepen (depth + 1) (best :: List.filter (( <> ) best) moves)
      | exception Out_of_time -> moves
  in
  match list_moves player own foe with
  | [] -> None
  | [ only ] -> Some only.place
  | moves -> Some (List.hd (deepen 1 moves)).place

(* ---- Protocol: the board first, then one command a line; rows and columns count from 1; a PASS is -1 -1 ---------- *)

let rec play player own foe =
  let place_of x y =
    let x = int_of_string x - 1 and y = int_of_string y - 1 in
    if x < 0 then None else if player = first then Some (x, y) else Some (y, x)
  in
  let continue place = let own, foe = after own foe place in play (1 - player) own foe in
  match String.split_on_char ' ' (String.trim (read_line ())) with
  | "READY" :: _ -> (* FIRST or SECOND, which follows from the moves as well *)
    print_endline "OK"; (* it flushes, or the judge would wait for an answer that never leaves this process *)
    play player own foe
  | "TURN" :: my_time :: _ ->
    let place = choose player own foe (float_of_string my_time) in
    (match place with
     | None -> print_endline "MOVE -1 -1"
     | Some (line, i) ->
       let x, y = if player = first then line, i else i, line in
       Printf.printf "MOVE %d %d\n%!" (x + 1) (y + 1));
    continue place
  | ("OPP" | "OPENING") :: x :: y :: _ -> continue (place_of x y) (* OPENING: a move made for us before READY *)
  | "FINISH" :: _ ->
    if Sys.getenv_opt "AGON_STAY" <> None then begin (* the same program plays the next game, too *)
      weight.(0) <- [||];
      Hashtbl.clear known;
      play first [||] [||]
    end
  | numbers -> (* a row of the board *)
    let row = Array.of_list (List.map int_of_string numbers) in
    let rows = Array.append weight.(0) [| row |] in
    weight.(0) <- rows;
    weight.(1) <- Array.mapi (fun column _ -> Array.map (fun row -> row.(column)) rows) row;
    play player (Array.map (fun _ -> 0) rows) (Array.map (fun _ -> 0) row)

let () = try play first [||] [||] with End_of_file -> ()
