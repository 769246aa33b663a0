# Renju: a sample bot in Ruby. It looks ahead while its time lasts. Replace `choose` by your own idea.
# Run: ruby sample.rb

# ---- Board ----------------------------------------------------------------------------------------------------------
# The cells are a string, row by row, with a margin of walls. A direction is the distance to the next cell.
SIDE, WIDTH, MARGIN, PASS = 15, 24, 8, nil
EMPTY, BLACK, WHITE, WALL = ".BW#".chars
OTHER = { BLACK => WHITE, WHITE => BLACK }.freeze
DIRECTIONS = [1, WIDTH, WIDTH + 1, WIDTH - 1].freeze
BOARD = WALL * ((MARGIN + 1) * WIDTH + 1) + (EMPTY * SIDE + WALL * (WIDTH - SIDE)) * SIDE + WALL * MARGIN * WIDTH

def cell_at(x, y) = WIDTH * (x + MARGIN) + y # row and column, from 1
CELLS = (1..SIDE).flat_map { |x| (1..SIDE).map { |y| cell_at(x, y) } }

# The cells through a cell in one direction, up to `reach` steps away on both sides.
def line(board, cell, direction, reach)
  text = +""
  (cell - reach * direction).step(cell + reach * direction, direction) { |at| text << board[at] }
  text
end

# ---- Rules ----------------------------------------------------------------------------------------------------------
# What a black stone amid 11 cells makes: the length of its row, FOURs, THREEs.
SHAPES = Hash.new do |known, cells|
  row = cells[0, 5][/B*\z/].size + 1 + cells[6, 5][/\AB*/].size
  line = cells[0, 5] + BLACK + cells[6, 5]
  # A FOUR is four of five neighbouring cells, the fifth empty. Two of them on one line take five stones.
  four = (1..5).any? { |i| line[i, 5].count(BLACK) == 4 && line[i, 5].include?(EMPTY) }
  # A THREE is three of four neighbouring cells, the fourth and both outer neighbours empty.
  three = (2..5).any? { |i| line[i, 4].count(BLACK) == 3 && line[i - 1, 6].count(EMPTY) == 3 }
  fours = line[1, 9].count(BLACK) >= 5 ? 2 : 1
  known[cells] = [row, four ? fours : 0, three ? 1 : 0]
end

# Whether an empty cell is legal for certain. For Black the full rule looks ahead from every THREE; this one counts all
# that looks like a FOUR or a THREE: it never plays a forbidden move, but refuses some that are allowed.
def may_play?(board, player, cell)
  stones = SIDE * SIDE - board.count(EMPTY) # the first is on (8,8), the second a step from it, the third two
  return cell.divmod(WIDTH).zip([MARGIN + 8, 8]).all? { |a, b| (a - b).abs <= stones } if stones < 3
  return true if player == WHITE
  rows, fours, threes = DIRECTIONS.map { |direction| SHAPES[line(board, cell, direction, 5)] }.transpose
  rows.include?(5) || (rows.max < 5 && fours.sum < 2 && threes.sum < 2) # a FIVE wins, whatever else it makes
end

# ---- Choice ---------------------------------------------------------------------------------------------------------
# A stone is worth something in every five neighbouring cells in which all the other stones are one player's. The index
# is the number of those stones, in the first list for own ones, in the second for the opponent's. ORDER is for the
# order of moves, VALUE for the score. Four stones decide; an open three is three stones in two such fives at once.
ORDER = [[0, 6, 50, 1500, 1_000_000], [0, 5, 40, 1000, 50_000]].freeze
VALUE = [[1, 6, 50, 500, 0], [0, 1, 7, 57, 557]].freeze
WIN, FOUR = ORDER[0][4], ORDER[1][4]
BREADTH = 10 # moves tried in a position
SHARE, RESERVE = 30, 100 # a move may take a thirtieth of the time left, but for the last 100 milliseconds
MAX_DEPTH = 64 # moves to look ahead; a bot with a small number repeats its games
def now = Process.clock_gettime(Process::CLOCK_MONOTONIC, :float_millisecond)

# What a stone in the middle of nine cells is worth.
def worth(table, player, cells)
  fives = (0..4).map { |i| cells[i, 5] }.reject { |five| five.include?(WALL) }
  counts = fives.map { |five| [five.count(player), five.count(OTHER[player])] }
  counts.sum { |own, foe| own > 0 && foe > 0 ? 0 : foe > 0 ? table[1][foe] : table[0][own] }
end

# What a stone in the middle of nine cells is worth to Black and to White in the order of moves, and in the score.
WORTH = Hash.new do |known, cells|
  known[cells.freeze] = [ORDER, VALUE].map { |table| OTHER.to_h { |side, _| [side, worth(table, side, cells)] } }
end

# A board, the player to move, its score for him, and for both players what a stone on each cell is worth.
Position = Struct.new(:board, :player, :score, :worth) do
  def after(cell)
    return Position.new(board, OTHER[player], -score, worth) if cell == PASS
    new_board, new_worth, gain = board.dup, worth.transform_values(&:dup), 0
    new_board[cell] = player
    DIRECTIONS.each do |direction|
      before, now = line(board, cell, direction, 8), line(new_board, cell, direction, 8)
      gain += WORTH[before[4, 9]][1][player]
      9.times do |i| # the cells up to four steps away, each in the middle of nine
        next if now[i + 4] != EMPTY
        old, new, near = WORTH[before[i, 9]][0], WORTH[now[i, 9]][0], cell + (i - 4) * direction
        new_worth.each { |side, worths| worths[near] += new[side] - old[side] }
      end
    end
    Position.new(new_board, OTHER[player], -score - gain, new_worth)
  end

  # The moves to try, the one worth most first; after a four, only those that complete or block it.
  def list_moves
    own, moves = worth[player], []
    CELLS.select { |cell| board[cell] == EMPTY }.sort_by { |cell| cell - own[cell] * BOARD.size }.each do |cell|
      break if moves.size == BREADTH || (moves.any? && own[moves[0]] >= FOUR && own[cell] < FOUR)
      moves << cell if may_play?(board, player, cell)
    end
    moves
  end

  # What the player to move can reach in `depth` moves (negamax with alpha-beta).
  def search(depth, alpha, beta, deadline)
    throw :out_of_time if now > deadline
    moves = depth > 0 ? list_moves : []
    return score if moves.empty?
    return WIN + board.count(EMPTY) if worth[player][moves[0]] >= WIN # the sooner, the better
    depth += 1 if worth[player][moves[0]] >= FOUR # a forced move does not count
    moves = moves.first(1) if depth == 1 # the last move is the one that looks best
    moves.each do |cell|
      alpha = [alpha, -after(cell).search(depth - 1, -beta, -alpha, deadline)].max
      break if alpha >= beta
    end
    alpha
  end
end

START = Position.new(BOARD, BLACK, 0, { BLACK => [0] * BOARD.size, WHITE => [0] * BOARD.size })

# The cell to play, or a PASS when none is sure to be legal. `my_time`, in milliseconds, is left for the whole game.
def choose(position, my_time)
  deadline = now + (my_time - RESERVE).fdiv(SHARE)
  moves = position.list_moves
  decided = moves.size < 2 || position.worth[position.player][moves[0]] >= WIN
  catch :out_of_time do
    (2...(decided ? 2 : MAX_DEPTH)).each do |depth|
      best, alpha = PASS, -Float::INFINITY
      moves.each do |cell|
        value = -position.after(cell).search(depth, -Float::INFINITY, -alpha, deadline)
        best, alpha = cell, value if value > alpha
      end
      moves = [best] + (moves - [best]) # the next iteration tries it first
    end
  end
  moves.empty? ? PASS : moves[0]
end

# ---- Protocol: one command a line; a PASS is -1 -1 ------------------------------------------------------------------
$stdout.sync = true # or the judge waits for an answer that never leaves this process
position = START
while (text = gets)
  command, *words = text.split
  case command
  when "READY" then puts "OK" # FIRST or SECOND, which follows from the moves as well
  when "TURN"
    cell = choose(position, words[0].to_i)
    puts cell == PASS ? "MOVE -1 -1" : "MOVE #{cell / WIDTH - MARGIN} #{cell % WIDTH}"
    position = position.after(cell)
  when "OPP", "OPENING" # OPENING: a move made for us before READY
    position = position.after(words[0] == "-1" ? PASS : cell_at(words[0].to_i, words[1].to_i))
  when "FINISH"
    break unless ENV.key?("AGON_STAY")
    position = START # the same program plays the next game, too
  end
end
