// Whether an access that faulted on AArch64 was a write, by the record that the kernel adds to the signal or by the instruction.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

namespace lab::client {

// Whether the exception's syndrome among a signal context's records (asm/sigcontext.h) says that a write faulted. False without one: not
// every kernel makes it. Arm Architecture Reference Manual, D17.2.37, "ESR_EL1".
inline bool records_a_write(std::span<const unsigned char> records) {
    struct {
        std::uint32_t magic, size;
        std::uint64_t syndrome;
    } record{};
    for (; records.size() >= sizeof record; records = records.subspan(record.size)) {
        std::memcpy(&record, records.data(), sizeof record);
        constexpr std::uint32_t esr_magic = 0x45535201;
        constexpr std::uint64_t data_abort = 0x12, write_bit = 1U << 6U;  // classes 0x24 and 0x25: from a lower level or the same one
        if (record.magic == esr_magic) return (record.syndrome >> 27U & 0x1fU) == data_abort && (record.syndrome & write_bit) != 0;
        if (record.size == 0 || record.size > records.size()) break;
    }
    return false;
}

// Whether the instruction stores; those that load and store, as swp does, do. Arm Architecture Reference Manual, C4.1, "Loads and Stores".
constexpr bool is_a64_store(std::uint32_t code) {
    const auto field = [code](unsigned high, unsigned low) { return code >> low & ((2U << (high - low)) - 1); };
    const auto bit = [code](unsigned at) { return (code >> at & 1U) != 0; };
    if ((code & ~31U) == 0xd50b7420) return true;  // dc zva, by which the C library's memset stores zeros
    if (field(31, 25) == 0b1110010) return true;   // of vectors of any length (SVE)
    if (!bit(27) || bit(25)) return false;         // no load or store
    const bool is_vector = bit(26), has_store_code = field(23, 22) == 0;
    switch (field(29, 28)) {
        case 0: {  // exclusive and ordered; structures of vectors
            const bool is_compare_and_swap = !is_vector && !bit(24) && bit(21) && (bit(23) || !bit(31));
            return is_compare_and_swap || !bit(22);
        }
        case 1:  // literals; ordered with an offset
            return bit(24) && has_store_code;
        case 2:  // pairs
            return !bit(22);
        default:
            break;
    }
    if (is_vector) return !bit(22);
    if (bit(24) || !bit(21) || field(11, 10) == 0b10) return has_store_code;
    if (field(11, 10) != 0) return false;  // ldraa, ldrab
    return field(15, 12) >> 1U != 0b110;   // atomics, but for ldapr and ld64b
}

}  // namespace lab::client
