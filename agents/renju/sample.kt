// Renju: a sample bot in Kotlin. It looks ahead while its time lasts. Replace `choose` by your own idea.
// Build and run: kotlinc sample.kt -include-runtime -d sample.jar && java -jar sample.jar
import Cell.*
import kotlin.math.*

// ---- Board ---------------------------------------------------------------------------------------------------------
// A board is read row by row and has a margin of walls. A direction is the distance to the next cell.
const val SIDE = 15
const val WIDTH = 20
const val PASS = WIDTH * 4 - 1 // as if it were the cell (-1,-1)
val DIRECTIONS = listOf(1, WIDTH, WIDTH + 1, WIDTH - 1)
val CELLS = (0 until SIDE * SIDE).map { WIDTH * (it / SIDE + 6) + it % SIDE + 1 }
enum class Cell { EMPTY, BLACK, WHITE, WALL }

/** A board seen by the player to move: how many stones are on it, and its score for him. */
class Position(val board: Array<Cell>, val player: Cell, val stones: Int, val score: Int)
val START = Position(Array(26 * WIDTH + 1) { if (it in CELLS) EMPTY else WALL }, BLACK, 0, 0)

/** How many of n cells in a direction are `what`. */
fun count(board: Array<Cell>, what: Cell, start: Int, direction: Int, n: Int): Int {
    var sum = 0
    for (i in 0 until n) if (board[start + i * direction] == what) sum++
    return sum
}

// ---- Rules ---------------------------------------------------------------------------------------------------------
/** Whether one of n rows of n cells through a cell has so many black stones and, with a margin, empty cells. */
fun has(board: Array<Cell>, cell: Int, d: Int, n: Int, stones: Int, margin: Int, empties: Int) = (0 until n).any {
    count(board, BLACK, cell - it * d, d, n) == stones &&
        count(board, EMPTY, cell - (it + margin) * d, d, n + 2 * margin) == empties
}

/** Whether an empty cell is legal for certain. For Black the full rule looks ahead from every THREE; this one counts
 *  all that looks like a FOUR or a THREE: it never plays a forbidden move, but refuses some that are allowed. */
fun mayPlay(position: Position, cell: Int): Boolean {
    // The first stone is on (8,8), the second a step from it, the third two.
    if (position.stones < 3) return max(abs(cell / WIDTH - 13), abs(cell % WIDTH - 8)) <= position.stones
    if (position.player == WHITE) return true
    val board = position.board.clone()
    board[cell] = BLACK
    val rows = DIRECTIONS.map { d -> (6 downTo 5).find { has(board, cell, d, it, it, 0, 0) } } // six, five or null
    // A FOUR is four of five cells, the fifth empty. Two of them on one line take five stones.
    val fourLines = DIRECTIONS.filter { has(board, cell, it, 5, 4, 0, 1) }
    val fours = fourLines.size + fourLines.count { count(board, BLACK, cell - 4 * it, it, 9) >= 5 }
    val threes = DIRECTIONS.count { has(board, cell, it, 4, 3, 1, 3) } // three of four, with empty ends
    return 5 in rows || 6 !in rows && fours < 2 && threes < 2
}

fun after(position: Position, cell: Int): Position {
    val foe = if (position.player == BLACK) WHITE else BLACK
    if (cell == PASS) return Position(position.board, foe, position.stones, -position.score)
    val board = position.board.clone()
    board[cell] = position.player
    return Position(board, foe, position.stones + 1, -position.score - worth(position, VALUE, cell))
}

// ---- Choice --------------------------------------------------------------------------------------------------------
// A stone is worth something in every five cells in a row in which all the other stones are one player's: their number
// is the index, in the first list for own ones. ORDER is for the order of moves, VALUE for the score.
val ORDER = listOf(intArrayOf(0, 6, 50, 1500, 1_000_000), intArrayOf(0, 5, 40, 1000, 50_000))
val VALUE = listOf(intArrayOf(1, 6, 50, 500, 0), intArrayOf(0, 1, 7, 57, 557))
const val WIN = 1_000_000
const val FOUR = 50_000
const val INFINITY = 10_000_000
const val BREADTH = 10 // moves tried in a position
const val MAX_DEPTH = 64 // moves to look ahead; a bot with a small number repeats its games
const val SHARE = 30 // a move may take a thirtieth of the time left,
const val RESERVE = 100 // but for the last 100 milliseconds

class Move(val cell: Int, val worth: Int)
class OutOfTime : Exception()
var deadline = 0L

/** What a stone of the player to move is worth on an empty cell. */
fun worth(position: Position, table: List<IntArray>, cell: Int): Int {
    var sum = 0
    for (d in DIRECTIONS) for (i in 0 until 5) {
        val start = cell - i * d
        if (position.board[start] == WALL || position.board[start + 4 * d] == WALL) continue
        val own = count(position.board, position.player, start, d, 5)
        val foe = 5 - count(position.board, EMPTY, start, d, 5) - own
        if (own == 0 || foe == 0) sum += if (foe > 0) table[1][foe] else table[0][own]
    }
    return sum
}

/** The moves to try, the one worth most first; after a four, only those that complete or block it. */
fun listMoves(position: Position): List<Move> {
    val moves = mutableListOf<Move>()
    val all = CELLS.filter { position.board[it] == EMPTY }.map { Move(it, worth(position, ORDER, it)) }
    for (move in all.sortedByDescending { it.worth }) { // equals stay in their order
        if (moves.size == BREADTH || moves.size > 0 && moves[0].worth >= FOUR && move.worth < FOUR) break
        if (mayPlay(position, move.cell)) moves.add(move)
    }
    return moves
}

/** What the player to move can reach in `depth` moves (negamax with alpha-beta). */
fun search(position: Position, depth: Int, alpha: Int, beta: Int): Int {
    if (System.nanoTime() > deadline) throw OutOfTime()
    val moves = if (depth > 0) listMoves(position) else listOf()
    if (moves.isEmpty()) return position.score
    if (moves[0].worth >= WIN) return WIN + SIDE * SIDE - position.stones // the sooner, the better
    val rest = if (moves[0].worth >= FOUR) depth else depth - 1 // a forced move does not count
    var best = alpha
    for (move in if (rest > 0) moves else moves.take(1)) { // the last move is the one that looks best
        best = max(best, -search(after(position, move.cell), rest, -beta, -best))
        if (best >= beta) break
    }
    return best
}

/** The cell to play, or a PASS when none is sure to be legal. `myTime`, in milliseconds, is left for the game. */
fun choose(position: Position, myTime: Int): Int {
    deadline = System.nanoTime() + (myTime - RESERVE) * 1_000_000L / SHARE
    var moves = listMoves(position)
    try {
        for (depth in 2 until if (moves.size > 1 && moves[0].worth < WIN) MAX_DEPTH else 2) {
            var (best, alpha) = moves[0] to -INFINITY
            for (move in moves) {
                val value = -search(after(position, move.cell), depth, -INFINITY, -alpha)
                if (value > alpha) {
                    best = move
                    alpha = value
                }
            }
            moves = listOf(best) + (moves - best) // the next iteration tries it first
        }
    } catch (e: OutOfTime) {} // the last finished iteration counts
    return moves.firstOrNull()?.cell ?: PASS
}

// ---- Protocol: one command a line; a PASS is -1 -1 -----------------------------------------------------------------
fun main() {
    var position = START
    for (text in generateSequence(::readLine)) {
        val words = text.trim().split(" ")
        if (words[0] == "READY") println("OK") // FIRST or SECOND, which follows from the moves as well
        if (words[0] == "TURN") {
            val cell = choose(position, words[1].toInt())
            position = after(position, cell)
            println("MOVE ${(cell + 1) / WIDTH - 5} ${(cell + 1) % WIDTH - 1}") // this flushes, too
        } else if (words[0] == "OPP" || words[0] == "OPENING") { // OPENING: a move made for us before READY
            position = after(position, WIDTH * (words[1].toInt() + 5) + words[2].toInt())
        } else if (words[0] == "FINISH") {
            if (System.getenv("AGON_STAY") == null) break
            position = START // the same program plays the next game, too
        }
    }
}
