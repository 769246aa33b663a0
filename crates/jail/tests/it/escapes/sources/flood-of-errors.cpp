// Messages that name types whose names double at each step.
template <class A, class B> struct Pair {};
template <int N> struct Long { typedef Pair<typename Long<N - 1>::type, typename Long<N - 1>::type> type; };
template <> struct Long<0> { typedef int type; };
#define E(n) int error##n = Long<18>::type::no_such_member##n;
#define TEN(n) E(n##0) E(n##1) E(n##2) E(n##3) E(n##4) E(n##5) E(n##6) E(n##7) E(n##8) E(n##9)
TEN(1)
int main() {}
