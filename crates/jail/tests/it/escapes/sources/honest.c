/* What the opponent is made of, as far as an attack is concerned that includes it: it would compile. */
int main(void) { return 0; }
