// lab-device: an emulated device as a process of its own. Started by whoever runs a program, with two sockets: the program's calls come by
// the first, the owner's questions by the second. It ends with its owner.
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "common/emulator/server/control.h"
#include "common/emulator/server/peer.h"

int main(int argc, char** argv) {
    constexpr int bad_input = 2;
    if (argc != 3) {
        std::fputs("lab-device: started without a program; ./lab run and ./lab grade start it\n", stderr);
        return bad_input;
    }
    std::signal(SIGXFSZ, SIG_IGN);  // a limit of files' size is an error that memory can do with
    const int calls = std::atoi(argv[1]), questions = std::atoi(argv[2]);
    std::thread([calls] { lab::cuda::serve(calls); }).detach();
    lab::cuda::Control().serve(questions);
    std::_Exit(0);  // whatever still runs: nobody waits for it
}
