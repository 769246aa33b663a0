-- Renju: a sample bot in Lua. It looks ahead while its time lasts. Replace `choose` by your own idea.
--
-- Run: lua5.4 sample.lua        (5.3 runs it too)

-- ---- Board --------------------------------------------------------------------------------------------------------
-- A board is a table of cells, row by row, with a margin of walls. A direction is the distance to the next cell.
-- A position is a board seen by the player to move: its score for him, and what a stone on each cell is worth to both.
local SIDE, WIDTH = 15, 20
local EMPTY, BLACK, WHITE, WALL = 0, 1, 2, 3 -- the other of `player` is 3 - player
local DIRECTIONS = { 1, WIDTH, WIDTH + 1, WIDTH - 1 }
local PASS = WIDTH * 4 - 1 -- as if it were the cell (-1,-1)
local CELLS, START = {}, { board = {}, player = BLACK, stones = 0, score = 0, own = {}, foe = {} }
for cell = 1, WIDTH * (SIDE + 11) do
  local inside = cell // WIDTH > 5 and cell // WIDTH <= 5 + SIDE and cell % WIDTH >= 1 and cell % WIDTH <= SIDE
  if inside then CELLS[#CELLS + 1] = cell end
  START.board[cell], START.own[cell], START.foe[cell] = inside and EMPTY or WALL, 0, 0
end

local function count(board, first, direction, n, wanted) -- how many of the `n` cells from `first` on hold `wanted`
  local sum = 0
  for i = 0, n - 1 do sum = board[first + i * direction] == wanted and sum + 1 or sum end
  return sum
end

-- ---- Rules --------------------------------------------------------------------------------------------------------
-- Whether an empty cell is legal for certain. For Black the full rule looks ahead from every THREE; this one counts
-- all that looks like a FOUR or a THREE: it never plays a forbidden move, but refuses some that are allowed.
local function may_play(position, cell)
  local board, stones = position.board, position.stones
  if position.player == WHITE or stones < 3 then -- the first is on (8,8), the second a step from it, the third two
    return stones > 2 or math.max(math.abs(cell // WIDTH - 13), math.abs(cell % WIDTH - 8)) <= stones
  end
  local five, overline, fours, threes = false, false, 0, 0
  board[cell] = BLACK -- for a moment
  for _, d in ipairs(DIRECTIONS) do
    local first, last, four, three = cell, cell, 0, 0
    while board[first - d] == BLACK do first = first - d end
    while board[last + d] == BLACK do last = last + d end
    five, overline = five or last - first == 4 * d, overline or last - first > 4 * d
    for from = cell - 4 * d, cell, d do
      -- A FOUR is four of five neighbouring cells, the fifth empty. Two of them on one line take five stones.
      local is_four = count(board, from, d, 5, BLACK) == 4 and count(board, from, d, 5, EMPTY) == 1
      if is_four then four = count(board, cell - 4 * d, d, 9, BLACK) >= 5 and 2 or 1 end
      -- A THREE is three of four neighbouring cells, the fourth and both outer neighbours empty.
      local is_three = count(board, from + d, d, 4, BLACK) == 3 and count(board, from, d, 6, EMPTY) == 3
      if is_three and from < cell then three = 1 end
    end
    fours, threes = fours + four, threes + three
  end
  board[cell] = EMPTY
  return five or not overline and fours < 2 and threes < 2
end

-- ---- Choice -------------------------------------------------------------------------------------------------------
-- A stone is worth something in every five neighbouring cells in which all the other stones are one player's. The key
-- is the number of those stones: [own][opponent's]. ORDER is for the order of moves, VALUE for the score. Four stones
-- decide; an open three is three stones in two such fives at once.
local WIN, FOUR, INFINITY = 1000000, 50000, 10000000
local ORDER = { [0] = { [0] = 0, 5, 40, 1000, FOUR }, { [0] = 6 }, { [0] = 50 }, { [0] = 1500 }, { [0] = WIN }, {} }
local VALUE = { [0] = { [0] = 1, 1, 7, 57, 557 }, { [0] = 6 }, { [0] = 50 }, { [0] = 500 }, { [0] = 0 } }
local BREADTH = 10 -- moves tried in a position
local MAX_DEPTH = 64 -- moves to look ahead; a bot with a small number repeats its games
local SHARE, RESERVE = 30, 100 -- a move may take a thirtieth of the time left, but for the last 100 milliseconds
local OUT_OF_TIME, clock_end, time_end = {} -- the first is thrown to end a search

-- The position after a move. It changes the 20 fives through the cell, and with them the worth of their other cells.
local function after(old, cell)
  local board, own, foe = { table.unpack(old.board) }, { table.unpack(old.own) }, { table.unpack(old.foe) }
  local player, stones, score = old.player, old.stones, old.score
  for _, d in ipairs(cell == PASS and {} or DIRECTIONS) do
    for from = cell - 4 * d, cell, d do
      if count(board, from, d, 5, WALL) == 0 then
        local mine, others = count(board, from, d, 5, player), count(board, from, d, 5, 3 - player)
        local own_gain = (ORDER[mine + 1][others] or 0) - (ORDER[mine][others] or 0)
        local foe_gain = (ORDER[others][mine + 1] or 0) - (ORDER[others][mine] or 0)
        for i = from, from + 4 * d, d do own[i], foe[i] = own[i] + own_gain, foe[i] + foe_gain end
        score = score + (VALUE[mine][others] or 0)
      end
    end
  end
  if cell ~= PASS then board[cell], stones = player, stones + 1 end
  return { board = board, player = 3 - player, stones = stones, score = -score, own = foe, foe = own }
end

-- The moves to try, the one worth most first; after a four, only those that complete or block it.
local function list_moves(position)
  local board, own, moves, tried = position.board, position.own, {}, {}
  while #moves < BREADTH do
    local best
    for _, cell in ipairs(CELLS) do
      if board[cell] == EMPTY and not tried[cell] and (not best or own[cell] > own[best]) then best = cell end
    end
    if not best or moves[1] and own[moves[1]] >= FOUR and own[best] < FOUR then break end
    tried[best] = true
    if may_play(position, best) then moves[#moves + 1] = best end
  end
  return moves
end

-- What the player to move can reach in `depth` moves (negamax with alpha-beta).
local function search(position, depth, alpha, beta)
  if os.clock() > clock_end or os.time() > time_end then error(OUT_OF_TIME) end
  local moves = depth > 0 and list_moves(position) or {}
  if #moves == 0 then return position.score end
  if position.own[moves[1]] >= WIN then return WIN + #CELLS - position.stones end -- the sooner, the better
  if position.own[moves[1]] >= FOUR then depth = depth + 1 end -- a forced move does not count
  for _, cell in ipairs(moves) do
    alpha = math.max(alpha, -search(after(position, cell), depth - 1, -beta, -alpha))
    if alpha >= beta or depth == 1 then break end -- the last move is the one that looks best
  end
  return alpha
end

-- The cell to play, or a PASS when none is sure to be legal. `my_time`, in milliseconds, is left for the game.
-- os.clock counts the time on a processor only; on a busy machine os.time, in whole seconds, ends a move as well.
local function choose(position, my_time)
  local seconds = (my_time - RESERVE) / SHARE / 1000
  clock_end, time_end = os.clock() + seconds, os.time() + math.ceil(seconds)
  local moves = list_moves(position)
  local finished, problem = pcall(function()
    for depth = 2, #moves > 1 and position.own[moves[1]] < WIN and MAX_DEPTH - 1 or 1 do
      local best, alpha = nil, -INFINITY
      for i, cell in ipairs(moves) do
        local value = -search(after(position, cell), depth, -INFINITY, -alpha)
        if value > alpha then best, alpha = i, value end
      end
      table.insert(moves, 1, table.remove(moves, best)) -- the next iteration tries it first
    end
  end)
  assert(finished or problem == OUT_OF_TIME, problem)
  return moves[1] or PASS
end

-- ---- Protocol: one command a line; a PASS is -1 -1 ------------------------------------------------------------------
local position = START
for text in io.lines() do
  local command, x, y = text:match("^(%u+)%s*(%-?%d*)%s*(%-?%d*)")
  if command == "READY" then print("OK") -- FIRST or SECOND follows, which the moves tell as well
  elseif command == "TURN" then
    local cell = choose(position, tonumber(x))
    position = after(position, cell)
    print(cell == PASS and "MOVE -1 -1" or "MOVE " .. cell // WIDTH - 5 .. " " .. cell % WIDTH)
  elseif command == "OPP" or command == "OPENING" then -- OPENING: a move made for us before READY
    position = after(position, WIDTH * (tonumber(x) + 5) + tonumber(y))
  elseif command == "FINISH" then
    if not os.getenv("AGON_STAY") then break end
    position = START -- the same program plays the next game, too
  end
  io.stdout:flush() -- or the judge waits for an answer that never leaves this process
end
