// A CUDA program with a race in shared memory between its lines 3 and 4.
#pragma once

#include <fmt/format.h>

#include <string>

namespace lab::tools {

[[nodiscard]] inline std::string race_program(const std::string& kernel) {
    return fmt::format(
        "__global__ void {0}(int* out) {{\n"
        "    __shared__ int line[64];\n"
        "    line[threadIdx.x] = threadIdx.x;\n"
        "    out[threadIdx.x] = line[63 - threadIdx.x];\n"
        "}}\n"
        "int main() {{\n"
        "    int* out;\n"
        "    cudaMalloc(&out, 64 * sizeof(int));\n"
        "    {0}<<<1, 64>>>(out);\n"
        "    cudaDeviceSynchronize();\n"
        "    cudaFree(out);\n"
        "}}\n",
        kernel);
}

}  // namespace lab::tools
