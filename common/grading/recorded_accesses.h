// Accesses of a kernel whose technique a test rejects: which threads ask for which elements. A call is made once more to record them, so
// kernels that pass cost nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/grading/call.h"
#include "common/trace/launch.h"

namespace lab::grading {

// An access of the source that costs more than its bytes need.
struct CostlyAccess {
    std::string array;        // "N"
    std::string place;        // "matmul_global.cu:31"; "" if unknown
    std::int64_t apart = 0;   // bytes from a thread's element to that of its neighbour along x
    std::uint32_t bytes = 4;  // size of an element
    std::size_t words = 0;    // distinct words that the first row of threads of a warp asks for,
    std::size_t banks = 0;    // and banks of shared memory in which they lie
    std::size_t rows = 0;     // rows of threads of the block in a warp
    std::int64_t block_x = 0, block_y = 0;
};

class RecordedAccesses {
public:
    // Makes the call again, with the student's code. Records nothing on a GPU, or if the call fails or launches several kernels.
    explicit RecordedAccesses(Call call);
    explicit RecordedAccesses(trace::Launch launch) : launch_(std::move(launch)) {}

    // The costliest access of a space, of one kind ("load", "store"). Nothing if its array is unknown or if its threads follow no common
    // distance.
    [[nodiscard]] std::optional<CostlyAccess> costliest(trace::Space space, const std::string& kind) const;
    // Bytes loaded from each array of global memory, by name. Empty if one load of the source reads several arrays.
    [[nodiscard]] std::map<std::string, double> loaded_bytes() const;
    // Without a recording if nothing was recorded.
    [[nodiscard]] const trace::Launch& launch() const { return launch_; }

private:
    trace::Launch launch_;
};

struct Uncoalesced {
    std::string rule;                          // "not coalesced"
    std::string counts;                        // "loads take 16.5 sectors a request, at most 4 are allowed"
    std::string kind;                          // "load" or "store"
    std::map<std::string, std::int64_t> rows;  // elements that lie side by side in each array: of a row, or of a column
    bool is_column_major = false;
};
// The message with a first line that names the array and the distance between neighbouring threads' elements, and with the source line:
// "not coalesced: neighbouring threads load elements of M that lie 128 apart (...): does threadIdx.x choose the row instead of the column?"
// Unchanged if they are unknown.
[[nodiscard]] Message explained_by_distance(Message message, const RecordedAccesses& accesses, const Uncoalesced& seen);

// The question that follows from an array of shared memory and a distance in words.
using AskAboutBanks = std::function<std::string(const std::string& array, std::int64_t words)>;
// The same for bank conflicts: "bank conflicts: neighbouring threads load words of Ns that lie 32 apart, all in one bank (...): ...".
// `kind`: "load" or "store", whichever conflicts more; `counts`: "31 conflicts an access, 0 are allowed".
[[nodiscard]] Message explained_by_banks(Message message, const RecordedAccesses& accesses, const std::string& kind,
                                         const std::string& counts, const AskAboutBanks& ask);
// "is a row of Ns 32 words long instead of 33?"
[[nodiscard]] std::string ask_for_padding(const std::string& array, std::int64_t words);

// The same for reads of constant memory that are no broadcasts: adds to the first line which threads of a warp read different words.
[[nodiscard]] Message explained_by_rows(Message message, const RecordedAccesses& accesses);

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
