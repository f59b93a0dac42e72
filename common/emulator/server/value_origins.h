// Distinguishes values stored by kernels from those that the host computed and copies moved. Tracks copies and their contents: a value in
// device memory counts as a kernel's unless a copy from the host left the same value at that address.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace lab::cuda {

// `height` rows of `width` bytes; `pitch` bytes from one row's start to the next one's.
struct ByteRows {
    const void* at = nullptr;
    std::size_t pitch = 0, width = 0, height = 0;
};

// An output after the call. `poison`: value of each element before.
struct Values {
    const std::byte* content = nullptr;
    std::size_t count = 0;
    std::size_t element_bytes = 4;  // or 8
    std::uint64_t poison = 0;
};

class ValueOrigins {
public:
    // Clears all records. Values are tracked in words of 4 bytes.
    void begin();

    // An input array in device memory, placed for the call. `content` has to live until the next begin().
    void has_input(const void* device, const std::byte* content, std::size_t bytes);

    // Completed copies of student code; `call`: "cudaMemcpy2D at transpose.cu:31".
    // Copy to device memory. `content`: the copied data, in rows at the distance of `content_pitch` bytes.
    void brought(const ByteRows& to, const void* content, std::size_t content_pitch, const std::string& call);
    // Copy within device memory.
    void moved(const ByteRows& to, const ByteRows& from, const std::string& call);
    // Copy to the host. `content`: the copied data.
    void fetched(const ByteRows& from, const void* content, std::size_t content_pitch);
    // A fill, like cudaMemset.
    void filled(const ByteRows& to);

    // A kernel's store to memory that the host reads without a copy.
    void stored(std::uint32_t word) { stored_.push_back(word); }
    // Kernels may have stored to host memory unobserved: values there are no longer judged.
    void cannot_tell() { can_tell_ = false; }

    // Elements of an output that no kernel stored. Elements that still hold the poison are excluded.
    struct Elsewhere {
        std::uint64_t count = 0;
        std::uint64_t first = 0;  // element
        std::string call;         // that brought the first one to device memory; "" for host memory
    };
    [[nodiscard]] Elsewhere of_device(const void* device, const Values& values) const;
    [[nodiscard]] Elsewhere of_host(const Values& values);

private:
    static constexpr std::size_t page_words = 1024;
    struct Page {
        std::bitset<page_words> known;
        std::uint32_t words[page_words]{};
        std::uint32_t call = 0;  // the last one that copied any of them
    };
    struct Input {
        std::uintptr_t begin = 0, end = 0;
        const std::byte* content = nullptr;
    };
    [[nodiscard]] const std::uint32_t* from_host(std::uintptr_t address) const;
    void put(std::uintptr_t address, std::uint32_t word, std::uint32_t call);
    void forget(std::uintptr_t address);
    void sort_stored();  // for is_stored()
    [[nodiscard]] bool is_stored(std::uint32_t word) const;
    std::uint32_t number_of(const std::string& call);

    std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;  // values that copies from the host left in device memory
    std::vector<std::string> calls_;
    std::vector<Input> inputs_;
    std::vector<std::uint32_t> stored_;  // words of host memory that came from a kernel
    bool can_tell_ = true;
};

}  // namespace lab::cuda
