# The two builds of the library and the helpers that add sources and tests to both.
#   sudar      Real is float      sudar_f64  Real is double
set(SUDAR_PRECISIONS "f32;f64" CACHE STRING "Which builds of the library to make")
set(SUDAR_LIBRARIES "")
if("f32" IN_LIST SUDAR_PRECISIONS)
  list(APPEND SUDAR_LIBRARIES sudar)
endif()
if("f64" IN_LIST SUDAR_PRECISIONS)
  list(APPEND SUDAR_LIBRARIES sudar_f64)
endif()

# Flags of our own translation units. They are private: a user of the library is not forced into any of them.
add_library(sudar_flags INTERFACE)
target_compile_features(sudar_flags INTERFACE cxx_std_20)
if(MSVC)
  target_compile_options(sudar_flags INTERFACE /W4 /fp:precise)
else()
  # No contraction: the same bits on every processor. No errno from sqrt: it inlines.
  target_compile_options(sudar_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                         -ffp-contract=off -fno-math-errno)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # False alarm on string concatenation in g++ 12 (bug 105651)
    target_compile_options(sudar_flags INTERFACE -Wno-restrict)
  endif()
  if(SUDAR_WERROR)
    target_compile_options(sudar_flags INTERFACE -Werror)
  endif()
endif()

# sudar_sources(files...): add the files of a room to both libraries
function(sudar_sources)
  foreach(library IN LISTS SUDAR_LIBRARIES)
    foreach(file IN LISTS ARGN)
      target_sources(${library} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
    endforeach()
  endforeach()
endfunction()

# sudar_test(ROOM [LIBS targets...] FILES files...): one test program per room and precision, one CTest entry per TEST.
# A target of LIBS that has a twin for double (NAME_f64) is replaced by it where the program uses double.
function(sudar_test room)
  cmake_parse_arguments(ARG "" "" "FILES;LIBS" ${ARGN})
  foreach(library IN LISTS SUDAR_LIBRARIES)
    string(REPLACE "sudar" "test_${room}" program ${library})
    add_executable(${program} ${ARG_FILES})
    set(prefix f32)
    set(libs ${ARG_LIBS})
    if(library STREQUAL sudar_f64)
      set(prefix f64)
      set(libs)
      foreach(lib IN LISTS ARG_LIBS)
        if(TARGET ${lib}_f64)
          list(APPEND libs ${lib}_f64)
        else()
          list(APPEND libs ${lib})
        endif()
      endforeach()
    endif()
    target_link_libraries(${program} PRIVATE ${libs} ${library} sudar_flags sudar_testing)
    gtest_discover_tests(${program} TEST_PREFIX ${room}.${prefix}. DISCOVERY_MODE PRE_TEST
                         PROPERTIES LABELS "${room};${prefix}" TIMEOUT 600)
  endforeach()
endfunction()
