#include "common/runner/buffer.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "common/process/page_size.h"

namespace lab::runner {
namespace {

// Every array has another one, so that copying the bytes before one array to those before another is detected, too.
std::byte next_front_pattern() {
    static std::uint8_t last = 0xb5;
    return std::byte{++last};
}

// The mapping of a destroyed plain array, kept for the next of that size: mapping new pages takes longer than filling them. It is
// inaccessible meanwhile.
struct Kept {
    std::byte* mapping = nullptr;
    std::size_t bytes = 0;
};
constexpr std::size_t max_kept = 4;
std::vector<Kept>& kept() {
    static std::vector<Kept> all;
    return all;
}

std::byte* take_kept(std::size_t bytes) {
    auto& all = kept();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Kept& one) { return one.bytes == bytes; });
    if (found == all.end()) {
        return nullptr;
    }
    std::byte* const mapping = found->mapping;
    all.erase(found);
    return mapping;
}

void keep(std::byte* mapping, std::size_t bytes) {
    auto& all = kept();
    if (::mprotect(mapping, bytes, PROT_NONE) != 0) {
        ::munmap(mapping, bytes);
        return;
    }
    if (all.size() == max_kept) {
        ::munmap(all.front().mapping, all.front().bytes);
        all.erase(all.begin());
    }
    all.push_back({mapping, bytes});
}

[[noreturn]] void no_memory(const BufferSpec& spec) {
    throw SetupError(fmt::format("not enough memory for {} ({} MiB)", spec.name, (spec.count * spec.element_bytes()) >> 20));
}

}  // namespace

std::byte* Buffer::data() {
    if (spec_.address != 0)
        throw SetupError(fmt::format("{} lies in device memory: the suite's call has to ask for host arrays", spec_.name));
    if (data_ == nullptr) {
        if (spec_.period != 0) {
            map_repeated();
        } else {
            map_plain();
        }
    }
    return data_;
}

Buffer::~Buffer() {
    if (mapping_ == nullptr) {
        return;
    }
    if (spec_.period == 0 && data_ != nullptr) {
        keep(mapping_, mapping_bytes_);
    } else {
        ::munmap(mapping_, mapping_bytes_);
    }
}

// [guard page][pattern ... array][guard page]: the array ends where the guard page starts.
void Buffer::map_plain() {
    const std::size_t page = page_bytes();
    const std::size_t inside = std::max(page, page_end(bytes()));
    mapping_bytes_ = inside + 2 * page;
    mapping_ = take_kept(mapping_bytes_);
    if (mapping_ == nullptr) {
        void* made = ::mmap(nullptr, mapping_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (made == MAP_FAILED) {
            no_memory(spec_);
        }
        mapping_ = static_cast<std::byte*>(made);
    }
    if (::mprotect(mapping_ + page, inside, PROT_READ | PROT_WRITE) != 0) {
        no_memory(spec_);
    }
    data_ = mapping_ + page + inside - bytes();
    front_pattern_ = next_front_pattern();
    std::fill(mapping_ + page, data_, front_pattern_);
    if (spec_.output) {
        poison_data();
    } else if (bytes() != 0) {
        std::memcpy(data_, content_, bytes());
    }
}

// The same few pages mapped repeatedly and populated by the system: cheaper than a page fault each.
void Buffer::map_repeated() {
    const std::size_t period_bytes = spec_.period * spec_.element_bytes();
    const std::size_t page = page_bytes();
    const std::size_t step = std::lcm(period_bytes, page);  // larger pages may need several periods
    if (bytes() % step != 0) {
        throw SetupError("a repeated array has to be a multiple of whole pages");
    }
    const int memory = ::memfd_create("lab-array", MFD_CLOEXEC);
    if (memory < 0 || ::ftruncate(memory, static_cast<off_t>(step)) != 0) {
        no_memory(spec_);
    }
    mapping_bytes_ = bytes() + 2 * page;
    void* made = ::mmap(nullptr, mapping_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED) {
        no_memory(spec_);
    }
    mapping_ = static_cast<std::byte*>(made);
    data_ = mapping_ + page;
    for (std::size_t at = 0; at < bytes(); at += step) {
        const int access = at == 0 ? PROT_READ | PROT_WRITE : PROT_READ;
        if (::mmap(data_ + at, step, access, MAP_SHARED | MAP_FIXED | MAP_POPULATE, memory, 0) == MAP_FAILED) {
            no_memory(spec_);
        }
        if (at == 0) {
            for (std::size_t to = 0; to < step; to += period_bytes) std::memcpy(data_ + to, content_, period_bytes);
        }
    }
    ::close(memory);
}

void Buffer::poison_data() const {
    if (spec_.output && data_ != nullptr) {
        fill_repeatedly(data_, bytes(), spec_.poison_bytes());
    }
}

void Buffer::poison_result(std::uint64_t bytes) const { fill_repeatedly(result_, bytes, spec_.poison_bytes()); }

bool Buffer::front_intact() const {
    return data_ == nullptr || spec_.period != 0 ||
           std::all_of(mapping_ + page_bytes(), data_, [this](std::byte value) { return value == front_pattern_; });
}

bool Buffer::near(std::uintptr_t address, std::int64_t* distance, bool* past_end) const {
    const auto first = reinterpret_cast<std::uintptr_t>(data_);
    const auto last = first + bytes();
    const auto low = reinterpret_cast<std::uintptr_t>(mapping_);
    if (data_ == nullptr || address < low || address >= low + mapping_bytes_) {
        return false;
    }
    *past_end = address >= last;
    *distance = static_cast<std::int64_t>(address) - static_cast<std::int64_t>(*past_end ? last : first);
    return true;
}

}  // namespace lab::runner
