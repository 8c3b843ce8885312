# The library headers that most sources include, compiled once for each way of optimising. Builds without unity builds
# go without it, so that a source which lacks such an include is found there (script/test --all).
set(COFFER_PRECOMPILES OFF)
if(COFFER_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(COFFER_PRECOMPILES ON)
endif()

# A target whose sources may reuse what it has compiled; its options are those of its users.
function(coffer_prelude target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OPTIONS;LIBRARIES;HEADERS")
  file(CONFIGURE OUTPUT ${target}.cc CONTENT "")
  add_library(${target} STATIC ${CMAKE_CURRENT_BINARY_DIR}/${target}.cc)
  target_link_libraries(${target} PRIVATE coffer_asio Boost::json fmt::fmt spdlog::spdlog ${arg_LIBRARIES})
  target_compile_options(${target} PRIVATE ${arg_OPTIONS})
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <atomic> <charconv> <chrono> <filesystem> <fstream> <functional> <future> <map> <memory> <mutex>
    <optional> <set> <span> <string> <string_view> <thread> <unordered_map> <utility> <vector>
    <boost/asio.hpp> <boost/json.hpp> <fmt/chrono.h> <fmt/format.h> <fmt/ranges.h> <spdlog/spdlog.h>
    ${arg_HEADERS})
endfunction()

if(COFFER_PRECOMPILES)
  # A macro that these headers look at must be the same wherever they are used, by a layer without that library too.
  foreach(library coffer_asio Boost::json fmt::fmt spdlog::spdlog)
    add_compile_definitions($<TARGET_PROPERTY:${library},INTERFACE_COMPILE_DEFINITIONS>)
  endforeach()
  add_compile_options(-fpch-preprocess)  # For ccache.
  coffer_prelude(coffer_prelude)
  coffer_prelude(coffer_prelude_small OPTIONS $<$<CONFIG:Release>:-Os>)
  if(BUILD_TESTING)
    coffer_prelude(coffer_prelude_test OPTIONS -O0 LIBRARIES GTest::gtest HEADERS <gtest/gtest.h>)
  endif()
endif()

# Lets a target include the prelude that is compiled as it is.
function(coffer_precompile target prelude)
  if(COFFER_PRECOMPILES)
    target_precompile_headers(${target} REUSE_FROM ${prelude})
  endif()
endfunction()
