# compile_commands.json names batches where files are compiled together. clangd and clang-tidy ask for the command of a single file, so that
# each batch's command is written out for each of its files, without precompiled headers: ${CMAKE_BINARY_DIR}/each_file/compile_commands.json.
# Precompiled headers hold all that any file may need, and clang-tidy walks through all of it; so the batches' own commands are written
# without them, too: ${CMAKE_BINARY_DIR}/each_batch/compile_commands.json.
if(CMAKE_SCRIPT_MODE_FILE)
  # cmake -DFROM=compile_commands.json -DTO=... -DBATCHES=... -P CompileCommands.cmake. An entry is four lines between braces, as Ninja's generator
  # has written them since CMake 3.20; reading that as JSON takes CMake 20 times as long.
  file(READ "${FROM}" text)
  string(REGEX REPLACE " (-Winvalid-pch|-fpch-instantiate-templates|-Xclang -include-pch -Xclang [^ ]+ -Xclang -include -Xclang [^ ]+)" "" text "${text}")
  file(WRITE "${BATCHES}" "${text}")
  string(REPLACE "[" "<open>" text "${text}")  # not a bracket of a CMake list
  string(REPLACE "]" "<close>" text "${text}")
  string(REPLACE ";" "<semicolon>" text "${text}")
  string(REPLACE "\n},\n" "\n}\n;" entries "${text}")
  set(out "")
  foreach(entry IN LISTS entries)
    string(REGEX MATCH "\"file\": \"([^\"]*)\"" matched "${entry}")
    set(file "${CMAKE_MATCH_1}")
    string(REGEX REPLACE "^<open>\n" "" entry "${entry}")
    string(REGEX REPLACE "\n}.*$" "\n}" entry "${entry}")
    if(file MATCHES "/Unity/unity_[0-9]+_cxx\\.cxx$")
      file(STRINGS "${file}" includes REGEX "^#include \"")
      foreach(line IN LISTS includes)
        string(REGEX REPLACE "^#include \"(.*)\"$" "\\1" source "${line}")
        string(REPLACE "${file}" "${source}" single "${entry}")
        list(APPEND out "${single}")
      endforeach()
    elseif(file AND NOT file MATCHES "/cmake_pch\\.hxx\\.cxx$")
      list(APPEND out "${entry}")
    endif()
  endforeach()
  list(JOIN out ",\n" out)
  string(REPLACE "<semicolon>" ";" out "${out}")
  string(REPLACE "<open>" "[" out "${out}")
  string(REPLACE "<close>" "]" out "${out}")
  file(WRITE "${TO}" "[\n${out}\n]\n")
  return()
endif()

set(lab_commands "${CMAKE_BINARY_DIR}/each_file/compile_commands.json")
set(lab_batch_commands "${CMAKE_BINARY_DIR}/each_batch/compile_commands.json")
add_custom_command(
  OUTPUT "${lab_commands}" "${lab_batch_commands}"
  COMMAND "${CMAKE_COMMAND}" "-DFROM=${CMAKE_BINARY_DIR}/compile_commands.json" "-DTO=${lab_commands}" "-DBATCHES=${lab_batch_commands}" -P "${CMAKE_CURRENT_LIST_FILE}"
  DEPENDS "${CMAKE_BINARY_DIR}/compile_commands.json" "${CMAKE_CURRENT_LIST_FILE}"
  COMMENT "Writing the compile commands of single files"
  VERBATIM)
add_custom_target(lab_compile_commands ALL DEPENDS "${lab_commands}")
