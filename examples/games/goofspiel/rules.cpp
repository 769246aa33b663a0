// Goofspiel (Merrill Flood, 1930s) for Agon: both bid a card at once for a prize. docs/own-game.md explains every line.
#include <bits/stdc++.h>

using namespace std;
using Lines = vector<string>;

const string GAME = R"(name goofspiel
title Goofspiel
summary both bid a card at once for the prize on the table; more points win
rule Both have the cards 1 to N. Prizes 1 to N come up one by one, in an order drawn from the seed.
rule MOVE n bids card n of your own. The other side does not see it before it has bid, too.
rule Before READY come INFO cards N and INFO prize P; after each round INFO bids A B (first, second) and INFO prize P.
rule The higher card takes the prize; equal cards leave it to neither side. All cards are played once.
parameter cards 3..13 13 cards of each side
plies 26
has secrets draws moves view save)";

vector<int> prizes;   // in the order in which they come up
vector<int> bids[2];  // what each side has bid so far
Lines news;           // what both learn from the last bid: nothing until the second one is there

int cards() { return prizes.size(); }
int rounds() { return bids[1].size(); }
bool over() { return rounds() == cards(); }
int side() { return bids[0].size() > bids[1].size(); }

// The cards that a side has left.
vector<int> hand(int side) {
    vector<int> left;
    for (int card = 1; card <= cards(); card++)
        if (!count(bids[side].begin(), bids[side].end(), card)) left.push_back(card);
    return left;
}

// Sets up a game; all chance comes from the seed. Not `shuffle`: what that draws differs from library to library.
void start(unsigned long long seed, int count) {
    prizes.clear();
    for (int card = 1; card <= count; card++) prizes.push_back(card);
    mt19937_64 draw(seed);
    for (int at = count - 1; at > 0; at--) swap(prizes[at], prizes[draw() % (at + 1)]);
    bids[0].clear(), bids[1].clear();
    news = {"info both cards " + to_string(count), "info both prize " + to_string(prizes[0])};
}

string play(const string& move) {
    if (over()) return "the game is over";
    for (int card : hand(side())) {
        if (to_string(card) != move) continue;
        bids[side()].push_back(card);
        news.clear();
        if (bids[0].size() != bids[1].size()) return "";
        news.push_back("info both bids " + to_string(bids[0].back()) + " " + to_string(bids[1].back()));
        if (!over()) news.push_back("info both prize " + to_string(prizes[rounds()]));
        return "";
    }
    return "a card that you still have expected";
}

Lines situation() {
    Lines lines;
    swap(lines, news);
    int points[2] = {0, 0};
    for (int at = 0; at < rounds(); at++)
        if (bids[0][at] != bids[1][at]) points[bids[0][at] < bids[1][at]] += prizes[at];
    lines.push_back("score " + to_string(points[0]) + " " + to_string(points[1]));
    string winner = points[0] > points[1] ? "first" : points[0] < points[1] ? "second" : "draw";
    lines.push_back(over() ? "end " + winner + " all cards are played" : side() ? "turn second" : "turn first");
    return lines;
}

// Prizes, bids of the first, bids of the second: numbers joined by commas.
string save() {
    string text;
    for (const vector<int>& numbers : {prizes, bids[0], bids[1]}) {
        text += text.empty() ? "" : " ";
        for (int number : numbers) text += to_string(number) + ",";
        text += numbers.empty() ? "-" : "";
    }
    return text;
}

bool load(const string& text) {
    vector<int> lists[3];
    istringstream in(text);
    for (int at = 0; at < 3; at++) {
        string word;
        if (!(in >> word) || word.size() > 40) return false;
        istringstream numbers(word == "-" ? "" : word);
        for (string number; getline(numbers, number, ',');) lists[at].push_back(atoi(number.substr(0, 3).c_str()));
        for (int card : lists[at]) {
            bool twice = count(lists[at].begin(), lists[at].end(), card) > 1;
            if (twice || card < 1 || card > (int)lists[0].size()) return false;
        }
    }
    int size = lists[0].size(), ahead = lists[1].size() - lists[2].size();
    if (size < 3 || size > 13 || ahead < 0 || ahead > 1) return false;
    swap(prizes, lists[0]), swap(bids[0], lists[1]), swap(bids[1], lists[2]);
    news.clear();
    bool known = save() == text;
    if (!known) swap(prizes, lists[0]), swap(bids[0], lists[1]), swap(bids[1], lists[2]);
    return known;
}

// A watcher sees no prizes that are to come, no cards that the other side has left, and no bid that waits for the other
// one, unless the game is over.
Lines view(const string& watcher) {
    bool all = watcher == "all";
    string lines[] = {"cards table:prizes", "cards first:bids", "cards second:bids", "cards first", "cards second"};
    for (int at = 0; at < cards() && (all || at <= rounds()); at++) lines[0] += " " + to_string(prizes[at]);
    for (int side : {0, 1}) {
        bool own = all || watcher == (side ? "second" : "first");
        for (int at = 0; at < (int)bids[side].size(); at++)
            lines[side + 1] += own || at < rounds() ? " " + to_string(bids[side][at]) : " ?";
        for (int card : hand(side)) lines[side + 3] += own ? " " + to_string(card) : " ?";
    }
    return Lines(lines, lines + 5);
}

Lines answer(const string& line) {
    istringstream in(line);
    string word, side, rest;
    unsigned long long number;
    in >> word;
    if (word == "GAME") return {GAME};
    if (word == "START" && in >> number) {
        size_t at = line.find("cards=");
        start(number, at == string::npos ? 13 : atoi(line.c_str() + at + 6));
        return situation();
    }
    if (word == "PLAY") in >> side >> number;
    getline(in >> ws, rest);
    string refused = word == "PLAY" ? play(rest) : "";
    if (word == "PLAY") return refused.empty() ? situation() : Lines{"no " + refused};
    Lines list;
    for (int card : over() ? vector<int>{} : hand(::side())) list.push_back("move " + to_string(card));
    if (word == "MOVES") return list;
    if (word == "VIEW") return view(rest);
    if (word == "SAVE") return {"state " + save()};
    if (word == "LOAD") return load(rest) ? situation() : Lines{"no this is no state that SAVE wrote"};
    return {"no such question"};
}

int main() {
    for (string line; getline(cin, line);) {
        Lines lines = answer(line);
        if (lines.empty() || lines[0].rfind("no ", 0) != 0) lines.push_back("ok");
        for (const string& text : lines) cout << text << '\n';
        cout.flush();
    }
}
