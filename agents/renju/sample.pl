# Renju: a sample bot in Perl. It looks ahead while its time lasts. Replace `choose` by your own idea.
#
# Run: perl sample.pl        (Perl 5.20 and later)
use strict;
use warnings;
use feature 'signatures';
no warnings 'experimental::signatures';
use List::Util qw(max);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

# ---- Board --------------------------------------------------------------------------------------------------------
# A board is an array of cells, row by row, with a margin of walls. A direction is the distance to the next cell.
# A position is a board seen by the player to move: its score for him, and what a stone on each cell is worth to both.
use constant { SIDE => 15, WIDTH => 20, EMPTY => 0, BLACK => 1, WHITE => 2, WALL => 3 };    # the other: 3 - player
use constant PASS => WIDTH * 4 - 1;    # as if it were the cell (-1,-1)
my @directions = (1, WIDTH, WIDTH + 1, WIDTH - 1);
my @cells = map { my $x = $_; map { WIDTH * ($x + 5) + $_ } 1 .. SIDE } 1 .. SIDE;
my @board = (WALL) x (WIDTH * (SIDE + 12));
@board[@cells] = (EMPTY) x @cells;
my @zeros = (0) x @board;
my %start = (board => \@board, player => BLACK, stones => 0, score => 0, own => \@zeros, foe => \@zeros);

# The cells through $cell in a direction, up to $reach steps away on both sides, as a string of digits.
sub line ($board, $cell, $direction, $reach) {
    return join '', @$board[map { $cell + $_ * $direction } -$reach .. $reach];
}

# ---- Rules --------------------------------------------------------------------------------------------------------
# Whether an empty cell is legal for certain. For Black the full rule looks ahead from every THREE; this one counts all
# that looks like a FOUR or a THREE: it never plays a forbidden move, but refuses some that are allowed.
sub may_play ($position, $cell) {
    my $stones = $position->{stones};    # the first is on (8,8), the second a step from it, the third two
    return max(abs(int($cell / WIDTH) - 13), abs($cell % WIDTH - 8)) <= $stones if $stones < 3;
    return 1 if $position->{player} == WHITE;
    my ($five, $overline, $fours, $threes) = (0, 0, 0, 0);
    for my $d (@directions) {
        my $cells = line($position->{board}, $cell, $d, 5);
        substr($cells, 5, 1) = BLACK;
        my ($before) = substr($cells, 0, 5) =~ /(1*)$/;
        my ($behind) = substr($cells, 5) =~ /^(1*)/;
        my $row = length "$before$behind";
        $five = 1 if $row == 5;
        $overline = 1 if $row > 5;
        # A FOUR is four of five neighbouring cells, the fifth empty. Two of them on one line take five stones.
        my $four = grep { tr/0// == 1 && tr/1// == 4 } map { substr $cells, $_, 5 } 1 .. 5;
        $fours += substr($cells, 1, 9) =~ tr/1// >= 5 ? 2 : 1 if $four;
        # A THREE is three of four neighbouring cells, the fourth and both outer neighbours empty.
        $threes++ if substr($cells, 1, 9) =~ /0(0111|1011|1101|1110)0/;
    }
    return $five || !$overline && $fours < 2 && $threes < 2;
}

# ---- Choice -------------------------------------------------------------------------------------------------------
# A stone is worth something in every five neighbouring cells in which all the other stones are one player's. The index
# is the number of those stones: [own][opponent's]. The order list is for the order of moves, the value list for the
# score. Four stones decide; an open three is three stones in two such fives at once.
use constant { WIN => 1_000_000, FOUR => 50_000, INFINITY => 10_000_000, OUT_OF_TIME => "out of time\n" };
my @order = ([0, 5, 40, 1000, FOUR], [6], [50], [1500], [WIN], []);
my @value = ([1, 1, 7, 57, 557], [6], [50], [500], [0]);
use constant BREADTH => 10;                      # moves tried in a position
use constant MAX_DEPTH => 64;                    # moves to look ahead; a bot with a small number repeats its games
use constant { SHARE => 30, RESERVE => 100 };    # a move may take a thirtieth of the time left but the last 100 ms
my $deadline;

# The position after a move. It changes the 20 fives through the cell, and with them the worth of their other cells.
sub after ($old, $cell) {
    my ($player, $score, $stones) = @$old{qw(player score stones)};
    my ($board, $own, $foe) = map { [@$_] } @$old{qw(board own foe)};
    for my $d ($cell == PASS ? () : @directions) {
        for my $from (map { $cell - $_ * $d } 0 .. 4) {
            my @five = map { $from + $_ * $d } 0 .. 4;
            my @count = (0) x 4;    # of empty cells, of each player's stones, of walls
            $count[$_]++ for @$board[@five];
            next if $count[WALL];
            my ($mine, $others) = @count[$player, 3 - $player];
            my $own_gain = ($order[$mine + 1][$others] // 0) - ($order[$mine][$others] // 0);
            my $foe_gain = ($order[$others][$mine + 1] // 0) - ($order[$others][$mine] // 0);
            $_ += $own_gain for @$own[@five];
            $_ += $foe_gain for @$foe[@five];
            $score += $value[$mine][$others] // 0;
        }
    }
    ($board->[$cell], $stones) = ($player, $stones + 1) if $cell != PASS;
    return { board => $board, player => 3 - $player, stones => $stones, score => -$score, own => $foe, foe => $own };
}

# The moves to try, the one worth most first; after a four, only those that complete or block it.
sub list_moves ($position) {
    my ($board, $own) = @$position{qw(board own)};
    my @moves;
    for my $cell (sort { $own->[$b] <=> $own->[$a] } grep { $board->[$_] == EMPTY } @cells) {    # stable
        last if @moves == BREADTH || @moves && $own->[$moves[0]] >= FOUR && $own->[$cell] < FOUR;
        push @moves, $cell if may_play($position, $cell);
    }
    return @moves;
}

# What the player to move can reach in $depth moves (negamax with alpha-beta).
sub search ($position, $depth, $alpha, $beta) {
    die OUT_OF_TIME if clock_gettime(CLOCK_MONOTONIC) > $deadline;
    my @moves = $depth > 0 ? list_moves($position) : ();
    return $position->{score} if !@moves;
    my $worth = $position->{own}[$moves[0]];
    return WIN + @cells - $position->{stones} if $worth >= WIN;    # the sooner, the better
    $depth++ if $worth >= FOUR;                                    # a forced move does not count
    for my $cell (@moves) {
        $alpha = max($alpha, -search(after($position, $cell), $depth - 1, -$beta, -$alpha));
        last if $alpha >= $beta || $depth == 1;                    # the last move is the one that looks best
    }
    return $alpha;
}

# The cell to play, or a PASS when none is sure to be legal. $my_time, in milliseconds, is left for the whole game.
sub choose ($position, $my_time) {
    $deadline = clock_gettime(CLOCK_MONOTONIC) + ($my_time - RESERVE) / SHARE / 1000;
    my @moves = list_moves($position);
    eval {
        for my $depth (2 .. (@moves > 1 && $position->{own}[$moves[0]] < WIN ? MAX_DEPTH - 1 : 1)) {
            my ($best, $alpha) = (undef, -INFINITY);
            for my $k (0 .. $#moves) {
                my $value = -search(after($position, $moves[$k]), $depth, -INFINITY, -$alpha);
                ($best, $alpha) = ($k, $value) if $value > $alpha;
            }
            unshift @moves, splice @moves, $best, 1;    # the next iteration tries it first
        }
        1;
    } or $@ eq OUT_OF_TIME or die $@;
    return $moves[0] // PASS;
}

# ---- Protocol: one command a line; a PASS is -1 -1 ------------------------------------------------------------------
$| = 1;    # without buffering, or the judge waits for an answer that never leaves this process
my $position = \%start;
while (my $text = <STDIN>) {
    my ($command, @words) = split ' ', $text or next;
    if ($command eq 'READY') {    # FIRST or SECOND, which follows from the moves as well
        print "OK\n";
    } elsif ($command eq 'TURN') {
        my $cell = choose($position, $words[0]);
        $position = after($position, $cell);
        print 'MOVE ', $cell == PASS ? '-1 -1' : int($cell / WIDTH) - 5 . ' ' . $cell % WIDTH, "\n";
    } elsif ($command eq 'OPP' || $command eq 'OPENING') {    # OPENING: a move made for us before READY
        $position = after($position, WIDTH * ($words[0] + 5) + $words[1]);
    } elsif ($command eq 'FINISH') {
        last if !exists $ENV{AGON_STAY};
        $position = \%start;    # the same program plays the next game, too
    }
}
