// Protocol between suite and runner: frames of JSON and raw bytes over one socket that nothing else uses.
//
// suite -> runner   hello (the nonce of this runner), then requests, each with the next sequence number
// runner -> suite   hello; then for each request: entering (student code starts now), at most one crash (a signal's
//                   explanation, the process dies after it), and exactly one answer. Where host code is timed, a tick before and after
//                   each call of it. The suite reads the process's clock and answers; it answers crashes, too, and entering with arrays
//
// Every frame carries a nonce, a sequence number and a checksum of its JSON and of both ends of its arrays: a stray byte shifts the far
// end. A frame without any of them is no answer. So output of student code, writes to stray descriptors, or an early exit never count as
// one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lab::runner {

enum class FrameKind : std::uint32_t { hello = 1, request, entering, crash, answer, tick };

struct Frame {
    FrameKind kind = FrameKind::hello;
    std::uint64_t sequence = 0;
    std::string json;            // JSON text
    std::vector<std::byte> raw;  // array contents, in the order that the JSON lists them
    // Array contents elsewhere in memory, sent after `raw`. A received frame has none.
    std::vector<std::span<const std::byte>> views;
};

struct FrameHeader {
    std::uint64_t magic = 0;
    std::uint64_t nonce = 0;
    std::uint64_t sequence = 0;
    std::uint64_t json_bytes = 0;
    std::uint64_t raw_bytes = 0;
    std::uint64_t checksum = 0;  // frame_checksum()
    FrameKind kind = FrameKind::hello;
    std::uint32_t reserved = 0;
};

constexpr std::uint64_t frame_magic = 0x4c41424652414d45;  // "LABFRAME"
// More is treated as garbage. A call that launches a kernel for each of lab 4's 16385 rows answers with 24 MB.
constexpr std::uint64_t max_json_bytes = std::uint64_t{64} << 20;
constexpr std::uint64_t max_raw_bytes = std::uint64_t{1} << 32;

// 64-bit checksum of two consecutive ranges of memory. It detects accidents, not attacks.
[[nodiscard]] std::uint64_t checksum(const void* first, std::size_t first_bytes, const void* second, std::size_t second_bytes);
// Checksum of a frame header: covers all of `json`, and the first and last 64 KiB of `raw`. Safe in a signal handler.
[[nodiscard]] std::uint64_t frame_checksum(const void* json, std::size_t json_bytes, const std::byte* raw, std::size_t raw_bytes);

[[nodiscard]] FrameHeader header_of(const Frame& frame, std::uint64_t nonce);
// Whether a header may be valid: magic, kind and lengths. The caller checks the nonce.
[[nodiscard]] bool plausible(const FrameHeader& header);

// Blocking transfer of whole frames. False, or nothing, if the other side is gone or the data are no frame.
[[nodiscard]] bool write_frame(int descriptor, std::uint64_t nonce, const Frame& frame);
// `storage`: memory for the frame's raw bytes, reused from an earlier frame. Allocating new pages for arrays of many MB takes longer than
// filling them.
[[nodiscard]] std::optional<Frame> read_frame(int descriptor, std::uint64_t* nonce, std::vector<std::byte> storage = {});

}  // namespace lab::runner
