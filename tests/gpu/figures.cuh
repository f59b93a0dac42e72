// Helpers of the programs that measure a GPU's figures: a line of JSON each, medians, clocks of one SM.
#pragma once

#include <string>

#include "common/tools/studies/kernel_timing.cuh"

namespace figures {

inline int repeats = 21;

inline void tell(const char* what, double value, const char* unit, const std::string& at = "") {
    std::printf(R"({"figure": "%s", "at": "%s", "value": %.6g, "unit": "%s"})", what, at.c_str(), value, unit);
    std::printf("\n");
    std::fflush(stdout);
}

// A launch of one block that stores its clocks and something that depends on all it has loaded.
class OneSm {
public:
    OneSm() {
        check(cudaMalloc(&cycles, sizeof(long long)), "cudaMalloc");
        check(cudaMalloc(&result, sizeof(float)), "cudaMalloc");
    }
    ~OneSm() {
        cudaFree(cycles);
        cudaFree(result);
    }
    OneSm(const OneSm&) = delete;
    OneSm& operator=(const OneSm&) = delete;
    template <typename Launch>
    double median_cycles(const Launch& launch) const {
        std::vector<double> all;
        for (int i = 0; i <= repeats; ++i) {
            launch();
            check(cudaGetLastError(), "the launch");
            long long counted = 0;
            check(cudaMemcpy(&counted, cycles, sizeof counted, cudaMemcpyDeviceToHost), "cudaMemcpy");
            if (i > 0) {
                all.push_back(double(counted));
            }
        }
        return median(all);
    }
    long long* cycles = nullptr;
    float* result = nullptr;
};

// Reads "PROGRAM [REPEATS]", default 21. Ends the program unless that is a positive number.
inline void read_repeats(int argc, char** argv, const char* program) {
    repeats = argc > 1 ? std::atoi(argv[1]) : repeats;
    if (repeats < 1) {
        std::fprintf(stderr, "%s [REPEATS]: from 1 up\n", program);
        std::exit(2);
    }
}

}  // namespace figures
