# Compiles the sources of a test fast: what counts is the speed of what they test, and that is a library of its own. Of
# inline functions that both have, the linker may take the test's.
function(coffer_as_test target)
  if(COFFER_PRECOMPILES)
    target_compile_options(${target} PRIVATE -O0)
    target_link_libraries(${target} PRIVATE GTest::gtest)
    coffer_precompile(${target} coffer_prelude_test)
  endif()
endfunction()
