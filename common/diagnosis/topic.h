// Topics of failures, which select hints (tests/labs/labN_hints.md) and handout sections. A failure has one or more.
#pragma once

#include "common/findings/finding.h"

namespace lab::diagnosis {

// Every kind of finding is a topic, in the same order; the suites add their own.
#define LAB_TOPICS(X)                                                                                       \
    LAB_FINDING_KINDS(X)                                                                                    \
    X(none, "")                                                                                             \
    /* of a finding, beside its kind */                                                                     \
    X(in_kernel, "in a kernel")                                                                             \
    X(global_memory, "global memory")                                                                       \
    X(shared_memory, "shared memory")                                                                       \
    X(not_waited_for, "not waited for")               /* the program uses memory that work may still use */ \
    X(freed_memory, "freed memory")                   /* used, or freed again */                            \
    X(freeing, "freeing")                             /* of a call that frees */                            \
    X(copying, "copying")                             /* of a call that copies */                           \
    X(invalid_value, "invalid value")                 /* cudaErrorInvalidValue */                           \
    X(invalid_configuration, "invalid configuration") /* of a launch */                                     \
    /* of a call as a whole */                                                                              \
    X(undecided, "undecided") /* the grader's own failure: neither passed nor failed */                     \
    X(hang, "hang")                                                                                         \
    X(crash, "crash")                                                                                       \
    X(bad_address, "bad address") /* that a crash touched */                                                \
    X(changed_input, "changed input")                                                                       \
    X(not_started, "not started")         /* still returns what the shipped file returns */                 \
    X(nothing_written, "nothing written") /* does nothing yet */                                            \
    X(no_launch, "no launch")                                                                               \
    X(no_copy, "no copy")                                                                                   \
    X(copied_result, "copied result") /* instead of stored by the kernel */                                 \
    X(swallowed_error, "swallowed error")                                                                   \
    X(swallowed_launch_error, "swallowed launch error")                                                     \
    X(leak_after_error, "leak after an error")                                                              \
    X(late_refusal, "late refusal")                                                                         \
    /* of elements */                                                                                       \
    X(wrong_elements, "wrong elements")                                                                     \
    X(unwritten_elements, "unwritten elements")                                                             \
    X(not_a_number, "not a number")                                                                         \
    X(transposed, "transposed")                                                                             \
    X(misplaced_elements, "misplaced elements")                                                             \
    X(grid_rounded_down, "grid rounded down")                                                               \
    X(kept_between_calls, "kept between calls")                                                             \
    X(unknown_map, "unknown map") /* of blocks to tiles */                                                  \
    /* of technique */                                                                                      \
    X(not_coalesced, "not coalesced")                                                                       \
    X(bank_conflicts, "bank conflicts")                                                                     \
    X(no_bank_conflicts, "no bank conflicts") /* where they are to be seen */                               \
    X(too_many_loads, "too many loads")                                                                     \
    X(no_shared_loads, "no shared loads")                                                                   \
    X(no_constant_loads, "no constant loads")                                                               \
    X(static_shared_memory, "static shared memory")                                                         \
    X(not_dynamic, "not dynamic") /* shared memory of a tile */                                             \
    X(not_unrolled, "not unrolled")                                                                         \
    X(moved_twice, "moved twice")                                                                           \
    X(partition_camping, "partition camping")                                                               \
    X(not_by_rows, "not by rows") /* x does not choose the row */                                           \
    X(no_prediction, "no prediction")                                                                       \
    X(no_shape, "no shape")                                                                                 \
    X(slow_shape, "slow shape")                                                                             \
    X(wrong_sectors, "wrong sectors") /* of the named shape */                                              \
    /* of a file */                                                                                         \
    X(missing_function, "missing function")
LAB_NAMED_ENUM(Topic, LAB_TOPICS)

[[nodiscard]] constexpr Topic topic_of(FindingKind kind) { return static_cast<Topic>(kind); }

}  // namespace lab::diagnosis
