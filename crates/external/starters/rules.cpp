// last-stone: from a heap of stones each side takes 1 to 3; whoever takes the last one wins.
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace std;
using Lines = vector<string>;

const string GAME = R"(name last-stone
title Last Stone
summary each side takes 1 to 3 stones from a heap; whoever takes the last one wins
rule MOVE n takes n stones, from 1 to 3.
rule Both are sent the line INFO stones N before READY.
seats First Second
parameter stones 5..60 21 stones in the heap
plies 60
has moves view save playout)";

struct Game {
    int stones = 21;
    string turn = "first";

    // Sets up a game; all chance comes from the seed. Returns lines for the agents.
    Lines start(unsigned long long, map<string, string> parameters) {
        stones = stoi(parameters["stones"]);
        turn = "first";
        return {"info both stones " + to_string(stones)};
    }

    // The legal moves of the side to move; none when the game is over.
    Lines moves() {
        Lines list;
        for (int taken = 1; taken <= 3 && taken <= stones; taken++) list.push_back(to_string(taken));
        return list;
    }

    // Plays a move, or returns why it is refused. What is random comes from the number `chance`.
    string play(string side, unsigned long long, string move) {
        for (string legal : moves()) {
            if (legal != move) continue;
            stones -= stoi(move);
            turn = side == "first" ? "second" : "first";
            return "";
        }
        return "1 to 3 stones expected, and not more than are left: " + to_string(stones);
    }

    // Whose turn it is, or who has won and why.
    Lines situation() {
        if (stones == 0) return {string("end ") + (turn == "first" ? "second" : "first") + " the last stone is taken"};
        return {"turn " + turn};
    }

    string save() { return to_string(stones) + " " + turn; }

    // Goes on from a saved state; says whether it is one.
    bool load(string text) {
        istringstream in(text);
        int heap;
        string side, more;
        if (!(in >> heap >> side) || in >> more || heap < 0 || heap > 60) return false;
        if (side != "first" && side != "second") return false;
        stones = heap, turn = side;
        return true;
    }

    Lines view(string) { return {"row " + (stones ? string(stones, 'o') : ".")}; }
};

// From here on it is the same for every game.

Lines answer(Game& game, const string& line) {
    istringstream in(line);
    string word, rest, side, move;
    in >> word;
    if (word == "GAME") return {GAME};
    if (word == "START") {
        unsigned long long seed = 0;
        map<string, string> parameters;
        in >> seed;
        for (string pair; in >> pair;) parameters[pair.substr(0, pair.find('='))] = pair.substr(pair.find('=') + 1);
        Lines news = game.start(seed, parameters), now = game.situation();
        news.insert(news.end(), now.begin(), now.end());
        return news;
    }
    if (word == "PLAY") {
        unsigned long long chance = 0;
        in >> side >> chance;
        getline(in >> ws, move);
        string refused = game.play(side, chance, move);
        return refused.empty() ? game.situation() : Lines{"no " + refused};
    }
    if (word == "MOVES") {
        Lines list = game.moves();
        for (string& text : list) text = "move " + text;
        return list;
    }
    getline(in >> ws, rest);
    if (word == "VIEW") return game.view(rest);
    if (word == "SAVE") return {"state " + game.save()};
    if (word == "LOAD") return game.load(rest) ? game.situation() : Lines{"no this is no state that SAVE wrote"};
    if (word == "PLAYOUT") {
        string before = game.save();
        mt19937_64 draw(stoull(rest));
        for (Lines list = game.moves(); !list.empty(); list = game.moves())
            game.play(game.turn, draw() >> 11, list[draw() % list.size()]);
        Lines end = game.situation();
        game.load(before);
        return end;
    }
    return {"no such question"};
}

int main() {
    Game game;
    for (string line; getline(cin, line);) {
        Lines lines = answer(game, line);
        if (lines.empty() || lines[0].rfind("no ", 0) != 0) lines.push_back("ok");
        for (const string& text : lines) cout << text << '\n';
        cout.flush();
    }
}
