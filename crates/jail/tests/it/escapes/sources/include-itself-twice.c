/* Two to the power of the deepest nesting, each with a message. */
#include __FILE__
#include __FILE__
int main(void) { return 0; }
