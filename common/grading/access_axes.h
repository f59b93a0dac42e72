// Axes of the block along which a kernel's threads take a matrix's rows and columns, from the record of its accesses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "common/trace/launch.h"

namespace lab::grading {

// A matrix in global memory as a right kernel accesses it.
struct AccessedMatrix {
    std::string name;
    std::size_t row_elements = 0;  // elements of a row
    bool x_is_row = false;         // threads that are neighbours along x take different rows
};

// Distances in elements between the elements of threads that are neighbours along x, and along y.
struct Distances {
    std::int64_t x = 0, y = 0;
    friend bool operator==(const Distances&, const Distances&) = default;
};

// The distances in all recorded accesses of one kind to an array of 4-byte elements. Nothing if they differ, or if the
// block has a side of 1.
[[nodiscard]] std::optional<Distances> distances(const trace::Launch& launch, const std::string& array, trace::AccessKind kind);

// Whether x and y have changed places in the accesses to a matrix.
[[nodiscard]] bool exchanges_axes(const Distances& seen, const AccessedMatrix& matrix);

// "; neighbouring threads store elements of out that lie 48 apart along x and 1 along y: ...": the axes, or the length of a row, that an
// index got wrong; "" if both are right or neither is known.
[[nodiscard]] std::string wrong_distances(const Distances& seen, const AccessedMatrix& matrix, trace::AccessKind kind);

}  // namespace lab::grading
