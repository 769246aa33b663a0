// Bacteria War: a sample bot in C++. It looks ahead while its time lasts. Replace `choose` by your own idea.
// Build: g++ -O2 -std=c++20 sample.cpp -o sample
#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

// ---- Board -------------------------------------------------------------------------------------------------------
// A set of cells is a 64-bit number: bit 7*row + column (both from 0) is one cell. A board is two such sets.

using Cells = std::uint64_t;
struct Board { Cells own = 0, foe = 0; };  // seen by the player to move
struct Move { int from, to, gain; };       // cells 0..48, and how much the lead grows

constexpr int SIDE = 7, AREA = SIDE * SIDE, MAX_VALUE = 1'000'000;
constexpr Move PASS{-1, -1, 0};
constexpr Cells bit(int cell) { return Cells{1} << cell; }
constexpr Cells FULL = bit(AREA) - 1;

// For every cell, the cells at a distance: divisions come from distance 1 and infections go there, leaps come from 2.
std::array<Cells, AREA> at_distance(int wanted) {
    std::array<Cells, AREA> result{};
    for (int a = 0; a < AREA; a++)
        for (int b = 0; b < AREA; b++) {
            int d = std::max(std::abs(a / SIDE - b / SIDE), std::abs(a % SIDE - b % SIDE));
            if (d == wanted) result[a] |= bit(b);
        }
    return result;
}
const auto NEAR = at_distance(1), FAR = at_distance(2);

// ---- Rules -------------------------------------------------------------------------------------------------------

// All moves, the one that gains most first. Divisions to one cell all have the same effect: one stands for all.
std::vector<Move> list_moves(Board board) {
    std::vector<Move> moves;
    for (int to = 0; to < AREA; to++) {
        if ((board.own | board.foe) & bit(to)) continue;
        int gain = 2 * std::popcount(board.foe & NEAR[to]);
        if (Cells division = NEAR[to] & board.own) moves.push_back({std::countr_zero(division), to, gain + 1});
        for (Cells leap = FAR[to] & board.own; leap; leap &= leap - 1)
            moves.push_back({std::countr_zero(leap), to, gain});
    }
    if (moves.empty()) moves.push_back(PASS);
    std::ranges::stable_sort(moves, std::ranges::greater{}, &Move::gain);
    return moves;
}

// The board after a move, seen by the other player.
Board after(Board board, Move move) {
    if (move.from < 0) return {board.foe, board.own};
    Cells infected = board.foe & NEAR[move.to];
    board.own |= infected | bit(move.to);
    if (FAR[move.to] & bit(move.from)) board.own &= ~bit(move.from);  // a leap empties its source
    return {board.foe & ~infected, board.own};
}

// ---- Choice ------------------------------------------------------------------------------------------------------

constexpr int SHARE = 30, RESERVE = 100;  // a move may take a thirtieth of the time left, but for the last 100 ms
constexpr int MAX_DEPTH = 64;             // moves to look ahead; a bot with a small number repeats its games

using Clock = std::chrono::steady_clock;
struct OutOfTime {};

// What the player to move can reach in `depth` moves: own cells minus foe cells (negamax with alpha-beta).
int search(Board board, int depth, int alpha, int beta, Clock::time_point deadline) {
    int lead = std::popcount(board.own) - std::popcount(board.foe);
    if (!board.own || !board.foe || (board.own | board.foe) == FULL) return 100 * lead;  // the game is over
    if (depth == 0) return lead;
    if (Clock::now() > deadline) throw OutOfTime();
    auto moves = list_moves(board);
    if (depth == 1) moves.resize(1);  // the last move is the one that gains most
    for (Move move : moves) {
        alpha = std::max(alpha, -search(after(board, move), depth - 1, -beta, -alpha, deadline));
        if (alpha >= beta) break;
    }
    return alpha;
}

// The move to play; `my_time` is what is left of the clock for the whole game, in milliseconds.
Move choose(Board board, int my_time) {
    auto deadline = Clock::now() + std::chrono::milliseconds(my_time - RESERVE) / SHARE;
    auto moves = list_moves(board);
    try {
        for (int depth = 1; depth < MAX_DEPTH && moves.size() > 1; depth++) {
            int alpha = -MAX_VALUE;
            auto best = moves.begin();
            for (auto move = best; move != moves.end(); move++) {
                int value = -search(after(board, *move), depth, -MAX_VALUE, -alpha, deadline);
                if (value > alpha) alpha = value, best = move;
            }
            std::rotate(moves.begin(), best, best + 1);  // the next iteration tries it first
        }
    } catch (OutOfTime) {}  // the last finished iteration stands
    return moves[0];
}

// ---- Protocol: one command a line; rows and columns count from 1; a PASS is -1 -1 -1 -1 ----------------------------

int main() {
    const Board START{bit(0) | bit(48), bit(6) | bit(42)};  // the first player, who moves, has (1,1) and (7,7)
    Board board = START;
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string command;
        words >> command;
        if (command == "READY") {  // FIRST or SECOND, which follows from the moves as well
            std::cout << "OK" << std::endl;
        } else if (command == "TURN") {
            int my_time = 0;
            words >> my_time;
            Move m = choose(board, my_time);
            board = after(board, m);
            std::cout << "MOVE ";
            if (m.from < 0) std::cout << "-1 -1 -1 -1";
            else std::cout << m.from / 7 + 1 << ' ' << m.from % 7 + 1 << ' ' << m.to / 7 + 1 << ' ' << m.to % 7 + 1;
            std::cout << std::endl;  // endl flushes: or the judge waits for an answer that never leaves this process
        } else if (command == "OPP" || command == "OPENING") {  // OPENING: a move made for us before READY
            int x1, y1, x2, y2;
            words >> x1 >> y1 >> x2 >> y2;
            board = after(board, x1 < 0 ? PASS : Move{7 * (x1 - 1) + y1 - 1, 7 * (x2 - 1) + y2 - 1, 0});
        } else if (command == "POSITION") {  // where the game begins; x moves first
            std::string rows, side;
            words >> rows >> side;
            board = Board{0, 0};
            int cell = 0;
            for (char c : rows) {
                if (c == 'x') board.own |= bit(cell++);
                else if (c == 'o') board.foe |= bit(cell++);
                else if (c != '/') cell += c - '0';
            }
            if (side == "o") std::swap(board.own, board.foe);
        } else if (command == "FINISH") {
            if (!std::getenv("AGON_STAY")) break;
            board = START;  // the same program plays the next game, too
        }
    }
}
