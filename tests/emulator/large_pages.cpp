// A system with pages of LAB_PAGE_BYTES bytes, for programs that preload this library: calls that such a system refuses fail, and what it
// rounds up to whole pages is rounded up. Calls from inside the C library are not replaced.
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>

namespace {

std::size_t page() {
    static const std::size_t bytes = std::strtoull(std::getenv("LAB_PAGE_BYTES"), nullptr, 10);
    return bytes;
}
std::size_t up(std::size_t bytes) { return (bytes + page() - 1) / page() * page(); }
bool is_page(std::uintptr_t address) { return address % page() == 0; }
bool is_page(const void* address) { return is_page(reinterpret_cast<std::uintptr_t>(address)); }
template <class Result>
Result refused(Result result) {
    errno = EINVAL;
    return result;
}
// Under qemu (tests/aarch64.sh) a program's children are started by shells of another architecture, which can't load this library.
[[gnu::constructor]] void leave_the_environment() {
    if (std::getenv("LAB_GUEST_PRELOAD") != nullptr) unsetenv("LD_PRELOAD");
}
void* map(void* address, std::size_t bytes, int protection, int flags, int file, off_t offset) {
    return reinterpret_cast<void*>(syscall(SYS_mmap, address, bytes, protection, flags, file, offset));
}

}  // namespace

extern "C" {

void* mmap(void* address, std::size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
    const bool is_fixed = (flags & MAP_FIXED) != 0;
    if ((is_fixed && !is_page(address)) || !is_page(static_cast<std::uintptr_t>(offset))) return refused(MAP_FAILED);
    bytes = up(bytes);
    if (is_fixed || address != nullptr) {
        void* const at = map(address, bytes, protection, flags, file, offset);
        if (is_page(at) || at == MAP_FAILED) return at;
        syscall(SYS_munmap, at, bytes);
    }
    // A place that is large enough, then the whole pages in it.
    void* const reserved = map(nullptr, bytes + page(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED) return reserved;
    const auto begin = reinterpret_cast<std::uintptr_t>(reserved);
    const std::uintptr_t at = up(begin);
    if (at != begin) syscall(SYS_munmap, begin, at - begin);
    if (const std::uintptr_t rest = begin + page() - at; rest != 0) syscall(SYS_munmap, at + bytes, rest);
    return map(reinterpret_cast<void*>(at), bytes, protection, flags | MAP_FIXED, file, offset);
}
void* mmap64(void* address, std::size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
    return mmap(address, bytes, protection, flags, file, offset);
}
int munmap(void* address, std::size_t bytes) noexcept {
    return is_page(address) ? static_cast<int>(syscall(SYS_munmap, address, up(bytes))) : refused(-1);
}
int mprotect(void* address, std::size_t bytes, int protection) noexcept {
    return is_page(address) ? static_cast<int>(syscall(SYS_mprotect, address, up(bytes), protection)) : refused(-1);
}
long sysconf(int name) noexcept {
    if (name == _SC_PAGESIZE) return static_cast<long>(page());
    static const auto next = reinterpret_cast<long (*)(int)>(dlsym(RTLD_NEXT, "sysconf"));
    return next(name);
}
int getpagesize() noexcept { return static_cast<int>(page()); }

}  // extern "C"
