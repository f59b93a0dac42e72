// libstdc++ writes __attribute__((__noinline__)); before clang 15 CUDA's macro of that name must be out of the way there.
#if defined(__CUDA__) && __clang_major__ < 15
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/basic_string.tcc>
#pragma pop_macro("__noinline__")
#else
#include_next <bits/basic_string.tcc>
#endif
