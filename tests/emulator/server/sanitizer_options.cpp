// AddressSanitizer calls this at start: the runtime, not the sanitizer, has to handle forbidden accesses of host code.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "handle_segv=0"; }
