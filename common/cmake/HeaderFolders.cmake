#   lab_header_folders(result)    the folders of the standard library's headers and of those of other libraries: what precompiled headers
#                                 depend on besides the headers
# clang refuses what it has read of headers that have changed since. An update of a package brings files that are older than what was
# read, but its folders are then new.
function(lab_header_folders result)
  set(folders "")
  foreach(folder IN LISTS CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    file(REAL_PATH "${folder}" folder)
    if(folder MATCHES "c\\+\\+|clang")
      list(APPEND folders "${folder}")
    endif()
    foreach(part IN ITEMS bits sys gtest nlohmann fmt CLI)
      if(IS_DIRECTORY "${folder}/${part}")
        list(APPEND folders "${folder}/${part}")
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES folders)
  set(${result} ${folders} PARENT_SCOPE)
endfunction()
