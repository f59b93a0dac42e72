// A device on a thread of the program's own process.
#include <sys/socket.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "common/emulator/client/device.h"
#include "common/emulator/server/peer.h"

namespace lab::client {

int reach_device() {
    std::array<int, 2> sockets{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets.data()) != 0) {
        std::perror("no socket to the emulated device");
        std::_Exit(2);
    }
    std::thread([device = sockets[1]] { cuda::serve(device); }).detach();
    return sockets[0];
}

}  // namespace lab::client
