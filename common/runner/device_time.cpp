#include "common/runner/device_time.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>

#include "common/runner/processor_time.h"

namespace lab::runner {
namespace {

std::uint64_t process_time() { return nanoseconds_on(CLOCK_PROCESS_CPUTIME_ID); }

void* map(int descriptor) {
    void* const memory = ::mmap(nullptr, sizeof(DeviceTime), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return memory == MAP_FAILED ? nullptr : memory;
}

// Part of each launch that counts as the host's: an infinite loop of small launches is limited like host code.
constexpr std::uint64_t host_share = 50'000;

}  // namespace

void DeviceTime::launch_begins() { since = process_time(); }

void DeviceTime::launch_ends() {
    const std::uint64_t taken = process_time() - since;
    spent += taken - std::min(taken, host_share);
    since = 0;
}

std::uint64_t DeviceTime::until(std::uint64_t processor) const {
    const std::uint64_t began = since;
    return spent + (began != 0 && processor > began ? processor - began : 0);
}

DeviceTime* share_device_time(int* descriptor) {
    *descriptor = ::memfd_create("device time", MFD_CLOEXEC);
    if (*descriptor < 0) return nullptr;
    void* const memory = ::ftruncate(*descriptor, sizeof(DeviceTime)) == 0 ? map(*descriptor) : nullptr;
    if (memory != nullptr) return new (memory) DeviceTime;
    ::close(*descriptor);
    *descriptor = -1;
    return nullptr;
}

void unshare(DeviceTime* shared) {
    if (shared != nullptr) ::munmap(shared, sizeof *shared);
}

DeviceTime* take_device_time(int descriptor) {
    void* const memory = map(descriptor);
    ::close(descriptor);
    return static_cast<DeviceTime*>(memory);
}

}  // namespace lab::runner
