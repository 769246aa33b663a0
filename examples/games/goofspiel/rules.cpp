// Goofspiel (Merrill Flood, 1930s) for Agon: both bid a card at once for a prize. docs/own-game.md explains every line.
#include <algorithm>
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace std;
using Lines = vector<string>;

const string GAME = R"(name goofspiel
title Goofspiel
summary both bid a card at once for the prize on the table; more points win
rule Both have the cards 1 to N. Prizes 1 to N come up one by one, in an order drawn from the seed.
rule MOVE n bids card n of your own. The other side does not see it before it has bid, too.
rule Before READY come INFO cards N and INFO prize P; after each round INFO bids A B (first, second) and INFO prize P.
rule The higher card takes the prize; equal cards leave it to neither side. All cards are played once.
seats First Second
parameter cards 3..13 13 cards of each side
plies 26
has secrets draws moves view save)";

struct Game {
    int cards = 13;
    vector<int> prizes;          // in the order in which they come up
    vector<int> bids[2];         // what each side has bid so far
    int points[2] = {0, 0};

    int round() const { return bids[1].size(); }
    int side() const { return bids[0].size() > bids[1].size() ? 1 : 0; }
    bool over() const { return round() == cards; }

    // Sets up a game; all chance comes from the seed. Returns lines for the agents.
    Lines start(unsigned long long seed, map<string, string> parameters) {
        cards = stoi(parameters["cards"]);
        prizes.clear();
        for (int card = 1; card <= cards; card++) prizes.push_back(card);
        mt19937_64 draw(seed);
        // Not `shuffle`: what that draws differs from library to library.
        for (int at = cards - 1; at > 0; at--) swap(prizes[at], prizes[draw() % (at + 1)]);
        for (int side : {0, 1}) bids[side].clear(), points[side] = 0;
        return {"info both cards " + to_string(cards), "info both prize " + to_string(prizes[0])};
    }

    Lines moves() {
        Lines list;
        const vector<int>& played = bids[side()];
        for (int card = 1; card <= cards && !over(); card++)
            if (count(played.begin(), played.end(), card) == 0) list.push_back(to_string(card));
        return list;
    }

    // What both learn from the last bid: nothing until the second one is there.
    Lines news;

    string play(string, unsigned long long, string move) {
        Lines legal = moves();
        if (over()) return "the game is over";
        if (count(legal.begin(), legal.end(), move) == 0) return "a card that you still have expected";
        news.clear();
        bids[side()].push_back(stoi(move));
        if (bids[0].size() != bids[1].size()) return "";
        int first = bids[0].back(), second = bids[1].back(), prize = prizes[round() - 1];
        if (first != second) points[first > second ? 0 : 1] += prize;
        news.push_back("info both bids " + to_string(first) + " " + to_string(second));
        if (!over()) news.push_back("info both prize " + to_string(prizes[round()]));
        return "";
    }

    Lines situation() {
        Lines lines = news;
        news.clear();
        lines.push_back("score " + to_string(points[0]) + " " + to_string(points[1]));
        if (over()) {
            string winner = points[0] > points[1] ? "first" : points[0] < points[1] ? "second" : "draw";
            lines.push_back("end " + winner + " all cards are played");
        } else {
            lines.push_back(string("turn ") + (side() ? "second" : "first"));
        }
        return lines;
    }

    // cards, prizes, bids of the first, bids of the second: numbers joined by commas
    string save() {
        auto joined = [](const vector<int>& numbers) {
            string text;
            for (int number : numbers) text += (text.empty() ? "" : ",") + to_string(number);
            return text.empty() ? string("-") : text;
        };
        return to_string(cards) + " " + joined(prizes) + " " + joined(bids[0]) + " " + joined(bids[1]);
    }

    // Goes on from a saved state; says whether it is one.
    bool load(string text) {
        istringstream in(text);
        vector<int> lists[3];
        int count = 0;
        string words[3], more;
        if (!(in >> count >> words[0] >> words[1] >> words[2]) || in >> more || count < 3 || count > 13) return false;
        for (int at = 0; at < 3; at++) {
            vector<bool> seen(count + 1);
            if (words[at].back() == ',') return false;
            istringstream numbers(words[at] == "-" ? "" : words[at]);
            for (string number; getline(numbers, number, ',');) {
                int card = number.size() < 3 ? atoi(number.c_str()) : 0;
                if (card < 1 || card > count || seen[card] || to_string(card) != number) return false;
                seen[card] = true;
                lists[at].push_back(card);
            }
        }
        size_t waiting = lists[1].size() - lists[2].size();
        if ((int)lists[0].size() != count || waiting > 1) return false;
        cards = count, prizes = lists[0], bids[0] = lists[1], bids[1] = lists[2];
        points[0] = points[1] = 0;
        for (int at = 0; at < round(); at++)
            if (bids[0][at] != bids[1][at]) points[bids[0][at] > bids[1][at] ? 0 : 1] += prizes[at];
        news.clear();
        return true;
    }

    // Three rows: prizes, bids of the first, bids of the second, a column for each round. A watcher sees no prizes that are
    // to come or a bid that waits for the other one, unless the game is over.
    Lines view(string watcher) {
        bool all = watcher == "all";
        string rows[3];
        auto shown = [](int card) { return card < 10 ? string(1, char('0' + card)) : string(1, char('A' + card - 10)); };
        for (int at = 0; at < cards; at++) {
            rows[0] += at < round() || all || (at == round()) ? shown(prizes[at]) : ".";
            for (int side : {0, 1}) {
                bool there = at < (int)bids[side].size();
                bool open = at < round() || all || watcher == (side ? "second" : "first");
                rows[side + 1] += !there ? "." : open ? shown(bids[side][at]) : "?";
            }
        }
        return {"stones *#", "row " + rows[0], "row " + rows[1], "row " + rows[2]};
    }
};

// From here on it is the same for every game that plays no playouts.

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
