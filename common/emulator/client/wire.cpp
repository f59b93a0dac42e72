#include "common/emulator/client/wire.h"

#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

namespace lab::wire {
namespace {

constexpr std::size_t max_descriptors = 2;

union Control {
    cmsghdr head;
    std::array<char, CMSG_SPACE(sizeof(int) * max_descriptors) + CMSG_SPACE(sizeof(ucred))> space;
};

// Where a processor has gone idle, being woken takes ten times as long as most calls: so whoever waits polls first. On a busy machine that
// only takes the processor from the other side: after a poll in vain it sleeps at once a few times, more often each time.
class Polling {
public:
    // Nothing has come where it gives -1 with EAGAIN.
    ssize_t receive(int socket, msghdr* message) {
        constexpr std::chrono::microseconds patience{200};
        constexpr unsigned most = 16;
        errno = EAGAIN;
        if (is_alone() || sleeps_ > 0) {
            sleeps_ -= sleeps_ > 0 ? 1 : 0;
            return -1;
        }
        const auto until = std::chrono::steady_clock::now() + patience;
        do {
            const ssize_t received = ::recvmsg(socket, message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
            if (received >= 0 || errno != EAGAIN) {
                in_vain_ = 0;
                return received;
            }
        } while (std::chrono::steady_clock::now() < until);
        in_vain_ = std::min(2 * in_vain_ + 1, most);
        sleeps_ = in_vain_;
        errno = EAGAIN;
        return -1;
    }

private:
    // Whether the other side needs this processor.
    static bool is_alone() {
        cpu_set_t processors;
        static const bool alone = ::sched_getaffinity(0, sizeof processors, &processors) == 0 && CPU_COUNT(&processors) == 1;
        return alone;
    }
    unsigned sleeps_ = 0, in_vain_ = 0;
};

}  // namespace

bool connect(int* program, int* device) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return false;
    const int wanted = 1;
    ::setsockopt(ends[1], SOL_SOCKET, SO_PASSCRED, &wanted, sizeof wanted);
    *program = ends[0];
    *device = ends[1];
    return true;
}

bool send(int socket, std::span<const std::byte> packet, std::span<const int> descriptors) {
    iovec part{const_cast<std::byte*>(packet.data()), packet.size()};
    Control control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (!descriptors.empty()) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
        cmsghdr* const head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(descriptors.size_bytes());
        std::memcpy(CMSG_DATA(head), descriptors.data(), descriptors.size_bytes());
    }
    ssize_t sent = 0;
    do {
        sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == static_cast<ssize_t>(packet.size());
}

Packet receive(int socket, std::span<int> descriptors) {
    Packet packet;
    iovec part{packet.memory_.get(), max_packet};
    Control control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    thread_local Polling polling;
    ssize_t received = polling.receive(socket, &message);
    while (received < 0 && (errno == EINTR || errno == EAGAIN)) received = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    packet.size_ = received < 0 || (message.msg_flags & MSG_TRUNC) != 0 ? 0 : static_cast<std::size_t>(received);
    for (cmsghdr* head = CMSG_FIRSTHDR(&message); head != nullptr; head = CMSG_NXTHDR(&message, head)) {
        if (head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_CREDENTIALS) {
            ucred sender{};
            std::memcpy(&sender, CMSG_DATA(head), sizeof sender);
            packet.sender_ = sender.pid;
        }
        if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
        const std::size_t count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < count; ++i) {
            int descriptor = -1;
            std::memcpy(&descriptor, CMSG_DATA(head) + i * sizeof descriptor, sizeof descriptor);
            if (i < descriptors.size()) {
                descriptors[i] = descriptor;
            } else {
                ::close(descriptor);
            }
        }
    }
    return packet;
}

}  // namespace lab::wire
