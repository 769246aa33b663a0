/* The name of the file beside it is an option of gcc, and names another one with commands for the driver to run. */
int main(void) { return 0; }
