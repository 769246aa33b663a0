# Domineering: a sample bot in Ruby. It looks ahead while its time lasts. Replace `choose` by your own idea.
#
# Run: ruby sample.rb

# ---- Board ----------------------------------------------------------------------------------------------------------
# Each player lays dominoes along lines of his own: FIRST the rows, SECOND the columns. A place [line, i] is a line and
# the index of the domino's first cell on it, from 0. A board is the player to move, his lines and the other's; each
# line is a number, in which bit i is set if its cell i is taken.

FIRST, SECOND = 0, 1
PASS = nil
WEIGHT = [[], []] # for each player, the numbers on each of his lines
Board = Struct.new(:player, :own, :foe)

def new_board
  Board.new(FIRST, [0] * WEIGHT[FIRST].size, [0] * WEIGHT[SECOND].size)
end

# ---- Rules ----------------------------------------------------------------------------------------------------------

def points(player, line, i)
  WEIGHT[player][line][i] + WEIGHT[player][line][i + 1]
end

# The board after a move, seen by the other player.
def after(board, place)
  own, foe = board.own.dup, board.foe.dup
  if place != PASS
    line, i = place
    own[line] |= 3 << i
    foe[i] |= 1 << line
    foe[i + 1] |= 1 << line
  end
  Board.new(1 - board.player, foe, own)
end

# ---- Choice ---------------------------------------------------------------------------------------------------------

SHARE, RESERVE = 10, 100 # a move may take a tenth of the time left, but for the last 100 milliseconds
MAX_DEPTH = 64 # moves to look ahead; a bot with a small number repeats its games
Move = Struct.new(:value, :gain, :place) # the value is the gain and the board after the move

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC, :float_millisecond)
end

# The points a player could still make on a line with these cells taken, if the other laid no more dominoes: its first
# j+1 cells are worth what the first j are, or what the first j-1 are and a domino on the last two.
LINE_PROSPECTS = Hash.new do |known, (player, line, cells)|
  best = shorter = 0 # for the first j cells and the first j-1 cells
  (WEIGHT[player][line].size - 1).times do |i|
    with_domino = (cells >> i & 3).zero? ? shorter + points(player, line, i) : 0
    shorter, best = best, [best, with_domino].max
  end
  known[[player, line, cells]] = best
end

# What a player could make on each of his lines; his dominoes never cross from line to line.
def prospects(player, lines)
  lines.each_with_index.map { |cells, line| LINE_PROSPECTS[[player, line, cells]] }
end

# All moves, the highest value first. A move changes one line of the player and two of the other.
def list_moves(board)
  player, own, foe = *board
  own_now, foe_now = prospects(player, own), prospects(1 - player, foe)
  now = own_now.sum - foe_now.sum
  places = own.each_index.to_a.product((0...(foe.size - 1)).to_a).select { |line, i| (own[line] >> i & 3).zero? }
  moves = places.map do |line, i|
    gain = points(player, line, i)
    value = now + gain + LINE_PROSPECTS[[player, line, own[line] | 3 << i]] - own_now[line]
    [i, i + 1].each { |j| value += foe_now[j] - LINE_PROSPECTS[[1 - player, j, foe[j] | 1 << line]] }
    Move.new(value, gain, [line, i])
  end
  moves.each_with_index.sort_by { |move, index| [-move.value, index] }.map(&:first) # equals stay in their order
end

# The points that the player to move can still gain on the other one (negamax with alpha-beta).
def search(board, depth, alpha, beta, deadline)
  throw :out_of_time if now > deadline
  moves = list_moves(board)
  return -prospects(1 - board.player, board.foe).sum if moves.empty? # the other one lays all the dominoes that fit
  return moves[0].value if depth == 1

  moves.each do |move|
    gain = move.gain
    alpha = [alpha, gain - search(after(board, move.place), depth - 1, gain - beta, gain - alpha, deadline)].max
    break if alpha >= beta
  end
  alpha
end

# The place to play; a PASS only when there is none. `my_time`, in milliseconds, is left for the whole game.
def choose(board, my_time)
  deadline = now + (my_time - RESERVE).fdiv(SHARE)
  moves = list_moves(board)
  catch :out_of_time do
    (1...(moves.size > 1 ? MAX_DEPTH : 1)).each do |depth|
      best, alpha = nil, -Float::INFINITY
      moves.each do |move|
        child = after(board, move.place)
        value = move.gain - search(child, depth, -Float::INFINITY, move.gain - alpha, deadline)
        best, alpha = move, value if value > alpha
      end
      moves = [best] + (moves - [best]) # the next iteration tries it first
    end
  end
  moves.empty? ? PASS : moves[0].place
end

# ---- Protocol: the board first, then one command a line; rows and columns count from 1; a PASS is -1 -1 -------------

$stdout.sync = true # or the judge waits for an answer that never leaves this process
board = new_board
while (text = gets)
  command, *words = text.split
  case command
  when "READY" then puts "OK" # FIRST or SECOND, which follows from the moves as well
  when "TURN"
    place = choose(board, words[0].to_i)
    x, y = board.player == FIRST ? place : place&.reverse
    puts place == PASS ? "MOVE -1 -1" : "MOVE #{x + 1} #{y + 1}"
    board = after(board, place)
  when "OPP", "OPENING" # OPENING: a move made for us before READY
    place = words.first(2).map { |word| word.to_i - 1 }
    place.reverse! if board.player == SECOND
    board = after(board, place[0] < 0 ? PASS : place)
  when "FINISH"
    break unless ENV.key?("AGON_STAY")

    WEIGHT[FIRST] = [] # the same program plays the next game, too
    LINE_PROSPECTS.clear
  when /\d/ # a row of the board
    WEIGHT[FIRST] << text.split.map(&:to_i)
    WEIGHT[SECOND] = WEIGHT[FIRST].transpose
    board = new_board
  end
end
