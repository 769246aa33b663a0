## Renju: a sample bot in Nim. It looks ahead while its time lasts. Replace `choose` by your own idea.
## Build and run: nim compile -d:release sample.nim && ./sample
import std/[algorithm, monotimes, os, strutils, times]

# ---- Board ----------------------------------------------------------------------------------------------------------
# A board is read row by row and has a margin of walls. A direction is the distance to the next cell.

const
  Side = 15
  Width = 20
  Directions = [1, Width, Width + 1, Width - 1]
  Pass = 4 * Width - 1 ## as if it were the cell (-1,-1)
type
  Cell = enum Empty, Black, White, Wall
  Position = object ## a board seen by the player to move: how many stones are on it, and its score for him
    board: array[26 * Width + 1, Cell]
    player: Cell
    stones, score: int

const Start = block:
  var position = Position(player: Black)
  for cell, content in position.board.mpairs:
    if cell div Width notin 6 .. Side + 5 or cell mod Width notin 1 .. Side:
      content = Wall
  position

proc count(board: openArray[Cell], start, direction, n: int): array[Cell, int] =
  ## How many of n cells in a direction are empty, black, white and walls.
  for i in 0 ..< n:
    inc result[board[start + i * direction]]

# ---- Rules ----------------------------------------------------------------------------------------------------------
proc has(board: openArray[Cell], cell, direction, n, stones, margin, empties: int): bool =
  ## Whether one of n rows of n cells through a cell has so many black stones and, with a margin, empty cells.
  for i in 0 ..< n:
    if board.count(cell - i * direction, direction, n)[Black] == stones:
      if board.count(cell - (i + margin) * direction, direction, n + 2 * margin)[Empty] == empties: return true

proc mayPlay(position: Position, cell: int): bool =
  ## Whether an empty cell is legal for certain. For Black the full rule looks ahead from every THREE; this one counts
  ## all that looks like a FOUR or a THREE: it never plays a forbidden move, but refuses some that are allowed.
  if position.stones < 3: # the first is on (8,8), the second a step from it, the third two
    return max(abs(cell div Width - 13), abs(cell mod Width - 8)) <= position.stones
  if position.player == White: return true
  var
    board = position.board
    overlines, fours, threes = 0
  board[cell] = Black
  for d in Directions:
    if board.has(cell, d, 6, 6, 0, 0): inc overlines
    elif board.has(cell, d, 5, 5, 0, 0): return true # a row of exactly five wins, whatever else it makes
    # A FOUR is four of five cells, the fifth empty. Two of them on one line take five stones.
    if board.has(cell, d, 5, 4, 0, 1): fours += (if board.count(cell - 4 * d, d, 9)[Black] >= 5: 2 else: 1)
    if board.has(cell, d, 4, 3, 1, 3): inc threes # three of four cells, the fourth and both outer neighbours empty
  overlines == 0 and fours < 2 and threes < 2

# ---- Choice ---------------------------------------------------------------------------------------------------------
# A stone is worth something in every five cells in a row in which all the other stones are one player's: their number
# is the index, in the first list for own ones. `Order` is for the order of moves, `Value` for the score.
const
  Order = [[0, 6, 50, 1500, 1_000_000], [0, 5, 40, 1000, 50_000]]
  Value = [[1, 6, 50, 500, 0], [0, 1, 7, 57, 557]]
  Win = Order[0][4]
  Four = Order[1][4]
  Infinity = 10_000_000
  Breadth = 10 ## moves tried in a position
  MaxDepth = 64 ## moves to look ahead; a bot with a small number repeats its games
  Share = 30 ## a move may take a thirtieth of the time left,
  Reserve = 100 ## but for the last 100 milliseconds

type
  Move = tuple[cell, worth: int]
  OutOfTime = object of CatchableError

var deadline: MonoTime

proc worth(position: Position, table: array[2, array[5, int]], cell: int): int =
  ## What a stone of the player to move is worth on an empty cell.
  for d in Directions:
    for i in 0 ..< 5:
      let n = position.board.count(cell - i * d, d, 5)
      let own = n[position.player]
      let foe = n[Black] + n[White] - own
      if n[Wall] == 0 and (own == 0 or foe == 0): result += (if foe > 0: table[1][foe] else: table[0][own])

proc after(position: Position, cell: int): Position =
  result = position
  if cell != Pass:
    result.score += position.worth(Value, cell)
    result.board[cell] = position.player
    inc result.stones
  result.score = -result.score
  result.player = if position.player == Black: White else: Black

proc listMoves(position: Position): seq[Move] =
  ## The moves to try, the one worth most first; after a four, only those that complete or block it.
  var all: seq[Move]
  for cell, content in position.board:
    if content == Empty: all.add (cell, position.worth(Order, cell))
  for move in all.sortedByIt(-it.worth): # equals stay in their order
    if result.len == Breadth or result.len > 0 and result[0].worth >= Four and move.worth < Four: break
    if position.mayPlay(move.cell): result.add move

proc search(position: Position, depth: int, alpha, beta: int): int =
  ## What the player to move can reach in `depth` moves (negamax with alpha-beta).
  if getMonoTime() > deadline: raise newException(OutOfTime, "out of time")
  let moves = if depth > 0: position.listMoves else: @[]
  if moves.len == 0: return position.score
  if moves[0].worth >= Win: return Win + Side * Side - position.stones # the sooner, the better
  let rest = if moves[0].worth >= Four: depth else: depth - 1 # a forced move does not count
  result = alpha
  for move in moves:
    result = max(result, -position.after(move.cell).search(rest, -beta, -result))
    if result >= beta or rest == 0: break # the last move is the one that looks best

proc choose(position: Position, myTime: int): int =
  ## The cell to play, or a `Pass` when none is sure to be legal. `myTime`, in milliseconds, is left for the game.
  deadline = getMonoTime() + initDuration(microseconds = (myTime - Reserve) * 1000 div Share)
  var moves = position.listMoves
  try:
    for depth in 2 ..< (if moves.len > 1 and moves[0].worth < Win: MaxDepth else: 2):
      var (best, alpha) = (0, -Infinity)
      for k, move in moves:
        let value = -position.after(move.cell).search(depth, -Infinity, -alpha)
        if value > alpha:
          (best, alpha) = (k, value)
      moves.rotateLeft(0 .. best, best) # the next iteration tries it first
  except OutOfTime:
    discard # the last finished iteration counts
  if moves.len > 0: moves[0].cell else: Pass

# ---- Protocol: one command a line; a PASS is -1 -1 -------------------------------------------------------------------
proc main =
  var position = Start
  for text in stdin.lines:
    let words = text.splitWhitespace
    case words[0]
    of "READY": # FIRST or SECOND, which follows from the moves as well
      echo "OK" # `echo` flushes, too
    of "TURN":
      let cell = position.choose(words[1].parseInt)
      position = position.after(cell)
      echo "MOVE ", (cell + 1) div Width - 5, " ", (cell + 1) mod Width - 1
    of "OPP", "OPENING": # OPENING: a move made for us before READY
      position = position.after(Width * (words[1].parseInt + 5) + words[2].parseInt)
    of "FINISH":
      if not existsEnv("AGON_STAY"): break
      position = Start # the same program plays the next game, too

main()
