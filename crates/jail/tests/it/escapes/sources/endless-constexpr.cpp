constexpr int forever(int n) { while (true) n++; }
constexpr int value = forever(0);
int main() { return value; }
