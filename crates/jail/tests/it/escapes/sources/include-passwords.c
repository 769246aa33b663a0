/* The compiler quotes the lines that it does not understand. */
#include "/etc/shadow"
int main(void) { return 0; }
