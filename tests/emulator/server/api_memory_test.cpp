// Allocation and release. Return values were observed on an H100.
#include <sys/mman.h>

#include <csignal>
#include <cstring>
#include <vector>

#include "common/process/page_size.h"
#include "tests/emulator/server/fixture.h"
#include "tests/emulator/server/kernels.h"

namespace lab::cuda {
namespace {

class RuntimeMemory : public Runtime {};

TEST_F(RuntimeMemory, NothingIsAllocatedForZeroBytes) {
    void* pointer = &pointer;
    EXPECT_EQ(cudaMalloc(&pointer, 0), cudaSuccess);
    EXPECT_EQ(pointer, nullptr);
    pointer = &pointer;
    EXPECT_EQ(cudaHostAlloc(&pointer, 0, 0), cudaSuccess);
    EXPECT_EQ(pointer, nullptr);
    EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
    EXPECT_EQ(cudaFreeHost(nullptr), cudaSuccess);
}

TEST_F(RuntimeMemory, NullResultPointerIsAnInvalidValue) { EXPECT_EQ(cudaMalloc(static_cast<void**>(nullptr), 16), cudaErrorInvalidValue); }

TEST_F(RuntimeMemory, FreeMemoryFallsAndRises) {
    size_t before = 0, during = 0, after = 0, total = 0;
    cudaMemGetInfo(&before, &total);
    EXPECT_EQ(total, 85017493504U);
    void* const pointer = allocate(1 << 20);
    cudaMemGetInfo(&during, &total);
    cudaFree(pointer);
    cudaMemGetInfo(&after, &total);
    EXPECT_EQ(before - during, 1U << 20);
    EXPECT_EQ(after, before);
}

TEST_F(RuntimeMemory, DoubleFreeFailsAndIsExplained) {
    void* const pointer = allocate(4096);
    EXPECT_EQ(cudaFree(pointer), cudaSuccess);
    EXPECT_EQ(cudaFree(pointer), cudaErrorInvalidValue);
    const Finding finding = only_finding();
    EXPECT_TRUE(finding.is_mistake);
    EXPECT_EQ(finding.kind, FindingKind::double_free);
    EXPECT_TRUE(contains(to_text(finding), "the memory is freed twice")) << to_text(finding);
    EXPECT_TRUE(contains(to_text(finding), "inside a 4096-byte allocation made at fixture.h:")) << to_text(finding);
    EXPECT_TRUE(contains(to_text(finding), "and freed at api_memory_test.cpp:")) << to_text(finding);
}

TEST_F(RuntimeMemory, OnlyTheStartOfAnAllocationCanBeFreed) {
    void* const pointer = allocate(4096);
    EXPECT_EQ(cudaFree(static_cast<char*>(pointer) + 256), cudaErrorInvalidValue);
    const Finding finding = only_finding();
    EXPECT_EQ(finding.kind, FindingKind::wrong_free);
    EXPECT_TRUE(contains(to_text(finding), "not the start of an allocation")) << to_text(finding);
    EXPECT_TRUE(contains(to_text(finding), "at byte 256")) << to_text(finding);
    EXPECT_EQ(cudaFree(pointer), cudaSuccess);
}

TEST_F(RuntimeMemory, HostPointersCannotBeFreedOnTheDeviceNorDevicePointersOnTheHost) {
    std::vector<char> host(64);
    EXPECT_EQ(cudaFree(host.data()), cudaErrorInvalidValue);
    const Finding finding = only_finding();
    EXPECT_EQ(finding.kind, FindingKind::pointer_exchanged);
    EXPECT_TRUE(contains(to_text(finding), "ordinary host memory")) << to_text(finding);
    EXPECT_EQ(cudaFreeHost(host.data()), cudaErrorInvalidValue);
    void* const device = allocate(64);
    EXPECT_EQ(cudaFreeHost(device), cudaErrorInvalidValue);
    void* pinned = nullptr;
    ASSERT_EQ(cudaMallocHost(&pinned, 64), cudaSuccess);
    EXPECT_EQ(cudaFree(pinned), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

TEST_F(RuntimeMemory, PinnedMemoryIsTheHostsAndTheDevicesAtOneAddress) {
    void *pinned = nullptr, *device = nullptr;
    ASSERT_EQ(cudaHostAlloc(&pinned, 4096, cudaHostAllocMapped), cudaSuccess);
    std::memset(pinned, 7, 4096);
    EXPECT_EQ(cudaHostGetDevicePointer(&device, pinned, 0), cudaSuccess);
    EXPECT_EQ(device, pinned);
    std::vector<char> plain(64);
    EXPECT_EQ(cudaHostGetDevicePointer(&device, plain.data(), 0), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

TEST_F(RuntimeMemory, HostMemoryIsRegisteredOnceAndUnregisteredOnce) {
    std::vector<char> host(4096);
    EXPECT_EQ(cudaHostRegister(host.data(), 4096, 0), cudaSuccess);
    EXPECT_EQ(cudaHostRegister(host.data(), 4096, 0), cudaErrorHostMemoryAlreadyRegistered);
    EXPECT_EQ(cudaHostUnregister(host.data()), cudaSuccess);
    EXPECT_EQ(cudaHostUnregister(host.data()), cudaErrorHostMemoryNotRegistered);
    EXPECT_EQ(cudaHostRegister(nullptr, 4, 0), cudaErrorInvalidValue);
}

TEST_F(RuntimeMemory, PointerAttributesTellTheSides) {
    void* managed = nullptr;
    ASSERT_EQ(cudaMallocManaged(&managed, 64), cudaSuccess);
    void* const device = allocate(64);
    int on_stack = 0;
    cudaPointerAttributes attributes;
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, device), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
    EXPECT_EQ(attributes.devicePointer, device);
    EXPECT_EQ(attributes.hostPointer, nullptr);
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, managed), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeManaged);
    EXPECT_EQ(attributes.hostPointer, managed);
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, &on_stack), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
    EXPECT_EQ(attributes.device, cudaInvalidDeviceId);
    EXPECT_EQ(attributes.hostPointer, &on_stack);
}

TEST_F(RuntimeMemory, PitchesAreMultiplesOf512) {
    void* pointer = nullptr;
    size_t pitch = 0;
    EXPECT_EQ(cudaMallocPitch(&pointer, &pitch, 1000, 10), cudaSuccess);
    EXPECT_EQ(pitch, 1024U);
    EXPECT_EQ(cudaMallocPitch(&pointer, &pitch, 1025, 10), cudaSuccess);
    EXPECT_EQ(pitch, 1536U);
    EXPECT_EQ(cudaMallocPitch(&pointer, &pitch, 0, 10), cudaSuccess);
    EXPECT_EQ(pointer, nullptr);
}

TEST_F(RuntimeMemory, LeaksAreListedWithTheirLines) {
    EXPECT_EQ(Session::instance().leak_report(), "");
    void* kept = nullptr;
    const int line = __LINE__ + 1;
    cudaMalloc(&kept, 4096);
    cudaFree(allocate(64));
    EXPECT_EQ(Session::instance().leak_report(),
              "device memory leaked: 1 allocation was never freed, 4096 bytes in all\n  4096 bytes, allocated at api_memory_test.cpp:" +
                  std::to_string(line));
    cudaFree(kept);
    EXPECT_EQ(Session::instance().leak_report(), "");
}

TEST_F(RuntimeMemory, PageLockedMemoryLeaksAsWellButNotWhatIsRegistered) {
    void* kept = nullptr;
    const int line = __LINE__ + 1;
    cudaHostAlloc(&kept, 96, cudaHostAllocMapped);
    std::vector<std::byte> own(4096);
    ASSERT_EQ(cudaHostRegister(own.data(), own.size(), 0), cudaSuccess);
    EXPECT_EQ(Session::instance().leak_report(),
              "memory leaked: 1 allocation was never freed, 96 bytes in all\n  96 bytes of page-locked host memory, allocated at "
              "api_memory_test.cpp:" +
                  std::to_string(line));
    EXPECT_EQ(Session::instance().take_api_counts().leaked_bytes, 96);
    cudaFreeHost(kept);
    cudaHostUnregister(own.data());
    EXPECT_EQ(Session::instance().leak_report(), "");
}

TEST_F(RuntimeMemory, TheNthAllocationFailsOnDemandAndNoOther) {
    Session::instance().fail_allocation(2);
    void *a = nullptr, *b = &b, *c = nullptr;
    EXPECT_EQ(cudaMalloc(&a, 64), cudaSuccess);
    EXPECT_EQ(cudaMallocManaged(&b, 64), cudaErrorMemoryAllocation);
    EXPECT_EQ(b, nullptr);
    EXPECT_EQ(cudaMalloc(&c, 64), cudaSuccess);
    const trace::ApiCounts counts = Session::instance().take_api_counts();
    EXPECT_EQ(counts.allocations, 2);
    EXPECT_EQ(counts.leaked_allocations, 2);
    EXPECT_EQ(counts.leaked_bytes, 128);
}

TEST_F(RuntimeMemory, HostCodeThatReadsDeviceMemoryDiesOfSegvWithOneClearLine) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto read_device = [] {
        const auto* const device = static_cast<volatile int*>(allocate(4096));
        (void)device[3];
    };
    EXPECT_EXIT(read_device(), ::testing::KilledBySignal(SIGSEGV),
                "your host code used the device pointer 0x[0-9a-f]*: inside a 4096-byte allocation made at fixture.h:[0-9]*; copy it with "
                "cudaMemcpy");
}

// On every processor: where the division gives 0, the compiler checks it.
TEST_F(RuntimeMemory, HostCodeThatDividesByZeroDiesOfFpe) {
    EXPECT_EQ(kernels::quotient(-7, 2), -3);
    EXPECT_EXIT(kernels::quotient(7, 0), ::testing::KilledBySignal(SIGFPE), "");
}

TEST_F(RuntimeMemory, AddressesThatTheHostCantTouchAreExplainedInOneLine) {
    const Session& session = Session::instance();
    const auto address = reinterpret_cast<std::uint64_t>(allocate(4096));
    const auto finding = session.explain_host_access(address + 12);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->kind, FindingKind::host_access);
    EXPECT_EQ(finding->headline.rfind("your host code used the device pointer allocated at fixture.h:", 0), 0U) << finding->headline;
    EXPECT_TRUE(contains(finding->headline, "; only cudaMemcpy reaches that memory")) << finding->headline;
    EXPECT_EQ(finding->places.at(0).role, PlaceRole::allocated);
    EXPECT_EQ(finding->places.at(0).source.file, "fixture.h");
    for (const std::uint64_t header : {8U, 16U}) {
        EXPECT_TRUE(contains(session.explain_host_access(address - header).value().headline, "freed with free or delete? Use cudaFree"));
    }
    const Finding before = session.explain_host_access(address - 24).value();
    EXPECT_EQ(before.headline.rfind("your host code used the device pointer 0x", 0), 0U) << before.headline;
    EXPECT_EQ(evidence_of(before).at(0).rfind("24 bytes before the start of a 4096-byte allocation", 0), 0U) << evidence_of(before).at(0);
    const int here = 0;
    EXPECT_FALSE(session.explain_host_access(reinterpret_cast<std::uint64_t>(&here)));
}

TEST_F(RuntimeMemory, ACopyThatCrashesInHostMemorySaysWhichOneItIs) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto copy_too_much = [] {
        const std::size_t page = page_bytes();
        void* const from = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(static_cast<char*>(from) + page, page, PROT_NONE);
        (void)cudaMemcpy(allocate(2 * page), from, 2 * page, cudaMemcpyHostToDevice);
    };
    EXPECT_EXIT(copy_too_much(), ::testing::KilledBySignal(SIGSEGV),
                "cudaMemcpy at api_memory_test.cpp:[0-9]* reads " + std::to_string(2 * page_bytes()) +
                    " bytes of host memory, which are not all there");
}

TEST_F(RuntimeMemory, DeviceResetFreesEverythingAndStartsAtTheSameAddresses) {
    void* const first = allocate(4096);
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    EXPECT_EQ(Session::instance().take_api_counts().leaked_allocations, 0);
    EXPECT_EQ(allocate(4096), first);
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    EXPECT_EQ(Session::instance().take_api_counts().leaked_allocations, 0);
}

}  // namespace
}  // namespace lab::cuda
