// What suite and runner say to each other: frames of JSON and raw bytes over one socket that nothing else knows.
//
// suite -> runner   hello (the nonce of this runner), then requests, each with the next sequence number
// runner -> suite   hello; then for each request: entering (student code starts now), at most one crash (a signal's
//                   explanation, the process dies after it), and exactly one answer
//
// Every frame carries a nonce, a sequence number and a checksum of its JSON and of both ends of its arrays: a stray byte on the way
// shifts the far end. A frame that lacks any of them is no answer: what student code prints, writes to stray descriptors or leaves
// undone by exiting never counts as one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lab::runner {

enum class FrameKind : std::uint32_t { hello = 1, request, entering, crash, answer };

struct Frame {
    FrameKind kind = FrameKind::hello;
    std::uint64_t sequence = 0;
    std::string json;            // what it says
    std::vector<std::byte> raw;  // array contents, in the order that the JSON lists them
    // Array contents that lie elsewhere, sent behind `raw`. A frame that was read has none.
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

constexpr std::uint64_t frame_magic = 0x4c41424652414d45;          // "LABFRAME"
constexpr std::uint64_t max_json_bytes = std::uint64_t{16} << 20;  // more is taken for garbage
constexpr std::uint64_t max_raw_bytes = std::uint64_t{1} << 32;

// 64-bit checksum of two ranges of memory, one after the other. It finds accidents, not attacks.
[[nodiscard]] std::uint64_t checksum(const void* first, std::size_t first_bytes, const void* second, std::size_t second_bytes);
// A frame header's checksum: covers all of `json`, and the first and last 64 KiB of `raw`. Safe in a signal handler.
[[nodiscard]] std::uint64_t frame_checksum(const void* json, std::size_t json_bytes, const std::byte* raw, std::size_t raw_bytes);

[[nodiscard]] FrameHeader header_of(const Frame& frame, std::uint64_t nonce);
// Whether a header can be one of ours at all: magic, kind and lengths. The nonce is the caller's to check.
[[nodiscard]] bool plausible(const FrameHeader& header);

// Blocking, whole frames. False, or nothing, when the other side is gone or what came is not a frame.
[[nodiscard]] bool write_frame(int descriptor, std::uint64_t nonce, const Frame& frame);
// `storage`: memory for the frame's raw bytes, from a frame that is done with. New pages for arrays of many MB take longer than to fill
// them.
[[nodiscard]] std::optional<Frame> read_frame(int descriptor, std::uint64_t* nonce, std::vector<std::byte> storage = {});

}  // namespace lab::runner
