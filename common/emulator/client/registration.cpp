// Registrations by compiler-generated code at program start: PTX of kernels, and host symbols of kernels and variables.
#include "common/emulator/client/registration.h"

#include <sys/mman.h>

#include <cstring>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "common/emulator/client/device.h"
#include "common/process/page_size.h"

// Names required by clang's host code and the linker. Between these the linker places the host's copies of __managed__ variables
// (include/host_defines.h), and variables that have pages of their own (shadows.ld).
extern "C" {
extern char __start_lab_shadows[] __attribute__((weak));
extern char __stop_lab_shadows[] __attribute__((weak));
extern char __start_lab_managed[] __attribute__((weak));
extern char __stop_lab_managed[] __attribute__((weak));
}

namespace lab::client {
namespace {

bool is_within(const void* shadow, const char* begin, const char* end) {
    const auto* const address = static_cast<const char*>(shadow);
    return begin != nullptr && address >= begin && address < end;
}

struct Variable {
    std::string name;
    void* shadow = nullptr;
    std::uint64_t size = 0;
    bool is_managed = false, is_constant = false;
    // Pages of the host's copy that hold nothing else; none if they may. A kernel never sees that copy.
    [[nodiscard]] std::uint64_t begin() const { return reinterpret_cast<std::uint64_t>(shadow); }
    [[nodiscard]] std::uint64_t end() const {
        return is_within(shadow, __start_lab_shadows, __stop_lab_shadows) ? page_end(begin() + size) : begin();
    }
};

// One translation unit's kernels.
struct Unit {
    std::string text;                                            // PTX
    std::vector<std::pair<const void*, std::string>> functions;  // the host's stub, and the mangled name
    std::vector<Variable> variables;
    bool is_known = false;  // to the device
};

// Never destroyed: programs call the runtime from destructors of their own globals.
std::list<Unit>& units() {
    static auto* const all = new std::list<Unit>;
    return *all;
}

// nvcc's container, as fatbinary_section.h of the CUDA Toolkit calls it: a header, then entries that each have one, uncompressed text in
// the only one (-Xfatbin=--compress=false). Its form is not documented; seen in what nvcc 13.0 writes.
struct FatBinaryHeader {
    static constexpr std::uint32_t expected = 0xBA55ED50;
    std::uint32_t magic;
    std::uint16_t version, bytes;
    std::uint64_t bytes_of_entries;
};
struct FatBinaryEntry {
    static constexpr std::uint16_t ptx = 1;
    std::uint16_t kind, version;
    std::uint32_t bytes;
    std::uint64_t bytes_of_content;
};

std::string ptx_of(const char* data) {
    FatBinaryHeader header{};
    std::memcpy(&header.magic, data, sizeof header.magic);
    if (header.magic != FatBinaryHeader::expected) return data;
    std::memcpy(&header, data, sizeof header);
    FatBinaryEntry entry{};
    std::memcpy(&entry, data + header.bytes, sizeof entry);
    if (entry.kind != FatBinaryEntry::ptx) return {};
    const std::string text(data + header.bytes + entry.bytes, entry.bytes_of_content);
    return text.substr(0, text.find('\0'));
}

void send(Device& device, Unit& unit) {
    unit.is_known = true;
    wire::Writer text;
    text.text(unit.text);
    text.put(static_cast<std::uint64_t>(unit.functions.size()));
    for (const auto& [stub, name] : unit.functions) text.put(stub).text(name);
    text.put(static_cast<std::uint64_t>(unit.variables.size()));
    for (const Variable& variable : unit.variables) {
        text.text(variable.name).put(variable.shadow).put(variable.size).put(variable.is_managed).put(variable.is_constant);
    }
    device.add_text(text.all());
    device.ask(wire::Call::register_unit, {nullptr, 0});
    if (!device.follows_host()) return;
    for (const Variable& variable : unit.variables) {
        if (variable.begin() != variable.end()) ::mprotect(variable.shadow, variable.end() - variable.begin(), PROT_NONE);
    }
}

}  // namespace

// Sending makes calls, which come here again.
void send_new_units(Device& device) {
    static bool is_sending = false;
    if (std::exchange(is_sending, true)) return;
    for (Unit& unit : units()) {
        if (!unit.is_known) send(device, unit);
    }
    is_sending = false;
}

void forget_units() {
    for (Unit& unit : units()) unit.is_known = false;
}

bool on_shadow_access(std::uint64_t address, bool is_write) {
    for (const Unit& unit : units()) {
        for (const Variable& variable : unit.variables) {
            if (address < variable.begin() || address >= variable.end()) continue;
            // Reported once.
            if (::mprotect(variable.shadow, variable.end() - variable.begin(), PROT_READ | PROT_WRITE) != 0) return false;
            Device::instance().ask(wire::Call::shadow_access, {nullptr, 0}, static_cast<const void*>(variable.shadow), is_write);
            return true;
        }
    }
    return false;
}

}  // namespace lab::client

using lab::client::Unit;

// Called by clang's generated code (CodeGen/CGCUDANV.cpp), before main().
extern "C" {

struct LabFatBinary {
    unsigned int magic, version;
    const char* data;  // clang: PTX text, NUL-terminated; nvcc: a container
    const void* unused;
};

void** __cudaRegisterFatBinary(void* wrapper) {
    Unit& unit = lab::client::units().emplace_back();
    unit.text = lab::client::ptx_of(static_cast<const LabFatBinary*>(wrapper)->data);
    return reinterpret_cast<void**>(&unit);
}

int __cudaRegisterFunction(void** handle, const void* stub, char*, const char* name, int, void*, void*, void*, void*, int*) {
    reinterpret_cast<Unit*>(handle)->functions.emplace_back(stub, name);
    return 0;
}

void __cudaRegisterVar(void** handle, char* shadow, char*, const char* name, int, std::size_t size, int is_constant, int) {
    const bool is_managed = lab::client::is_within(shadow, __start_lab_managed, __stop_lab_managed);
    reinterpret_cast<Unit*>(handle)->variables.push_back({name, shadow, size, is_managed, is_constant != 0});
}

// nvcc's host code reaches the variable by a pointer, which is to have its memory.
void __cudaRegisterManagedVar(void** handle, void** pointer, char*, const char* name, int, std::size_t size, int, int) {
    void* const pages = ::mmap(nullptr, lab::page_end(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return;  // a use ends the program
    *pointer = pages;
    reinterpret_cast<Unit*>(handle)->variables.push_back({name, pages, size, true, false});
}

// The device learns of them now, not at the first call: the host may read a managed variable before, or another one's own copy.
void __cudaRegisterFatBinaryEnd(void** handle) {
    if (!reinterpret_cast<Unit*>(handle)->variables.empty()) {
        lab::client::Device::instance().exchange(lab::wire::Call::cudaPeekAtLastError, {nullptr, 0}, {});
    }
}

void __cudaUnregisterFatBinary(void**) {}  // at exit; the later report still needs the names

}  // extern "C"
