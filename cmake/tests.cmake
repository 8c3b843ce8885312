# How tests are compiled.

# What most of them include of others, compiled once. The preset that is not for unity builds goes without it, so
# that a header or a test which lacks such an include is found there (script/test --matrix).
if(COFFER_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  file(CONFIGURE OUTPUT test_prelude.cc CONTENT "")
  add_library(coffer_test_prelude STATIC ${CMAKE_CURRENT_BINARY_DIR}/test_prelude.cc)
  target_link_libraries(coffer_test_prelude PUBLIC coffer_asio Boost::json GTest::gtest)
  target_compile_options(coffer_test_prelude PUBLIC -O0 -fpch-preprocess)  # The second is for ccache.
  target_precompile_headers(coffer_test_prelude PRIVATE
    <algorithm> <atomic> <chrono> <filesystem> <fstream> <functional> <future> <map> <memory> <mutex> <optional> <set>
    <span> <string> <thread> <vector>
    <boost/asio.hpp> <boost/json.hpp> <gtest/gtest.h>)
endif()

# Compiles the sources of a test fast: what counts is the speed of what they test, and that is a library of its own. Of
# inline functions that both have, the linker may take the test's.
function(coffer_as_test target)
  if(TARGET coffer_test_prelude)
    target_link_libraries(${target} PRIVATE coffer_test_prelude)
    target_precompile_headers(${target} REUSE_FROM coffer_test_prelude)
  endif()
endfunction()
