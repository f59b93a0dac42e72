// The device's memory as the emulator keeps it: allocations at device addresses, each with its backing on the host.
// A device address is never a valid address of the program (host code that follows one gets SIGSEGV at exactly that address),
// except in managed and mapped memory, where both are the same: that memory is a file that the program maps, too. Addresses are not given
// out twice, so that a use after free can always be told; only when the reserved range is used up are the oldest freed ones taken again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "common/emulator/machine/written.h"
#include "common/findings/finding.h"

namespace lab::machine {

enum class AllocationKind : std::uint8_t {
    device,    // cudaMalloc
    managed,   // cudaMallocManaged: host and device use the same address
    mapped,    // cudaHostAlloc / cudaHostRegister with a device pointer: the same address on both sides
    pinned,    // page-locked host memory that has no device pointer; known only so that faults can name it
    global,    // a __device__ variable
    constant,  // a __constant__ variable
};

struct Allocation {
    std::uint64_t address = 0;  // device address of the first byte
    std::uint64_t size = 0;     // bytes requested
    std::byte* host = nullptr;  // backing of `address`; also readable and writable for 128 bytes before and past it
    AllocationKind kind = AllocationKind::device;
    std::uint64_t id = 0;  // from 1, in the order of allocation
    bool slack = true;     // whether the 128 bytes on either side are ours: not so for add_host, which owns whole pages of the program
    bool freed = false;    // a freed allocation stays known, without backing
    std::string label;     // variable's name as the PTX has it, or the name that a suite knows an array by; or ""
    SourceLine where;      // of the call that made it
    SourceLine freed_where;
    std::shared_ptr<WrittenBytes> written;  // null if all bytes count as written: variables, and registered host memory
};

// NaN as float and as double, a large negative number as integer: visible in every result computed from it.
inline constexpr std::uint32_t fresh_pattern = 0xfff1dead;

// Whole pages of memory that host and device share.
struct SharedPages {
    std::uint64_t address = 0, bytes = 0;
    std::uint64_t offset = 0;  // in Memory::shared_file()
};

class Memory {
public:
    // `capacity`: bytes of device memory that allocations of kind `device` may use in all.
    // `address_space`: bytes of address range to reserve for them; halved until the system agrees.
    // `shared_file`: the file of an earlier Memory, which is emptied; -1: a new one.
    explicit Memory(std::uint64_t capacity, std::uint64_t address_space = std::uint64_t{4} << 40, int shared_file = -1);
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    // Returns the device address (256-byte aligned like cudaMalloc's, or `alignment` if larger), or 0 if there is no room. Fresh device
    // memory holds a pattern, not zeros, since CUDA doesn't initialise it.
    std::uint64_t allocate(std::uint64_t size, AllocationKind kind, std::string label = {}, SourceLine where = {},
                           std::uint64_t alignment = 256);
    // The same at the address of an allocation that was freed, or was in an earlier Memory. False if there is no room at it.
    bool allocate_again(const Allocation& earlier);
    // Registers the program's memory (kinds mapped and pinned), for cudaHostRegister and for findings. False if it overlaps a registered
    // range. `taken` gets the pages of mapped memory that the program has to share from now on, with their contents.
    bool add_host(std::uint64_t address, std::uint64_t size, AllocationKind kind, SourceLine where = {},
                  std::vector<SharedPages>* taken = nullptr);
    // Frees the allocation that starts at `address`. False if there is none. `given_back` gets pages that the program shares no longer.
    bool release(std::uint64_t address, SourceLine where = {}, std::vector<SharedPages>* given_back = nullptr);
    // The file that holds all memory of host and device together, and the pages of an allocation in it.
    [[nodiscard]] int shared_file() const;
    [[nodiscard]] SharedPages shared_pages(const Allocation& allocation) const;
    // Names an allocation of device memory that starts at `address`, for findings.
    void name(std::uint64_t address, std::string label);

    // The lookup functions take no lock: many threads call them during a launch, when nothing is allocated.

    // The live allocation that holds the byte at `address`, or nullptr. Stable until the next allocate/release.
    [[nodiscard]] const Allocation* find(std::uint64_t address) const;
    // The live allocation that holds all of [address, address + size), or nullptr.
    [[nodiscard]] const Allocation* find(std::uint64_t address, std::uint64_t size) const;
    // Backing of [address, address + size), or nullptr unless one live allocation contains all of it.
    [[nodiscard]] std::byte* host(std::uint64_t address, std::uint64_t size) const;

    // Like find(address), but also finds freed allocations.
    [[nodiscard]] const Allocation* find_any(std::uint64_t address) const;
    // The program's process, for is_host_only() and locate(); this one unless set.
    void set_program(int process) { program_ = std::to_string(process); }
    // Whether the address is in memory of the program that the device can't access.
    [[nodiscard]] bool is_host_only(std::uint64_t address) const;

    // Whether hardware would map a device address: it maps device memory in pages of 2 MiB, so memory around every allocation is
    // accessible.
    [[nodiscard]] bool is_mapped(std::uint64_t address) const;

    // Whether an address lies in the reserved range of device (and managed) addresses, in use or not. All others are host addresses.
    [[nodiscard]] bool is_reserved(std::uint64_t address) const;

    // Marks device memory as written, by copies and fills, or as unwritten, for the initialisation check. Parts of the range that aren't
    // device memory are ignored.
    void mark_written(std::uint64_t address, std::uint64_t size);
    void forget_written(std::uint64_t address, std::uint64_t size);
    // Marks as written what the host has stored in managed and page-locked memory: all that differs from fresh memory.
    void mark_stored_by_host();
    // After a copy, marks the destination as written where the source is.
    void copy_written(std::uint64_t to, std::uint64_t from, std::uint64_t size);

    // Location of an address for a finding: the object that contains it, else `origin`, which it was computed from, else the nearest one.
    [[nodiscard]] Location locate(std::uint64_t address, std::uint64_t size, const Allocation* origin = nullptr) const;

    // Live allocations of kinds device and managed, and page-locked memory that was allocated (not registered), in the order of allocation:
    // the leaks at exit.
    [[nodiscard]] std::vector<Allocation> live() const;
    // Every live allocation, variables included, by address.
    [[nodiscard]] std::vector<const Allocation*> all() const;
    [[nodiscard]] std::uint64_t capacity() const;
    [[nodiscard]] std::uint64_t used() const;  // bytes in live allocations of kind device and managed

private:
    struct Arena;
    bool add(std::uint64_t address, std::uint64_t size, AllocationKind kind, std::string label, SourceLine where);
    std::uint64_t find_place(AllocationKind kind, std::uint64_t size, std::uint64_t alignment);
    mutable std::mutex mutex_;
    std::map<std::uint64_t, Allocation> allocations_;  // by device address; freed ones stay while their addresses are unused
    std::map<std::uint64_t, const Allocation*> live_;  // live allocations, by id: freed ones may be many
    Arena* arena_ = nullptr;
    std::uint64_t capacity_ = 0;
    std::uint64_t used_ = 0;
    std::uint64_t shared_ = 0;  // bytes in live allocations that the program maps, too
    std::uint64_t next_id_ = 1;
    std::string program_ = "self";
    // First and last pages of registered ranges, by address: two ranges may share one.
    struct HostPage {
        std::uint64_t offset = 0;
        std::uint32_t ranges = 0;
    };
    std::map<std::uint64_t, HostPage> host_edges_;
    std::byte* share_host(std::uint64_t address, std::uint64_t size, std::vector<SharedPages>* taken);
    void give_back_host(const Allocation& allocation, std::vector<SharedPages>* given_back);
};

}  // namespace lab::machine
