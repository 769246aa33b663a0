# Bacteria War: a sample bot in Perl. It looks ahead while its time lasts. Replace `choose` by your own idea.
#
# Run: perl sample.pl        (Perl 5.20 and later)
use strict;
use warnings;
use feature 'signatures';
no warnings 'experimental::signatures';
use List::Util qw(max);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

# ---- Board --------------------------------------------------------------------------------------------------------
# A set of cells is a number: bit 7*row + column (both from 0) is one cell. A board is two such sets, $own and $foe,
# seen by the player to move. A move is a pair of cells [from, to], each 0..48.

use constant { SIDE => 7, AREA => 49, FULL => (1 << 49) - 1, PASS => undef };
use constant START => 1 << 0 | 1 << 48, 1 << 6 | 1 << 42;    # the first player, who moves, has (1,1) and (7,7)

sub distance ($from, $to) {
    return max(abs(int($from / SIDE) - int($to / SIDE)), abs($from % SIDE - $to % SIDE));
}

# For every cell, the cells at distance 1 (a division comes from there, an infection goes there) and at distance 2
# (a leap comes from there).
my (@near, @far);
for my $to (0 .. AREA - 1) {
    ($near[$to], $far[$to]) = (0, 0);
    for my $from (0 .. AREA - 1) {
        $near[$to] |= 1 << $from if distance($from, $to) == 1;
        $far[$to] |= 1 << $from if distance($from, $to) == 2;
    }
}

sub count ($set) {
    return unpack '%64b*', pack 'Q', $set;
}

# The cells of a set, ascending.
sub cells ($set) {
    my @cells;
    for (; $set; $set &= $set - 1) {    # without its lowest cell
        push @cells, length(sprintf '%b', $set & -$set) - 1;
    }
    return @cells;
}

# ---- Rules --------------------------------------------------------------------------------------------------------

# All moves, the one that gains most first. Divisions to one cell all have the same effect: one stands for all.
sub list_moves ($own, $foe) {
    my @moves;    # [gain, move]
    for my $to (cells(FULL & ~($own | $foe))) {
        my $infected = count($foe & $near[$to]);
        my ($division) = cells($own & $near[$to]);
        push @moves, [2 * $infected + 1, [$division, $to]] if defined $division;
        push @moves, [2 * $infected, [$_, $to]] for cells($own & $far[$to]);
    }
    @moves = sort { $b->[0] <=> $a->[0] } @moves;    # a stable sort: equals stay in their order
    return @moves ? map { $_->[1] } @moves : PASS;
}

# The board after a move, seen by the other player.
sub after ($own, $foe, $move) {
    return $foe, $own if !$move;
    my ($from, $to) = @$move;
    my $infected = $foe & $near[$to];
    $own |= $infected | 1 << $to;
    $own &= ~(1 << $from) if $far[$to] >> $from & 1;    # a leap empties its source
    return $foe & ~$infected, $own;
}

# ---- Choice -------------------------------------------------------------------------------------------------------

use constant { SHARE => 30, RESERVE => 100 };    # a move may take a thirtieth of the time left but the last 100 ms
use constant MAX_DEPTH => 64;                    # moves to look ahead; a bot with a small number repeats its games
use constant { INFINITY => 1_000_000, OUT_OF_TIME => "out of time\n" };
my $deadline;

# What the player to move can reach in $depth moves: own cells minus foe cells (negamax with alpha-beta).
sub search ($own, $foe, $depth, $alpha, $beta) {
    my $lead = count($own) - count($foe);
    return 100 * $lead if !$own || !$foe || ($own | $foe) == FULL;    # the game is over
    return $lead if $depth == 0;
    die OUT_OF_TIME if clock_gettime(CLOCK_MONOTONIC) > $deadline;
    for my $move (list_moves($own, $foe)) {
        $alpha = max($alpha, -search(after($own, $foe, $move), $depth - 1, -$beta, -$alpha));
        last if $alpha >= $beta || $depth == 1;                       # the last move is the one that gains most
    }
    return $alpha;
}

# The move to play; $my_time is what is left of the clock for the whole game, in milliseconds.
sub choose ($own, $foe, $my_time) {
    $deadline = clock_gettime(CLOCK_MONOTONIC) + ($my_time - RESERVE) / SHARE / 1000;
    my @moves = list_moves($own, $foe);
    eval {
        for my $depth (1 .. (@moves > 1 ? MAX_DEPTH - 1 : 0)) {
            my ($best, $alpha) = (undef, -INFINITY);
            for my $k (0 .. $#moves) {
                my $value = -search(after($own, $foe, $moves[$k]), $depth, -INFINITY, -$alpha);
                ($best, $alpha) = ($k, $value) if $value > $alpha;
            }
            unshift @moves, splice @moves, $best, 1;    # the next iteration tries it first
        }
        1;
    } or $@ eq OUT_OF_TIME or die $@;
    return $moves[0];
}

# ---- Protocol: one command a line; rows and columns count from 1; a PASS is -1 -1 -1 -1 -----------------------------

$| = 1;    # without buffering, or the judge waits for an answer that never leaves this process
my ($own, $foe) = START;
while (my $text = <STDIN>) {
    my ($command, @words) = split ' ', $text or next;
    if ($command eq 'READY') {    # FIRST or SECOND, which follows from the moves as well
        print "OK\n";
    } elsif ($command eq 'TURN') {
        my $move = choose($own, $foe, $words[0]);
        ($own, $foe) = after($own, $foe, $move);
        my @numbers = $move ? map { int($_ / SIDE) + 1, $_ % SIDE + 1 } @$move : (-1) x 4;
        print "MOVE @numbers\n";
    } elsif ($command eq 'OPP' || $command eq 'OPENING') {    # OPENING: a move made for us before READY
        my ($x1, $y1, $x2, $y2) = map { $_ - 1 } @words;
        ($own, $foe) = after($own, $foe, $x1 < 0 ? PASS : [SIDE * $x1 + $y1, SIDE * $x2 + $y2]);
    } elsif ($command eq 'POSITION') {    # the start: rows of x (first), o and numbers of empty cells; who moves
        my $cells = $words[0] =~ s{/}{}gr =~ s/(\d)/'.' x $1/ger;
        my %set = (x => 0, o => 0);
        while ($cells =~ /([xo])/g) { $set{$1} |= 1 << $-[0] }
        ($own, $foe) = $words[1] eq 'x' ? @set{qw(x o)} : @set{qw(o x)};
    } elsif ($command eq 'FINISH') {
        last if !exists $ENV{AGON_STAY};
        ($own, $foe) = START;    # the same program plays the next game, too
    }
}
