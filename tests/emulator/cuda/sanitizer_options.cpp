// AddressSanitizer asks this at start: the runtime, not the sanitizer, has to see host code touch memory that it must not.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "handle_segv=0"; }
