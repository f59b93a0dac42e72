// Lab 5's kernels by name, and matrices for them, for the programs that run on a GPU.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "common/api/lab5.h"
#include "common/tools/studies/kernel_timing.cuh"

struct NamedTranspose {
    const char* name;
    TransposeKernel kernel;
};
constexpr NamedTranspose all_transposes[] = {{"copy_row", TransposeKernel::copy_row},
                                             {"copy_col", TransposeKernel::copy_col},
                                             {"naive_row", TransposeKernel::naive_row},
                                             {"naive_col", TransposeKernel::naive_col},
                                             {"unroll4_row", TransposeKernel::unroll4_row},
                                             {"unroll4_col", TransposeKernel::unroll4_col},
                                             {"smem", TransposeKernel::smem},
                                             {"smem_pad", TransposeKernel::smem_pad},
                                             {"smem_unroll_pad", TransposeKernel::smem_unroll_pad}};

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
    // Effective bandwidth: what is read and written once, in 10^9 bytes per second.
    [[nodiscard]] double gb_per_s(double ms) const { return 2e-6 * double(bytes()) / ms; }
    // Ends the program unless `out` is what it has to be: the transpose, or with `copied` the same.
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
