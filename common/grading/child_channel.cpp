// A runner's channel and output: sends and receives frames within limits, reads the student's output meanwhile.
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <span>

#include "common/grading/child.h"

namespace lab::grading {

Child::End Child::send(const runner::Frame& frame, std::uint64_t sequence, Patience& patience) {
    auto header = runner::header_of(frame, nonce_);
    header.sequence = sequence;
    std::vector<std::span<const std::byte>> parts{std::as_bytes(std::span(&header, 1)), std::as_bytes(std::span(frame.json)), frame.raw};
    parts.insert(parts.end(), frame.views.begin(), frame.views.end());
    for (const auto& part : parts) {
        std::size_t done = 0;
        while (done < part.size()) {
            const ssize_t sent = ::send(channel_, part.data() + done, part.size() - done, MSG_NOSIGNAL);
            if (sent > 0) {
                done += static_cast<std::size_t>(sent);
            } else if (errno != EAGAIN && errno != EINTR) {
                return failed(errno);
            } else if (const End end = wait_for_more(POLLOUT, patience); end != End::frame) {
                return end;
            }
        }
    }
    return End::frame;
}

// Waits until the channel is ready. Reads the student's output meanwhile, so that student code never blocks on it. Also checks whether the
// process has ended, since its children may keep the channel open.
Child::End Child::wait_for_more(short channel_events, Patience& patience) {
    for (;;) {
        if (const Wait wait = patience.look(); wait != Wait::goes_on) {
            if (wait == Wait::takes_too_much_memory) return End::takes_too_much_memory;
            if (wait == Wait::device_computes_too_long) return End::device_computes_too_long;
            return wait == Wait::computes_too_long ? End::computes_too_long : End::sleeps_too_long;
        }
        if (stop_asked_ && stop_asked_()) {
            return End::stopped;
        }
        // A negative descriptor is ignored.
        std::array<pollfd, 3> watched{{{channel_, channel_events, 0}, {output_, POLLIN, 0}, {device_->devices_end(), POLLIN, 0}}};
        const int ready = ::poll(watched.data(), watched.size(), static_cast<int>(Patience::between_looks.count()));
        if (ready < 0 && errno != EINTR) {
            return failed(errno);
        }
        if (ready > 0 && watched[1].revents != 0) {
            drain_output();
            if (printed_.size() > max_printed) return End::prints_too_much;
        }
        if (ready > 0 && watched[2].revents != 0) {
            start_device();
            if (broken_) return End::closed;
        }
        if (ready > 0 && watched[0].revents != 0) {
            return End::frame;
        }
        if (ready == 0 && has_ended()) {
            return End::closed;
        }
    }
}

bool Child::is_open_there() const {
    std::error_code error;
    std::filesystem::directory_iterator descriptor(fmt::format("/proc/{}/fd", program_pid_), error);
    for (; !error && descriptor != std::filesystem::directory_iterator(); descriptor.increment(error)) {
        struct stat found {};
        if (::stat(descriptor->path().c_str(), &found) == 0 && S_ISSOCK(found.st_mode) && found.st_ino == their_end_) {
            return true;
        }
    }
    return false;
}

// One of our own calls failed: the process closed its end, or this machine has a problem.
Child::End Child::failed(int error) {
    error_ = error;
    return is_open_there() ? End::failed : End::closed;
}

bool Child::has_ended() const {
    siginfo_t ended{};
    return ::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == pid_;
}

void Child::drain_output() {
    std::array<char, 65536> block{};  // a pipe's capacity
    while (output_ >= 0) {
        const ssize_t got = ::read(output_, block.data(), block.size());
        if (got <= 0) {
            if (got == 0) {
                ::close(output_);
                output_ = -1;
            }
            return;
        }
        const auto bytes = static_cast<std::size_t>(got);
        printed_.add({block.data(), bytes});
        if (bytes < block.size()) {
            return;
        }
    }
}

std::string Child::take_output() {
    std::string text = printed_.text();
    printed_ = {};
    return text;
}

Child::End Child::receive_some(void* into, std::size_t most, std::size_t* received, Patience& patience) {
    for (;;) {
        const ssize_t got = ::recv(channel_, into, most, 0);
        if (got > 0) {
            *received = static_cast<std::size_t>(got);
            return End::frame;
        }
        if (got == 0) {
            return End::closed;
        }
        if (errno != EAGAIN && errno != EINTR) {
            return failed(errno);
        }
        if (const End end = wait_for_more(POLLIN, patience); end != End::frame) {
            return end;
        }
    }
}

// Allocates little more than the received bytes, whatever sizes the header claims.
Child::End Child::receive(runner::Frame* frame, Patience& patience) {
    const auto fill = [&](std::vector<std::byte>* into, std::size_t bytes) {
        constexpr std::size_t step = std::size_t{1} << 20;
        std::size_t filled = 0;
        while (filled < bytes) {
            into->resize(std::min(bytes, (filled / step + 1) * step));
            std::size_t received = 0;
            if (const End end = receive_some(into->data() + filled, into->size() - filled, &received, patience); end != End::frame) {
                return end;
            }
            filled += received;
        }
        return End::frame;
    };
    runner::FrameHeader header;
    std::vector<std::byte> bytes;
    if (const End end = fill(&bytes, sizeof header); end != End::frame) {
        return end;
    }
    std::memcpy(&header, bytes.data(), sizeof header);
    if (!runner::plausible(header) || header.nonce != nonce_) {
        return End::garbage;
    }
    *frame = {};
    frame->kind = header.kind;
    frame->sequence = header.sequence;
    bytes.clear();
    if (const End end = fill(&bytes, header.json_bytes); end != End::frame) {
        return end;
    }
    frame->json.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    frame->raw.reserve(header.raw_bytes);
    if (const End end = fill(&frame->raw, header.raw_bytes); end != End::frame) {
        return end;
    }
    return runner::header_of(*frame, nonce_).checksum == header.checksum ? End::frame : End::garbage;
}

}  // namespace lab::grading
