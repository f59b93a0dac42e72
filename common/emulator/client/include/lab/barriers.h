// Barriers and fences that no access moves across and that are never merged, with every clang. Last of the headers of lab/: it wraps what
// the others define.
//
// LLVM assumes that an intrinsic accesses no variable of the file whose address is never taken (GlobalsAA; LLVM 15 excepts barriers). So
// clang 14 keeps a __shared__ variable in a register across a barrier: in `if (threadIdx.x == 0) s = x; __syncthreads(); y = s;` every
// other thread loads s before the barrier. Every version merges the barriers in both branches of an `if`, which hides a mistake. An asm
// statement before and after each barrier prevents both: it may touch any memory, and its text differs from line to line.
#pragma once

template <int line>
static LAB_INLINE void lab_no_access_crosses() {
    asm volatile("// line %0" ::"n"(line) : "memory");
}

#define LAB_FENCED(call) (lab_no_access_crosses<__LINE__>(), call, lab_no_access_crosses<__LINE__>())
#define LAB_FENCED_VALUE(call)             \
    ({                                     \
        lab_no_access_crosses<__LINE__>(); \
        const auto lab_result = call;      \
        lab_no_access_crosses<__LINE__>(); \
        lab_result;                        \
    })

#define __syncthreads() LAB_FENCED(__syncthreads())
#define __syncthreads_count(predicate) LAB_FENCED_VALUE(__syncthreads_count(predicate))
#define __syncthreads_and(predicate) LAB_FENCED_VALUE(__syncthreads_and(predicate))
#define __syncthreads_or(predicate) LAB_FENCED_VALUE(__syncthreads_or(predicate))
#define __syncwarp(...) LAB_FENCED(__syncwarp(__VA_ARGS__))
#define __barrier_sync(id) LAB_FENCED(__barrier_sync(id))
#define __barrier_sync_count(id, count) LAB_FENCED(__barrier_sync_count(id, count))
#define __threadfence() LAB_FENCED(__threadfence())
#define __threadfence_block() LAB_FENCED(__threadfence_block())
#define __threadfence_system() LAB_FENCED(__threadfence_system())
