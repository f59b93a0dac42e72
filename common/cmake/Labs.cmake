# The labs, found by their folders:
#
#   LAB_NUMBERS       their numbers, in ascending order
#   LAB_FILE_<n>      the file that a student edits, below labs/: "lab<n>_topic/topic.cu"
#
# A lab is a folder common/labs/lab<n>; common/ADDING.md names the files in it and beside it.
# Files that come or go there later, baseline.cu or a solution, are seen by the next build.
file(GLOB folders RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/common/labs/lab*/*" "${PROJECT_SOURCE_DIR}/solutions/lab*/*")
list(FILTER folders INCLUDE REGEX "^common/labs/lab[0-9]+/")
list(TRANSFORM folders REPLACE "^common/labs/lab([0-9]+)/.*" "\\1")
list(REMOVE_DUPLICATES folders)
list(SORT folders COMPARE NATURAL)
set(LAB_NUMBERS ${folders})
foreach(number IN LISTS LAB_NUMBERS)
  # The stub says the name: a student may have renamed the file in labs/.
  set(stubs "${PROJECT_SOURCE_DIR}/common/stubs")
  file(GLOB files RELATIVE "${stubs}" CONFIGURE_DEPENDS "${stubs}/lab${number}_*/*.cu" "${stubs}/lab${number}_*/*.cpp")
  list(LENGTH files count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "common/labs/lab${number}: one .cu or .cpp file has to be in common/stubs/lab${number}_*, and there are ${count}")
  endif()
  set(LAB_FILE_${number} "${files}")
endforeach()
