<?php
// Domineering: a sample bot in PHP. It looks ahead while its time lasts. Replace `choose` by your own idea.
//
// Run: php sample.php        (PHP 8 and later)

// ---- Board --------------------------------------------------------------------------------------------------------
// Each player lays dominoes along lines of his own: FIRST the rows, SECOND the columns. A place [line, i] is a line and
// the index of the domino's first cell on it, from 0. A board [own, foe] has the lines of the player to move and those
// of the other; each line is a number, in which bit i is set if its cell i is taken.

const FIRST = 0, SECOND = 1; // the other of `$player` is 1 - $player
const PASS = null;
$weight = [[], []]; // for each player, the numbers on each of his lines

// ---- Rules --------------------------------------------------------------------------------------------------------

function points(int $player, int $line, int $i): int {
    global $weight;
    return $weight[$player][$line][$i] + $weight[$player][$line][$i + 1];
}

/** The board after a move, seen by the other player. */
function after(array $board, ?array $place): array {
    [$own, $foe] = $board;
    if ($place !== PASS) {
        [$line, $i] = $place;
        $own[$line] |= 3 << $i;
        $foe[$i] |= 1 << $line;
        $foe[$i + 1] |= 1 << $line;
    }
    return [$foe, $own];
}

// ---- Choice -------------------------------------------------------------------------------------------------------

const SHARE = 10, RESERVE = 100; // a move may take a tenth of the time left, but for the last 100 milliseconds
const MAX_DEPTH = 64; // moves to look ahead; a bot with a small number repeats its games
const INFINITY = 1_000_000;

class OutOfTime extends Exception {}

/**
 * The points a player could still make on a line with these cells taken, if the other laid no more dominoes.
 * The first j+1 cells are worth what the first j are, or what the first j-1 are and a domino on the last two.
 */
function lineProspects(int $player, int $line, int $cells): int {
    global $weight, $known;
    if (!isset($known[$player][$line][$cells])) {
        $best = $shorter = 0; // for the first j cells and the first j-1 cells
        for ($i = 0; $i + 1 < count($weight[$player][$line]); $i++) {
            $withDomino = $cells >> $i & 3 ? 0 : $shorter + points($player, $line, $i);
            [$shorter, $best] = [$best, max($best, $withDomino)];
        }
        $known[$player][$line][$cells] = $best;
    }
    return $known[$player][$line][$cells];
}

/** What a player could make on each of his lines; his dominoes never cross from line to line. */
function prospects(int $player, array $lines): array {
    return array_map(fn($line, $cells) => lineProspects($player, $line, $cells), array_keys($lines), $lines);
}

/**
 * All moves as [value, points, place], the highest value first. The value is the points and the board after them:
 * own prospects minus the other's. A move changes one line of the player and two of the other.
 */
function listMoves(int $player, array $board): array {
    [$own, $foe] = $board;
    [$ownNow, $foeNow] = [prospects($player, $own), prospects(1 - $player, $foe)];
    [$now, $moves] = [array_sum($ownNow) - array_sum($foeNow), []];
    foreach ($own as $line => $cells) {
        for ($i = 0; $i + 1 < count($foe); $i++) {
            if (!($cells >> $i & 3)) {
                $gain = points($player, $line, $i);
                $value = $now + $gain + lineProspects($player, $line, $cells | 3 << $i) - $ownNow[$line];
                foreach ([$i, $i + 1] as $j) {
                    $value += $foeNow[$j] - lineProspects(1 - $player, $j, $foe[$j] | 1 << $line);
                }
                $moves[] = [$value, $gain, [$line, $i]];
            }
        }
    }
    usort($moves, fn($a, $b) => $b[0] <=> $a[0]); // equals stay in their order
    return $moves;
}

/** The points that the player to move can still gain on the other one (negamax with alpha-beta). */
function search(int $player, array $board, int $depth, int $alpha, int $beta, float $deadline): int {
    if (hrtime(true) > $deadline) throw new OutOfTime();
    $moves = listMoves($player, $board);
    if (!$moves) return -array_sum(prospects(1 - $player, $board[1])); // the other now lays all that fit
    if ($depth === 1) return $moves[0][0];
    foreach ($moves as [, $gain, $place]) {
        $after = after($board, $place);
        $value = $gain - search(1 - $player, $after, $depth - 1, $gain - $beta, $gain - $alpha, $deadline);
        $alpha = max($alpha, $value);
        if ($alpha >= $beta) break;
    }
    return $alpha;
}

/** The place to play; a PASS only when there is none. `$myTime`, in milliseconds, is left for the whole game. */
function choose(int $player, array $board, int $myTime): ?array {
    $deadline = hrtime(true) + ($myTime - RESERVE) / SHARE * 1_000_000; // in nanoseconds
    $moves = listMoves($player, $board);
    try {
        for ($depth = 1; $depth < MAX_DEPTH && count($moves) > 1; $depth++) {
            [$best, $alpha] = [null, -INFINITY];
            foreach ($moves as $key => [, $gain, $place]) {
                $after = after($board, $place);
                $value = $gain - search(1 - $player, $after, $depth, -INFINITY, $gain - $alpha, $deadline);
                if ($value > $alpha) [$best, $alpha] = [$key, $value];
            }
            array_unshift($moves, ...array_splice($moves, $best, 1)); // the next iteration tries it first
        }
    } catch (OutOfTime) { // the last finished iteration counts
    }
    return $moves ? $moves[0][2] : PASS;
}

// ---- Protocol: the board first, then one command a line; rows and columns count from 1; a PASS is -1 -1 -------------

[$player, $board] = [FIRST, [[], []]];
while (($text = fgets(STDIN)) !== false) {
    $words = explode(" ", trim($text));
    if ($words[0] === "READY") { // FIRST or SECOND, which follows from the moves as well
        echo "OK\n";
    } elseif (in_array($words[0], ["TURN", "OPP", "OPENING"])) { // OPENING: a move made for us before READY
        if ($words[0] === "TURN") {
            $place = choose($player, $board, (int) $words[1]);
            [$x, $y] = $place === PASS ? [-1, -1] : [$place[$player] + 1, $place[1 - $player] + 1];
            echo "MOVE $x $y\n";
        } else {
            [$x, $y] = [$words[1] - 1, $words[2] - 1];
            $place = $x < 0 ? PASS : ($player === FIRST ? [$x, $y] : [$y, $x]);
        }
        $board = after($board, $place);
        $player = 1 - $player;
    } elseif ($words[0] === "FINISH") {
        if (getenv("AGON_STAY") === false) break;
        [$player, $weight, $known] = [FIRST, [[], []], []]; // the same program plays the next game, too
    } elseif (is_numeric($words[0])) { // a row of the board
        foreach ($words as $column => $number) $weight[SECOND][$column][] = (int) $number;
        $weight[FIRST][] = array_map(intval(...), $words);
        $board = [array_fill(0, count($weight[FIRST]), 0), array_fill(0, count($words), 0)];
    }
}
