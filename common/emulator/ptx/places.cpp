#include "common/emulator/ptx/places.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <unordered_map>
#include <vector>

#include "common/emulator/ptx/instruction_set.h"
#include "common/emulator/ptx/module.h"

namespace lab::ptx {

namespace {

constexpr std::array<std::string_view, 7> library_folders{
    "/lib/clang/",   "/cuda/include/", "/targets/x86_64-linux/include/", "/targets/sbsa-linux/include/", "common/emulator/client/include/",
    "/include/crt/", "/usr/include/",
};

bool begins_with_result(const Instruction& instruction) {
    return !instruction.operands.empty() && instruction.operands.front().kind != Operand::Kind::memory;
}

// The registers that it writes. PTX has the destination first; instructions without one begin with an address or a label.
std::vector<std::uint32_t> results_of(const Instruction& instruction) {
    std::vector<std::uint32_t> found;
    if (!begins_with_result(instruction)) return found;
    for_each_within(instruction.operands.front(), [&](const Operand& one) {
        if (one.kind == Operand::Kind::reg) found.push_back(one.reg);
    });
    return found;
}

std::vector<std::uint32_t> sources_of(const Instruction& instruction) {
    std::vector<std::uint32_t> found;
    if (instruction.guard) found.push_back(instruction.guard->reg);
    for (std::size_t i = begins_with_result(instruction) ? 1 : 0; i < instruction.operands.size(); ++i) {
        for_each_within(instruction.operands[i], [&](const Operand& one) {
            if (one.kind == Operand::Kind::reg || (one.kind == Operand::Kind::memory && one.has_register)) found.push_back(one.reg);
        });
    }
    return found;
}

// A register's name in two parts: "%r" and 12. Its kind's next register is the next key.
using Number = std::pair<std::string, unsigned long>;
Number number_of(const Register& reg) {
    const std::size_t digits = reg.name.find_last_not_of("0123456789") + 1;
    return {reg.name.substr(0, digits), std::strtoul(reg.name.c_str() + digits, nullptr, 10)};
}

// Whether no other thread can write what it accesses.
bool is_private(const Instruction& instruction) {
    return instruction.space == Space::param || instruction.space == Space::constant || instruction.space == Space::local;
}

// Places moved code that sets the register: at its use, or nearer.
void place(const Register& reg, const std::map<Number, Location>& set_at, std::uint32_t barrier, const Location& use, Instruction* moved) {
    Location& where = moved->where;
    where = use;
    where.first_line = 0;
    if (barrier == 0 || is_private(*moved)) return;  // loads of what other threads may write stay behind the barrier
    const Number number = number_of(reg);
    const auto next = set_at.upper_bound(number);
    const bool is_nearer = next != set_at.end() && next->first.first == number.first && next->second.file == where.file &&
                           barrier < next->second.line && next->second.line < where.line;
    if (is_nearer) where = next->second;
    if (row_of(moved->opcode()).kind == InstructionKind::load && barrier + 1 < where.line) where.first_line = barrier + 1;
}

// Places a load that was merged from several branches: between the code before them and the use, or, if the use has the line of their
// condition, the code after it.
void place_merged(const Location& before, std::uint32_t barrier, const Instruction& use, const Function& function, Location* where) {
    const auto is_beside = [&](const Location& other) {
        return other.line != 0 && other.file == use.where.file && other.inlined_at == use.where.inlined_at;
    };
    std::uint32_t first = use.where.line, last = use.where.line;
    if (is_beside(before)) first = std::min(first, before.line);
    if (is_beside(before) && before.line >= last) {
        const auto next = std::find_if(&use, function.body.data() + function.body.size(),
                                       [&](const Instruction& later) { return is_beside(later.where) && later.where.line > last; });
        if (next != function.body.data() + function.body.size()) last = next->where.line - 1;
    }
    *where = use.where;
    if (barrier < last) first = std::max(first, barrier + 1);
    where->line = last;
    where->first_line = first < last ? first : 0;
}

}  // namespace

void place_moved_code(Module& module) {
    for (Function& function : module.functions) {
        std::map<Number, Location> set_at;    // registers that are set on a known line
        std::vector<std::uint32_t> barriers;  // by instruction: the line of the last one before
        std::vector<Location> lines;          // by instruction: the last known place
        for (const Instruction& now : function.body) {
            const std::uint32_t before = barriers.empty() ? 0 : barriers.back();
            barriers.push_back(row_of(now.opcode()).kind == InstructionKind::barrier ? now.where.line : before);
            lines.push_back(now.where.line != 0 || lines.empty() ? now.where : lines.back());
            for (const std::uint32_t reg : results_of(now)) {
                if (now.where.line != 0) set_at[number_of(function.registers[reg])] = now.where;
            }
        }
        // From the end, so that a chain of moved instructions gets the line of its last one.
        std::unordered_map<std::uint32_t, const Instruction*> next_use;  // by register
        for (auto now = function.body.rbegin(); now != function.body.rend(); ++now) {
            const std::size_t at = static_cast<std::size_t>(function.body.rend() - now) - 1;
            const bool is_merged =
                now->where.line == 0 && now->where.column == 0 && row_of(now->opcode()).kind == InstructionKind::load && !is_private(*now);
            for (const std::uint32_t reg : results_of(*now)) {
                const auto user = next_use.find(reg);
                if (user == next_use.end()) continue;
                if (is_merged) {
                    place_merged(lines[at], barriers[at], *user->second, function, &now->where);
                } else if (now->where.line == 0) {
                    place(function.registers[reg], set_at, barriers[at], user->second->where, &*now);
                }
                next_use.erase(user);
            }
            for (const std::uint32_t reg : sources_of(*now)) next_use[reg] = &*now;
        }
        Location before = function.where;
        for (Instruction& instruction : function.body) {
            if (instruction.where.line == 0) instruction.where = before;
            before = instruction.where;
        }
    }
}

bool is_library_file(std::string_view path) {
    const bool versioned_toolkit = path.find("/cuda-") != std::string_view::npos && path.find("/include/") != std::string_view::npos;
    return versioned_toolkit ||
           std::ranges::any_of(library_folders, [&](std::string_view folder) { return path.find(folder) != std::string_view::npos; });
}

void place_library_code(Module& module) {
    std::vector<bool> library;
    for (const std::string& file : module.files) library.push_back(is_library_file(file));
    const auto of_library = [&](const Location& where) { return where.file < library.size() && library[where.file]; };
    const auto of_student = [&](const Location& where) { return where.line != 0 && where.file != 0 && !of_library(where); };
    for (Function& function : module.functions) {
        const auto first = std::ranges::find_if(function.body, [&](const Instruction& i) { return of_student(i.where); });
        if (first == function.body.end()) continue;
        Location latest = first->where;
        std::int32_t site = -1;  // of `latest`, once made
        for (Instruction& instruction : function.body) {
            if (of_student(instruction.where)) {
                const Location& now = instruction.where;
                const bool same = now.file == latest.file && now.line == latest.line && now.column == latest.column &&
                                  now.inlined_at == latest.inlined_at;
                if (!same) site = -1;
                latest = now;
            } else if (of_library(instruction.where) && instruction.where.inlined_at < 0) {
                if (site < 0) {
                    site = static_cast<std::int32_t>(module.locations.size());
                    module.locations.push_back(latest);
                }
                instruction.where.inlined_at = site;
            }
        }
    }
}

Location Module::student_place(const Location& where) const {
    Location place = where;
    const auto in_library = [this](const Location& at) { return at.file < files.size() && is_library_file(files[at.file]); };
    // A call site precedes the code inlined there, so this terminates.
    while (in_library(place) && place.inlined_at >= 0 && static_cast<std::size_t>(place.inlined_at) < locations.size()) {
        place = locations[static_cast<std::size_t>(place.inlined_at)];
    }
    return in_library(place) ? where : place;
}

std::string Module::describe(const Location& where) const {
    const Location place = student_place(where);
    if (place.line == 0 || place.file == 0 || place.file >= files.size()) return {};
    const std::string& path = files[place.file];
    return path.substr(path.rfind('/') + 1) + ":" + std::to_string(place.line);
}

}  // namespace lab::ptx
