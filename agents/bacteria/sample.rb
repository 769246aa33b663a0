# Bacteria War: a sample bot in Ruby. It looks ahead while its time lasts. Replace `choose` by your own idea.
#
# Run: ruby sample.rb

# ---- Board ----------------------------------------------------------------------------------------------------------
# A set of cells is a number: bit 7*row + column (both from 0) is one cell. A board is two such sets, `own` and `foe`,
# seen by the player to move. A move is a pair of cells [from, to], each 0..48.

SIDE = 7
AREA = SIDE * SIDE
FULL = (1 << AREA) - 1
PASS = [-1, -1].freeze
START = [1 << 0 | 1 << 48, 1 << 6 | 1 << 42].freeze # the first player, who moves, has (1,1) and (7,7)

def cells_at_distance(from, wanted)
  (0...AREA).select { |to| from.divmod(SIDE).zip(to.divmod(SIDE)).map { |a, b| (a - b).abs }.max == wanted }
end

def set(cells)
  cells.sum { |cell| 1 << cell }
end

# For every cell, the cells at distance 1 (a division comes from there, an infection goes there) and at distance 2
# (a leap comes from there).
NEAR = (0...AREA).map { |cell| set(cells_at_distance(cell, 1)) }
FAR = (0...AREA).map { |cell| set(cells_at_distance(cell, 2)) }

def count(cells)
  cells.to_s(2).count("1")
end

def first(cells)
  (cells & -cells).bit_length - 1
end

# ---- Rules ----------------------------------------------------------------------------------------------------------

# All moves, the one that gains most first. Divisions to one cell all have the same effect: one stands for all.
def list_moves(own, foe)
  moves = Hash.new { |lists, gain| lists[gain] = [] }
  empty = FULL & ~(own | foe)
  until empty.zero?
    to = first(empty)
    gain = 2 * count(foe & NEAR[to])
    division = NEAR[to] & own
    moves[gain + 1] << [first(division), to] unless division.zero?
    leap = FAR[to] & own
    until leap.zero?
      moves[gain] << [first(leap), to]
      leap &= leap - 1
    end
    empty &= empty - 1
  end
  moves.empty? ? [PASS] : moves.sort.reverse.flat_map(&:last)
end

# The board after a move, seen by the other player.
def after(own, foe, move)
  return foe, own if move == PASS

  source, to = move
  infected = foe & NEAR[to]
  own |= infected | 1 << to
  own &= ~(FAR[to] & 1 << source) # a leap empties its source
  [foe & ~infected, own]
end

# ---- Choice ---------------------------------------------------------------------------------------------------------

SHARE, RESERVE = 30, 100 # a move may take a thirtieth of the time left, but for the last 100 milliseconds
MAX_DEPTH = 64 # moves to look ahead; a bot with a small number repeats its games

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC, :float_millisecond)
end

# What the player to move can reach in `depth` moves: own cells minus foe cells (negamax with alpha-beta).
def search(own, foe, depth, alpha, beta, deadline)
  lead = count(own) - count(foe)
  return 100 * lead if own.zero? || foe.zero? || own | foe == FULL # the game is over
  return lead if depth.zero?

  throw :out_of_time if now > deadline
  moves = list_moves(own, foe)
  moves = moves.first(1) if depth == 1 # the last move is the one that gains most
  moves.each do |move|
    alpha = [alpha, -search(*after(own, foe, move), depth - 1, -beta, -alpha, deadline)].max
    break if alpha >= beta
  end
  alpha
end

# The move to play; `my_time` is what is left of the clock for the whole game, in milliseconds.
def choose(own, foe, my_time)
  deadline = now + (my_time - RESERVE).fdiv(SHARE)
  moves = list_moves(own, foe)
  catch :out_of_time do
    (1...(moves.size > 1 ? MAX_DEPTH : 1)).each do |depth|
      best, alpha = PASS, -Float::INFINITY
      moves.each do |move|
        value = -search(*after(own, foe, move), depth, -Float::INFINITY, -alpha, deadline)
        best, alpha = move, value if value > alpha
      end
      moves = [best] + (moves - [best]) # the next iteration tries it first
    end
  end
  moves[0]
end

# ---- Protocol: one command a line; rows and columns count from 1; a PASS is -1 -1 -1 -1 -----------------------------

$stdout.sync = true # or the judge waits for an answer that never leaves this process
own, foe = START
while (line = gets)
  command, *words = line.split
  case command
  when "READY" then puts "OK" # FIRST or SECOND, which follows from the moves as well
  when "TURN"
    move = choose(own, foe, words[0].to_i)
    own, foe = after(own, foe, move)
    numbers = move == PASS ? [-1] * 4 : move.flat_map { |cell| cell.divmod(SIDE).map(&:succ) }
    puts "MOVE #{numbers.join(' ')}"
  when "OPP", "OPENING" # OPENING: a move made for us before READY
    x1, y1, x2, y2 = words.map { |word| word.to_i - 1 }
    own, foe = after(own, foe, x1 < 0 ? PASS : [SIDE * x1 + y1, SIDE * x2 + y2])
  when "POSITION" # where the game begins: rows of x (first), o and numbers of empty cells; who moves
    cells = words[0].delete("/").gsub(/\d/) { |digit| "." * digit.to_i }
    own, foe = %w[x o].map { |side| set((0...AREA).select { |cell| cells[cell] == side }) }
    own, foe = foe, own if words[1] == "o"
  when "FINISH"
    break unless ENV.key?("AGON_STAY")

    own, foe = START # the same program plays the next game, too
  end
end
