// All causes that a first line may name, each list in the order of precedence. A cause's name is its rule's; a sample in tests/mutants
// shows it.
#pragma once

#include <array>
#include <set>
#include <string>

#include "common/diagnosis/causes/cause.h"
#include "common/diagnosis/causes/failed_launch.h"
#include "common/diagnosis/causes/symptoms.h"

namespace lab::diagnosis {

// Causes that wrong values prove.
#define LAB_PROVEN_CAUSES(X)                                 \
    X(size_in_elements)                                      \
    X(precision_of_float)                                    \
    X(cleared_in_part)                                       \
    X(earlier_result)                                        \
    /* elements that a launch did not reach: coverage.cpp */ \
    X(copied_back_in_part)                                   \
    X(element_index)                                         \
    X(element_of_each_thread)                                \
    X(blocks_too_far_apart)                                  \
    X(blocks_overlap)                                        \
    X(grid_of_other_sides)                                   \
    X(tiles_left_out)                                        \
    X(grid_too_small)                                        \
    X(partial_blocks_left_out)                               \
    X(ends_early)                                            \
    X(triangle_left_out)                                     \
    X(rows_and_columns_exchanged)                            \
    /* sums of other terms: other_product.cpp */             \
    X(sum_by_halves)                                         \
    X(terms_left_out)                                        \
    X(terms_of_each_step_left_out)                           \
    X(terms_twice)                                           \
    X(other_factors)                                         \
    X(index_of_factor)                                       \
    X(own_tiles_only)                                        \
    /* elements of other places: moved_elements.cpp */       \
    X(taken_from_elsewhere)                                  \
    X(stored_elsewhere)                                      \
    X(tile_of_another)                                       \
    X(value_of_another)

// The same of a launch that a fault ended.
#define LAB_CAUSES_OF_STOPPED_LAUNCHES(X) X(taken_from_elsewhere) X(stored_elsewhere)

// Causes suggested by wrong values that are all alike, where nothing is proven and their positions show no pattern.
#define LAB_SUGGESTED_CAUSES(X) X(not_a_number) X(all_zero)

#define LAB_DECLARE_CAUSE(name) [[nodiscard]] Cause name(const Symptoms& seen);
LAB_PROVEN_CAUSES(LAB_DECLARE_CAUSE)
LAB_SUGGESTED_CAUSES(LAB_DECLARE_CAUSE)
#undef LAB_DECLARE_CAUSE

// Causes of a checker's finding that its launch shows. They come before those that the finding alone shows.
#define LAB_CAUSES_IN_LAUNCHES(X)                                          \
    /* accesses outside an array: outside_access.cpp */                    \
    X(shared_memory_size)                                                  \
    X(rows_behind_tile)                                                    \
    X(guard_of_matrix)                                                     \
    X(guard_of_vector)                                                     \
    X(guard_of_thread)                                                     \
    X(runs_too_far)                                                        \
    /* reads of shared memory that was never written: unfilled_tile.cpp */ \
    X(read_before_stored)                                                  \
    X(other_pitch)                                                         \
    X(other_part)                                                          \
    X(filled_in_part)                                                      \
    /* races: shared_use.cpp */                                            \
    X(buffer_unused)

#define LAB_DECLARE_CAUSE(name) [[nodiscard]] Cause name(const FailedLaunch& seen);
LAB_CAUSES_IN_LAUNCHES(LAB_DECLARE_CAUSE)
#undef LAB_DECLARE_CAUSE

// Causes that a finding alone shows: finding_message.cpp.
#define LAB_CAUSES_IN_FINDINGS(X) \
    X(thread_missing_in_index)    \
    X(block_missing_in_index)     \
    X(sum_of_several_threads)     \
    X(barrier_missing)            \
    X(blocks_unordered)           \
    X(barrier_not_reached)        \
    X(array_of_thread)            \
    X(output_read)                \
    X(copy_missing)

#define LAB_DECLARE_CAUSE(name) [[nodiscard]] Cause name(const Finding& finding);
LAB_CAUSES_IN_FINDINGS(LAB_DECLARE_CAUSE)
#undef LAB_DECLARE_CAUSE

// Causes that a host function's copies show: grading/host_calls.cpp.
#define LAB_CAUSES_IN_COPIES(X)  \
    X(small_allocation)          \
    X(shared_destination)        \
    X(never_copied)              \
    X(copied_in_part)            \
    X(copied_back_from_an_input) \
    X(filled_after_the_launch)   \
    X(never_launched)            \
    X(never_copied_back)

// Causes that replace the first line of one of those above, or of none, each where its function is called: in block_map.cpp,
// own_element.cpp, grading/findings.cpp, grading/host_calls.cpp, grading/recorded_accesses.cpp.
#define LAB_FURTHER_CAUSES(X) \
    X(map_of_blocks)          \
    X(tile_rows_left_out)     \
    X(tile_bytes)             \
    X(threads_exited)         \
    X(kept_between_calls)     \
    X(kernel_arguments)       \
    X(distance_of_threads)    \
    X(distance_in_banks)      \
    X(reads_of_other_words)

// All names.
[[nodiscard]] std::set<std::string> names_of_causes();

// Whether an edit of the kernel can be the cause. Otherwise it only hides one: a barrier for a buffer that never changes, a smaller tile
// for too few bytes, anything that is right in a program without earlier calls.
[[nodiscard]] inline bool is_searched(const std::string& cause) {
    return cause != "buffer_unused" && cause != "tile_bytes" && cause != "kept_between_calls";
}

#define LAB_RULE(name) Rule<Symptoms>{#name, name},
inline constexpr std::array proven_causes{LAB_PROVEN_CAUSES(LAB_RULE)};
inline constexpr std::array causes_of_stopped_launches{LAB_CAUSES_OF_STOPPED_LAUNCHES(LAB_RULE)};
inline constexpr std::array suggested_causes{LAB_SUGGESTED_CAUSES(LAB_RULE)};
#undef LAB_RULE
#define LAB_RULE(name) Rule<FailedLaunch>{#name, name},
inline constexpr std::array causes_in_launches{LAB_CAUSES_IN_LAUNCHES(LAB_RULE)};
#undef LAB_RULE
#define LAB_RULE(name) Rule<Finding>{#name, name},
inline constexpr std::array causes_in_findings{LAB_CAUSES_IN_FINDINGS(LAB_RULE)};
#undef LAB_RULE

}  // namespace lab::diagnosis
