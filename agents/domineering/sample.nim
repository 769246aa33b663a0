## Domineering: a sample bot in Nim. It looks ahead while its time lasts. Replace `choose` by your own idea.
## Build and run: nim compile -d:release sample.nim && ./sample
import std/[algorithm, monotimes, os, sequtils, strutils, times]

# ---- Board ----------------------------------------------------------------------------------------------------------
# Each player lays dominoes along lines of his own: First the rows, Second the columns. A place is a line and the index
# of the domino's first cell on it, from 0. Each line is a number, in which bit i is set if its cell i is taken.

const
  First = 0
  Second = 1

type
  Place = tuple[line, i: int]
  Board = object ## the player to move, his lines and those of the other
    player: int
    own, foe: seq[int]

const Pass: Place = (-2, -2) ## the judge, who counts from 1, writes -1 -1
var weight: array[2, seq[seq[int]]] ## for each player, the numbers on each of his lines

# ---- Rules ----------------------------------------------------------------------------------------------------------

proc points(player: int, place: Place): int =
  weight[player][place.line][place.i] + weight[player][place.line][place.i + 1]

proc after(board: Board, place: Place): Board =
  ## The board after a move, seen by the other player.
  result = Board(player: 1 - board.player, own: board.foe, foe: board.own)
  if place != Pass:
    result.foe[place.line] = result.foe[place.line] or (3 shl place.i)
    for line in [place.i, place.i + 1]:
      result.own[line] = result.own[line] or (1 shl place.line)

# ---- Choice ---------------------------------------------------------------------------------------------------------

const
  Share = 10 ## a move may take a tenth of the time left,
  Reserve = 100 ## but for the last 100 milliseconds
  MaxDepth = 64 ## moves to look ahead; a bot with a small number repeats its games
  Infinity = 1_000_000

type
  Move = tuple[place: Place, gain, value: int] ## its points; and these and the board after it
  OutOfTime = object of CatchableError

var deadline: MonoTime

proc prospects(player: int, lines: seq[int]): int =
  ## The points a player could still make on his lines if the other one laid no more dominoes. The first j+1 cells of a
  ## line are worth what the first j are, or what the first j-1 are and a domino on the last two.
  for line, cells in lines:
    var best, shorter = 0 # for the first j cells and the first j-1 cells
    for i in 0 .. weight[player][line].len - 2:
      let withDomino = if (cells shr i and 3) != 0: 0 else: shorter + points(player, (line, i))
      shorter = best
      best = max(best, withDomino)
    result += best

proc listMoves(board: Board): seq[Move] =
  ## All moves, the highest value first.
  for line, cells in board.own:
    for i in 0 .. board.foe.len - 2:
      if (cells shr i and 3) == 0:
        let
          gain = points(board.player, (line, i))
          next = board.after((line, i))
          value = gain + prospects(board.player, next.foe) - prospects(next.player, next.own)
        result.add ((line, i), gain, value)
  result.sort(proc (a, b: Move): int = cmp(b.value, a.value)) # equals stay in their order

proc search(board: Board, depth: int, alpha, beta: int): int =
  ## The points that the player to move can still gain on the other one (negamax with alpha-beta).
  if getMonoTime() > deadline:
    raise newException(OutOfTime, "out of time")
  let moves = board.listMoves
  if moves.len == 0:
    return -prospects(1 - board.player, board.foe) # the other one now lays all the dominoes that fit
  if depth == 1:
    return moves[0].value
  result = alpha
  for (place, gain, _) in moves:
    result = max(result, gain - board.after(place).search(depth - 1, gain - beta, gain - result))
    if result >= beta:
      break

proc choose(board: Board, myTime: int): Place =
  ## The place to play; a `Pass` only when there is none. `myTime`, in milliseconds, is left for the whole game.
  deadline = getMonoTime() + initDuration(microseconds = (myTime - Reserve) * 1000 div Share)
  var moves = board.listMoves
  if moves.len == 0:
    return Pass
  try:
    for depth in 1 ..< (if moves.len > 1: MaxDepth else: 1):
      var
        best = 0
        alpha = -Infinity
      for k, (place, gain, _) in moves:
        let value = gain - board.after(place).search(depth, -Infinity, gain - alpha)
        if value > alpha:
          (best, alpha) = (k, value)
      moves.rotateLeft(0 .. best, best) # the next iteration tries it first
  except OutOfTime:
    discard # the last finished iteration counts
  moves[0].place

# ---- Protocol: the board first, then one command a line; rows and columns count from 1; a PASS is -1 -1 --------------

proc main =
  var board: Board
  for text in stdin.lines:
    let words = text.splitWhitespace
    case words[0]
    of "READY": # FIRST or SECOND, which follows from the moves as well
      echo "OK" # `echo` flushes, too
    of "TURN":
      let
        place = board.choose(words[1].parseInt)
        xy = [place.line + 1, place.i + 1]
      echo "MOVE ", xy[board.player], " ", xy[1 - board.player]
      board = board.after(place)
    of "OPP", "OPENING": # OPENING: a move made for us before READY
      let xy = [words[1].parseInt - 1, words[2].parseInt - 1]
      board = board.after((xy[board.player], xy[1 - board.player]))
    of "FINISH":
      if not existsEnv("AGON_STAY"):
        break
      weight[First] = @[] # the same program plays the next game, too
    else: # a row of the board
      weight[First].add words.map(parseInt)
      weight[Second] = newSeqWith(words.len, newSeq[int]())
      for row in weight[First]:
        for column, n in row:
          weight[Second][column].add n
      board = Board(player: First, own: newSeq[int](weight[First].len), foe: newSeq[int](words.len))

main()
