# The labs, found by their folders:
#
#   LAB_NUMBERS       their numbers, in ascending order
#   LAB_FILE_<n>      the file that a student edits, below labs/: "lab<n>_topic/topic.cu"
#
# A lab is a folder common/labs/lab<n>; common/ADDING.md names the files in it and beside it.
file(GLOB folders RELATIVE "${PROJECT_SOURCE_DIR}/common/labs" CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/common/labs/lab*")
list(TRANSFORM folders REPLACE "^lab" "")
list(FILTER folders INCLUDE REGEX "^[0-9]+$")
list(SORT folders COMPARE NATURAL)
set(LAB_NUMBERS ${folders})
foreach(number IN LISTS LAB_NUMBERS)
  # The stub says the name: a student may have renamed the file in labs/.
  set(stubs "${PROJECT_SOURCE_DIR}/common/stubs")
  file(GLOB files RELATIVE "${stubs}" CONFIGURE_DEPENDS "${stubs}/lab${number}_*/*.cu" "${stubs}/lab${number}_*/*.cpp")
  list(LENGTH files count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "common/labs/lab${number}: there have to be one .cu or .cpp file in common/stubs/lab${number}_*, and there are ${count}")
  endif()
  set(LAB_FILE_${number} "${files}")
endforeach()
