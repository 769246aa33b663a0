<?php
// Bacteria War: a sample bot in PHP. It looks ahead while its time lasts. Replace `choose` by your own idea.
//
// Run: php sample.php        (PHP 8 and later)

// ---- Board --------------------------------------------------------------------------------------------------------
// A set of cells is a number: bit 7*row + column (both from 0) is one cell. A board [own, foe] is two such sets, seen
// by the player to move. A move is a pair of cells [from, to], each 0..48.

const SIDE = 7, AREA = SIDE * SIDE, FULL = (1 << AREA) - 1;
const PASS = [-1, -1];
const START = [1 << 0 | 1 << 48, 1 << 6 | 1 << 42]; // the first player, who moves, has (1,1) and (7,7)

function distance(int $a, int $b): int {
    return max(abs(intdiv($a, SIDE) - intdiv($b, SIDE)), abs($a % SIDE - $b % SIDE));
}

// For every cell, the cells at distance 1 (a division comes from there, an infection goes there) and at distance 2
// (a leap comes from there).
$near = $far = array_fill(0, AREA, 0);
for ($a = 0; $a < AREA; $a++) {
    for ($b = 0; $b < AREA; $b++) {
        if (distance($a, $b) === 1) $near[$a] |= 1 << $b;
        if (distance($a, $b) === 2) $far[$a] |= 1 << $b;
    }
}
define("NEAR", $near);
define("FAR", $far);

function countCells(int $cells): int {
    return substr_count(decbin($cells), "1");
}

/** The cells of a set, ascending. */
function cells(int $set): array {
    for ($cells = []; $set !== 0; $set &= $set - 1) $cells[] = strlen(decbin($set & -$set)) - 1; // the lowest one
    return $cells;
}

// ---- Rules --------------------------------------------------------------------------------------------------------

/** All moves, the one that gains most first. Divisions to one cell all have the same effect: one stands for all. */
function listMoves(array $board): array {
    [$own, $foe] = $board;
    $moves = [];
    foreach (cells(FULL & ~($own | $foe)) as $to) {
        $infected = countCells($foe & NEAR[$to]);
        $divisions = cells($own & NEAR[$to]);
        if ($divisions) $moves[] = [2 * $infected + 1, [$divisions[0], $to]];
        foreach (cells($own & FAR[$to]) as $from) $moves[] = [2 * $infected, [$from, $to]];
    }
    usort($moves, fn($a, $b) => $b[0] <=> $a[0]); // equals stay in their order
    return $moves ? array_column($moves, 1) : [PASS];
}

/** The board after a move, seen by the other player. */
function after(array $board, array $move): array {
    [$own, $foe] = $board;
    [$from, $to] = $move;
    if ($move === PASS) return [$foe, $own];
    $infected = $foe & NEAR[$to];
    $own |= $infected | 1 << $to;
    if (FAR[$to] >> $from & 1) $own &= ~(1 << $from); // a leap empties its source
    return [$foe & ~$infected, $own];
}

// ---- Choice -------------------------------------------------------------------------------------------------------

const SHARE = 30, RESERVE = 100; // a move may take a thirtieth of the time left, but for the last 100 milliseconds
const MAX_DEPTH = 64; // moves to look ahead; a bot with a small number repeats its games
const INFINITY = 1_000_000;

class OutOfTime extends Exception {}

/** What the player to move can reach in `$depth` moves: own cells minus foe cells (negamax with alpha-beta). */
function search(array $board, int $depth, int $alpha, int $beta, float $deadline): int {
    [$own, $foe] = $board;
    $lead = countCells($own) - countCells($foe);
    if ($own === 0 || $foe === 0 || ($own | $foe) === FULL) return 100 * $lead; // the game is over
    if ($depth === 0) return $lead;
    if (hrtime(true) > $deadline) throw new OutOfTime();
    foreach (listMoves($board) as $move) {
        $alpha = max($alpha, -search(after($board, $move), $depth - 1, -$beta, -$alpha, $deadline));
        if ($alpha >= $beta || $depth === 1) break; // the last move is the one that gains most
    }
    return $alpha;
}

/** The move to play; `$myTime` is what is left of the clock for the whole game, in milliseconds. */
function choose(array $board, int $myTime): array {
    $deadline = hrtime(true) + ($myTime - RESERVE) / SHARE * 1_000_000; // in nanoseconds
    $moves = listMoves($board);
    try {
        for ($depth = 1; $depth < MAX_DEPTH && count($moves) > 1; $depth++) {
            [$best, $alpha] = [null, -INFINITY];
            foreach ($moves as $key => $move) {
                $value = -search(after($board, $move), $depth, -INFINITY, -$alpha, $deadline);
                if ($value > $alpha) [$best, $alpha] = [$key, $value];
            }
            array_unshift($moves, ...array_splice($moves, $best, 1)); // the next iteration tries it first
        }
    } catch (OutOfTime) { // the last finished iteration counts
    }
    return $moves[0];
}

// ---- Protocol: one command a line; rows and columns count from 1; a PASS is -1 -1 -1 -1 -----------------------------

$board = START;
while (($text = fgets(STDIN)) !== false) {
    $words = explode(" ", trim($text));
    $command = array_shift($words);
    if ($command === "READY") { // FIRST or SECOND, which follows from the moves as well
        echo "OK\n";
    } elseif ($command === "TURN") {
        $move = [$from, $to] = choose($board, (int) $words[0]);
        $board = after($board, $move);
        $numbers = [intdiv($from, SIDE) + 1, $from % SIDE + 1, intdiv($to, SIDE) + 1, $to % SIDE + 1];
        echo "MOVE ", implode(" ", $move === PASS ? [-1, -1, -1, -1] : $numbers), "\n";
    } elseif ($command === "OPP" || $command === "OPENING") { // OPENING: a move made for us before READY
        [$x1, $y1, $x2, $y2] = $words;
        $move = $x1 < 0 ? PASS : [SIDE * ($x1 - 1) + $y1 - 1, SIDE * ($x2 - 1) + $y2 - 1];
        $board = after($board, $move);
    } elseif ($command === "POSITION") { // the start: rows of x (first), o and numbers of empty cells; who moves
        [$sets, $cell] = [["x" => 0, "o" => 0], 0];
        foreach (str_split(str_replace("/", "", $words[0])) as $c) {
            if (!is_numeric($c)) $sets[$c] |= 1 << $cell;
            $cell += is_numeric($c) ? (int) $c : 1;
        }
        $board = $words[1] === "x" ? [$sets["x"], $sets["o"]] : [$sets["o"], $sets["x"]];
    } elseif ($command === "FINISH") {
        if (getenv("AGON_STAY") === false) break;
        $board = START; // the same program plays the next game, too
    }
}
