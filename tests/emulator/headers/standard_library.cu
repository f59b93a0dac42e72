// The standard headers that host code of .cu files includes, and what of them device code may use.
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cfloat>
#include <chrono>
#include <climits>
#include <complex>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <future>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cuComplex.h"

struct Shape {
    __device__ virtual ~Shape() {}
    __device__ virtual float area() const = 0;
};
struct Square : Shape {
    __device__ float area() const override { return 4; }
};

__global__ void device(float* a, uint64_t n) {
    Square square;
    const Shape* const shape = new (a) Square(square);
    a[4] = shape->area();
    assert(n > 0);
    printf("%f %d\n", a[0], (int)n);
    a[1] = std::max(a[0], 2.0F) + std::min(3, 4) + std::numeric_limits<float>::max() + FLT_EPSILON;
    float moved = std::move(a[2]);
    memset(a, 0, 16);
    memcpy(a + 8, a, 16);
    a[3] = moved + cuCabsf(cuCmulf(make_cuFloatComplex(1, 2), make_cuFloatComplex(a[0], a[1])));
}
int main() {
    std::vector<float> values(100);
    std::mt19937 random(1);
    std::generate(values.begin(), values.end(), [&] { return std::uniform_real_distribution<float>(0, 1)(random); });
    std::shared_ptr<int> shared = std::make_shared<int>(3);
    std::thread([&] { ++*shared; }).join();
    float* device_values = nullptr;
    cudaMalloc(&device_values, values.size() * sizeof(float));
    device<<<1, 1>>>(device_values, values.size());
    std::cout << std::setprecision(3) << std::accumulate(values.begin(), values.end(), 0.0) << max(3, 4) << std::max(1.0, 2.0) << '\n';
    return cudaDeviceSynchronize() == cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}
