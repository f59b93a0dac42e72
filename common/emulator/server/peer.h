// The program at the other end of a connection: its calls, and what the device asks of it meanwhile.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/emulator/client/wire.h"
#include "common/emulator/server/copy.h"
#include "common/emulator/server/state.h"

namespace lab::cuda {

class Peer {
public:
    // `shared`: descriptor of the memory that both map.
    Peer(int socket, int shared);
    ~Peer();
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;

    // Answers calls until the program is gone, or sends what is no call.
    void serve();

    // Copies rows from the program's memory to the device's, back, and within the program's memory.
    void copy_in(std::byte* to, std::uint64_t to_pitch, const Rows& from, std::uint64_t width, std::uint64_t height);
    void copy_out(const Rows& to, const std::byte* from, std::uint64_t from_pitch, std::uint64_t width, std::uint64_t height);
    void move(const Rows& to, const Rows& from, std::uint64_t width, std::uint64_t height);
    // Has the program map memory; false if it can't.
    bool map(const wire::Mapping& mapping);
    // Prints on the program's stdout or stderr what threads have left to be said.
    void print_unsaid();
    // Ends the program.
    void exit(int status);
    // Text of a unit, as much of it as the program has put into the staging buffer.
    cudaError_t add_text(std::uint64_t bytes);
    std::vector<std::byte> take_text() { return std::exchange(text_, {}); }

private:
    class Gone {};
    // Takes the program's first packet, which says who it is where the socket's maker wants that.
    void greet(RuntimeState& state) const;
    void send(const wire::Writer& packet) const;
    // Sends what the program is to do, and returns whether it could.
    bool ask(const wire::Writer& packet);
    // Waits until it has done what was asked, answers its calls meanwhile, and returns whether it could.
    bool is_done();
    void print(int descriptor, const std::string& text);
    void answer(wire::Reader call);
    void tell_protected();
    void copy(wire::FromDevice what, std::byte* device, std::uint64_t pitch, const Rows& program, std::uint64_t width,
              std::uint64_t height);

    int socket_;
    std::byte* staging_ = nullptr;
    int staging_file_ = -1, shared_;
    std::vector<std::byte> text_;  // of units, so far
    std::vector<PageRange> protected_;
};

// The one whose call this thread answers; null on others.
[[nodiscard]] Peer* peer();

// Answers a program's calls on this socket until it is gone.
void serve(int socket);

}  // namespace lab::cuda
