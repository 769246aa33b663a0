## Bacteria War: a sample bot in Nim. It looks ahead while its time lasts. Replace `choose` by your own idea.
## Build and run: nim compile -d:release sample.nim && ./sample
import std/[algorithm, monotimes, os, sequtils, strutils, times]

# ---- Board ----------------------------------------------------------------------------------------------------------
# A cell is a number, 7*row + column (both from 0).

const
  Side = 7
  Area = Side * Side

type
  Cell = range[0 .. Area - 1]
  Cells = set[Cell]
  Board = object ## the cells of both players, seen by the player to move
    own, foe: Cells
  Move = tuple[source, to, gain: int] ## it gains two for each infection, and one for a division

proc atDistance(distance: int): array[Cell, Cells] =
  for a in 0 ..< Area:
    for b in 0 ..< Area:
      if max(abs(a div Side - b div Side), abs(a mod Side - b mod Side)) == distance:
        result[a].incl b

const
  Pass: Move = (-1, -1, 0)
  Start = Board(own: {Cell 0, 48}, foe: {Cell 6, 42}) ## the first player, who moves, has (1,1) and (7,7)
  Near = atDistance(1) ## for every cell, where a division comes from and an infection goes to
  Far = atDistance(2) ## for every cell, where a leap comes from

# ---- Rules ----------------------------------------------------------------------------------------------------------

proc listMoves(board: Board): seq[Move] =
  ## All moves, the one that gains most first. Divisions to one cell all have the same effect: one stands for all.
  for to in 0 ..< Area:
    if to notin board.own + board.foe:
      let gain = 2 * card(board.foe * Near[to])
      for source in Near[to] * board.own:
        result.add (source.int, to, gain + 1)
        break
      for source in Far[to] * board.own:
        result.add (source.int, to, gain)
  if result.len == 0:
    return @[Pass]
  result.sort(proc (a, b: Move): int = cmp(b.gain, a.gain)) # equals stay in their order

proc after(board: Board, move: Move): Board =
  ## The board after a move, seen by the other player.
  result = Board(own: board.foe, foe: board.own)
  if move != Pass:
    let infected = board.foe * Near[move.to]
    result.own.excl infected
    result.foe.incl infected + {Cell move.to}
    if move.source in Far[move.to]: # a leap empties its source
      result.foe.excl move.source

# ---- Choice ---------------------------------------------------------------------------------------------------------

const
  Share = 30 ## a move may take a thirtieth of the time left,
  Reserve = 100 ## but for the last 100 milliseconds
  MaxDepth = 64 ## moves to look ahead; a bot with a small number repeats its games
  Infinity = 1_000_000

type OutOfTime = object of CatchableError

var deadline: MonoTime

proc search(board: Board, depth: int, alpha, beta: int): int =
  ## What the player to move can reach in `depth` moves: own cells minus foe cells (negamax with alpha-beta).
  let lead = card(board.own) - card(board.foe)
  if card(board.own) == 0 or card(board.foe) == 0 or card(board.own + board.foe) == Area:
    return 100 * lead # the game is over
  if depth == 0:
    return lead
  if getMonoTime() > deadline:
    raise newException(OutOfTime, "out of time")
  result = alpha
  for move in board.listMoves:
    result = max(result, -board.after(move).search(depth - 1, -beta, -result))
    if result >= beta or depth == 1: # the last move is the one that gains most
      break

proc choose(board: Board, myTime: int): Move =
  ## The move to play; `myTime` is what is left of the clock for the whole game, in milliseconds.
  deadline = getMonoTime() + initDuration(microseconds = (myTime - Reserve) * 1000 div Share)
  var moves = board.listMoves
  try:
    for depth in 1 ..< (if moves.len > 1: MaxDepth else: 1):
      var
        best = 0
        alpha = -Infinity
      for k, move in moves:
        let value = -board.after(move).search(depth, -Infinity, -alpha)
        if value > alpha:
          (best, alpha) = (k, value)
      moves.rotateLeft(0 .. best, best) # the next iteration tries it first
  except OutOfTime:
    discard # the last finished iteration counts
  moves[0]

# ---- Protocol: one command a line; rows and columns count from 1; a PASS is -1 -1 -1 -1 ------------------------------

proc readBoard(rows, mover: string): Board =
  ## Reads rows of x (first), o and numbers of empty cells; who moves.
  var cell = 0
  for c in rows:
    case c
    of 'x', 'o':
      if $c == mover: result.own.incl cell else: result.foe.incl cell
      inc cell
    of '0' .. '9': cell += parseInt($c)
    else: discard

proc main =
  var board = Start
  for text in stdin.lines:
    let words = text.splitWhitespace
    case words[0]
    of "READY": # FIRST or SECOND, which follows from the moves as well
      echo "OK" # `echo` flushes, too
    of "TURN":
      let m = board.choose(words[1].parseInt)
      board = board.after(m)
      let numbers = [m.source div Side, m.source mod Side, m.to div Side, m.to mod Side].mapIt($(it + 1))
      echo "MOVE ", if m == Pass: "-1 -1 -1 -1" else: numbers.join(" ")
    of "OPP", "OPENING": # OPENING: a move made for us before READY
      let n = words[1 .. 4].mapIt(it.parseInt - 1)
      board = board.after(if n[0] < 0: Pass else: (Side * n[0] + n[1], Side * n[2] + n[3], 0))
    of "POSITION": # where the game begins
      board = readBoard(words[1], words[2])
    of "FINISH":
      if not existsEnv("AGON_STAY"):
        break
      board = Start # the same program plays the next game, too

main()
