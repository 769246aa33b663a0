<?php
// Renju: a sample bot in PHP. It looks ahead while its time lasts. Replace `choose` by your own idea.
//
// Run: php sample.php        (PHP 8 and later)

// ---- Board --------------------------------------------------------------------------------------------------------
// A board is a string, row by row, with a margin of walls. A direction is the distance to the next cell.
const SIDE = 15, WIDTH = 20;
const FREE = ".", BLACK = "B", WHITE = "W", WALL = "#", OTHER = [BLACK => WHITE, WHITE => BLACK];
const DIRECTIONS = [1, WIDTH, WIDTH + 1, WIDTH - 1];
const PASS = WIDTH * 4 - 1; // as if it were the cell (-1,-1)
define("ROW", str_repeat(FREE, SIDE) . str_repeat(WALL, WIDTH - SIDE));
define("START", str_repeat(WALL, 6 * WIDTH + 1) . str_repeat(ROW, SIDE) . str_repeat(WALL, 6 * WIDTH));
define("ZEROS", array_fill(0, strlen(START), 0));

// The cells through `$cell` in a direction, up to `$reach` steps away on both sides.
function line(string $board, int $cell, int $direction, int $reach): string {
    for ($line = "", $i = -$reach; $i <= $reach; $i++) $line .= $board[$cell + $i * $direction];
    return $line;
}

// ---- Rules --------------------------------------------------------------------------------------------------------
// Whether an empty cell is legal for certain. For Black the full rule looks ahead from every THREE; this one counts all
// that looks like a FOUR or a THREE: it never plays a forbidden move, but refuses some that are allowed.
function mayPlay(string $board, string $player, int $cell): bool {
    $stones = SIDE * SIDE - substr_count($board, FREE); // the first on (8,8), the second a step from it, the third two
    if ($stones < 3) return max(abs(intdiv($cell, WIDTH) - 13), abs($cell % WIDTH - 8)) <= $stones;
    if ($player === WHITE) return true;
    [$five, $overline, $fours, $threes] = [false, false, 0, 0];
    $board[$cell] = BLACK;
    foreach (DIRECTIONS as $d) {
        $cells = line($board, $cell, $d, 5);
        $row = strspn($cells, BLACK, 5) + strspn(strrev($cells), BLACK, 6);
        [$five, $overline, $four, $three] = [$five || $row === 5, $overline || $row > 5, 0, 0];
        for ($i = 1; $i <= 5; $i++) {
            // A FOUR is four of five neighbouring cells, the fifth empty. Two of them on one line take five stones.
            $isFour = substr_count($cells, BLACK, $i, 5) === 4 && substr_count($cells, FREE, $i, 5) === 1;
            if ($isFour) $four = substr_count($cells, BLACK, 1, 9) >= 5 ? 2 : 1;
            // A THREE is three of four neighbouring cells, the fourth and both outer neighbours empty.
            $isThree = substr_count($cells, BLACK, $i + 1, 4) === 3 && substr_count($cells, FREE, $i, 6) === 3;
            if ($isThree && $i < 5) $three = 1;
        }
        [$fours, $threes] = [$fours + $four, $threes + $three];
    }
    return $five || (!$overline && $fours < 2 && $threes < 2);
}

// ---- Choice -------------------------------------------------------------------------------------------------------
// A stone is worth something in every five neighbouring cells in which all the other stones are one player's. The index
// is the number of those stones: [own][opponent's]. ORDER is for the order of moves, VALUE for the score. Four stones
// decide; an open three is three stones in two such fives at once.
const WIN = 1_000_000, FOUR = 50_000, INFINITY = 10_000_000;
const ORDER = [[0, 5, 40, 1000, FOUR], [6], [50], [1500], [WIN], []];
const VALUE = [[1, 1, 7, 57, 557], [6], [50], [500], [0]];
const BREADTH = 10; // moves tried in a position
const MAX_DEPTH = 64; // moves to look ahead; a bot with a small number repeats its games
const SHARE = 30, RESERVE = 100; // a move may take a thirtieth of the time left, but for the last 100 milliseconds

class OutOfTime extends Exception {}

// A board seen by the player to move: its score for him, and what a stone on each cell is worth to both.
class Position {
    public string $board = START, $player = BLACK;
    public int $score = 0;
    public array $own = ZEROS, $foe = ZEROS;

    // The position after a move. It changes the 20 fives through the cell, and so the worth of their other cells.
    function after(int $cell): Position {
        $new = clone $this;
        foreach ($cell === PASS ? [] : DIRECTIONS as $d) {
            $cells = line($this->board, $cell, $d, 4);
            for ($i = 0; $i < 5; $i++) {
                if (substr_count($cells, WALL, $i, 5) > 0) continue;
                $mine = substr_count($cells, $this->player, $i, 5);
                $others = substr_count($cells, OTHER[$this->player], $i, 5);
                $new->score += VALUE[$mine][$others] ?? 0;
                for ($near = $cell + ($i - 4) * $d, $n = 0; $n < 5; $n++, $near += $d) {
                    $new->own[$near] += (ORDER[$mine + 1][$others] ?? 0) - (ORDER[$mine][$others] ?? 0);
                    $new->foe[$near] += (ORDER[$others][$mine + 1] ?? 0) - (ORDER[$others][$mine] ?? 0);
                }
            }
        }
        if ($cell !== PASS) $new->board[$cell] = $this->player;
        [$new->player, $new->score] = [OTHER[$this->player], -$new->score];
        [$new->own, $new->foe] = [$new->foe, $new->own];
        return $new;
    }

    // The moves to try, the one worth most first; after a four, only those that complete or block it.
    function listMoves(): array {
        $moves = $worths = [];
        foreach (array_keys(str_split($this->board), FREE) as $cell) $worths[$cell] = $this->own[$cell];
        arsort($worths); // equals stay in their order
        foreach ($worths as $cell => $worth) {
            if (count($moves) === BREADTH || ($moves && $this->own[$moves[0]] >= FOUR && $worth < FOUR)) break;
            if (mayPlay($this->board, $this->player, $cell)) $moves[] = $cell;
        }
        return $moves;
    }

    // What the player to move can reach in `$depth` moves (negamax with alpha-beta).
    function search(int $depth, int $alpha, int $beta, float $deadline): int {
        if (hrtime(true) > $deadline) throw new OutOfTime();
        $moves = $depth > 0 ? $this->listMoves() : [];
        if (!$moves) return $this->score;
        if ($this->own[$moves[0]] >= WIN) return WIN + substr_count($this->board, FREE); // the sooner, the better
        if ($this->own[$moves[0]] >= FOUR) $depth++; // a forced move does not count
        foreach ($moves as $cell) {
            $alpha = max($alpha, -$this->after($cell)->search($depth - 1, -$beta, -$alpha, $deadline));
            if ($alpha >= $beta || $depth === 1) break; // the last move is the one that looks best
        }
        return $alpha;
    }
}

// The cell to play, or a PASS when none is sure to be legal. `$myTime`, in milliseconds, is left for the game.
function choose(Position $position, int $myTime): int {
    $deadline = hrtime(true) + ($myTime - RESERVE) / SHARE * 1_000_000; // in nanoseconds
    $moves = $position->listMoves();
    $last = count($moves) > 1 && $position->own[$moves[0]] < WIN ? MAX_DEPTH : 1;
    try {
        for ($depth = 2; $depth < $last; $depth++) {
            [$best, $alpha] = [null, -INFINITY];
            foreach ($moves as $key => $cell) {
                $value = -$position->after($cell)->search($depth, -INFINITY, -$alpha, $deadline);
                if ($value > $alpha) [$best, $alpha] = [$key, $value];
            }
            array_unshift($moves, ...array_splice($moves, $best, 1)); // the next iteration tries it first
        }
    } catch (OutOfTime) {} // the last finished iteration counts
    return $moves[0] ?? PASS;
}

// ---- Protocol: one command a line; a PASS is -1 -1 ------------------------------------------------------------------
$position = new Position();
while (($text = fgets(STDIN)) !== false) {
    $words = explode(" ", trim($text));
    if ($words[0] === "READY") { // FIRST or SECOND, which follows from the moves as well
        echo "OK\n";
    } elseif ($words[0] === "TURN") {
        $cell = choose($position, (int) $words[1]);
        $position = $position->after($cell);
        echo "MOVE ", $cell === PASS ? "-1 -1" : intdiv($cell, WIDTH) - 5 . " " . $cell % WIDTH, "\n";
    } elseif ($words[0] === "OPP" || $words[0] === "OPENING") { // OPENING: a move made for us before READY
        $position = $position->after(WIDTH * ($words[1] + 5) + $words[2]);
    } elseif ($words[0] === "FINISH") {
        if (getenv("AGON_STAY") === false) break;
        $position = new Position(); // the same program plays the next game, too
    }
}
