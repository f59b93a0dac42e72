#include "common/emulator/machine/written.h"

#include <algorithm>
#include <bit>

#include "common/emulator/machine/bits.h"

namespace lab::machine {

void WrittenBytes::mark(std::uint64_t begin, std::uint64_t end) {
    if (complete_ || begin >= end) return;
    if (begin == 0 && end >= size_) {
        complete_ = true;
        bits_ = {};
        return;
    }
    if (bits_.empty()) bits_.resize((size_ + 63) / 64);
    for_bit_words(begin, end - 1, [&](std::uint64_t at, std::uint64_t mask) {
        bits_[at] |= mask;
        return true;
    });
}

void WrittenBytes::forget() {
    complete_ = false;
    bits_ = {};
}

bool WrittenBytes::all(std::uint64_t begin, std::uint64_t end) const {
    if (complete_ || begin >= end) return true;
    if (bits_.empty()) return false;
    return for_bit_words(begin, end - 1, [&](std::uint64_t at, std::uint64_t mask) { return (bits_[at] & mask) == mask; });
}

bool WrittenBytes::any(std::uint64_t begin, std::uint64_t end) const {
    if (complete_) return true;
    if (bits_.empty() || begin >= end) return false;
    return !for_bit_words(begin, end - 1, [&](std::uint64_t at, std::uint64_t mask) { return (bits_[at] & mask) == 0; });
}

bool WrittenBytes::complete() {
    if (!complete_ && !bits_.empty() && all(0, size_)) {
        complete_ = true;
        bits_ = {};
    }
    return complete_;
}

void WrittenBytes::copy(std::uint64_t begin, const WrittenBytes& from, std::uint64_t from_begin, std::uint64_t bytes) {
    if (bytes == 0) return;
    if (begin == 0 && bytes >= size_ && !from.any(from_begin, from_begin + bytes)) return forget();
    if (from.all(from_begin, from_begin + bytes)) return mark(begin, begin + bytes);
    if (complete_) {
        complete_ = false;
        bits_.assign((size_ + 63) / 64, ~0ULL);
    }
    if (bits_.empty()) bits_.resize((size_ + 63) / 64);
    for (std::uint64_t i = 0; i < bytes; ++i) {
        const std::uint64_t bit = 1ULL << ((begin + i) % 64);
        std::uint64_t& word = bits_[(begin + i) / 64];
        word = from.any(from_begin + i, from_begin + i + 1) ? word | bit : word & ~bit;
    }
}

void WrittenBytes::append_runs(std::uint64_t address, std::vector<ByteRun>* runs) const {
    if (complete_) runs->push_back({address, address + size_});
    for (std::uint64_t at = 0; at < bits_.size(); ++at) {
        for (std::uint64_t left = bits_[at]; left != 0;) {
            const auto first = static_cast<unsigned>(std::countr_zero(left));
            const auto length = static_cast<unsigned>(std::countr_one(left >> first));
            const std::uint64_t begin = address + 64 * at + first;
            const bool goes_on = !runs->empty() && runs->back().end == begin && begin != address;
            if (goes_on) {
                runs->back().end += length;
            } else {
                runs->push_back({begin, begin + length});
            }
            left = first + length == 64 ? 0 : left >> (first + length) << (first + length);
        }
    }
}

}  // namespace lab::machine
