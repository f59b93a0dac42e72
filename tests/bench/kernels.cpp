#include "tests/bench/kernels.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <utility>

#include "common/api/lab2.h"
#include "common/api/lab3.h"
#include "common/emulator/server/session.h"
#include "tests/bench/triple_loop.h"

namespace lab::bench {
namespace {

void require(bool condition, const std::string& what) {
    if (condition) return;
    fmt::print(stderr, "lab-bench: {}\n", what);
    std::exit(2);
}

// One of each width, made on first use, with its matrices on the given device: they are data, and not measured.
Product& product(int W, const std::string& device = cuda::Options().device) {
    static std::map<int, std::unique_ptr<Product>> products;
    auto& session = cuda::Session::instance();
    if (session.options().device != device) {
        for (auto& [width, each] : products) each->leave_device();
        cuda::Options options;
        options.device = device;
        session.configure(options);
    }
    auto& found = products[W];
    if (!found) found = std::make_unique<Product>(W);
    found->enter_device();
    return *found;
}

// The kernels take half a second, and one of two concurrent runs on a shared machine may be a third slower, so many repetitions are needed
// for a stable median of a ratio. The loop takes seconds, and is far from its limit.
constexpr int kernel_repetitions = 21;
constexpr int loop_repetitions = 5;

}  // namespace

Product::Product(int W) : W_(W), M_(static_cast<std::size_t>(W) * static_cast<std::size_t>(W)), N_(M_.size()), by_loop_(M_.size()) {
    // Small integers over a power of two: every order of summation gives the same sum, so the products can be compared exactly.
    for (std::size_t i = 0; i < M_.size(); ++i) {
        M_[i] = static_cast<float>(static_cast<int>(i * 7 % 17) - 8) / 8;
        N_[i] = static_cast<float>(static_cast<int>(i * 11 % 13) - 6) / 8;
    }
    enter_device();
}

void Product::enter_device() {
    if (device_M_ != nullptr) return;
    const std::size_t bytes = M_.size() * sizeof(float);
    for (float** matrix : {&device_M_, &device_N_, &device_P_}) require(cudaMalloc(matrix, bytes) == cudaSuccess, "cudaMalloc fails");
    require(cudaMemcpy(device_M_, M_.data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess, "cudaMemcpy fails");
    require(cudaMemcpy(device_N_, N_.data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess, "cudaMemcpy fails");
}

void Product::leave_device() {
    for (float** matrix : {&device_M_, &device_N_, &device_P_}) static_cast<void>(cudaFree(std::exchange(*matrix, nullptr)));
    launched_ = false;
}

Product::~Product() { leave_device(); }

void Product::multiply_by_loop() {
    triple_loop(M_.data(), N_.data(), by_loop_.data(), W_);
    looped_ = true;
}

void Product::multiply_by(Kernel kernel, Checking checking) {
    cuda::Options options;
    if (checking == Checking::none) options.checks.races = false;
    if (checking == Checking::all) options.checks = machine::Checks::all();
    multiply_by(kernel, options);
}

void Product::multiply_by(const Modelled& modelled) {
    cuda::Options options;
    options.device = modelled.device;
    options.checks.races = false;
    options.samples_traffic = modelled.times;
    multiply_by(modelled.kernel, options);
}

void Product::multiply_by(Kernel kernel, const cuda::Options& asked) {
    cuda::Options options = asked;
    options.threads = host_threads;
    cuda::Session::instance().configure(options);
    // Resets P, so that every launch finds it like the first one did.
    cuda::Session::instance().forget_written(device_P_, M_.size() * sizeof(float));
    const auto side = static_cast<unsigned>(W_) / 16;
    const cudaError_t launched = kernel == Kernel::global
                                     ? launch_matmul_global(dim3(side, side), dim3(16, 16), device_M_, device_N_, device_P_, W_)
                                     : launch_matmul_tiled(16, device_M_, device_N_, device_P_, W_);
    require(launched == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess, "the launch fails");
    auto& session = cuda::Session::instance();
    require(session.take_kernel_findings().empty(), "the emulator found a fault in a solution's kernel");
    const auto launches = session.take_launches();
    require(launches.size() == 1 && launches.front().counters.global_load.sectors > 0, "the launch was not counted");
    launched_ = true;
}

double Product::difference() {
    if (!looped_) multiply_by_loop();
    require(launched_, "no kernel ran");
    std::vector<float> P(by_loop_.size());
    require(cudaMemcpy(P.data(), device_P_, P.size() * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess, "cudaMemcpy fails");
    double most = 0;
    for (std::size_t i = 0; i < P.size(); ++i)
        most = std::max(most, std::abs(static_cast<double>(P[i]) - static_cast<double>(by_loop_[i])));
    return most;
}

double Product::data_bytes() const { return 6.0 * static_cast<double>(M_.size()) * sizeof(float); }

std::string loop_name(int W) { return fmt::format("triple loop/{}", W); }
std::string kernel_name(Kernel kernel, int W, Checking checking) {
    const char* checks = checking == Checking::none ? ", counters alone" : checking == Checking::all ? ", all checks" : "";
    return fmt::format("emulated {}/{}{}", kernel == Kernel::global ? "matmul_global" : "matmul_tiled<16>", W, checks);
}

std::string kernel_name(const Modelled& modelled) {
    return fmt::format("{}, {}, {}", kernel_name(modelled.kernel, modelled.W, Checking::none), modelled.device,
                       modelled.times ? "times" : "no times");
}

const std::vector<Modelled>& modelled_launches() {
    static const std::vector<Modelled> launches = {{Kernel::global, 512, "h100", false},  {Kernel::tiled, 512, "h100", false},
                                                   {Kernel::global, 512, "m2090", false}, {Kernel::tiled, 512, "gtx280", false},
                                                   {Kernel::global, 128, "m2090", false}, {Kernel::tiled, 128, "gtx280", false}};
    return launches;
}

namespace {

void register_models() {
    for (const Modelled& counted : modelled_launches()) {
        Modelled timed = counted;
        timed.times = true;
        for (const Modelled& launch : {counted, timed}) {
            benchmark::RegisterBenchmark(kernel_name(launch).c_str(),
                                         [launch](benchmark::State& state) {
                                             Product& matrices = product(launch.W, launch.device);
                                             for (auto _ : state) matrices.multiply_by(launch);
                                         })
                ->Iterations(1)
                ->Repetitions(kernel_repetitions)
                ->Unit(benchmark::kMillisecond)
                ->UseRealTime();
        }
    }
}

}  // namespace

void register_kernels() {
    register_models();
    for (const int W : {512, 1024}) {
        benchmark::RegisterBenchmark(loop_name(W).c_str(),
                                     [W](benchmark::State& state) {
                                         Product& matrices = product(W);
                                         for (auto _ : state) matrices.multiply_by_loop();
                                     })
            ->Iterations(1)
            ->Repetitions(loop_repetitions)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
        for (const Kernel kernel : {Kernel::global, Kernel::tiled}) {
            for (const Checking checking : {Checking::usual, Checking::none, Checking::all}) {
                const std::string name = kernel_name(kernel, W, checking);
                benchmark::RegisterBenchmark(name.c_str(),
                                             [W, kernel, checking, name](benchmark::State& state) {
                                                 Product& matrices = product(W);
                                                 for (auto _ : state) matrices.multiply_by(kernel, checking);
                                                 require(matrices.difference() == 0,
                                                         name + " computes another product than the triple loop");
                                             })
                    ->Iterations(1)
                    ->Repetitions(kernel_repetitions)
                    ->Unit(benchmark::kMillisecond)
                    ->UseRealTime();
            }
        }
    }
}

}  // namespace lab::bench
