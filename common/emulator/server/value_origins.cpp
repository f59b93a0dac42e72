#include "common/emulator/server/value_origins.h"

#include <algorithm>
#include <cstring>

namespace lab::cuda {
namespace {

constexpr std::size_t word_bytes = sizeof(std::uint32_t);

std::uintptr_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

std::uint32_t word_at(const void* bytes) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes, word_bytes);
    return word;
}

// Visits each whole word that the rows cover: its address, its row and its first byte in the row.
template <typename Visit>
void for_each_word(const ByteRows& rows, Visit visit) {
    for (std::size_t row = 0; row < rows.height; ++row) {
        const std::uintptr_t begin = address_of(rows.at) + row * rows.pitch;
        for (std::uintptr_t at = (begin + word_bytes - 1) / word_bytes * word_bytes; at + word_bytes <= begin + rows.width;
             at += word_bytes) {
            visit(at, row, at - begin);
        }
    }
}

const std::byte* in_rows(const void* content, std::size_t pitch, std::size_t row, std::size_t byte) {
    return static_cast<const std::byte*>(content) + row * pitch + byte;
}

template <typename IsElsewhere>
ValueOrigins::Elsewhere find_elsewhere(const Values& values, IsElsewhere is_elsewhere) {
    ValueOrigins::Elsewhere found;
    for (std::size_t at = 0; at < values.count; ++at) {
        const std::byte* const element = values.content + at * values.element_bytes;
        if (std::memcmp(element, &values.poison, values.element_bytes) == 0 || !is_elsewhere(element)) {
            continue;
        }
        found.first = found.count++ == 0 ? at : found.first;
    }
    return found;
}

}  // namespace

void ValueOrigins::begin() { *this = ValueOrigins{}; }

void ValueOrigins::has_input(const void* device, const std::byte* content, std::size_t bytes) {
    inputs_.push_back({address_of(device), address_of(device) + bytes, content});
}

// Word that a copy from the host left at an address of device memory; null if none did.
const std::uint32_t* ValueOrigins::from_host(std::uintptr_t address) const {
    const auto page = pages_.find(address / word_bytes / page_words);
    const std::size_t word = address / word_bytes % page_words;
    return page != pages_.end() && page->second->known[word] ? &page->second->words[word] : nullptr;
}

void ValueOrigins::put(std::uintptr_t address, std::uint32_t word, std::uint32_t call) {
    auto& page = pages_[address / word_bytes / page_words];
    if (page == nullptr) {
        page = std::make_unique<Page>();
    }
    page->known.set(address / word_bytes % page_words);
    page->words[address / word_bytes % page_words] = word;
    page->call = call;
}

void ValueOrigins::forget(std::uintptr_t address) {
    if (const auto page = pages_.find(address / word_bytes / page_words); page != pages_.end()) {
        page->second->known.reset(address / word_bytes % page_words);
    }
}

std::uint32_t ValueOrigins::number_of(const std::string& call) {
    const auto known = std::find(calls_.begin(), calls_.end(), call);
    const auto number = static_cast<std::uint32_t>(known - calls_.begin());
    if (known == calls_.end()) {
        calls_.push_back(call);
    }
    return number;
}

void ValueOrigins::sort_stored() {
    if (!std::is_sorted(stored_.begin(), stored_.end())) {
        std::sort(stored_.begin(), stored_.end());
        stored_.erase(std::unique(stored_.begin(), stored_.end()), stored_.end());
    }
}

bool ValueOrigins::is_stored(std::uint32_t word) const { return std::binary_search(stored_.begin(), stored_.end(), word); }

void ValueOrigins::brought(const ByteRows& to, const void* content, std::size_t content_pitch, const std::string& call) {
    sort_stored();
    const std::uint32_t number = number_of(call);
    for_each_word(to, [&](std::uintptr_t address, std::size_t row, std::size_t byte) {
        const std::uint32_t word = word_at(in_rows(content, content_pitch, row, byte));
        if (is_stored(word)) {
            forget(address);  // it has been in device memory before
        } else {
            put(address, word, number);
        }
    });
}

void ValueOrigins::moved(const ByteRows& to, const ByteRows& from, const std::string& call) {
    const std::uint32_t number = number_of(call);
    for_each_word(to, [&](std::uintptr_t address, std::size_t row, std::size_t byte) {
        const std::uintptr_t source = address_of(from.at) + row * from.pitch + byte;
        const auto input = std::find_if(inputs_.begin(), inputs_.end(),
                                        [&](const Input& one) { return source >= one.begin && source + word_bytes <= one.end; });
        if (input != inputs_.end()) {
            put(address, word_at(input->content + (source - input->begin)), number);
        } else if (const std::uint32_t* const word = from_host(source); word != nullptr) {
            put(address, *word, number);
        } else {
            forget(address);
        }
    });
}

void ValueOrigins::fetched(const ByteRows& from, const void* content, std::size_t content_pitch) {
    for_each_word(from, [&](std::uintptr_t address, std::size_t row, std::size_t byte) {
        const std::uint32_t word = word_at(in_rows(content, content_pitch, row, byte));
        const std::uint32_t* const before = from_host(address);
        if (before == nullptr || *before != word) {
            stored(word);
        }
    });
}

void ValueOrigins::filled(const ByteRows& to) {
    for_each_word(to, [&](std::uintptr_t address, std::size_t /*row*/, std::size_t /*byte*/) { forget(address); });
}

ValueOrigins::Elsewhere ValueOrigins::of_device(const void* device, const Values& values) const {
    if (pages_.empty()) {
        return {};
    }
    Elsewhere found = find_elsewhere(values, [&](const std::byte* element) {
        for (std::size_t byte = 0; byte < values.element_bytes; byte += word_bytes) {
            const std::uint32_t* const word = from_host(address_of(device) + static_cast<std::size_t>(element - values.content) + byte);
            if (word == nullptr || *word != word_at(element + byte)) {
                return false;
            }
        }
        return true;
    });
    if (found.count != 0) {
        const std::uintptr_t first = address_of(device) + found.first * values.element_bytes;
        found.call = calls_[pages_.at(first / word_bytes / page_words)->call];
    }
    return found;
}

ValueOrigins::Elsewhere ValueOrigins::of_host(const Values& values) {
    if (!can_tell_) {
        return {};
    }
    sort_stored();
    return find_elsewhere(values, [&](const std::byte* element) {
        for (std::size_t byte = 0; byte < values.element_bytes; byte += word_bytes) {
            if (is_stored(word_at(element + byte))) {
                return false;
            }
        }
        return true;
    });
}

}  // namespace lab::cuda
