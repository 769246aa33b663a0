// Renju: a sample bot in C++. It looks ahead while its time lasts. Replace `choose` by your own idea.
// Build: g++ -O2 -std=c++20 sample.cpp -o sample
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

// ---- Board -------------------------------------------------------------------------------------------------------
// The cells are a string, row by row, with a margin of walls. A direction is the distance to the next cell.

constexpr int SIDE = 15, WIDTH = 20, PASS = -1;
constexpr char EMPTY = '.', BLACK = 'B', WHITE = 'W', WALL = '#';
constexpr int DIRECTIONS[] = {1, WIDTH, WIDTH + 1, WIDTH - 1};

char other(char player) { return player == BLACK ? WHITE : BLACK; }
int cell_at(int x, int y) { return WIDTH * (x + 5) + y; }  // row and column, from 1

struct Position {
    std::string cells = std::string(26 * WIDTH + 1, WALL);
    char player = BLACK;
    int score = 0, stones = 0;  // the score is for the player to move

    Position() { for (int x = 1; x <= SIDE; x++) cells.replace(cell_at(x, 1), SIDE, SIDE, EMPTY); }

    // The 11 cells through a cell in one direction: all that can matter to a stone there, the one in the middle.
    std::array<char, 11> line(int cell, int direction) const {
        std::array<char, 11> line;
        for (int i = 0; i < 11; i++) line[i] = cells[cell + (i - 5) * direction];
        return line;
    }
};

// How many of `n` cells are `wanted`.
int count(const char* cells, int n, char wanted) { return std::count(cells, cells + n, wanted); }

// ---- Rules -------------------------------------------------------------------------------------------------------

// Whether an empty cell is legal for certain. For Black the full rule looks ahead from every THREE; this one counts all
// that looks like a FOUR or a THREE: it never plays a forbidden move, but refuses some that are allowed.
bool may_play(const Position& p, int cell) {
    if (p.stones < 3)  // the first is on (8,8), the second a step from it, the third two
        return std::abs(cell / WIDTH - 13) <= p.stones && std::abs(cell % WIDTH - 8) <= p.stones;
    if (p.player == WHITE) return true;
    int longest = 0, fours = 0, threes = 0;
    for (int direction : DIRECTIONS) {
        auto line = p.line(cell, direction);
        line[5] = BLACK;
        int first = 5, last = 5;
        while (first > 0 && line[first - 1] == BLACK) first--;
        while (last < 10 && line[last + 1] == BLACK) last++;
        if (last - first == 4) return true;  // a FIVE wins, whatever else it makes
        longest = std::max(longest, last - first + 1);
        // A FOUR is four of five neighbouring cells, the fifth empty. Two of them on one line take five stones.
        bool four = false, three = false;
        for (auto c = &line[1]; c <= &line[5]; c++) four |= count(c, 5, BLACK) == 4 && count(c, 5, EMPTY) == 1;
        if (four) fours += count(&line[1], 9, BLACK) >= 5 ? 2 : 1;
        // A THREE is three of four neighbouring cells, the fourth and both outer neighbours empty.
        for (auto c = &line[2]; c <= &line[5]; c++) three |= count(c, 4, BLACK) == 3 && count(c - 1, 6, EMPTY) == 3;
        threes += three;
    }
    return longest < 6 && fours < 2 && threes < 2;
}

// ---- Choice ------------------------------------------------------------------------------------------------------
// A stone is worth something in every five neighbouring cells in which all the other stones are one player's. The index
// is the number of those stones, in the first list for own ones, in the second for the opponent's. ORDER is for the
// order of moves, VALUE for the score. Four stones decide; an open three is three stones in two such fives at once.

using Table = int[2][5];
constexpr Table ORDER = {{0, 6, 50, 1500, 1'000'000}, {0, 5, 40, 1000, 50'000}};
constexpr Table VALUE = {{1, 6, 50, 500, 0}, {0, 1, 7, 57, 557}};
constexpr int WIN = ORDER[0][4], FOUR = ORDER[1][4], MAX_VALUE = 10 * WIN;
constexpr int BREADTH = 10;               // moves tried in a position
constexpr int SHARE = 30, RESERVE = 100;  // a move may take a thirtieth of the time left, but for the last 100 ms
constexpr int MAX_DEPTH = 64;             // moves to look ahead; a bot with a small number repeats its games

using Clock = std::chrono::steady_clock;
struct OutOfTime {};
struct Move { int cell, worth; };

int worth(const Table& table, const Position& p, int cell) {
    int sum = 0;
    for (int direction : DIRECTIONS) {
        auto line = p.line(cell, direction);
        for (auto c = &line[1]; c <= &line[5]; c++) {
            int own = count(c, 5, p.player), foe = count(c, 5, other(p.player)), walls = count(c, 5, WALL);
            if (!walls && !(own && foe)) sum += foe ? table[1][foe] : table[0][own];
        }
    }
    return sum;
}

Position after(Position p, int cell) {
    if (cell != PASS) {
        p.score += worth(VALUE, p, cell);
        p.cells[cell] = p.player;
        p.stones++;
    }
    p.score = -p.score;
    p.player = other(p.player);
    return p;
}

// The moves to try, the one worth most first; after a four, only those that complete or block it.
std::vector<Move> list_moves(const Position& p) {
    std::vector<Move> all, moves;
    for (int cell = cell_at(1, 1); cell <= cell_at(SIDE, SIDE); cell++)
        if (p.cells[cell] == EMPTY) all.push_back({cell, worth(ORDER, p, cell)});
    std::ranges::stable_sort(all, std::ranges::greater{}, &Move::worth);
    for (Move move : all) {
        if (moves.size() == BREADTH || (!moves.empty() && moves[0].worth >= FOUR && move.worth < FOUR)) break;
        if (may_play(p, move.cell)) moves.push_back(move);
    }
    return moves;
}

// What the player to move can reach in `depth` moves (negamax with alpha-beta).
int search(const Position& p, int depth, int alpha, int beta, Clock::time_point deadline) {
    if (depth == 0) return p.score;
    if (Clock::now() > deadline) throw OutOfTime();
    auto moves = list_moves(p);
    if (moves.empty()) return p.score;
    if (moves[0].worth >= WIN) return WIN + SIDE * SIDE - p.stones;  // the sooner, the better
    if (moves[0].worth >= FOUR) depth++;                             // a forced move does not count
    if (depth == 1) moves.resize(1);                                 // the last move is the one that looks best
    for (auto [cell, _] : moves) {
        alpha = std::max(alpha, -search(after(p, cell), depth - 1, -beta, -alpha, deadline));
        if (alpha >= beta) break;
    }
    return alpha;
}

// The cell to play, or a PASS when none is sure to be legal. `my_time`, in milliseconds, is left for the whole game.
int choose(const Position& p, int my_time) {
    auto deadline = Clock::now() + std::chrono::milliseconds(my_time - RESERVE) / SHARE;
    auto moves = list_moves(p);
    try {
        for (int depth = 2; depth < MAX_DEPTH && moves.size() > 1 && moves[0].worth < WIN; depth++) {
            int alpha = -MAX_VALUE;
            auto best = moves.begin();
            for (auto move = best; move != moves.end(); move++) {
                int value = -search(after(p, move->cell), depth, -MAX_VALUE, -alpha, deadline);
                if (value > alpha) alpha = value, best = move;
            }
            std::rotate(moves.begin(), best, best + 1);  // the next iteration tries it first
        }
    } catch (OutOfTime) {}  // the last finished iteration stands
    return moves.empty() ? PASS : moves[0].cell;
}

// ---- Protocol: one command a line; a PASS is -1 -1 -----------------------------------------------------------------

int main() {
    Position position;
    std::string text, command;
    while (std::getline(std::cin, text)) {
        std::istringstream words(text);
        words >> command;
        if (command == "READY") {  // FIRST or SECOND, which follows from the moves as well
            std::cout << "OK" << std::endl;
        } else if (command == "TURN") {
            int my_time = 0;
            words >> my_time;
            int cell = choose(position, my_time), x = cell / WIDTH - 5, y = cell % WIDTH;
            // endl flushes: or the judge waits for an answer that never leaves this process
            std::cout << "MOVE " << (cell == PASS ? -1 : x) << ' ' << (cell == PASS ? -1 : y) << std::endl;
            position = after(position, cell);
        } else if (command == "OPP" || command == "OPENING") {  // OPENING: a move made for us before READY
            int x = PASS, y = PASS;
            words >> x >> y;
            position = after(position, x < 0 ? PASS : cell_at(x, y));
        } else if (command == "FINISH") {
            if (!std::getenv("AGON_STAY")) break;
            position = Position();  // the same program plays the next game, too
        }
    }
}
