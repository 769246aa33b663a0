-- Bacteria War: a sample bot in Lua. It looks ahead while its time lasts. Replace `choose` by your own idea.
--
-- Run: lua5.4 sample.lua        (5.3 runs it too; LuaJIT lacks the bitwise operators)

-- ---- Board --------------------------------------------------------------------------------------------------------
-- A set of cells is a number: bit 7*row + column (both from 0) is one cell. A board is two such sets, `own` and `foe`,
-- seen by the player to move. A move is a table with the cells `from` and `to`, each 0..48.

local SIDE = 7
local AREA = SIDE * SIDE
local FULL = (1 << AREA) - 1
local PASS = {}
local START_OWN, START_FOE = 1 << 0 | 1 << 48, 1 << 6 | 1 << 42 -- the first player, who moves, has (1,1) and (7,7)

local function distance(a, b)
  return math.max(math.abs(a // SIDE - b // SIDE), math.abs(a % SIDE - b % SIDE))
end

-- For every cell, the cells at distance 1 (for divisions and infections) and at distance 2 (for leaps).
local NEAR, FAR = {}, {}
for a = 0, AREA - 1 do
  NEAR[a], FAR[a] = 0, 0
  for b = 0, AREA - 1 do
    if distance(a, b) == 1 then NEAR[a] = NEAR[a] | 1 << b end
    if distance(a, b) == 2 then FAR[a] = FAR[a] | 1 << b end
  end
end

local function count(cells)
  local sum = 0
  while cells ~= 0 do
    cells = cells & cells - 1 -- without its lowest cell
    sum = sum + 1
  end
  return sum
end

-- An iterator over the cells of a set.
local function each(cells)
  local cell = -1
  return function()
    repeat cell = cell + 1 until cells >> cell & 1 == 1 or cell == AREA
    return cell < AREA and cell or nil
  end
end

-- ---- Rules --------------------------------------------------------------------------------------------------------

-- All moves, the one that gains most first. Divisions to one cell all have the same effect: one stands for all.
local function list_moves(own, foe)
  local moves = {}
  for to in each(FULL & ~(own | foe)) do
    local infected = count(foe & NEAR[to])
    local division = each(NEAR[to] & own)()
    if division then moves[#moves + 1] = { from = division, to = to, gain = 2 * infected + 1, order = #moves } end
    for leap in each(FAR[to] & own) do
      moves[#moves + 1] = { from = leap, to = to, gain = 2 * infected, order = #moves }
    end
  end
  table.sort(moves, function(a, b) return a.gain > b.gain or a.gain == b.gain and a.order < b.order end)
  return #moves > 0 and moves or { PASS }
end

-- The board after a move, seen by the other player.
local function after(own, foe, move)
  if move == PASS then return foe, own end
  local infected = foe & NEAR[move.to]
  own = own | infected | 1 << move.to
  if FAR[move.to] >> move.from & 1 == 1 then own = own & ~(1 << move.from) end -- a leap empties its source
  return foe & ~infected, own
end

-- ---- Choice -------------------------------------------------------------------------------------------------------

local SHARE, RESERVE = 30, 100 -- a move may take a thirtieth of the time left, but for the last 100 milliseconds
local MAX_DEPTH = 64 -- moves to look ahead; a bot with a small number repeats its games
local INFINITY = 1000000
local OUT_OF_TIME = {} -- thrown to end a search
local clock_end, time_end

-- What the player to move can reach in `depth` moves: own cells minus foe cells (negamax with alpha-beta).
local function search(own, foe, depth, alpha, beta)
  local lead = count(own) - count(foe)
  if own == 0 or foe == 0 or own | foe == FULL then return 100 * lead end -- the game is over
  if depth == 0 then return lead end
  if os.clock() > clock_end or os.time() > time_end then error(OUT_OF_TIME) end
  for i, move in ipairs(list_moves(own, foe)) do
    local foe_after, own_after = after(own, foe, move)
    alpha = math.max(alpha, -search(foe_after, own_after, depth - 1, -beta, -alpha))
    if alpha >= beta or depth == 1 then break end -- the last move is the one that gains most
  end
  return alpha
end

-- The move to play; `my_time` is what is left of the clock for the whole game, in milliseconds.
-- os.clock counts the time on a processor only; on a busy machine os.time, in whole seconds, ends a move as well.
local function choose(own, foe, my_time)
  local seconds = (my_time - RESERVE) / SHARE / 1000
  clock_end, time_end = os.clock() + seconds, os.time() + math.ceil(seconds)
  local moves = list_moves(own, foe)
  local finished, problem = pcall(function()
    for depth = 1, #moves > 1 and MAX_DEPTH - 1 or 0 do
      local best, alpha = nil, -INFINITY
      for i, move in ipairs(moves) do
        local foe_after, own_after = after(own, foe, move)
        local value = -search(foe_after, own_after, depth, -INFINITY, -alpha)
        if value > alpha then best, alpha = i, value end
      end
      table.insert(moves, 1, table.remove(moves, best)) -- the next iteration tries it first
    end
  end)
  assert(finished or problem == OUT_OF_TIME, problem)
  return moves[1]
end

-- ---- Protocol: one command a line; rows and columns count from 1; a PASS is -1 -1 -1 -1 -----------------------------

local own, foe = START_OWN, START_FOE
for text in io.lines() do
  local words = {}
  for word in text:gmatch("%S+") do table.insert(words, word) end
  local command = words[1]
  if command == "READY" then -- FIRST or SECOND, which follows from the moves as well
    print("OK")
  elseif command == "TURN" then
    local move = choose(own, foe, tonumber(words[2]))
    own, foe = after(own, foe, move)
    local x1, y1, x2, y2 = -1, -1, -1, -1
    if move ~= PASS then
      x1, y1, x2, y2 = move.from // SIDE + 1, move.from % SIDE + 1, move.to // SIDE + 1, move.to % SIDE + 1
    end
    print(("MOVE %d %d %d %d"):format(x1, y1, x2, y2))
  elseif command == "OPP" or command == "OPENING" then -- OPENING: a move made for us before READY
    local x1, y1, x2, y2 = table.unpack(words, 2)
    local move = { from = SIDE * (x1 - 1) + y1 - 1, to = SIDE * (x2 - 1) + y2 - 1 }
    own, foe = after(own, foe, x1 == "-1" and PASS or move)
  elseif command == "POSITION" then -- where the game begins: rows of x (first), o and numbers of empty cells; who moves
    local sets, cell = { x = 0, o = 0 }, 0
    for c in words[2]:gmatch("[xo%d]") do
      if sets[c] then sets[c] = sets[c] | 1 << cell end
      cell = cell + (tonumber(c) or 1)
    end
    own, foe = sets[words[3]], sets[words[3] == "x" and "o" or "x"]
  elseif command == "FINISH" then
    if not os.getenv("AGON_STAY") then break end
    own, foe = START_OWN, START_FOE -- the same program plays the next game, too
  end
  io.stdout:flush() -- or the judge waits for an answer that never leaves this process
end
