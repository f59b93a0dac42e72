#include "common/report/sha256.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace lab::report {
namespace {

using Word = std::uint32_t;

constexpr std::size_t rounds = 64;
constexpr std::size_t chunk_bytes = 64;

// The first 32 bits of the fractional part of a root of a small prime.
Word fraction_bits(long double root) { return static_cast<Word>((root - std::floor(root)) * 0x1p32L); }

std::vector<unsigned> first_primes(std::size_t count) {
    std::vector<unsigned> primes;
    for (unsigned candidate = 2; primes.size() < count; ++candidate) {
        bool is_prime = true;
        for (const unsigned prime : primes) is_prime = is_prime && candidate % prime != 0;
        if (is_prime) primes.push_back(candidate);
    }
    return primes;
}

// FIPS 180-4, 4.2.2 and 5.3.3.
struct Constants {
    std::array<Word, rounds> of_round{};
    std::array<Word, 8> start{};
    Constants() {
        const std::vector<unsigned> primes = first_primes(rounds);
        for (std::size_t i = 0; i < rounds; ++i) of_round[i] = fraction_bits(std::cbrt(static_cast<long double>(primes[i])));
        for (std::size_t i = 0; i < start.size(); ++i) start[i] = fraction_bits(std::sqrt(static_cast<long double>(primes[i])));
    }
};

Word rotated(Word value, int bits) { return std::rotr(value, bits); }

std::string padded(std::string_view text) {
    std::string message(text);
    message += '\x80';
    while (message.size() % chunk_bytes != chunk_bytes - 8) message += '\0';
    const std::uint64_t bits = std::uint64_t{text.size()} * 8;
    for (int shift = 56; shift >= 0; shift -= 8) message += static_cast<char>(bits >> shift & 0xffU);
    return message;
}

// FIPS 180-4, 6.2.2.
void add_chunk(std::string_view chunk, const Constants& constants, std::array<Word, 8>* hash) {
    std::array<Word, rounds> schedule{};
    for (std::size_t i = 0; i < rounds; ++i) {
        if (i < 16) {
            for (std::size_t byte = 0; byte < 4; ++byte) schedule[i] = schedule[i] << 8U | static_cast<unsigned char>(chunk[4 * i + byte]);
            continue;
        }
        const Word early = schedule[i - 15];
        const Word late = schedule[i - 2];
        schedule[i] = schedule[i - 16] + schedule[i - 7] + (rotated(early, 7) ^ rotated(early, 18) ^ early >> 3U) +
                      (rotated(late, 17) ^ rotated(late, 19) ^ late >> 10U);
    }
    auto [a, b, c, d, e, f, g, h] = *hash;
    for (std::size_t i = 0; i < rounds; ++i) {
        const Word first =
            h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + constants.of_round[i] + schedule[i];
        const Word second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + second;
    }
    const std::array<Word, 8> state{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < state.size(); ++i) (*hash)[i] += state[i];
}

std::string base64(const std::string& bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        Word group = 0;
        for (std::size_t byte = 0; byte < 3; ++byte)
            group = group << 8U | (i + byte < bytes.size() ? static_cast<unsigned char>(bytes[i + byte]) : 0U);
        for (std::size_t digit = 0; digit < 4; ++digit) text += i + digit <= bytes.size() ? digits[group >> (18 - 6 * digit) & 63U] : '=';
    }
    return text;
}

}  // namespace

std::string sha256_base64(std::string_view text) {
    const Constants constants;
    std::array<Word, 8> hash = constants.start;
    const std::string message = padded(text);
    for (std::size_t at = 0; at < message.size(); at += chunk_bytes)
        add_chunk(std::string_view(message).substr(at, chunk_bytes), constants, &hash);
    std::string bytes;
    for (const Word word : hash) {
        for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(word >> shift & 0xffU);
    }
    return base64(bytes);
}

}  // namespace lab::report
