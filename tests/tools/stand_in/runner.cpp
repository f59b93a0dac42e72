#include <cstdio>

extern const char* registered_ptx;

int main() { return std::puts(registered_ptx) < 0 ? 1 : 0; }
