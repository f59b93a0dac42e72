# Runs SOURCE by `lab run` and compares status and output, which are 2 and the text of the first line. "... is" goes on with what all refusals
# of features end with.
cmake_minimum_required(VERSION 3.24)
file(STRINGS "${SOURCE}" first LIMIT_COUNT 1)
string(REPLACE "// refused: " "lab: " expected "${first}")
if(expected MATCHES " (is|are)$")
  string(APPEND expected " not supported by the emulator: run this program on a GPU (nvcc, or ./lab --backend gpu run)")
endif()
execute_process(COMMAND "${LAB}" run "${SOURCE}" RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 50)
if(NOT status EQUAL 2 OR NOT output STREQUAL "${expected}\n")
  message(FATAL_ERROR "status ${status}, expected 2\n${output}expected:\n${expected}")
endif()
