-- The Game of Y for Agon: docs/own-game.md explains every line that is read and written here.
local GAME = [[
name y
title Game of Y
summary stones on a triangle of hexagons; whoever connects all three sides wins
rule MOVE row column puts a stone on an empty hexagon; row r has the columns from size + 1 - r to size.
rule The winner is whose stones first connect the left, the right and the bottom side; a corner belongs to two of them.
rule MOVE swap is the second player's answer to the first stone, in place of a move: it takes the stone over.
parameter size 3..15 9 places of a side
seats Blue Red
plies 122
has moves view save playout]]

local size, board, turn, count, last, winner
local function at(row, place) return row * 16 + place end

-- Over the six neighbours of a place; of those outside the board the cell is nil.
local NEIGHBOURS = { { -1, -1 }, { -1, 0 }, { 0, -1 }, { 0, 1 }, { 1, 0 }, { 1, 1 } }

-- Whether the stones connected with this one touch all three sides.
local function connects(row, place)
  local mine, seen, waiting = board[at(row, place)], {}, { { row, place } }
  local left, right, bottom = false, false, false
  seen[at(row, place)] = true
  while #waiting > 0 do
    local r, p = table.unpack(table.remove(waiting))
    left, right, bottom = left or p == 1, right or p == r, bottom or r == size
    for _, step in ipairs(NEIGHBOURS) do
      local row, place = r + step[1], p + step[2]
      if board[at(row, place)] == mine and not seen[at(row, place)] then
        seen[at(row, place)], waiting[#waiting + 1] = true, { row, place }
      end
    end
  end
  return left and right and bottom
end

-- Begins with an empty board, or with the stones of a text, row by row; false if it has none of these.
local function begin(side, stones)
  if stones and #stones ~= side * (side + 1) // 2 then return false end
  size, board, turn, count, last, winner = side, {}, 1, 0, nil, nil
  for row = 1, size do
    for place = 1, row do
      local number = row * (row - 1) // 2 + place
      local stone = stones and stones:sub(number, number) or "."
      board[at(row, place)] = stone
      if stone ~= "." then count = count + 1 end
    end
  end
  return true
end

local function moves()
  local all = {}
  for row = 1, winner and 0 or size do
    for place = 1, row do
      if board[at(row, place)] == "." then all[#all + 1] = row .. " " .. size - row + place end
    end
  end
  if count == 1 and turn == 2 then all[#all + 1] = "swap" end
  return all
end

local function play(text)
  if winner then return "the game is over" end
  if text == "swap" then
    if count ~= 1 or turn ~= 2 then return "only the answer to the first stone swaps" end
    for place, stone in pairs(board) do board[place] = stone == "1" and "2" or stone end
    turn = 1
    return
  end
  local row, column = text:match("^(%d%d?) (%d%d?)$")
  row, column = tonumber(row), tonumber(column)
  if not row or row < 1 or row > size or column <= size - row or column > size then
    return "row and column of a place expected"
  end
  local place = column - size + row
  if board[at(row, place)] ~= "." then return "the place is taken" end
  board[at(row, place)], count, last = tostring(turn), count + 1, { row, column }
  if connects(row, place) then winner = turn end
  turn = 3 - turn
end

local function situation()
  local name = ({ "first", "second" })[winner or turn]
  return { winner and "end " .. name .. " its stones connect all three sides" or "turn " .. name }
end

local function save()
  local stones = {}
  for row = 1, size do
    for place = 1, row do stones[#stones + 1] = board[at(row, place)] end
  end
  return table.concat({ size, turn, winner or 0, table.concat(stones) }, " ")
end

local function load(text)
  local side, next, won, stones = text:match("^(%d%d?) ([12]) ([012]) ([.12]+)$")
  side = tonumber(side)
  if not side or side < 3 or side > 15 or not begin(side, stones) then return false end
  turn, winner = tonumber(next), won ~= "0" and tonumber(won) or nil
  return true
end

-- Where a row has no place, it has a blank.
local function view()
  local lines = { "hexagons" }
  for row = 1, size do
    lines[#lines + 1] = "row " .. (" "):rep(size - row)
    for place = 1, row do lines[#lines] = lines[#lines] .. board[at(row, place)] end
  end
  if last then lines[#lines + 1] = "mark placed " .. last[1] .. " " .. last[2] end
  return lines
end

local function answer(line)
  local word, rest = line:match("^(%S*) ?(.*)$")
  if word == "GAME" then return { GAME }
  elseif word == "START" then 
    begin(tonumber(rest:match("size=(%d+)") or 9))
    return { "info both size " .. size, table.unpack(situation()) }
  elseif word == "PLAY" then
    local refused = play(rest:match("^%S+ %S+ (.*)$"))
    return refused and { "no " .. refused } or situation()
  elseif word == "MOVES" then
    local lines = moves()
    for number, move in ipairs(lines) do lines[number] = "move " .. move end
    return lines
  elseif word == "VIEW" then return view()
  elseif word == "SAVE" then return { "state " .. save() }
  elseif word == "LOAD" then return load(rest) and situation() or { "no this is no state that SAVE wrote" }
  elseif word == "PLAYOUT" then
    local before = save()
    math.randomseed(tonumber(rest))
    while not winner do
      local all = moves()
      play(all[math.random(#all)])
    end
    local lines = situation()
    load(before)
    return lines
  end
  return { "no such question" }
end

for line in io.lines() do
  local lines = answer(line)
  if not (lines[1] and lines[1]:sub(1, 3) == "no ") then lines[#lines + 1] = "ok" end
  io.write(table.concat(lines, "\n"), "\n"):flush()
end
