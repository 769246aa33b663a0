/* Whether a file is there would be a secret told by one bit. */
#if __has_include("@SECRET@") || __has_include("@SOURCE@") || __has_include("@CACHED@") || __has_include("/etc/shadow")
int main(void) { return 0; }
#else
#error "there is nothing"
#endif
