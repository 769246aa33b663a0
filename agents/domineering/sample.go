// Domineering: a sample bot in Go. It looks ahead while its time lasts. Replace `choose` by your own idea.
// Build and run: go build -o sample sample.go && ./sample
package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
	"strings"
	"time"
)

// ---- Board ---------------------------------------------------------------------------------------------------------
// Each player lays dominoes along lines of his own: first the rows, second the columns.
const first, second, maxSide = 0, 1, 8

// A board is the player to move and the lines of both. Bit i of a line is set if its cell i is taken.
type board struct {
	mover int
	lines [2][maxSide]uint
}

// A move is a line of the mover and the index of the domino's first cell on it. Its value counts the board after it.
type move struct{ line, i, points, value int }

var sides [2]int                    // how many lines each player has; they are as long as the other has lines
var weight [2][maxSide][maxSide]int // for each player, the numbers on each of his lines

// ---- Rules ---------------------------------------------------------------------------------------------------------
func (b board) after(m move) board {
	if m.line >= 0 {
		own, foe := &b.lines[b.mover], &b.lines[1-b.mover]
		own[m.line] |= 3 << m.i
		foe[m.i] |= 1 << m.line
		foe[m.i+1] |= 1 << m.line
	}
	b.mover = 1 - b.mover
	return b
}

// ---- Choice --------------------------------------------------------------------------------------------------------

const share, reserve = 10, 100           // a move may take a tenth of the time left, but for the last 100 ms
const maxDepth, infinity = 64, 1_000_000 // moves to look ahead; a bot with a small number repeats its games
var deadline time.Time                   // what a search returns after this does not count

// prospects returns the points a player could still make if the other one laid no more dominoes. The first j+1 cells
// of a line are worth what the first j are, or what the first j-1 are and a domino on the last two.
func (b board) prospects(player int) (best int) {
	for line := 0; line < sides[player]; line++ {
		shorter := best // the lines above and j-1 cells of this one, as best is for j cells
		for i := 0; i+1 < sides[1-player]; i++ {
			with := shorter + weight[player][line][i] + weight[player][line][i+1]
			shorter = best
			if b.lines[player][line]>>i&3 == 0 && with > best {
				best = with
			}
		}
	}
	return best
}

// listMoves returns all moves, the highest value first.
func (b board) listMoves() (moves []move) {
	for line := 0; line < sides[b.mover]; line++ {
		for i := 0; i+1 < sides[1-b.mover]; i++ {
			if b.lines[b.mover][line]>>i&3 == 0 {
				m := move{line, i, weight[b.mover][line][i] + weight[b.mover][line][i+1], 0}
				m.value = m.points + b.after(m).prospects(b.mover) - b.after(m).prospects(1-b.mover)
				moves = append(moves, m)
			}
		}
	}
	sort.SliceStable(moves, func(j, k int) bool { return moves[j].value > moves[k].value })
	return moves
}

// search returns the points that the player to move can still gain on the other one (negamax with alpha-beta).
func (b board) search(depth, alpha, beta int) int {
	if time.Now().After(deadline) {
		return 0
	}
	moves := b.listMoves()
	if len(moves) == 0 {
		return -b.prospects(1 - b.mover) // the other one now lays all the dominoes that fit
	} else if depth == 1 {
		return moves[0].value
	}
	for k := 0; k < len(moves) && alpha < beta; k++ {
		m := moves[k]
		if value := m.points - b.after(m).search(depth-1, m.points-beta, m.points-alpha); value > alpha {
			alpha = value
		}
	}
	return alpha
}

// choose returns the move to play, a pass only when there is none. myTime, in ms, is left for the whole game.
func choose(b board, myTime int) move {
	deadline = time.Now().Add(time.Duration(myTime-reserve) * time.Millisecond / share)
	moves := b.listMoves()
	for depth := 1; depth < maxDepth && len(moves) > 1; depth++ {
		best, alpha := 0, -infinity
		for k, m := range moves {
			if value := m.points - b.after(m).search(depth, -infinity, m.points-alpha); value > alpha {
				best, alpha = k, value
			}
		}
		if time.Now().After(deadline) {
			break
		}
		copy(moves, append([]move{moves[best]}, moves[:best]...)) // the next iteration tries it first
	}
	return append(moves, move{line: -2, i: -2})[0] // a pass is -1 -1 when one counts from 1
}

// ---- Protocol: the board first, then one command a line; rows and columns count from 1; a PASS is -1 -1 ------------

func main() {
	b := board{}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		command, x, y := "", 0, 0
		fmt.Sscan(lines.Text(), &command, &x, &y)
		switch command {
		case "READY": // FIRST or SECOND, which follows from the moves as well
			fmt.Println("OK")
		case "TURN":
			m := choose(b, x)
			xy := [2]int{m.line + 1, m.i + 1}
			fmt.Println("MOVE", xy[b.mover], xy[1-b.mover])
			b = b.after(m)
		case "OPP", "OPENING": // OPENING: a move made for us before READY
			xy := [2]int{x - 1, y - 1}
			b = b.after(move{line: xy[b.mover], i: xy[1-b.mover]})
		case "FINISH":
			if _, stay := os.LookupEnv("AGON_STAY"); !stay {
				return
			}
			b, sides = board{}, [2]int{} // the same program plays the next game, too
		default: // a row of the board
			words := strings.Fields(lines.Text())
			for column, word := range words {
				fmt.Sscan(word, &x)
				weight[first][sides[first]][column], weight[second][column][sides[first]] = x, x
			}
			sides = [2]int{sides[first] + 1, len(words)}
		}
	}
}
