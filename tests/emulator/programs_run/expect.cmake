# Runs SOURCE by `lab run` as its first line says:
#   // runs: [OPTIONS]       it ends with status 0 and no output
#   // refused: MESSAGE      status 2 and this line alone; "... is" and "... are" go on as for every feature that the emulator lacks
#   // rejected: TEXT        status 2, and the compiler's errors have this text
#   // warns: TEXT           status 0, and the output has this text once
cmake_minimum_required(VERSION 3.24)
file(STRINGS "${SOURCE}" first LIMIT_COUNT 1)
if(NOT first MATCHES "^// (runs|refused|rejected|warns): ?(.*)$")
  message(FATAL_ERROR "${SOURCE}: the first line is '${first}'")
endif()
set(kind "${CMAKE_MATCH_1}")
set(text "${CMAKE_MATCH_2}")
set(options "")
set(status 0)
if(kind STREQUAL "runs")
  separate_arguments(options UNIX_COMMAND "${text}")
elseif(kind STREQUAL "warns")
  file(READ "${SOURCE}" program)
  get_filename_component(name "${SOURCE}" NAME)
  set(SOURCE "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  file(WRITE "${SOURCE}" "${program}")  # newer than what was compiled before, so that it is compiled again
else()
  set(status 2)
endif()
if(text MATCHES " (is|are)$")
  string(APPEND text " not supported by the emulator: run this program on a GPU (nvcc, or ./lab --backend gpu run)")
endif()
execute_process(COMMAND "${LAB}" run ${options} "${SOURCE}" RESULT_VARIABLE got OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 50)
string(REGEX REPLACE "lab: (building|compiling|waiting) [^\n]*\n" "" output "${output}")  # progress, on a slow machine
string(FIND "${output}" "${text}" at)
string(FIND "${output}" "${text}" last REVERSE)
if((kind STREQUAL "runs" AND output STREQUAL "") OR (kind STREQUAL "refused" AND output STREQUAL "lab: ${text}\n") OR
   (kind STREQUAL "rejected" AND NOT at EQUAL -1) OR (kind STREQUAL "warns" AND NOT at EQUAL -1 AND at EQUAL last))
  set(is_as_expected TRUE)
endif()
if(NOT got EQUAL status OR NOT is_as_expected)
  message(FATAL_ERROR "status ${got}, expected ${status}; expected ${kind} ${text}:\n${output}")
endif()
