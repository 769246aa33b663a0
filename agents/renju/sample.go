// Renju: a sample bot in Go. It looks ahead while its time lasts. Replace `choose` by your own idea.
// Build and run: go build -o sample sample.go && ./sample
package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
	"time"
)

// ---- Board ---------------------------------------------------------------------------------------------------------
// A board is read row by row and has a margin of walls. A direction is the distance to the next cell.
const side, width, pass = 15, 20, 4*20 - 1 // pass as if it were the cell (-1,-1)
const empty, black, white, wall = 0, 1, 2, 3

var directions = [4]int{1, width, width + 1, width - 1}

// A position is a board seen by the player to move: how many stones are on it, and its score for him.
type position struct {
	board         [26*width + 1]byte
	player        byte
	stones, score int
}

func start() position {
	p := position{player: black}
	for cell := range p.board {
		if x, y := cell/width-5, cell%width; x < 1 || x > side || y < 1 || y > side {
			p.board[cell] = wall
		}
	}
	return p
}

// count returns how many of n cells in a direction are empty, black, white and walls.
func (p *position) count(cell, direction, n int) (counts [4]int) {
	for ; n > 0; n-- {
		counts[p.board[cell]]++
		cell += direction
	}
	return counts
}

// ---- Rules ---------------------------------------------------------------------------------------------------------
// mayPlay tells whether an empty cell is legal for certain. For Black the full rule looks ahead from every THREE; this
// one counts all that looks like a FOUR or a THREE: it never plays a forbidden move, but refuses some that are allowed.
func (p position) mayPlay(cell int) bool {
	if x, y, n := cell/width-13, cell%width-8, p.stones; n < 3 {
		return x*x <= n*n && y*y <= n*n // the first is on (8,8), the second a step from it, the third two
	} else if p.player == white {
		return true
	}
	p.board[cell] = black // in a copy
	overlines, fours, threes := 0, 0, 0
	for _, d := range directions {
		six := p.has(cell, d, 6, 6, 0, 0)
		if p.has(cell, d, 5, 5, 0, 0) > six {
			return true // a row of exactly five wins, whatever else it makes
		}
		overlines += six
		fours += p.has(cell, d, 5, 4, 0, 1) * (1 + p.count(cell-4*d, d, 9)[black]/5) // five stones make two
		threes += p.has(cell, d, 4, 3, 1, 3)
	}
	return overlines == 0 && fours < 2 && threes < 2
}

// has returns 1 if n cells in a row with this one have so many black stones and, with a margin, empty cells, else 0.
func (p *position) has(cell, direction, n, stones, margin, empties int) int {
	for start := cell; start != cell-n*direction; start -= direction {
		outer := start - margin*direction
		if p.count(start, direction, n)[black] == stones && p.count(outer, direction, n+2*margin)[empty] == empties {
			return 1
		}
	}
	return 0
}

func (p position) after(cell int) position {
	if cell != pass {
		p.score += p.worth(&value, cell)
		p.board[cell] = p.player
		p.stones++
	}
	p.player, p.score = black+white-p.player, -p.score
	return p
}

// ---- Choice --------------------------------------------------------------------------------------------------------
// A stone is worth something in every five neighbouring cells in which all the other stones are one player's. The first
// index is the number of own ones, the second that of the opponent's. Four stones decide; an open three is three stones
// in two such fives at once.
var order = [5][5]int{{0, 5, 40, 1000, 50_000}, {6}, {50}, {1500}, {1_000_000}} // for the order of moves
var value = [5][5]int{{1, 1, 7, 57, 557}, {6}, {50}, {500}, {0}}                // for the score

const win, four, infinity = 1_000_000, 50_000, 10_000_000
const breadth = 10             // moves tried in a position
const maxDepth = 64            // moves to look ahead; a bot with a small number repeats its games
const share, reserve = 30, 100 // a move may take a thirtieth of the time left, but for the last 100 ms
var deadline time.Time         // what a search returns after this does not count

type move struct{ cell, worth int }

// worth returns what a stone of the player to move is worth on an empty cell.
func (p *position) worth(table *[5][5]int, cell int) (sum int) {
	for _, d := range directions {
		for i := 0; i < 5; i++ {
			if n := p.count(cell-i*d, d, 5); n[wall] == 0 {
				sum += table[n[p.player]][n[black+white-p.player]]
			}
		}
	}
	return sum
}

// listMoves returns the moves to try, the one worth most first; after a four, those that complete or block it.
func (p *position) listMoves() (moves []move) {
	var all []move
	for cell, stone := range p.board {
		if stone == empty {
			all = append(all, move{cell, p.worth(&order, cell)})
		}
	}
	sort.SliceStable(all, func(j, k int) bool { return all[j].worth > all[k].worth })
	for _, m := range all {
		if len(moves) == breadth || len(moves) > 0 && moves[0].worth >= four && m.worth < four {
			break
		} else if p.mayPlay(m.cell) {
			moves = append(moves, m)
		}
	}
	return moves
}

// search returns what the player to move can reach in `depth` moves (negamax with alpha-beta).
func (p *position) search(depth, alpha, beta int) int {
	if depth == 0 || time.Now().After(deadline) {
		return p.score
	}
	moves := p.listMoves()
	if len(moves) == 0 {
		return p.score
	} else if moves[0].worth >= win {
		return win + side*side - p.stones // the sooner, the better
	} else if moves[0].worth >= four {
		depth++ // a forced move does not count
	}
	if depth == 1 {
		moves = moves[:1] // the last move is the one that looks best
	}
	_, alpha = p.best(moves, depth, alpha, beta)
	return alpha
}

// best returns the index of the best move and what it reaches, if it is between alpha and beta.
func (p *position) best(moves []move, depth, alpha, beta int) (best, reached int) {
	for k := 0; k < len(moves) && alpha < beta; k++ {
		next := p.after(moves[k].cell)
		if value := -next.search(depth-1, -beta, -alpha); value > alpha {
			best, alpha = k, value
		}
	}
	return best, alpha
}

// choose returns the cell to play, or a pass when none is sure to be legal. myTime, in ms, is left for the game.
func (p *position) choose(myTime int) int {
	deadline = time.Now().Add(time.Duration(myTime-reserve) * time.Millisecond / share)
	moves := append(p.listMoves(), move{pass, 0})
	for depth := 3; depth <= maxDepth && len(moves) > 2 && moves[0].worth < win; depth++ {
		best, _ := p.best(moves[:len(moves)-1], depth, -infinity, infinity)
		if time.Now().After(deadline) {
			break
		}
		copy(moves, append([]move{moves[best]}, moves[:best]...)) // the next iteration tries it first
	}
	return moves[0].cell
}

// ---- Protocol: one command a line; a PASS is -1 -1 -----------------------------------------------------------------

func main() {
	p := start()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		command, x, y := "", 0, 0
		fmt.Sscan(lines.Text(), &command, &x, &y)
		switch command {
		case "READY": // FIRST or SECOND, which follows from the moves as well
			fmt.Println("OK")
		case "TURN":
			cell := p.choose(x)
			p = p.after(cell)
			fmt.Println("MOVE", (cell+1)/width-5, (cell+1)%width-1)
		case "OPP", "OPENING": // OPENING: a move made for us before READY
			p = p.after(width*(x+5) + y)
		case "FINISH":
			if _, stay := os.LookupEnv("AGON_STAY"); !stay {
				return
			}
			p = start() // the same program plays the next game, too
		}
	}
}
