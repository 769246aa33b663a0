# Hex (Piet Hein, 1942; John Nash, 1948) for Agon: docs/own-game.md explains every line that is read and written here.
GAME = <<~TEXT.lines(chomp: true)
  name hex
  title Hex
  summary stones on a rhombus of hexagons; Red connects top and bottom, Blue left and right
  rule MOVE row column puts a stone on an empty hexagon; there are no draws.
  rule Red, who moves first, wins by a chain of stones from the top to the bottom, Blue by one from left to right.
  rule MOVE swap answers the first stone in place of a move: the stone becomes Blue, mirrored at the diagonal.
  parameter size 3..13 11 hexagons of a side
  seats Red Blue
  plies 170
  has moves view save playout
TEXT
SEATS = { 1 => "first", 2 => "second" }.freeze

class Hex
  def initialize(size)
    @size = size
    @board = Array.new(size * size, 0)
    @turn, @ply, @last, @winner = 1, 0, nil, nil
  end

  def neighbours(at)
    row, column = at.divmod(@size)
    [[-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0]].filter_map do |down, right|
      r, c = row + down, column + right
      r * @size + c if r.between?(0, @size - 1) && c.between?(0, @size - 1)
    end
  end

  def connects?(side)
    reached = (0...@size).map { |n| side == 1 ? n : n * @size }.select { |at| @board[at] == side }
    seen = reached.to_h { |at| [at, true] }
    while (at = reached.pop)
      return true if (side == 1 ? at / @size : at % @size) == @size - 1
      neighbours(at).each { |to| reached << to if @board[to] == side && !seen[to] && (seen[to] = true) }
    end
    false
  end

  def moves
    return [] if @winner
    free = @board.each_index.select { |at| @board[at].zero? }.map { |at| "#{at / @size + 1} #{at % @size + 1}" }
    @ply == 1 ? free + ["swap"] : free
  end

  def play(text)
    return "the game is over" if @winner
    if text == "swap"
      return "only the answer to the first stone swaps" unless @ply == 1
      # Mirrored, it lies to Blue's sides as it lay to Red's.
      row, column = @board.index(1).divmod(@size)
      @board.fill(0)
      put(column * @size + row)
    else
      row, column = text.match(/\A(\d\d?) (\d\d?)\z/)&.captures&.map { |number| number.to_i - 1 }
      return "row and column of a hexagon expected" unless row&.between?(0, @size - 1) && column.between?(0, @size - 1)
      return "the hexagon is taken" unless @board[row * @size + column].zero?
      put(row * @size + column)
    end
    nil
  end

  def put(at)
    @board[at], @last = @turn, at
    @winner = @turn if connects?(@turn)
    @turn, @ply = 3 - @turn, @ply + 1
  end

  def situation
    [@winner ? "end #{SEATS[@winner]} its stones connect both of its sides" : "turn #{SEATS[@turn]}"]
  end

  def save = [@size, @turn, @ply, @board.join].join(" ")

  def self.load(text)
    size, turn, ply, stones = text.match(/\A(\d\d?) ([12]) (\d{1,3}) ([012]+)\z/)&.captures
    return unless size&.to_i&.between?(3, 13) && stones.size == size.to_i**2
    # After a swap there is a stone less than there were moves.
    return unless [ply.to_i, [ply.to_i - 1, 1].max].include?(stones.count("12"))
    new(size.to_i).tap { |game| game.restore(turn.to_i, ply.to_i, stones.chars.map(&:to_i)) }
  end

  def restore(turn, ply, board)
    @turn, @ply, @board = turn, ply, board
    @winner = SEATS.keys.find { |side| connects?(side) }
  end

  def view
    rows = @board.each_slice(@size).map { |row| "row #{row.map { |stone| '.RB'[stone] }.join}" }
    ["stones RB", "hexagons", *rows, *(@last && "mark placed #{@last / @size + 1} #{@last % @size + 1}")]
  end

  # Of a full board it matters not in what order it was filled.
  def playout(number)
    random = Random.new(number)
    turn, board = @turn, @board.dup
    free = board.each_index.select { |at| board[at].zero? }.shuffle(random: random)
    free.each_with_index { |at, n| board[at] = n.even? ? turn : 3 - turn }
    full = Hex.new(@size).tap { |game| game.restore(turn, @ply + free.size, board) }
    full.situation
  end
end

game = nil
$stdin.each_line(chomp: true) do |line|
  word, rest = line.split(" ", 2)
  refused = nil
  lines =
    case word
    when "GAME" then GAME
    when "START"
      game = Hex.new(rest[/size=(\d+)/, 1].to_i)
      ["info both size #{rest[/size=(\d+)/, 1]}", *game.situation]
    when "PLAY"
      refused = game.play(rest.split(" ", 3)[2])
      game.situation
    when "MOVES" then game.moves.map { |move| "move #{move}" }
    when "VIEW" then game.view
    when "SAVE" then ["state #{game.save}"]
    when "LOAD"
      loaded = Hex.load(rest)
      refused = "this is no state that SAVE wrote" unless loaded
      (game = loaded || game)&.situation
    when "PLAYOUT" then game.playout(rest.to_i)
    else refused = "no such question"
    end
  puts refused ? "no #{refused}" : [*lines, "ok"]
  $stdout.flush
end
