// A student's file with everything that a grader has to survive. Its transpose also writes a right result, if it can.
#include "tests/grading/misbehaves.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "common/api/lab1.h"

// AddressSanitizer calls this at start: the runner, not the sanitizer, has to handle a division by zero.
extern "C" const char* __asan_default_options();  // the sanitizer's name
extern "C" const char* __asan_default_options() { return "handle_sigfpe=0"; }

namespace {

volatile int zero = 0;

int recurse(int depth) {
    volatile char used[4096];
    used[0] = static_cast<char>(depth);
    return recurse(depth + 1) + used[0];
}

__attribute__((noinline)) int fill_a_large_array() {
    volatile int used[std::size_t{16} << 20];
    for (int at = (1 << 24) - 1; at >= 0; at -= 1024) {
        used[at] = at;
    }
    return used[1023];
}

// Long enough to overwrite what the function keeps in registers across its calls, and its caller's. Sanitizers would end it first.
__attribute__((noinline, no_sanitize("address", "undefined"))) void overrun_a_local_array(int count) {
    float used[16];
    for (int at = 0; at < count; ++at) {
        used[at] = static_cast<float>(at);
    }
    zero = static_cast<int>(used[zero]);
}

// After 0 comes 2^32 - 1.
template <typename T>
__attribute__((noinline)) void count_below_0(const T* in, T* out, unsigned count) {
    for (unsigned at = count - 1; at < count || zero == 0; --at) {
        out[at] = in[at];
    }
}

void write_everywhere() {
    const std::string garbage(4096, '\1');
    for (int descriptor = 3; descriptor < 1024; ++descriptor) {
        if (::write(descriptor, garbage.data(), garbage.size()) < 0) {
            continue;
        }
    }
}

// As a student's code: unchecked even where this file is built with sanitizers, but for AArch64, whose own division doesn't trap.
#if defined(__aarch64__)
#define LAB_AS_A_STUDENT
#else
#define LAB_AS_A_STUDENT __attribute__((no_sanitize("integer-divide-by-zero")))
#endif
template <typename T>
LAB_AS_A_STUDENT void misbehave(Misdeed misdeed, const T* in, T* out, int count) {
    switch (misdeed) {
        case Misdeed::none:
            break;
        case Misdeed::exit_0:
        case Misdeed::exit_after_writing:
            std::exit(0);
        case Misdeed::underscore_exit_0:
            ::_exit(0);
        case Misdeed::abort:
            std::abort();
        case Misdeed::null_pointer:
            *static_cast<volatile int*>(nullptr) = 1;
            break;
        case Misdeed::endless_loop:
            for (;;) {
                zero = 0;
            }
        case Misdeed::print_and_crash:
            std::puts("to stdout");
            std::fputs("to stderr\n", stderr);
            std::puts("to stdout again");
            *static_cast<volatile int*>(nullptr) = 1;
            break;
        case Misdeed::sleep_without_end:
            for (;;) {
                ::pause();
            }
        case Misdeed::close_everything:
            for (int descriptor = 3; descriptor < 1024; ++descriptor) {
                ::close(descriptor);
            }
            break;
        case Misdeed::write_everywhere:
            write_everywhere();
            break;
        case Misdeed::print_without_end:
            for (;;) {
                std::puts("and another line");
            }
        case Misdeed::print_a_pass:
            std::puts("[  PASSED  ] 1 test.");
            break;
        case Misdeed::write_past_the_end:
            out[count] = 1;
            break;
        case Misdeed::write_before_the_start:
            out[-1] = 1;
            break;
        case Misdeed::copy_from_before_to_before:
            out[-1] = in[-1];
            break;
        case Misdeed::read_past_the_end:
            out[0] = in[count];
            break;
        case Misdeed::change_the_input:
            const_cast<T*>(in)[0] = 0;
            break;
        case Misdeed::throw_something:
            throw std::runtime_error("thrown on purpose");
        case Misdeed::endless_recursion:
            zero = recurse(0);
            break;
        case Misdeed::large_local_array:
            zero = fill_a_large_array();
            break;
        case Misdeed::overrun_a_local_array:
            overrun_a_local_array(count);
            break;
        case Misdeed::count_below_0:
            count_below_0(in, out, static_cast<unsigned>(count));
            break;
        case Misdeed::leave_a_child_behind:
            if (::fork() == 0) {
                for (;;) {
                    ::pause();
                }
            }
            std::exit(3);
        case Misdeed::divide_by_zero:
            zero = 7 / zero;
            break;
        case Misdeed::remember_the_past: {
            static T earlier_calls = 0;
            out[0] += earlier_calls++;
            break;
        }
    }
}

}  // namespace

template <typename T>
void matmul_ijk(const T*, const T*, T*, int, int, int) {}
template <typename T>
void matmul_ikj(const T*, const T*, T*, int, int, int) {}
template <typename T>
void matvec(const T*, const T*, T*, int, int) {}

template <typename T>
void transpose(const T* in, T* out, int rows, int cols) {
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < cols; ++j) {
            out[j * rows + i] = in[i * cols + j];
        }
    }
    misbehave(static_cast<Misdeed>(rows), in, out, rows * cols);
}

template void matmul_ijk<float>(const float*, const float*, float*, int, int, int);
template void matmul_ijk<double>(const double*, const double*, double*, int, int, int);
template void matmul_ikj<float>(const float*, const float*, float*, int, int, int);
template void matmul_ikj<double>(const double*, const double*, double*, int, int, int);
template void transpose<float>(const float*, float*, int, int);
template void transpose<double>(const double*, double*, int, int);
template void matvec<float>(const float*, const float*, float*, int, int);
template void matvec<double>(const double*, const double*, double*, int, int);
