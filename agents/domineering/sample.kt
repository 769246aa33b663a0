// Domineering: a sample bot in Kotlin. It looks ahead while its time lasts. Replace `choose` by your own idea.
// Build and run: kotlinc sample.kt -include-runtime -d sample.jar && java -jar sample.jar
import kotlin.math.max

// ---- Board ---------------------------------------------------------------------------------------------------------
// Each player lays dominoes along lines of his own: FIRST the rows, SECOND the columns.

const val FIRST = 0
const val SECOND = 1

/** The player to move, his lines and those of the other. Bit i of a line is set if its cell i is taken. */
class Board(val player: Int, val own: IntArray, val foe: IntArray)

/** A line of a player, and the index of the domino's first cell on it, from 0. */
data class Place(val line: Int, val i: Int)

val PASS = Place(-2, -2) // the judge, who counts from 1, writes -1 -1
val weight = Array(2) { listOf<List<Int>>() } // for each player, the numbers on each of his lines

// ---- Rules ---------------------------------------------------------------------------------------------------------

fun points(player: Int, line: Int, i: Int) = weight[player][line][i] + weight[player][line][i + 1]

/** The board after a move, seen by the other player. */
fun after(board: Board, place: Place): Board {
    val own = board.own.clone()
    val foe = board.foe.clone()
    if (place != PASS) {
        own[place.line] = own[place.line] or (3 shl place.i)
        for (line in place.i..place.i + 1) foe[line] = foe[line] or (1 shl place.line)
    }
    return Board(1 - board.player, foe, own)
}

// ---- Choice --------------------------------------------------------------------------------------------------------

const val SHARE = 10 // a move may take a tenth of the time left,
const val RESERVE = 100 // but for the last 100 milliseconds
const val MAX_DEPTH = 64 // moves to look ahead; a bot with a small number repeats its games
const val INFINITY = 1_000_000

/** The value is the points and the board after them: own prospects minus the other's. */
class Move(val place: Place, val points: Int, val value: Int)

class OutOfTime : Exception()

var deadline = 0L

/**
 * The points a player could still make on his lines if the other one laid no more dominoes. The first j+1 cells of a
 * line are worth what the first j are, or what the first j-1 are and a domino on the last two.
 */
fun prospects(player: Int, lines: IntArray): Int {
    var sum = 0
    for ((line, cells) in lines.withIndex()) {
        var best = 0 // for the first j cells
        var shorter = 0 // for the first j-1 cells
        for (i in 0..weight[player][line].size - 2) {
            val withDomino = if (cells shr i and 3 != 0) 0 else shorter + points(player, line, i)
            shorter = best
            best = max(best, withDomino)
        }
        sum += best
    }
    return sum
}

/** All moves, the highest value first. */
fun listMoves(board: Board): List<Move> {
    val moves = mutableListOf<Move>()
    for ((line, cells) in board.own.withIndex())
        for (i in 0..board.foe.size - 2) {
            if (cells shr i and 3 != 0) continue
            val gain = points(board.player, line, i)
            val next = after(board, Place(line, i))
            val value = gain + prospects(board.player, next.foe) - prospects(next.player, next.own)
            moves.add(Move(Place(line, i), gain, value))
        }
    return moves.sortedByDescending { it.value } // equals stay in their order
}

/** The points that the player to move can still gain on the other one (negamax with alpha-beta). */
fun search(board: Board, depth: Int, alpha: Int, beta: Int): Int {
    if (System.nanoTime() > deadline) throw OutOfTime()
    val moves = listMoves(board)
    if (moves.isEmpty()) return -prospects(1 - board.player, board.foe) // the other one now lays all that fit
    if (depth == 1) return moves[0].value
    var best = alpha
    for (move in moves) {
        val gain = move.points
        best = max(best, gain - search(after(board, move.place), depth - 1, gain - beta, gain - best))
        if (best >= beta) break
    }
    return best
}

/** The place to play; a PASS only when there is none. `myTime`, in milliseconds, is left for the whole game. */
fun choose(board: Board, myTime: Int): Place {
    deadline = System.nanoTime() + (myTime - RESERVE) * 1_000_000L / SHARE
    var moves = listMoves(board)
    try {
        for (depth in 1 until if (moves.size > 1) MAX_DEPTH else 1) {
            var best = moves[0]
            var alpha = -INFINITY
            for (move in moves) {
                val value = move.points - search(after(board, move.place), depth, -INFINITY, move.points - alpha)
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
    return moves.firstOrNull()?.place ?: PASS
}

// ---- Protocol: the board first, then one command a line; rows and columns count from 1; a PASS is -1 -1 ------------

fun main() {
    var board = Board(FIRST, intArrayOf(), intArrayOf())
    for (text in generateSequence(::readLine)) {
        val words = text.trim().split(" ")
        if (words[0] == "READY") { // FIRST or SECOND, which follows from the moves as well
            println("OK") // this flushes, too
        } else if (words[0] == "TURN") {
            val place = choose(board, words[1].toInt())
            val xy = listOf(place.line + 1, place.i + 1)
            println("MOVE ${xy[board.player]} ${xy[1 - board.player]}")
            board = after(board, place)
        } else if (words[0] == "OPP" || words[0] == "OPENING") { // OPENING: a move made for us before READY
            val xy = listOf(words[1].toInt() - 1, words[2].toInt() - 1)
            board = after(board, Place(xy[board.player], xy[1 - board.player]))
        } else if (words[0] == "FINISH") {
            if (System.getenv("AGON_STAY") == null) break
            weight[FIRST] = listOf() // the same program plays the next game, too
        } else { // a row of the board
            weight[FIRST] += listOf(words.map { it.toInt() })
            weight[SECOND] = words.indices.map { column -> weight[FIRST].map { it[column] } }
            board = Board(FIRST, IntArray(weight[FIRST].size), IntArray(words.size))
        }
    }
}
