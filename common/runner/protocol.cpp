#include "common/runner/protocol.h"

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace lab::runner {
namespace {

constexpr std::uint64_t odd_multiplier = 0x9e3779b97f4a7c15U;

class Mixer {
public:
    void add(const void* data, std::size_t bytes) {
        const auto* at = static_cast<const unsigned char*>(data);
        // Eight independent words: sequentially each would wait for the product of the last.
        std::array<std::uint64_t, 8> lanes{1, 2, 3, 4, 5, 6, 7, 8};
        for (; bytes >= sizeof lanes; at += sizeof lanes, bytes -= sizeof lanes) {
            std::array<std::uint64_t, 8> words{};
            std::memcpy(words.data(), at, sizeof words);
            for (std::size_t i = 0; i < lanes.size(); ++i) {
                lanes[i] = (lanes[i] ^ words[i]) * odd_multiplier;
                lanes[i] ^= lanes[i] >> 29;
            }
        }
        for (const std::uint64_t lane : lanes) {
            mix(lane);
        }
        for (; bytes >= 8; at += 8, bytes -= 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, at, 8);
            mix(word);
        }
        std::uint64_t rest = bytes;
        for (; bytes > 0; ++at, --bytes) {
            rest = rest << 8 | *at;
        }
        mix(rest);
    }
    [[nodiscard]] std::uint64_t value() const { return state_; }

private:
    void mix(std::uint64_t word) {
        state_ = (state_ ^ word) * odd_multiplier;
        state_ ^= state_ >> 29;
    }
    std::uint64_t state_ = 0x2545f4914f6cdd1dU;
};

// All parts together, which wakes the reader once.
bool write_all(int descriptor, std::vector<iovec> parts) {
    std::span<iovec> left(parts);
    while (!left.empty()) {
        msghdr message{};
        message.msg_iov = left.data();
        message.msg_iovlen = std::min<std::size_t>(left.size(), IOV_MAX);
        // MSG_NOSIGNAL: a closed reader must not end the writer.
        const ssize_t sent = ::sendmsg(descriptor, &message, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return false;
        auto done = static_cast<std::size_t>(sent);
        while (!left.empty() && done >= left.front().iov_len) {
            done -= left.front().iov_len;
            left = left.subspan(1);
        }
        if (left.empty()) break;
        left.front() = {static_cast<std::byte*>(left.front().iov_base) + done, left.front().iov_len - done};
    }
    return true;
}

bool read_all(int descriptor, void* data, std::size_t bytes) {
    auto* at = static_cast<char*>(data);
    while (bytes > 0) {
        const ssize_t done = ::read(descriptor, at, bytes);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return false;
        }
        at += done;
        bytes -= static_cast<std::size_t>(done);
    }
    return true;
}

}  // namespace

std::uint64_t checksum(const void* first, std::size_t first_bytes, const void* second, std::size_t second_bytes) {
    Mixer mixer;
    mixer.add(first, first_bytes);
    mixer.add(second, second_bytes);
    return mixer.value();
}

namespace {

constexpr std::size_t end_bytes = 65536;  // of raw, at either end

std::uint64_t checksum_with_ends(const void* json, std::size_t json_bytes, const std::byte* first, std::size_t bytes,
                                 const std::byte* last) {
    const std::array<std::uint64_t, 2> sums{checksum(json, json_bytes, first, bytes), checksum(last, bytes, nullptr, 0)};
    return checksum(sums.data(), sizeof sums, nullptr, 0);
}

}  // namespace

std::uint64_t frame_checksum(const void* json, std::size_t json_bytes, const std::byte* raw, std::size_t raw_bytes) {
    const std::size_t bytes = std::min(raw_bytes, end_bytes);
    return checksum_with_ends(json, json_bytes, raw, bytes, raw + (raw_bytes - bytes));
}

namespace {

std::uint64_t raw_bytes_of(const Frame& frame) {
    std::uint64_t bytes = frame.raw.size();
    for (const auto& view : frame.views) bytes += view.size();
    return bytes;
}

// frame_checksum() of a frame whose arrays are in several buffers: gathers the first and the last 64 KiB of the raw bytes.
std::uint64_t checksum_of(const Frame& frame) {
    if (frame.views.empty()) {
        return frame_checksum(frame.json.data(), frame.json.size(), frame.raw.data(), frame.raw.size());
    }
    std::vector<std::span<const std::byte>> parts{frame.raw};
    parts.insert(parts.end(), frame.views.begin(), frame.views.end());
    std::vector<std::byte> ends;
    for (const auto& part : parts) {
        const auto share = part.first(std::min(part.size(), end_bytes - ends.size()));
        ends.insert(ends.end(), share.begin(), share.end());
    }
    const std::size_t bytes = ends.size();
    ends.resize(2 * bytes);
    std::size_t to = ends.size();
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
        const auto share = part->last(std::min(part->size(), to - bytes));
        to -= share.size();
        std::copy(share.begin(), share.end(), ends.begin() + static_cast<std::ptrdiff_t>(to));
    }
    return checksum_with_ends(frame.json.data(), frame.json.size(), ends.data(), bytes, ends.data() + bytes);
}

}  // namespace

FrameHeader header_of(const Frame& frame, std::uint64_t nonce) {
    return {.magic = frame_magic,
            .nonce = nonce,
            .sequence = frame.sequence,
            .json_bytes = frame.json.size(),
            .raw_bytes = raw_bytes_of(frame),
            .checksum = checksum_of(frame),
            .kind = frame.kind};
}

bool plausible(const FrameHeader& header) {
    return header.magic == frame_magic && header.kind >= FrameKind::hello && header.kind <= FrameKind::tick &&
           header.json_bytes <= max_json_bytes && header.raw_bytes <= max_raw_bytes;
}

bool write_frame(int descriptor, std::uint64_t nonce, const Frame& frame) {
    const FrameHeader header = header_of(frame, nonce);
    std::vector<iovec> parts;
    const auto add = [&](const void* data, std::size_t bytes) { parts.push_back({const_cast<void*>(data), bytes}); };
    add(&header, sizeof header);
    add(frame.json.data(), frame.json.size());
    add(frame.raw.data(), frame.raw.size());
    for (const auto& view : frame.views) add(view.data(), view.size());
    return write_all(descriptor, std::move(parts));
}

std::optional<Frame> read_frame(int descriptor, std::uint64_t* nonce, std::vector<std::byte> storage) {
    FrameHeader header;
    if (!read_all(descriptor, &header, sizeof header) || !plausible(header)) {
        return std::nullopt;
    }
    Frame frame{.kind = header.kind, .sequence = header.sequence, .raw = std::move(storage)};
    frame.json.resize(header.json_bytes);
    frame.raw.resize(header.raw_bytes);
    if (!read_all(descriptor, frame.json.data(), frame.json.size()) || !read_all(descriptor, frame.raw.data(), frame.raw.size())) {
        return std::nullopt;
    }
    if (checksum_of(frame) != header.checksum) {
        return std::nullopt;
    }
    *nonce = header.nonce;
    return frame;
}

}  // namespace lab::runner
