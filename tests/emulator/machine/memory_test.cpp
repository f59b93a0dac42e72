// Guarantees of device memory: addresses, backing, freeing, and the text that explains an address.
#include "common/emulator/machine/memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "common/findings/finding_text.h"
#include "common/process/page_size.h"

namespace lab::machine {
namespace {

constexpr std::uint64_t mib = 1 << 20;

// Whether host code can read the byte at an address, determined by a system call, without a signal.
bool is_readable(std::uint64_t address) {
    int ends[2];
    if (pipe(ends) != 0) std::abort();
    const bool good = write(ends[1], reinterpret_cast<void*>(address), 1) == 1;
    close(ends[0]);
    close(ends[1]);
    return good;
}

template <class Array>
std::uint64_t address_of(const Array& array) {
    return reinterpret_cast<std::uint64_t>(array.data());
}

// As graders start us that limit the size of files; what is shared with the program is a file.
TEST(DeviceMemory, DoesWithALimitOfTheSizeOfFiles) {
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit low{100 * mib, before.rlim_max};
    const auto earlier = std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &low), 0);
    Memory memory(1024 * mib);
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, earlier);
    EXPECT_NE(memory.allocate(512 * mib, AllocationKind::device, "of the device", {}), 0);
    EXPECT_NE(memory.allocate(32 * mib, AllocationKind::managed, "shared", {}), 0);
    EXPECT_EQ(memory.allocate(100 * mib, AllocationKind::managed, "too large", {}), 0);
}

TEST(Memory, DeviceAddressIsNotReadableByTheHostButItsBackingIs) {
    Memory memory(mib);
    const std::uint64_t address = memory.allocate(1000, AllocationKind::device);
    ASSERT_NE(address, 0U);
    EXPECT_EQ(address % 256, 0U);
    EXPECT_FALSE(is_readable(address));
    EXPECT_TRUE(is_readable(reinterpret_cast<std::uint64_t>(memory.host(address, 1000))));
}

TEST(Memory, BackingCanBeWrittenFrom128BytesBeforeTo128BytesPastAnySize) {
    Memory memory(64 * mib);
    for (const std::uint64_t size : {1U, 255U, 3968U, 3969U, 4096U, 4097U, 8192U, 1000000U}) {
        for (const AllocationKind kind :
             {AllocationKind::device, AllocationKind::managed, AllocationKind::mapped, AllocationKind::constant}) {
            const std::uint64_t address = memory.allocate(size, kind);
            ASSERT_NE(address, 0U);
            std::byte* const host = memory.host(address, size);
            ASSERT_NE(host, nullptr);
            std::memset(host - 128, 1, size + 256);
        }
    }
}

TEST(Memory, BackingLiesAtAConstantDistanceFromDeviceAddresses) {
    Memory memory(256 * mib);
    std::set<std::int64_t> distances;
    for (const AllocationKind kind : {AllocationKind::device, AllocationKind::global, AllocationKind::constant, AllocationKind::device}) {
        const std::uint64_t address = memory.allocate(5 * mib, kind);
        distances.insert(reinterpret_cast<std::int64_t>(memory.host(address, 1)) - static_cast<std::int64_t>(address));
    }
    EXPECT_EQ(distances.size(), 1U);
}

// As a program maps them.
std::byte* see(const Memory& memory, const SharedPages& pages) {
    void* const at = mmap(nullptr, pages.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory.shared_file(), static_cast<off_t>(pages.offset));
    return at == MAP_FAILED ? nullptr : static_cast<std::byte*>(at);
}

TEST(Memory, ManagedAndMappedMemoryAreSharedWithTheProgramUntilTheyAreFreed) {
    Memory memory(mib);
    for (const AllocationKind kind : {AllocationKind::managed, AllocationKind::mapped}) {
        const std::uint64_t address = memory.allocate(64, kind);
        const SharedPages pages = memory.shared_pages(*memory.find(address));
        EXPECT_LE(pages.address, address);
        EXPECT_GE(pages.address + pages.bytes, address + 64);
        std::byte* const programs = see(memory, pages);
        ASSERT_NE(programs, nullptr);
        programs[address - pages.address] = std::byte{7};
        EXPECT_EQ(*memory.host(address, 1), std::byte{7});
        std::vector<SharedPages> gone;
        EXPECT_TRUE(memory.release(address, {}, &gone));
        ASSERT_EQ(gone.size(), 1U);
        EXPECT_EQ(gone[0].address, pages.address);
        munmap(programs, pages.bytes);
    }
}

TEST(Memory, RegisteredRangesThatMeetInAPageShareIt) {
    Memory memory(mib);
    const std::uint64_t page = page_bytes();
    const std::uint64_t first = 10 * page + 100, second = 11 * page - 100;  // of the program: nothing is there
    std::vector<SharedPages> taken;
    ASSERT_TRUE(memory.add_host(first, page - 200, AllocationKind::mapped, {}, &taken));
    ASSERT_EQ(taken.size(), 1U);
    EXPECT_EQ(taken[0].address, 10 * page);
    std::vector<SharedPages> more;
    ASSERT_TRUE(memory.add_host(second, 200, AllocationKind::mapped, {}, &more));
    ASSERT_EQ(more.size(), 1U);
    EXPECT_EQ(more[0].address, 11 * page);
    std::byte* const programs = see(memory, taken[0]);
    ASSERT_NE(programs, nullptr);
    programs[first % page] = std::byte{1};
    programs[second % page] = std::byte{2};
    EXPECT_EQ(*memory.host(first, 1), std::byte{1});
    EXPECT_EQ(*memory.host(second, 1), std::byte{2});
    std::vector<SharedPages> gone;
    EXPECT_TRUE(memory.release(first, {}, &gone));
    EXPECT_TRUE(gone.empty());
    EXPECT_TRUE(memory.release(second, {}, &gone));
    ASSERT_EQ(gone.size(), 1U);
    EXPECT_EQ(gone[0].address, 10 * page);
    EXPECT_EQ(gone[0].bytes, 2 * page);
    munmap(programs, page);
}

TEST(Memory, FreshMemoryIsNotZeroAndNotANumber) {
    Memory memory(200 * mib);
    for (const std::uint64_t size : {4 * mib, 100 * mib}) {  // filled at once, and filled on first touch
        const std::uint64_t address = memory.allocate(size, AllocationKind::device);
        const auto* const host = reinterpret_cast<const float*>(memory.host(address, size));
        ASSERT_NE(host, nullptr);
        for (std::uint64_t i = 0; i < size / sizeof(float); i += 4099) ASSERT_TRUE(std::isnan(host[i])) << "element " << i;
        EXPECT_TRUE(std::isnan(host[size / sizeof(float) - 1]));
        double as_double = 0;
        std::memcpy(&as_double, host, sizeof as_double);
        EXPECT_TRUE(std::isnan(as_double));
    }
}

TEST(Memory, WritesToALargeAllocationStayInIt) {
    Memory memory(400 * mib);
    const std::uint64_t first = memory.allocate(100 * mib, AllocationKind::device);
    const std::uint64_t second = memory.allocate(100 * mib, AllocationKind::device);
    auto* const a = reinterpret_cast<float*>(memory.host(first, 100 * mib));
    const auto* const b = reinterpret_cast<const float*>(memory.host(second, 100 * mib));
    a[5] = 7.0F;
    EXPECT_TRUE(std::isnan(a[5 + 4 * mib]));  // the same page of the pattern, 16 MiB on
    EXPECT_TRUE(std::isnan(b[5]));
    EXPECT_EQ(a[5], 7.0F);
}

TEST(Memory, FindsOnlyWhatLiesWhollyInsideOneLiveAllocation) {
    Memory memory(mib);
    const std::uint64_t address = memory.allocate(100, AllocationKind::device);
    EXPECT_NE(memory.find(address), nullptr);
    EXPECT_NE(memory.find(address + 99), nullptr);
    EXPECT_EQ(memory.find(address + 100), nullptr);
    EXPECT_EQ(memory.find(address - 1), nullptr);
    EXPECT_NE(memory.find(address + 96, 4), nullptr);
    EXPECT_EQ(memory.find(address + 97, 4), nullptr);
    EXPECT_EQ(memory.find(address + 4, ~std::uint64_t{0}), nullptr);
    EXPECT_EQ(memory.host(address + 96, 4), memory.host(address, 100) + 96);
    EXPECT_EQ(memory.host(address, 101), nullptr);
}

TEST(Memory, FreedMemoryIsGivenBackAndItsAddressNotReused) {
    Memory memory(2 * mib);
    const std::uint64_t first = memory.allocate(mib, AllocationKind::device);
    const auto host = reinterpret_cast<std::uint64_t>(memory.host(first, mib));
    EXPECT_EQ(memory.used(), mib);
    EXPECT_TRUE(memory.release(first));
    EXPECT_EQ(memory.used(), 0U);
    EXPECT_EQ(memory.find(first), nullptr);
    EXPECT_FALSE(is_readable(host));
    EXPECT_FALSE(memory.release(first));  // twice
    const std::uint64_t second = memory.allocate(mib, AllocationKind::device);
    EXPECT_NE(second, first);
    EXPECT_FALSE(memory.release(second + 8));  // not its start
}

TEST(Memory, CapacityBoundsWhatLivesAtATime) {
    Memory memory(mib);
    EXPECT_EQ(memory.allocate(mib + 1, AllocationKind::device), 0U);
    const std::uint64_t half = memory.allocate(mib / 2, AllocationKind::device);
    ASSERT_NE(half, 0U);
    EXPECT_EQ(memory.allocate(mib / 2 + 1, AllocationKind::device), 0U);
    EXPECT_NE(memory.allocate(mib / 2, AllocationKind::device), 0U);
    memory.release(half);
    EXPECT_NE(memory.allocate(mib / 2, AllocationKind::device), 0U);
    EXPECT_EQ(memory.allocate(~std::uint64_t{0}, AllocationKind::device), 0U);
    EXPECT_EQ(memory.allocate(~std::uint64_t{0} - 4096, AllocationKind::managed), 0U);
}

TEST(Memory, OldestFreedAddressesComeBackOnlyWhenTheRangeIsUsedUp) {
    Memory memory(64 * mib, 4 * mib);  // so small a range holds few allocations with their gaps
    const std::uint64_t kept = memory.allocate(4096, AllocationKind::device);
    std::set<std::uint64_t> seen{kept};
    bool reused = false;
    std::uint64_t before_reuse = 0;
    for (int i = 0; i < 1000; ++i) {
        const std::uint64_t address = memory.allocate(4096, AllocationKind::device);
        ASSERT_NE(address, 0U) << "allocation " << i;
        ASSERT_NE(address, kept);
        if (!seen.insert(address).second) reused = true;
        if (!reused) ++before_reuse;
        std::memset(memory.host(address, 4096) - 128, 0, 4096 + 256);
        memory.release(address);
    }
    EXPECT_TRUE(reused);
    EXPECT_GE(before_reuse, 10U);
    EXPECT_NE(memory.find(kept), nullptr);
}

TEST(Memory, FullRangeOfLiveAllocationsFailsInsteadOfOverlapping) {
    Memory memory(1024 * mib, 4 * mib);
    std::vector<std::uint64_t> made;
    while (const std::uint64_t address = memory.allocate(100000, AllocationKind::device)) made.push_back(address);
    ASSERT_GE(made.size(), 10U);
    std::sort(made.begin(), made.end());
    for (std::size_t i = 1; i < made.size(); ++i) EXPECT_GE(made[i], made[i - 1] + 100000 + 256);
}

TEST(Memory, HostMemoryMadeKnownIsFoundUntilReleasedAndNeverUnmapped) {
    Memory memory(mib);
    std::vector<float> data(100, 3.0F);
    const auto address = reinterpret_cast<std::uint64_t>(data.data());
    EXPECT_TRUE(memory.add_host(address, 400, AllocationKind::mapped, SourceLine{"a.cu", 3, 0}));
    EXPECT_FALSE(memory.add_host(address + 50 * sizeof(float), 4, AllocationKind::mapped));
    ASSERT_NE(memory.find(address, 400), nullptr);
    EXPECT_EQ(memory.find(address, 400)->kind, AllocationKind::mapped);
    EXPECT_TRUE(memory.release(address));
    EXPECT_EQ(memory.find(address), nullptr);
    EXPECT_EQ(data[99], 3.0F);
    EXPECT_TRUE(memory.add_host(address, 400, AllocationKind::mapped));
}

TEST(Memory, LiveListsWhatWasAllocatedInOrder) {
    Memory memory(mib);
    const std::uint64_t managed = memory.allocate(10, AllocationKind::managed);
    const std::uint64_t gone = memory.allocate(20, AllocationKind::device);
    const std::uint64_t device = memory.allocate(30, AllocationKind::device);
    memory.allocate(40, AllocationKind::global, "table");
    const std::uint64_t mapped = memory.allocate(50, AllocationKind::mapped);
    std::array<std::byte, 16> registered{};
    ASSERT_TRUE(memory.add_host(address_of(registered), registered.size(), AllocationKind::mapped));
    memory.release(gone);
    const std::vector<Allocation> live = memory.live();
    ASSERT_EQ(live.size(), 3U);
    EXPECT_EQ(live[0].address, managed);
    EXPECT_EQ(live[1].address, device);
    EXPECT_EQ(live[2].address, mapped);
}

TEST(Memory, AllListsWhatLivesByAddressHoweverMuchWasFreed) {
    Memory memory(1 << 20);
    const auto first = memory.allocate(100, AllocationKind::device);
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(memory.release(memory.allocate(100, AllocationKind::device)));
    std::array<std::byte, 16> own{};
    ASSERT_TRUE(memory.add_host(address_of(own), own.size(), AllocationKind::pinned));
    const auto last = memory.allocate(8, AllocationKind::global, "table");
    std::vector<std::uint64_t> addresses;
    for (const Allocation* allocation : memory.all()) addresses.push_back(allocation->address);
    std::vector<std::uint64_t> wanted{first, last, reinterpret_cast<std::uint64_t>(own.data())};
    std::sort(wanted.begin(), wanted.end());
    EXPECT_EQ(addresses, wanted);
    ASSERT_TRUE(memory.release(first));
    ASSERT_TRUE(memory.release(reinterpret_cast<std::uint64_t>(own.data())));
    ASSERT_EQ(memory.all().size(), 1U);
    EXPECT_EQ(memory.all().front()->label, "table");
}

TEST(MemoryDescribe, SaysHowFarPastWhichAllocation) {
    Memory memory(mib);
    const std::uint64_t a = memory.allocate(4096, AllocationKind::device, {}, SourceLine{"vec.cu", 31, 0});
    EXPECT_EQ(to_text(memory.locate(a + 4096 + 12, 4)), "12 bytes past the end of a 4096-byte allocation made at vec.cu:31");
    EXPECT_EQ(to_text(memory.locate(a + 4096, 4)), "directly past the end of a 4096-byte allocation made at vec.cu:31");
    EXPECT_EQ(to_text(memory.locate(a + 4094, 4)), "from inside to 2 bytes past the end of a 4096-byte allocation made at vec.cu:31");
    EXPECT_EQ(to_text(memory.locate(a - 8, 4)), "8 bytes before the start of a 4096-byte allocation made at vec.cu:31");
    EXPECT_EQ(to_text(memory.locate(a + 1, 4)), "inside a 4096-byte allocation made at vec.cu:31");
}

TEST(MemoryDescribe, NamesVariablesAndFreedAllocations) {
    Memory memory(mib);
    const std::uint64_t table = memory.allocate(64, AllocationKind::constant, "weights");
    EXPECT_EQ(to_text(memory.locate(table + 64, 4)), "directly past the end of the 64-byte __constant__ variable weights");
    const std::uint64_t mangled = memory.allocate(8, AllocationKind::global, "_ZN3lab5tableE");
    EXPECT_EQ(to_text(memory.locate(mangled, 4)), "inside the 8-byte __device__ variable lab::table");
    const std::uint64_t a = memory.allocate(64, AllocationKind::device, {}, SourceLine{"vec.cu", 12, 0});
    memory.release(a, SourceLine{"vec.cu", 40, 0});
    EXPECT_EQ(to_text(memory.locate(a + 8, 4)), "inside a 64-byte allocation made at vec.cu:12 and freed at vec.cu:40");
}

TEST(MemoryDescribe, TellsNullHostAndWildAddresses) {
    Memory memory(mib);
    EXPECT_EQ(to_text(memory.locate(0, 4)), "the null pointer");
    EXPECT_EQ(to_text(memory.locate(400, 4)), "400 bytes past the null pointer");
    int local = 0;
    EXPECT_EQ(to_text(memory.locate(reinterpret_cast<std::uint64_t>(&local), 4)), "host memory (the stack), which the device can't reach");
    auto* const from_new = new int[4];
    EXPECT_NE(to_text(memory.locate(reinterpret_cast<std::uint64_t>(from_new), 4)).find("from new or malloc"), std::string::npos);
    delete[] from_new;
    EXPECT_EQ(to_text(memory.locate(0x7000'0000'0000'0000, 4)), "nowhere near any allocation");
}

TEST(Memory, HostThreadsMayAllocateAtOnce) {
    Memory memory(64 * mib);
    const auto churn = [&memory] {
        for (int i = 0; i < 200; ++i) {
            const std::uint64_t address = memory.allocate(1000, AllocationKind::device);
            ASSERT_NE(address, 0U);
            ASSERT_TRUE(memory.release(address));
        }
    };
    std::thread other(churn);
    churn();
    other.join();
    EXPECT_EQ(memory.used(), 0U);
}

}  // namespace
}  // namespace lab::machine
