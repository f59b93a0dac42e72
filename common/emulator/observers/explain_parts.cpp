#include <fmt/format.h>

#include <algorithm>

#include "common/emulator/machine/demangle.h"
#include "common/emulator/observers/explain.h"

namespace lab::observers {

using machine::Op;

Index thread_at(const LaunchContext& context, std::uint32_t warp, unsigned lane) {
    const std::uint32_t linear = warp * machine::warp_size + lane;
    return {linear % context.block.x, linear / context.block.x % context.block.y, linear / context.block.x / context.block.y};
}

Index block_at(const LaunchContext& context, std::uint64_t linear) {
    return {static_cast<std::uint32_t>(linear % context.grid.x), static_cast<std::uint32_t>(linear / context.grid.x % context.grid.y),
            static_cast<std::uint32_t>(linear / context.grid.x / context.grid.y)};
}

Index to_index(const machine::Dim3& at) { return {at.x, at.y, at.z}; }

const ptx::Instruction* instruction_of(const Op* op) {
    if (op == nullptr || op->function == nullptr || op->index >= op->function->source->body.size()) return nullptr;
    return &op->function->source->body[op->index];
}

SourceLine source_of(const Op* op, const LaunchContext& context) {
    const ptx::Instruction* const instruction = instruction_of(op);
    if (instruction == nullptr) return {};
    const ptx::Location at = context.module->student_place(instruction->where);
    const auto& files = context.module->files;
    if (at.line == 0 || at.file == 0 || at.file >= files.size()) return {};
    return {files[at.file].substr(files[at.file].rfind('/') + 1), at.line, at.column, at.first_line};
}

namespace {

// "N_tile" of "matmul_tiled<16, float>(float const*, ...)::N_tile".
std::string own_name(const std::string& mangled) {
    const std::string name = machine::demangle(mangled);
    const std::size_t scope = name.rfind("::");
    return scope == std::string::npos ? name : name.substr(scope + 2);
}

}  // namespace

Location in_shared_variable(std::uint64_t offset, std::uint32_t bytes, const LaunchContext& context) {
    Location location{.offset = static_cast<std::int64_t>(offset), .bytes = bytes};
    location.object.kind = ObjectKind::shared_memory;
    location.object.size = context.shared_bytes;
    for (const machine::SharedVariable& variable : context.code->shared_variables) {
        // Several names of dynamic shared memory are aliases of the same bytes: the first one represents all.
        const std::uint64_t end = variable.bytes != 0 ? variable.offset + variable.bytes : context.shared_bytes;
        if (offset < variable.offset || offset >= end) continue;
        location.object.kind = ObjectKind::shared_variable;
        location.object.name = own_name(variable.name);
        if (machine::of_whole_variable(variable.name) != variable.name) location.bytes = 0;  // which bytes of the variable is unknown
        location.object.size = end - variable.offset;
        location.offset = static_cast<std::int64_t>(offset - variable.offset);
        break;
    }
    return location;
}

void name_last_variable(const LaunchContext& context, Object* object) {
    const auto& variables = context.code->shared_variables;
    const auto is_before = [](const machine::SharedVariable& one, const machine::SharedVariable& other) {
        return one.offset < other.offset;
    };
    const auto dynamic = std::ranges::find(variables, 0U, &machine::SharedVariable::bytes);
    const auto last = dynamic != variables.end() ? dynamic : std::ranges::max_element(variables, is_before);
    if (last == variables.end()) return;
    object->name = own_name(last->name);
    object->is_dynamic = dynamic != variables.end();
}

MemorySpace space_of(ptx::Space space) {
    switch (space) {
        case ptx::Space::shared:
            return MemorySpace::shared;
        case ptx::Space::local:
            return MemorySpace::local;
        case ptx::Space::constant:
            return MemorySpace::constant;
        case ptx::Space::param:
            return MemorySpace::param;
        default:
            return MemorySpace::global;
    }
}

Finding start(FindingKind kind, std::string headline, const Op* op, const LaunchContext& context, const Index& block, const Index& thread) {
    Finding finding{.kind = kind, .headline = std::move(headline), .kernel = context.kernel};
    finding.places.push_back({PlaceRole::at, source_of(op, context), block, thread, {}, {}});
    return finding;
}

Finding explain(const UnwrittenRead& read, const LaunchContext& context) {
    const MemorySpace space = space_of(read.space);
    Finding finding =
        start(FindingKind::uninitialised_read, fmt::format("{}-byte read of {} that was never written", read.bytes, name_of(space)),
              read.op, context, block_at(context, read.linear), thread_at(context, read.warp, read.lane));
    finding.space = space;
    finding.places[0].role = PlaceRole::read;
    finding.count = read.count;
    finding.measured[Quantity::access_bytes] = read.bytes;
    if (space == MemorySpace::shared) {
        finding.locations.push_back(in_shared_variable(read.address, read.bytes, context));
    } else if (space != MemorySpace::local) {
        finding.locations.push_back(context.memory->locate(read.address, read.bytes));
    }
    return finding;
}

}  // namespace lab::observers
