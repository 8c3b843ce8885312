# Warnings, and the tools that make a build faster where they are installed.
add_compile_options(-Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Woverloaded-virtual)
# g++ 12 sees overlaps and overflows in std::string that are not there (GCC bugs 105651 and 105329).
add_compile_options("$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow>")
option(COFFER_WARNINGS_AS_ERRORS "Fail the build on a warning" OFF)
if(COFFER_WARNINGS_AS_ERRORS)
  add_compile_options(-Werror)
endif()

set(COFFER_SANITIZE "" CACHE STRING "Sanitizers to build with, as -fsanitize takes them")
if(COFFER_SANITIZE)
  add_compile_options(-fsanitize=${COFFER_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${COFFER_SANITIZE})
endif()
if(COFFER_SANITIZE MATCHES undefined)
  # One check takes an object for a wrong one where the process has no descriptor left. RapidJSON's empty buffer adds
  # to a null pointer.
  add_compile_options(-fno-sanitize=vptr $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=pointer-overflow>)
endif()

find_program(COFFER_CCACHE ccache)
if(COFFER_CCACHE)
  # Clones share what one of them compiled, and precompiled headers are no hindrance (ccache's manual says what these mean).
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
    CCACHE_SLOPPINESS=pch_defines,time_macros ${COFFER_CCACHE})
endif()
find_program(COFFER_MOLD mold)
if(COFFER_MOLD)
  # What runs seldom stays together, as g++ marked it, so that pages of it need not come to memory.
  add_link_options(-fuse-ld=mold -Wl,-z,keep-text-section-prefix)
endif()

option(COFFER_UNITY "Compile the sources of a layer several at once, and what tests include once: faster from nothing" OFF)
if(COFFER_UNITY)
  # g++ takes the frames of coroutines in an included source for types that others might see.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()
