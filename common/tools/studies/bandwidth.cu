// Times copies of several sizes along every path, and saxpy; event to event, like any program.
//
//   bandwidth SIZE,SIZE,... REPEATS     bytes, ascending; each the median of REPEATS, after one that isn't counted
#include <cstring>
#include <string>

#include "measuring.cuh"

namespace {

using measuring::check;

// Writes a third array, so that reads and writes are three times n floats, whatever a cache keeps.
__global__ void saxpy(size_t n, float a, const float* x, const float* y, float* z) {
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) {
        z[i] = a * x[i] + y[i];
    }
}

void check_room(size_t bytes) {
    size_t available = 0;
    size_t total = 0;
    check(cudaMemGetInfo(&available, &total), "cudaMemGetInfo");
    if (3 * bytes > available) {
        const std::string need = "--sizes takes three arrays of " + std::to_string(bytes >> 20) + " MiB on the device";
        const std::string have = std::to_string(available >> 20) + " MiB are free";
        measuring::refuse(need.c_str(), have.c_str());
    }
}

// The largest size in every kind of memory that a copy uses.
struct Buffers {
    explicit Buffers(size_t bytes) : pageable(bytes), device(bytes), other(bytes), third(bytes) {
        check(cudaMallocHost(&pinned, bytes), "cudaMallocHost");
        std::memset(pinned, 0, bytes);
    }
    ~Buffers() { cudaFreeHost(pinned); }
    Buffers(const Buffers&) = delete;
    Buffers& operator=(const Buffers&) = delete;

    std::vector<char> pageable;
    void* pinned = nullptr;
    measuring::Array<char> device, other, third;
};

template <class Work>
void time(const char* path, size_t bytes, int repeats, const Work& work) {
    const measuring::Timer timer;
    std::vector<double> times;
    for (int run = 0; run <= repeats; ++run) {
        const double ms = timer.ms(path, work);
        if (run > 0) {
            times.push_back(ms);
        }
    }
    const measuring::Spread ms = measuring::spread(times);
    std::printf("{\"path\": \"%s\", \"bytes\": %zu, \"ms\": %.9g, \"least_ms\": %.9g, \"max_ms\": %.9g}\n", path, bytes, ms.median,
                ms.least, ms.most);
    std::fflush(stdout);
}

std::vector<size_t> sizes_of(const char* list) {
    std::vector<size_t> sizes;
    for (char* end = nullptr; *list != '\0'; list = *end == ',' ? end + 1 : end) {
        sizes.push_back(std::strtoull(list, &end, 10));
    }
    return sizes;
}

void run(const std::vector<size_t>& sizes, int repeats) {
    check_room(sizes.back());
    Buffers at(sizes.back());
    const auto copies = [&](const char* path, void* to, const void* from, cudaMemcpyKind kind) {
        for (const size_t bytes : sizes) {
            time(path, bytes, repeats, [=] { return cudaMemcpy(to, from, bytes, kind); });
        }
    };
    copies("host_to_device_pageable", at.device.data, at.pageable.data(), cudaMemcpyHostToDevice);
    copies("host_to_device_pinned", at.device.data, at.pinned, cudaMemcpyHostToDevice);
    copies("device_to_host_pageable", at.pageable.data(), at.device.data, cudaMemcpyDeviceToHost);
    copies("device_to_host_pinned", at.pinned, at.device.data, cudaMemcpyDeviceToHost);
    copies("device_to_device", at.other.data, at.device.data, cudaMemcpyDeviceToDevice);
    for (const size_t bytes : sizes) {
        const size_t n = bytes / sizeof(float);
        time("saxpy", bytes, repeats, [&] {
            const auto grid = unsigned((n + 255) / 256);
            saxpy<<<grid, 256>>>(n, 2.0f, (const float*)at.device.data, (const float*)at.other.data, (float*)at.third.data);
            return cudaGetLastError();
        });
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        measuring::refuse("bandwidth.cu", "takes sizes and repeats");
    }
    const cudaDeviceProp properties = measuring::find_gpu();
    // Double data rate, as on every memory since GDDR3.
    const double peak = 2e-6 * measuring::attribute(cudaDevAttrMemoryClockRate) * measuring::attribute(cudaDevAttrGlobalMemoryBusWidth) / 8;
    std::printf("{\"device\": \"%s\", \"peak_gb_per_s\": %.9g}\n", properties.name, peak);
    std::fflush(stdout);
    run(sizes_of(argv[1]), std::atoi(argv[2]));
    return 0;
}
