# Several hundred small programs are linked, one for each student file: a linker quicker than the compiler's own is taken where there
# is one. LLVM's takes two fifths of the time of GNU ld, gold two thirds.
include(CheckLinkerFlag)
foreach(linker IN ITEMS lld gold)
  check_linker_flag(CXX -fuse-ld=${linker} LAB_LINKS_WITH_${linker})
  if(LAB_LINKS_WITH_${linker})
    add_link_options($<$<LINK_LANGUAGE:CXX>:-fuse-ld=${linker}>)
    break()
  endif()
endforeach()
