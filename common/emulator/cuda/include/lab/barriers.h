// Barriers and fences that no access moves across and that stay where the program has them, with every clang. Last of the headers of
// lab/: the others define what this one wraps.
//
// LLVM takes an intrinsic for something that reads and writes no variable of the file, as long as the variable's address is taken
// nowhere (GlobalsAA; LLVM 15 excepts barriers). So clang 14 keeps a __shared__ variable in a register across a barrier: of
// `if (threadIdx.x == 0) s = x; __syncthreads(); y = s;` it makes every other thread load s before the barrier. Every version makes one
// barrier of the two in the branches of an `if`, which hides a mistake. Neither happens where an asm statement stands before and
// after that may touch any memory, and that differs from line to line.
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
