// Bacteria War: a sample bot in Kotlin. It looks ahead while its time lasts. Replace `choose` by your own idea.
// Build and run: kotlinc sample.kt -include-runtime -d sample.jar && java -jar sample.jar
import kotlin.math.abs
import kotlin.math.max

// ---- Board ---------------------------------------------------------------------------------------------------------
// A set of cells is a number: bit 7*row + column (both from 0) is one cell.

const val SIDE = 7
const val AREA = SIDE * SIDE
const val FULL = (1L shl AREA) - 1

/** The cells of both players, seen by the player to move. */
class Board(val own: Long, val foe: Long)

/** A pair of cells, each 0..48, and what the move gains: two for each infection, one for a division. */
data class Move(val from: Int, val to: Int, val gain: Int = 0)

val PASS = Move(-1, -1)
val START = readBoard("x5o/7/7/7/7/7/o5x", "x")

/** For every cell, the cells at this distance. */
fun atDistance(distance: Int) = Array(AREA) { a ->
    fun isThere(b: Int) = max(abs(a / SIDE - b / SIDE), abs(a % SIDE - b % SIDE)) == distance
    (0 until AREA).filter(::isThere).fold(0L) { cells, b -> cells or (1L shl b) }
}

val NEAR = atDistance(1) // a division comes from there, an infection goes there
val FAR = atDistance(2) // a leap comes from there

fun count(cells: Long) = java.lang.Long.bitCount(cells)

fun first(cells: Long) = java.lang.Long.numberOfTrailingZeros(cells)

/** Reads a position: rows of x (first), o and numbers of empty cells; who moves. */
fun readBoard(rows: String, mover: String): Board {
    val cells = rows.replace("/", "").replace(Regex("[0-9]")) { ".".repeat(it.value.toInt()) }
    fun cellsOf(side: Char) = cells.foldIndexed(0L) { n, sum, c -> if (c == side) sum or (1L shl n) else sum }
    return if (mover == "x") Board(cellsOf('x'), cellsOf('o')) else Board(cellsOf('o'), cellsOf('x'))
}

// ---- Rules ---------------------------------------------------------------------------------------------------------

/** All moves, the one that gains most first. Divisions to one cell all have the same effect: one stands for all. */
fun listMoves(board: Board): List<Move> {
    val moves = mutableListOf<Move>()
    for (to in 0 until AREA) {
        if ((board.own or board.foe) shr to and 1L != 0L) continue
        val gain = 2 * count(board.foe and NEAR[to])
        val division = NEAR[to] and board.own
        if (division != 0L) moves.add(Move(first(division), to, gain + 1))
        var leap = FAR[to] and board.own
        while (leap != 0L) {
            moves.add(Move(first(leap), to, gain))
            leap = leap and leap - 1
        }
    }
    return if (moves.isEmpty()) listOf(PASS) else moves.sortedByDescending { it.gain } // equals stay in their order
}

/** The board after a move, seen by the other player. */
fun after(board: Board, move: Move): Board {
    if (move == PASS) return Board(board.foe, board.own)
    val infected = board.foe and NEAR[move.to]
    val source = FAR[move.to] and (1L shl move.from) // a leap empties its source
    return Board(board.foe xor infected, (board.own or infected or (1L shl move.to)) xor source)
}

// ---- Choice --------------------------------------------------------------------------------------------------------

const val SHARE = 30 // a move may take a thirtieth of the time left,
const val RESERVE = 100 // but for the last 100 milliseconds
const val MAX_DEPTH = 64 // moves to look ahead; a bot with a small number repeats its games
const val INFINITY = 1_000_000

class OutOfTime : Exception()

var deadline = 0L

/** What the player to move can reach in `depth` moves: own cells minus foe cells (negamax with alpha-beta). */
fun search(board: Board, depth: Int, alpha: Int, beta: Int): Int {
    val lead = count(board.own) - count(board.foe)
    if (board.own == 0L || board.foe == 0L || board.own or board.foe == FULL) return 100 * lead // the game is over
    if (depth == 0) return lead
    if (System.nanoTime() > deadline) throw OutOfTime()
    var best = alpha
    val moves = listMoves(board)
    for (move in if (depth > 1) moves else moves.take(1)) { // the last move is the one that gains most
        best = max(best, -search(after(board, move), depth - 1, -beta, -best))
        if (best >= beta) break
    }
    return best
}

/** The move to play; `myTime` is what is left of the clock for the whole game, in milliseconds. */
fun choose(board: Board, myTime: Int): Move {
    deadline = System.nanoTime() + (myTime - RESERVE) * 1_000_000L / SHARE
    var moves = listMoves(board)
    try {
        for (depth in 1 until if (moves.size > 1) MAX_DEPTH else 1) {
            var best = PASS
            var alpha = -INFINITY
            for (move in moves) {
                val value = -search(after(board, move), depth, -INFINITY, -alpha)
                if (value > alpha) {
                    best = move
                    alpha = value
                }
            }
            moves = listOf(best) + (moves - best) // the next iteration tries it first
        }
    } catch (e: OutOfTime) {
        // the last finished iteration counts
    }
    return moves[0]
}

// ---- Protocol: one command a line; rows and columns count from 1; a PASS is -1 -1 -1 -1 ----------------------------

fun main() {
    var board = START
    for (text in generateSequence(::readLine)) {
        val words = text.trim().split(" ")
        if (words[0] == "READY") { // FIRST or SECOND, which follows from the moves as well
            println("OK") // this flushes, too
        } else if (words[0] == "TURN") {
            val m = choose(board, words[1].toInt())
            val numbers = listOf(m.from / SIDE, m.from % SIDE, m.to / SIDE, m.to % SIDE).map { it + 1 }
            board = after(board, m)
            println("MOVE " + if (m == PASS) "-1 -1 -1 -1" else numbers.joinToString(" "))
        } else if (words[0] == "OPP" || words[0] == "OPENING") { // OPENING: a move made for us before READY
            val (x1, y1, x2, y2) = words.drop(1).map { it.toInt() - 1 }
            board = after(board, if (x1 < 0) PASS else Move(SIDE * x1 + y1, SIDE * x2 + y2))
        } else if (words[0] == "POSITION") { // where the game begins
            board = readBoard(words[1], words[2])
        } else if (words[0] == "FINISH") {
            if (System.getenv("AGON_STAY") == null) break
            board = START // the same program plays the next game, too
        }
    }
}
