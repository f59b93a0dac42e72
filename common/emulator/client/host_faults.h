// Host accesses to memory that the host can't or must not touch: device pointers, and memory that outstanding work uses.
#pragma once

namespace lab::client {

// Installs the handler of SIGSEGV. An access to memory of outstanding work becomes a finding, and the program continues. Any other goes to
// the previous handler, or ends the process with one clear line.
void watch_host_faults();

// Installs the handler at the start of a process, unless the signal already has one.
void explain_host_faults();

}  // namespace lab::client
