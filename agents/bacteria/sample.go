// Bacteria War: a sample bot in Go. It looks ahead while its time lasts. Replace `choose` by your own idea.
// Build and run: go build -o sample sample.go && ./sample
package main

import (
	"bufio"
	"fmt"
	"math/bits"
	"os"
	"sort"
	"time"
)

// ---- Board ---------------------------------------------------------------------------------------------------------
// A set of cells is a number: bit 7*row + column (both from 0) is one cell.

const side, area, full = 7, side * side, 1<<area - 1

// A board is the cells of both players, seen by the player to move.
type board struct{ own, foe uint64 }

// A move is a pair of cells, each 0..48, and what it gains: two for each infection, one for a division.
type move struct{ from, to, gain int }

var start = board{1<<0 | 1<<48, 1<<6 | 1<<42} // the first player, who moves, has (1,1) and (7,7)
var pass = move{-16, -16, 0}                  // four times -1 when one counts from 1
var near = atDistance(1)                      // for every cell, where a division comes from and an infection goes to
var far = atDistance(2)                       // for every cell, where a leap comes from

func atDistance(distance int) (cells [area]uint64) {
	for a := range cells {
		for b := range cells {
			x, y, square := a/side-b/side, a%side-b%side, distance*distance
			if x*x == square && y*y <= square || y*y == square && x*x <= square {
				cells[a] |= 1 << b
			}
		}
	}
	return cells
}

// ---- Rules ---------------------------------------------------------------------------------------------------------
// listMoves returns all moves, the one that gains most first. One division stands for all to the same cell.
func (b board) listMoves() (moves []move) {
	for empty := full &^ (b.own | b.foe); empty != 0; empty &= empty - 1 {
		to := bits.TrailingZeros64(empty)
		gain := 2 * bits.OnesCount64(b.foe&near[to])
		if division := near[to] & b.own; division != 0 {
			moves = append(moves, move{bits.TrailingZeros64(division), to, gain + 1})
		}
		for leap := far[to] & b.own; leap != 0; leap &= leap - 1 {
			moves = append(moves, move{bits.TrailingZeros64(leap), to, gain})
		}
	}
	if moves == nil {
		return []move{pass}
	}
	sort.SliceStable(moves, func(j, k int) bool { return moves[j].gain > moves[k].gain })
	return moves
}

// after returns the board after a move, seen by the other player.
func (b board) after(m move) board {
	if m == pass {
		return board{b.foe, b.own}
	}
	infected := b.foe & near[m.to]
	source := far[m.to] & (1 << m.from) // a leap empties its source
	return board{b.foe &^ infected, (b.own | infected | 1<<m.to) &^ source}
}

// ---- Choice --------------------------------------------------------------------------------------------------------

const share, reserve = 30, 100           // a move may take a thirtieth of the time left, but for the last 100 ms
const maxDepth, infinity = 64, 1_000_000 // moves to look ahead; a bot with a small number repeats its games
var deadline time.Time                   // what a search returns after this does not count

// search returns what the player to move can reach: own cells minus foe cells (negamax with alpha-beta).
func (b board) search(depth, alpha, beta int) int {
	lead := bits.OnesCount64(b.own) - bits.OnesCount64(b.foe)
	if b.own == 0 || b.foe == 0 || b.own|b.foe == full {
		return 100 * lead // the game is over
	} else if depth == 0 || time.Now().After(deadline) {
		return lead
	}
	moves := b.listMoves()
	for k := 0; k < len(moves) && alpha < beta && (k == 0 || depth > 1); k++ { // the last move gains most
		if value := -b.after(moves[k]).search(depth-1, -beta, -alpha); value > alpha {
			alpha = value
		}
	}
	return alpha
}

// choose returns the move to play. myTime, in milliseconds, is left for the whole game.
func choose(b board, myTime int) move {
	deadline = time.Now().Add(time.Duration(myTime-reserve) * time.Millisecond / share)
	moves := b.listMoves()
	for depth := 1; depth < maxDepth && len(moves) > 1; depth++ {
		best, alpha := 0, -infinity
		for k, m := range moves {
			if value := -b.after(m).search(depth, -infinity, -alpha); value > alpha {
				best, alpha = k, value
			}
		}
		if time.Now().After(deadline) {
			break
		}
		copy(moves, append([]move{moves[best]}, moves[:best]...)) // the next iteration tries it first
	}
	return moves[0]
}

// ---- Protocol: one command a line; rows and columns count from 1; a PASS is -1 -1 -1 -1 ----------------------------

func main() {
	b := start
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		command, x1, y1, x2, y2 := "", 0, 0, 0, 0
		fmt.Sscan(lines.Text(), &command, &x1, &y1, &x2, &y2)
		switch command {
		case "READY": // FIRST or SECOND, which follows from the moves as well
			fmt.Println("OK")
		case "TURN":
			m := choose(b, x1)
			b = b.after(m)
			fmt.Println("MOVE", m.from/side+1, m.from%side+1, m.to/side+1, m.to%side+1)
		case "OPP", "OPENING": // OPENING: a move made for us before READY
			b = b.after(move{side*(x1-1) + y1 - 1, side*(x2-1) + y2 - 1, 0})
		case "POSITION": // where the game begins: rows of x (first), o and numbers of empty cells; who moves
			rows, mover, cell, cells := "", "", 0, map[rune]uint64{}
			fmt.Sscan(lines.Text(), &command, &rows, &mover)
			for _, c := range rows {
				if c == 'x' || c == 'o' {
					cells[c] |= 1 << cell
					cell++
				} else if c != '/' {
					cell += int(c - '0')
				}
			}
			b = map[string]board{"x": {cells['x'], cells['o']}, "o": {cells['o'], cells['x']}}[mover]
		case "FINISH":
			if _, stay := os.LookupEnv("AGON_STAY"); !stay {
				return
			}
			b = start // the same program plays the next game, too
		}
	}
}
