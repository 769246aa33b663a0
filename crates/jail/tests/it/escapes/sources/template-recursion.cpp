template <int N> struct Deep { Deep<N + 1> inner; };
int main() { return sizeof(Deep<0>); }
