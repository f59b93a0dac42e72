// Where a Memory keeps its allocations, for its own files. Address ranges hold all memory, three of them reserved:
//   device   never mapped; the addresses that the student sees. Host code that dereferences one gets SIGSEGV.
//   backing  the same size, mapped page by page; the byte of device address a is at a + (backing - device).
//   unified  managed and mapped memory: one address for host and device. Only the program maps it; here it lies in
//   shared   the same size, a file that the program maps, too.
// Allocations are far apart (see gap_after), so that an index that is off by a row or a whole array hits no other allocation.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <new>

#include "common/emulator/machine/memory.h"
#include "common/process/page_size.h"

namespace lab::machine {

inline constexpr std::uint64_t unit = 4096;  // of places, whatever the size of pages, so that addresses are the same everywhere
inline constexpr std::uint64_t slack = 128;  // bytes past an allocation that must be readable and writable
inline constexpr std::uint64_t kib = 1024, mib = 1024 * kib;
inline constexpr std::uint64_t eager_fill = 64 * mib;  // larger allocations get their pattern page by page, on first touch

inline std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

// Address space is free, so the gap after an allocation is as long as the allocation, within limits. It is longer than the largest pages,
// so no two allocations share one.
inline std::uint64_t gap_after(std::uint64_t size) { return std::clamp(round_up(size, unit), 64 * kib, 64 * mib); }

inline std::uint64_t map_begin(std::uint64_t address) { return page_begin(address - slack); }
inline std::uint64_t map_end(std::uint64_t address, std::uint64_t size) { return page_end(address + size + slack); }

// Maps all pages at once if the system can: cheaper than a page fault each.
inline void populate(std::byte* begin, std::uint64_t bytes) {
    constexpr std::uint64_t worthwhile = 4 * mib;
    if (bytes >= worthwhile) static_cast<void>(madvise(begin, bytes, MADV_HUGEPAGE));
#ifdef MADV_POPULATE_WRITE
    static_cast<void>(madvise(begin, bytes, MADV_POPULATE_WRITE));
#endif
}

inline void fill(std::byte* begin, std::uint64_t bytes) {
    auto* const words = reinterpret_cast<std::uint32_t*>(begin);
    std::fill_n(words, bytes / sizeof(std::uint32_t), fresh_pattern);
}

// Of this machine: no program can share more.
inline std::uint64_t all_memory() {
    static const auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * page_bytes();
    return bytes;
}

inline bool is_owned(AllocationKind kind) {
    return kind == AllocationKind::device || kind == AllocationKind::global || kind == AllocationKind::constant;
}
inline bool counts_as_used(AllocationKind kind) { return kind == AllocationKind::device || kind == AllocationKind::managed; }
inline bool holds_values(AllocationKind kind) { return kind == AllocationKind::global || kind == AllocationKind::constant; }

struct Memory::Arena {
    // A reserved range of addresses, allocated from its start.
    struct Range {
        std::uint64_t begin = 0, size = 0, next = 0;
        [[nodiscard]] bool contains(std::uint64_t address) const { return address - begin < size; }
        [[nodiscard]] std::uint64_t end() const { return begin + size; }
    };
    Range device, backing, unified, shared;
    int shared_file = -1;
    bool owns_file = false;
    int pattern_file = -1;  // 16 MiB of the pattern, mapped copy-on-write under large allocations

    // Fixed hints, so that addresses (and texts that show them) are the same in every run if the system allows.
    static constexpr std::uint64_t unified_hint = 0x3000'0000'0000, shared_hint = 0x4000'0000'0000;
    Arena(std::uint64_t bytes, int file) : shared_file(file), owns_file(file < 0) {
        if (owns_file) shared_file = memfd_create("lab-shared", MFD_CLOEXEC | MFD_ALLOW_SEALING);
        std::uint64_t of_file = bytes;  // less where the size of files is limited
        while (!size_file(of_file) && of_file > mib) of_file /= 2;
        for (;; bytes /= 2) {
            of_file = std::min(of_file, bytes);
            if (size_file(of_file) && reserve(device, bytes, 0x1000'0000'0000) && reserve(backing, bytes, 0x2000'0000'0000) &&
                reserve(shared, of_file, shared_hint, shared_file) && reserve(unified, of_file, unified_hint)) {
                break;
            }
            drop();
            if (bytes <= mib) throw std::bad_alloc();
        }
        munmap(reinterpret_cast<void*>(unified.begin), unified.size);  // a program can have these addresses, too
        // A program in this process may have some of an earlier memory.
        if (shared.begin == shared_hint) unified = {unified_hint, of_file, unified_hint + unit};
        // A program that made the file smaller would take the device's memory away.
        if (owns_file) fcntl(shared_file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    }
    ~Arena() {
        drop();
        if (owns_file && shared_file >= 0) close(shared_file);
        if (pattern_file >= 0) close(pattern_file);
    }
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    // The shared file, all of it empty, with room for so many bytes.
    [[nodiscard]] bool size_file(std::uint64_t bytes) const {
        if (owns_file) return ftruncate(shared_file, static_cast<off_t>(bytes)) == 0;
        return fallocate(shared_file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes)) == 0;
    }
    static bool reserve(Range& range, std::uint64_t bytes, std::uint64_t hint, int file = -1) {
        const int flags = MAP_NORESERVE | (file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED);
        const auto reserved_at = [&](std::uint64_t address) {
            return mmap(reinterpret_cast<void*>(address), bytes, PROT_NONE, flags, file, 0);
        };
        void* at = reserved_at(hint);
        if (at == MAP_FAILED) return false;
        // AddressSanitizer's shadow memory takes the first hint. Addresses that the system chooses are likely a program's, too.
        constexpr std::uint64_t other = 0x0400'0000'0000;
        if (reinterpret_cast<std::uint64_t>(at) != hint) {
            munmap(at, bytes);
            at = reserved_at(hint + other);
            if (at == MAP_FAILED) return false;
        }
        const auto begin = reinterpret_cast<std::uint64_t>(at);
        range = {begin, bytes, begin + unit};  // a unit before the first allocation, like before every other
        return true;
    }
    void drop() {
        for (Range* const range : {&device, &backing, &shared}) {
            if (range->size != 0) munmap(reinterpret_cast<void*>(range->begin), range->size);
            *range = {};
        }
    }

    [[nodiscard]] Range& range_of(AllocationKind kind) { return is_owned(kind) ? device : unified; }
    [[nodiscard]] std::byte* host_of(AllocationKind kind, std::uint64_t address) const {
        return reinterpret_cast<std::byte*>(address + (is_owned(kind) ? backing.begin - device.begin : shared.begin - unified.begin));
    }

    // Makes the backing of an allocation readable and writable, filled with the pattern (or zeros for variables).
    bool map(AllocationKind kind, std::uint64_t address, std::uint64_t size) {
        std::byte* const begin = host_of(kind, map_begin(address));
        const std::uint64_t bytes = map_end(address, size) - map_begin(address);
        if (mprotect(begin, bytes, PROT_READ | PROT_WRITE) != 0) return false;
        if (holds_values(kind)) return true;
        if (bytes > eager_fill && !is_owned(kind)) return true;
        if (bytes <= eager_fill || !open_pattern()) {
            populate(begin, bytes);
            fill(begin, bytes);
            return true;
        }
        for (std::uint64_t done = 0; done < bytes; done += pattern_bytes) {
            const std::uint64_t chunk = std::min(pattern_bytes, bytes - done);
            const int flags = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE;
            if (mmap(begin + done, chunk, PROT_READ | PROT_WRITE, flags, pattern_file, 0) == MAP_FAILED) return false;
        }
        return true;
    }
    // Returns the backing to the system; its addresses stay reserved.
    void unmap(AllocationKind kind, std::uint64_t address, std::uint64_t size) const {
        const std::uint64_t bytes = map_end(address, size) - map_begin(address);
        std::byte* const begin = host_of(kind, map_begin(address));
        // A failure is ignored: the pages then stay until the process ends.
        if (!is_owned(kind)) return empty(begin, bytes);
        const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
        static_cast<void>(mmap(begin, bytes, PROT_NONE, flags, -1, 0));
    }
    void empty(std::byte* begin, std::uint64_t bytes) const {
        const auto offset = static_cast<off_t>(offset_of(begin));
        static_cast<void>(fallocate(shared_file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, static_cast<off_t>(bytes)));
        static_cast<void>(mprotect(begin, bytes, PROT_NONE));
    }
    [[nodiscard]] std::uint64_t offset_of(const std::byte* shared_byte) const {
        return reinterpret_cast<std::uint64_t>(shared_byte) - shared.begin;
    }

private:
    static constexpr std::uint64_t pattern_bytes = 16 * mib;
    bool open_pattern() {
        if (pattern_file >= 0) return true;
        const int file = memfd_create("lab-pattern", MFD_CLOEXEC);
        if (file < 0) return false;
        void* at = MAP_FAILED;
        if (ftruncate(file, pattern_bytes) == 0) at = mmap(nullptr, pattern_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (at == MAP_FAILED) {
            close(file);
            return false;
        }
        fill(static_cast<std::byte*>(at), pattern_bytes);
        munmap(at, pattern_bytes);
        pattern_file = file;
        return true;
    }
};

}  // namespace lab::machine
