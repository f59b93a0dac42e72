// refused: groups_async.cu:3: cooperative_groups/memcpy_async.h is
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
int main() { return 0; }
