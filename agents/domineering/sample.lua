-- Domineering: a sample bot in Lua. It looks ahead while its time lasts. Replace `choose` by your own idea.
--
-- Run: lua5.4 sample.lua        (5.3 runs it too; LuaJIT lacks the bitwise operators)

-- ---- Board --------------------------------------------------------------------------------------------------------
-- Each player lays dominoes along lines of his own: FIRST the rows, SECOND the columns. A place {line, i} is a line and
-- the index of the domino's first cell on it, from 1. `own` and `foe` are the lines of the player to move and those of
-- the other; each line is a number, in which bit i is set if its cell i is taken.

local FIRST, SECOND = 1, 2 -- the other of `player` is 3 - player
local PASS = nil
local weight = { {}, {} } -- for each player, the numbers on each of his lines

-- ---- Rules --------------------------------------------------------------------------------------------------------

local function points(player, line, i)
  return weight[player][line][i] + weight[player][line][i + 1]
end

-- The board after a move, seen by the other player.
local function after(own, foe, place)
  own, foe = { table.unpack(own) }, { table.unpack(foe) }
  if place ~= PASS then
    local line, i = place[1], place[2]
    own[line] = own[line] | 3 << i
    foe[i] = foe[i] | 1 << line
    foe[i + 1] = foe[i + 1] | 1 << line
  end
  return foe, own
end

-- ---- Choice -------------------------------------------------------------------------------------------------------

local SHARE, RESERVE = 10, 100 -- a move may take a tenth of the time left, but for the last 100 milliseconds
local MAX_DEPTH = 64 -- moves to look ahead; a bot with a small number repeats its games
local INFINITY = 1000000
local OUT_OF_TIME = {} -- thrown to end a search
local clock_end, time_end
local known = {} -- what `line_prospects` has returned

-- The points a player could still make on a line with these cells taken, if the other laid no more dominoes.
-- The first j+1 cells are worth what the first j are, or what the first j-1 are and a domino on the last two.
local function line_prospects(player, line, cells)
  local key = (cells << 8 | line) << 2 | player
  if not known[key] then
    local best, shorter = 0, 0 -- for the first j cells and the first j-1 cells
    for i = 1, #weight[player][line] - 1 do
      local with_domino = cells >> i & 3 == 0 and shorter + points(player, line, i) or 0
      shorter, best = best, math.max(best, with_domino)
    end
    known[key] = best
  end
  return known[key]
end

-- What a player could make on all his lines; his dominoes never cross from line to line.
local function prospects(player, lines)
  local sum = 0
  for line, cells in ipairs(lines) do sum = sum + line_prospects(player, line, cells) end
  return sum
end

-- All moves, the highest value first. The value is the points and the board after them: own prospects minus the
-- other's. A move changes one line of the player and two of the other.
local function list_moves(player, own, foe)
  local now, moves = prospects(player, own) - prospects(3 - player, foe), {}
  local function change(who, line, before, cells) -- of a line's prospects
    return line_prospects(who, line, cells) - line_prospects(who, line, before)
  end
  for line, cells in ipairs(own) do
    for i = 1, #foe - 1 do
      if cells >> i & 3 == 0 then
        local gain = points(player, line, i)
        local value = now + gain + change(player, line, cells, cells | 3 << i)
        for j = i, i + 1 do value = value - change(3 - player, j, foe[j], foe[j] | 1 << line) end
        moves[#moves + 1] = { value = value, gain = gain, order = #moves, place = { line, i } }
      end
    end
  end
  table.sort(moves, function(a, b) return a.value > b.value or a.value == b.value and a.order < b.order end)
  return moves
end

-- The points that the player to move can still gain on the other one (negamax with alpha-beta).
local function search(player, own, foe, depth, alpha, beta)
  if os.clock() > clock_end or os.time() > time_end then error(OUT_OF_TIME) end
  local moves = list_moves(player, own, foe)
  if #moves == 0 then return -prospects(3 - player, foe) end -- the other one now lays all the dominoes that fit
  if depth == 1 then return moves[1].value end
  for _, move in ipairs(moves) do
    local foe_after, own_after = after(own, foe, move.place)
    local value = search(3 - player, foe_after, own_after, depth - 1, move.gain - beta, move.gain - alpha)
    alpha = math.max(alpha, move.gain - value)
    if alpha >= beta then break end
  end
  return alpha
end

-- The place to play; a PASS only when there is none. `my_time`, in milliseconds, is left for the whole game.
-- os.clock counts the time on a processor only; on a busy machine os.time, in whole seconds, ends a move as well.
local function choose(player, own, foe, my_time)
  local seconds = (my_time - RESERVE) / SHARE / 1000
  clock_end, time_end = os.clock() + seconds, os.time() + math.ceil(seconds)
  local moves = list_moves(player, own, foe)
  local finished, problem = pcall(function()
    for depth = 1, #moves > 1 and MAX_DEPTH - 1 or 0 do
      local best, alpha = nil, -INFINITY
      for i, move in ipairs(moves) do
        local foe_after, own_after = after(own, foe, move.place)
        local value = move.gain - search(3 - player, foe_after, own_after, depth, -INFINITY, move.gain - alpha)
        if value > alpha then best, alpha = i, value end
      end
      table.insert(moves, 1, table.remove(moves, best)) -- the next iteration tries it first
    end
  end)
  assert(finished or problem == OUT_OF_TIME, problem)
  return moves[1] and moves[1].place or PASS
end

-- ---- Protocol: the board first, then one command a line; rows and columns count from 1; a PASS is -1 -1 -------------

local player, own, foe = FIRST, {}, {}
for text in io.lines() do
  local command, x, y = text:match("^(%u+)%s*(%-?%d*)%s*(%-?%d*)")
  if command == "READY" then -- FIRST or SECOND, which follows from the moves as well
    print("OK")
  elseif command == "TURN" then
    local place = choose(player, own, foe, tonumber(x))
    print(place and "MOVE " .. place[player] .. " " .. place[3 - player] or "MOVE -1 -1")
    own, foe = after(own, foe, place)
    player = 3 - player
  elseif command == "OPP" or command == "OPENING" then -- OPENING: a move made for us before READY
    x, y = tonumber(x), tonumber(y)
    own, foe = after(own, foe, x > 0 and (player == FIRST and { x, y } or { y, x }) or PASS)
    player = 3 - player
  elseif command == "FINISH" then
    if not os.getenv("AGON_STAY") then break end
    player, own, foe, weight, known = FIRST, {}, {}, { {}, {} }, {} -- the same program plays the next game, too
  elseif text:find("%d") then -- a row of the board
    local row = #own + 1
    own[row], weight[FIRST][row] = 0, {}
    for number in text:gmatch("%d+") do
      local column = #weight[FIRST][row] + 1
      foe[column], weight[SECOND][column] = 0, weight[SECOND][column] or {}
      weight[FIRST][row][column], weight[SECOND][column][row] = tonumber(number), tonumber(number)
    end
  end
  io.stdout:flush() -- or the judge waits for an answer that never leaves this process
end
