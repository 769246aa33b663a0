/* Whether a file is there would leak a secret, one bit at a time. */
#if __has_include("@SECRET@") || __has_include("@SOURCE@") || __has_include("@CACHED@") || __has_include("/etc/shadow")
int main(void) { return 0; }
#else
#error "there is nothing"
#endif
