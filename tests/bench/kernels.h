// The kernels of the solutions in the emulator, as a student's program launches them: through the CUDA runtime, from the PTX
// in this program, with every counter on.
#pragma once

#include <string>
#include <vector>

#include "common/emulator/cuda/session.h"

namespace lab::bench {

constexpr unsigned host_threads = 2;  // that run blocks: the demands are made for two cores

enum class Kernel { global, tiled };  // lab 2's in blocks of 16 x 16, lab 3's with tiles of 16

// Counters alone, with the checks that `lab run` makes unasked, or with all that grading makes.
enum class Checking { none, usual, all };

// What times need beside the counters: nothing is found out, or all that the model wants to know.
enum class Modelling { off, on };

// Two inputs and the product, W x W, on the host and on the emulated device.
class Product {
public:
    explicit Product(int W);
    ~Product();
    Product(const Product&) = delete;
    Product& operator=(const Product&) = delete;

    void multiply_by_loop();
    // Ends the program with a message if the launch fails or if the emulator found a fault.
    void multiply_by(Kernel kernel, Checking checking = Checking::usual);
    // With counters alone.
    void multiply_by(Kernel kernel, Modelling modelling);
    // How far the two products are apart at most; ends the program where one of them wasn't computed.
    [[nodiscard]] double difference();
    [[nodiscard]] double data_bytes() const;  // of all matrices, host and device

private:
    void multiply_by(Kernel kernel, const cuda::Options& options);

    int W_;
    bool looped_ = false, launched_ = false;
    std::vector<float> M_, N_, by_loop_;
    float *device_M_ = nullptr, *device_N_ = nullptr, *device_P_ = nullptr;
};

void register_kernels();

// The names under which results are kept.
[[nodiscard]] std::string loop_name(int W);
[[nodiscard]] std::string kernel_name(Kernel kernel, int W, Checking checking = Checking::usual);
[[nodiscard]] std::string kernel_name(Kernel kernel, int W, Modelling modelling);

}  // namespace lab::bench
