// The solutions' kernels in the emulator, launched like a student's program does: through the CUDA runtime, from the PTX in this program,
// with every counter on.
#pragma once

#include <string>
#include <vector>

#include "common/emulator/server/session.h"

namespace lab::bench {

constexpr unsigned host_threads = 2;  // that run blocks: the demands are made for two cores

enum class Kernel { global, tiled };  // lab 2's in blocks of 16 x 16, lab 3's with tiles of 16

// Counters alone, with the default checks of `lab run`, or with all checks of grading.
enum class Checking { none, usual, all };

// A launch with counters alone, or with all inputs of the time model as well.
struct Modelled {
    Kernel kernel;
    int W;
    const char* device;
    bool times = true;
};
// Each is compared with itself without times: a current GPU, and older ones whose DRAM rows are modelled, too, so that all blocks of a
// small launch are sampled.
[[nodiscard]] const std::vector<Modelled>& modelled_launches();

// Two inputs and the product, W x W, on the host and on the emulated device.
class Product {
public:
    explicit Product(int W);
    ~Product();
    Product(const Product&) = delete;
    Product& operator=(const Product&) = delete;

    // Copies the matrices into the emulated device's memory, unless they are there, and out of it, before another device is selected.
    void enter_device();
    void leave_device();

    void multiply_by_loop();
    // Ends the program with a message if the launch fails or if the emulator has findings.
    void multiply_by(Kernel kernel, Checking checking = Checking::usual);
    // With counters alone.
    void multiply_by(const Modelled& modelled);
    // Maximum difference of the two products; ends the program if one of them wasn't computed.
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

// Names of the stored results.
[[nodiscard]] std::string loop_name(int W);
[[nodiscard]] std::string kernel_name(Kernel kernel, int W, Checking checking = Checking::usual);
[[nodiscard]] std::string kernel_name(const Modelled& modelled);

}  // namespace lab::bench
