# Domineering: a sample bot in Perl. It looks ahead while its time lasts. Replace `choose` by your own idea.
#
# Run: perl sample.pl        (Perl 5.20 and later)
use strict;
use warnings;
use feature 'signatures';
no warnings 'experimental::signatures';
use List::Util qw(max sum0);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

# ---- Board --------------------------------------------------------------------------------------------------------
# Each player lays dominoes along lines of his own: FIRST the rows, SECOND the columns. A place [line, i] is a line and
# the index of the domino's first cell on it, from 0. $own and $foe are the lines of the player to move and those of
# the other; each line is a number, in which bit i is set if its cell i is taken.

use constant { FIRST => 0, SECOND => 1, PASS => undef };    # the other of $player is 1 - $player
my @weight = ([], []);                                      # for each player, the numbers on each of his lines

# ---- Rules --------------------------------------------------------------------------------------------------------

sub points ($player, $line, $i) {
    return $weight[$player][$line][$i] + $weight[$player][$line][$i + 1];
}

# The board after a move, seen by the other player.
sub after ($own, $foe, $place) {
    my @own = @$own;
    my @foe = @$foe;
    if ($place) {
        my ($line, $i) = @$place;
        $own[$line] |= 3 << $i;
        $foe[$_] |= 1 << $line for $i, $i + 1;
    }
    return \@foe, \@own;
}

# ---- Choice -------------------------------------------------------------------------------------------------------

use constant { SHARE => 10, RESERVE => 100 };    # a move may take a tenth of the time left but the last 100 ms
use constant MAX_DEPTH => 64;                    # moves to look ahead; a bot with a small number repeats its games
use constant { INFINITY => 1_000_000, OUT_OF_TIME => "out of time\n" };
my %known;                                        # what line_prospects has returned
my $deadline;

# The points a player could still make on a line with these cells taken, if the other laid no more dominoes.
# The first j+1 cells are worth what the first j are, or what the first j-1 are and a domino on the last two.
sub line_prospects ($player, $line, $cells) {
    return $known{$player, $line, $cells} //= do {
        my ($best, $shorter) = (0, 0);    # for the first j cells and the first j-1 cells
        for my $i (0 .. $#{ $weight[$player][$line] } - 1) {
            my $with_domino = $cells >> $i & 3 ? 0 : $shorter + points($player, $line, $i);
            ($shorter, $best) = ($best, max($best, $with_domino));
        }
        $best;
    };
}

# What a player could make on each of his lines; his dominoes never cross from line to line.
sub prospects ($player, $lines) {
    return map { line_prospects($player, $_, $lines->[$_]) } 0 .. $#$lines;
}

# All moves as [value, points, place], the highest value first. The value is the points and the board after them: own
# prospects minus the other's. A move changes one line of the player and two of the other.
sub list_moves ($player, $own, $foe) {
    my @own_now = prospects($player, $own);
    my @foe_now = prospects(1 - $player, $foe);
    my @moves;
    for my $line (0 .. $#$own) {
        for my $i (grep { !($own->[$line] >> $_ & 3) } 0 .. $#$foe - 1) {
            my $gain = points($player, $line, $i);
            my $value = sum0(@own_now) - sum0(@foe_now) + $gain - $own_now[$line];
            $value += line_prospects($player, $line, $own->[$line] | 3 << $i);
            $value += $foe_now[$_] - line_prospects(1 - $player, $_, $foe->[$_] | 1 << $line) for $i, $i + 1;
            push @moves, [$value, $gain, [$line, $i]];
        }
    }
    return sort { $b->[0] <=> $a->[0] } @moves;    # a stable sort: equals stay in their order
}

# The points that the player to move can still gain on the other one (negamax with alpha-beta).
sub search ($player, $own, $foe, $depth, $alpha, $beta) {
    die OUT_OF_TIME if clock_gettime(CLOCK_MONOTONIC) > $deadline;
    my @moves = list_moves($player, $own, $foe);
    return -sum0(prospects(1 - $player, $foe)) if !@moves;    # the other one now lays all the dominoes that fit
    return $moves[0][0] if $depth == 1;
    for my $move (@moves) {
        my (undef, $gain, $place) = @$move;
        my @after = after($own, $foe, $place);
        $alpha = max($alpha, $gain - search(1 - $player, @after, $depth - 1, $gain - $beta, $gain - $alpha));
        last if $alpha >= $beta;
    }
    return $alpha;
}

# The place to play; a PASS only when there is none. $my_time, in milliseconds, is left for the whole game.
sub choose ($player, $own, $foe, $my_time) {
    $deadline = clock_gettime(CLOCK_MONOTONIC) + ($my_time - RESERVE) / SHARE / 1000;
    my @moves = list_moves($player, $own, $foe);
    eval {
        for my $depth (1 .. (@moves > 1 ? MAX_DEPTH - 1 : 0)) {
            my ($best, $alpha) = (undef, -INFINITY);
            for my $k (0 .. $#moves) {
                my (undef, $gain, $place) = @{ $moves[$k] };
                my @after = after($own, $foe, $place);
                my $value = $gain - search(1 - $player, @after, $depth, -INFINITY, $gain - $alpha);
                ($best, $alpha) = ($k, $value) if $value > $alpha;
            }
            unshift @moves, splice @moves, $best, 1;    # the next iteration tries it first
        }
        1;
    } or $@ eq OUT_OF_TIME or die $@;
    return @moves ? $moves[0][2] : PASS;
}

# ---- Protocol: the board first, then one command a line; rows and columns count from 1; a PASS is -1 -1 -------------

$| = 1;    # without buffering, or the judge waits for an answer that never leaves this process
my ($player, $own, $foe) = (FIRST, [], []);
while (my $text = <STDIN>) {
    my ($command, @words) = split ' ', $text or next;
    if ($command eq 'READY') {    # FIRST or SECOND, which follows from the moves as well
        print "OK\n";
    } elsif ($command =~ /^(TURN|OPP|OPENING)$/) {    # OPENING: a move made for us before READY
        my ($x, $y) = @words;
        my $place = $x < 0 ? PASS : $player == FIRST ? [$x - 1, $y - 1] : [$y - 1, $x - 1];
        if ($command eq 'TURN') {
            $place = choose($player, $own, $foe, $words[0]);
            ($x, $y) = $place ? ($place->[$player] + 1, $place->[1 - $player] + 1) : (-1, -1);
            print "MOVE $x $y\n";
        }
        ($own, $foe) = after($own, $foe, $place);
        $player = 1 - $player;
    } elsif ($command eq 'FINISH') {
        last if !exists $ENV{AGON_STAY};
        ($player, $own, $foe, @weight) = (FIRST, [], [], [], []);    # the same program plays the next game, too
        %known = ();
    } else {                                                         # a row of the board
        my @row = ($command, @words);
        push @{ $weight[FIRST] }, \@row;
        push @{ $weight[SECOND][$_] }, $row[$_] for 0 .. $#row;
        ($own, $foe) = ([(0) x @{ $weight[FIRST] }], [(0) x @row]);
    }
}
