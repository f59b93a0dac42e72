// Matrices for lab 5's kernels, for the programs that run on a GPU.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "common/api/lab5.h"
#include "common/labs/lab5/names.h"
#include "common/tools/studies/kernel_timing.cuh"

// A matrix of nx x ny and room for its transpose, on the device.
class TransposeArrays {
public:
    TransposeArrays(int width, int height) : nx(width), ny(height) {
        std::vector<float> values(size_t(nx) * ny);
        for (size_t i = 0; i < values.size(); ++i) {
            values[i] = float(i % 8191) / 8 - float(i % 127);
        }
        check(cudaMalloc(&in, bytes()), "cudaMalloc");
        check(cudaMalloc(&out, bytes()), "cudaMalloc");
        check(cudaMemcpy(in, values.data(), bytes(), cudaMemcpyHostToDevice), "cudaMemcpy");
        host_ = values;
    }
    ~TransposeArrays() {
        check(cudaDeviceSynchronize(), "the kernel");
        check(cudaFree(in), "cudaFree");
        check(cudaFree(out), "cudaFree");
    }
    TransposeArrays(const TransposeArrays&) = delete;
    TransposeArrays& operator=(const TransposeArrays&) = delete;

    [[nodiscard]] size_t bytes() const { return size_t(nx) * ny * sizeof(float); }
    // Effective bandwidth: each element read and written once, in 10^9 bytes per second.
    [[nodiscard]] double gb_per_s(double ms) const { return 2e-6 * double(bytes()) / ms; }
    // Ends the program unless `out` is right: the transpose, or with `copied` the copy.
    void expect_right(const char* name, bool copied) const {
        std::vector<float> got(host_.size());
        check(cudaMemcpy(got.data(), out, bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy");
        for (size_t i = 0; i < got.size(); ++i) {
            const size_t from = copied ? i : i % ny * nx + i / ny;
            if (got[i] != host_[from]) {
                std::fprintf(stderr, "%s: out[%zu] is %g instead of %g\n", name, i, got[i], host_[from]);
                std::exit(1);
            }
        }
    }

    int nx, ny;
    float* in = nullptr;
    float* out = nullptr;

private:
    std::vector<float> host_;
};
