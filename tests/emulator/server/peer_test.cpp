// Programs that lie: whatever they send, the device goes on for others, and notices at once that one is gone.
#include "common/emulator/server/peer.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <thread>

#include "common/emulator/server/api.h"
#include "common/emulator/server/session.h"

namespace lab::cuda {
namespace {

using wire::Call;
using wire::FromDevice;
using wire::FromProgram;

// A connection of its own to the device, as a program without our library could have.
class Liar {
public:
    Liar() {
        int device = -1;
        if (!wire::connect(&socket_, &device)) std::abort();
        device_ = std::thread([device] { serve(device); });
        EXPECT_TRUE(wire::send(socket_, wire::Writer().put(FromProgram::hello).put(wire::version).all()));
        std::array<int, 2> descriptors{-1, -1};
        const wire::Packet hello = wire::receive(socket_, descriptors);
        EXPECT_EQ(wire::Reader(hello.bytes()).get<FromDevice>(), FromDevice::hello);
        void* const buffer = mmap(nullptr, wire::staging_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptors[0], 0);
        buffer_ = buffer == MAP_FAILED ? nullptr : static_cast<std::byte*>(buffer);
        for (const int descriptor : descriptors) close(descriptor);
    }
    ~Liar() {
        munmap(buffer_, wire::staging_bytes);
        close(socket_);
        device_.join();  // which it does: the device has noticed
    }
    Liar(const Liar&) = delete;
    Liar& operator=(const Liar&) = delete;

    void send(const wire::Writer& packet) { is_there_ = is_there_ && wire::send(socket_, packet.all()); }
    void call(Call call, const wire::Writer& arguments, std::uint32_t thread = 1) {
        wire::Writer packet;
        packet.put(FromProgram::call).put(call).put(thread).put(7).text("liar.cu");
        packet.bytes(arguments.all().data(), arguments.all().size());
        send(packet);
    }
    // What the device sends until it replies; answers its requests with `could`. Nothing once it has hung up.
    std::optional<cudaError_t> reply(bool could = true) {
        while (is_there_) {
            const wire::Packet packet = wire::receive(socket_);
            is_there_ = !packet.is_empty();
            if (!is_there_) break;
            wire::Reader fields(packet.bytes());
            const auto what = fields.get<FromDevice>();
            if (what == FromDevice::reply) return fields.get<cudaError_t>();
            const bool is_asked =
                what == FromDevice::fetch || what == FromDevice::store || what == FromDevice::move || what == FromDevice::map;
            if (is_asked) send(wire::Writer().put(FromProgram::done).put(could));
        }
        return std::nullopt;
    }
    [[nodiscard]] bool is_there() const { return is_there_; }
    [[nodiscard]] std::byte* buffer() { return buffer_; }

private:
    int socket_ = -1;
    std::byte* buffer_ = nullptr;
    bool is_there_ = true;
    std::thread device_;
};

class PeerOfALiar : public ::testing::Test {
protected:
    static void expect_device_works() {
        Session::instance().reset();
        void* device = nullptr;
        int number = 7;
        ASSERT_EQ(::cudaMalloc(&device, sizeof number), cudaSuccess);
        ASSERT_EQ(::cudaMemcpy(device, &number, sizeof number, cudaMemcpyHostToDevice), cudaSuccess);
        number = 0;
        ASSERT_EQ(::cudaMemcpy(&number, device, sizeof number, cudaMemcpyDeviceToHost), cudaSuccess);
        EXPECT_EQ(number, 7);
    }
};

TEST_F(PeerOfALiar, WhatIsNoPacketEndsItsConnectionAlone) {
    for (const std::size_t bytes : {1U, 3U, 4U, 8U, 100U, 60000U}) {
        Liar liar;
        wire::Writer packet;
        for (std::size_t i = 0; i < bytes; ++i) packet.put(static_cast<std::byte>(i * 37));
        liar.send(packet);
        EXPECT_EQ(liar.reply(), std::nullopt) << bytes << " bytes";
    }
    expect_device_works();
}

TEST_F(PeerOfALiar, ACallWithoutItsArgumentsEndsItsConnectionAlone) {
    for (std::uint32_t call = 0; call <= static_cast<std::uint32_t>(Call::count); ++call) {
        Liar liar;
        liar.call(static_cast<Call>(call), wire::Writer().put(std::byte{1}));
        (void)liar.reply();
    }
    expect_device_works();
}

TEST_F(PeerOfALiar, HandlesAndFunctionsOfItsOwnAreNone) {
    Liar liar;
    const auto handle = [](std::uint64_t value) { return wire::Writer().put(value); };
    for (const std::uint64_t value : {8UL, 0x108UL, 0x7fff00001000UL, ~0UL}) {
        liar.call(Call::cudaStreamDestroy, handle(value));
        EXPECT_EQ(liar.reply(), cudaErrorInvalidResourceHandle);
        liar.call(Call::cudaEventDestroy, handle(value));
        EXPECT_EQ(liar.reply(), cudaErrorInvalidResourceHandle);
        liar.call(Call::cudaLaunchKernel, wire::Writer().put(value).put(dim3(1)).put(dim3(1)).put(0UL).put(0UL).bytes("", 0));
        EXPECT_EQ(liar.reply(), cudaErrorInvalidDeviceFunction);
    }
    expect_device_works();
}

TEST_F(PeerOfALiar, MoreMemoryThanThisMachineHasIsNotShared) {
    Liar liar;
    const std::uint64_t no_pointer = 0;
    const std::uint64_t terabyte = std::uint64_t{1} << 40U;
    liar.call(Call::cudaHostRegister, wire::Writer().put(std::uint64_t{0x500000000000}).put(terabyte).put(0U));
    EXPECT_NE(liar.reply(), cudaSuccess);
    liar.call(Call::cudaMallocManaged, wire::Writer().put(true).put(no_pointer).put(terabyte).put(1U));
    EXPECT_EQ(liar.reply(), cudaErrorMemoryAllocation);
    expect_device_works();
}

class Numbers {
public:
    explicit Numbers(std::uint64_t seed) : random_(seed) {}
    std::uint64_t any() { return random_(); }
    bool one_of(std::uint64_t many) { return any() % many == 0; }
    // What an argument may well be.
    std::uint64_t likely() {
        constexpr std::uint64_t device = 0x100000001000, unified = 0x300000001000;
        switch (any() % 8) {
            case 0:
                return device + any() % 0x100000;
            case 1:
                return unified + any() % 0x100000;
            case 2:
                return 0x100 + 8 * (any() % 64);  // a handle
            case 3:
                return stubs[any() % stubs.size()];
            case 4:
                return any() % 5;
            case 5:
                return any() % 5000;
            case 6:
                return (any() % 0x10000) << 4U;
            default:
                return any();
        }
    }
    static constexpr std::array<std::uint64_t, 3> stubs{0x401000, 0x401010, 0x401020};

private:
    std::mt19937_64 random_;
};

template <typename T>
void put_random(wire::Writer& to, Numbers& numbers) {
    if constexpr (std::is_same_v<T, LabCallSite>) {
        return;
    } else if constexpr (wire::is_opaque<T>) {
        T value{};
        const std::uint64_t bits = numbers.likely();
        if constexpr (std::is_pointer_v<T>) {
            value = reinterpret_cast<T>(bits);
        } else {
            std::memcpy(&value, &bits, std::min(sizeof value, sizeof bits));
        }
        to.put(value);
    } else {
        const bool is_there = !numbers.one_of(10);
        to.put(is_there);
        if (is_there) put_random<std::remove_cv_t<std::remove_pointer_t<T>>>(to, numbers);
    }
}
template <typename... Parameters>
wire::Writer random_arguments(cudaError_t (*)(Parameters...), Numbers& numbers) {
    wire::Writer all;
    (put_random<Parameters>(all, numbers), ...);
    return all;
}

// Random calls whose arguments have the right types, now and then others.
class Fuzz {
public:
    explicit Fuzz(std::uint64_t seed) : numbers_(seed) {
        std::ifstream file(LAB_KERNELS, std::ios::binary);
        kernels_ = {std::istreambuf_iterator<char>(file), {}};
        kernels_ = kernels_.substr(0, kernels_.find('\0'));
    }
    void run(std::uint64_t messages) {
        std::optional<Liar> liar;
        for (std::uint64_t i = 0; i < messages; ++i) {
            if (!liar || !liar->is_there() || numbers_.one_of(2000)) {
                liar.emplace();
                register_kernels(*liar);
            }
            const Call call = numbers_.one_of(200) ? Call::cudaDeviceReset : one();
            liar->call(call, numbers_.one_of(100) ? wire::Writer().put(numbers_.any()) : arguments_of(call), numbers_.any() % 3);
            if (numbers_.one_of(500)) liar->send(wire::Writer().put(FromProgram::done).put(true));  // unasked
            succeeded_ += liar->reply(!numbers_.one_of(20)) == cudaSuccess ? 1 : 0;
        }
    }
    // Calls that did something.
    [[nodiscard]] std::uint64_t succeeded() const { return succeeded_; }

private:
    Call one() { return static_cast<Call>(numbers_.any() % static_cast<std::uint32_t>(Call::count)); }
    wire::Writer arguments_of(Call call) {
        switch (call) {
#define LAB_CALL(name, ...) \
    case Call::name:        \
        return random_arguments(&cuda::name, numbers_);
#include "common/emulator/client/calls.inc"
#undef LAB_CALL
            case Call::cudaLaunchKernel: {
                wire::Writer all;
                const auto few = [this] { return static_cast<unsigned>(numbers_.any() % 5); };
                std::array<std::uint64_t, 4> parameters{numbers_.likely(), numbers_.likely(), numbers_.likely(), numbers_.likely()};
                all.put(numbers_.likely()).put(dim3(few(), few(), few())).put(dim3(8 * few(), few(), few()));
                return all.put(numbers_.likely() % 100000).put(numbers_.likely() % 3).bytes(parameters.data(), numbers_.any() % 32);
            }
            default:
                return wire::Writer().put(numbers_.likely()).put(numbers_.likely()).put(numbers_.likely());
        }
    }
    void register_kernels(Liar& liar) {
        wire::Writer unit;
        unit.text(kernels_);
        unit.put(Numbers::stubs.size());
        for (const std::uint64_t stub : Numbers::stubs) unit.put(stub).text(names[stub / 16 % names.size()]);
        unit.put(std::uint64_t{0});
        std::copy(unit.all().begin(), unit.all().end(), liar.buffer());
        liar.call(Call::add_text, wire::Writer().put(static_cast<std::uint64_t>(unit.all().size())));
        (void)liar.reply();
        liar.call(Call::register_unit, {});
        EXPECT_EQ(liar.reply(), cudaSuccess);
    }

    static constexpr std::array<const char*, 3> names{"_Z5writePixi", "no_such_kernel", "_Z4copyPiPKii"};
    Numbers numbers_;
    std::string kernels_;
    std::uint64_t succeeded_ = 0;
};

std::uint64_t number_in(const char* variable, std::uint64_t otherwise) {
    const char* const text = std::getenv(variable);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// LAB_FUZZ_MESSAGES: how many; LAB_FUZZ_SECONDS: again and again so many, until that time is over.
TEST_F(PeerOfALiar, ManyRandomCallsLeaveTheDeviceWorking) {
    const std::uint64_t messages = number_in("LAB_FUZZ_MESSAGES", 20'000);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(number_in("LAB_FUZZ_SECONDS", 0));
    const std::uint64_t seed = std::random_device()();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
    Fuzz fuzz(seed);
    std::uint64_t sent = 0;
    do {
        fuzz.run(messages);
        sent += messages;
    } while (std::chrono::steady_clock::now() < end);
    std::printf("%llu messages\n", static_cast<unsigned long long>(sent));
    EXPECT_GT(fuzz.succeeded(), sent / 10);
    expect_device_works();
}

}  // namespace
}  // namespace lab::cuda
