# One call per layer: a static library whose users see its headers only through a view that this layer
# alone occupies, so an include of an undeclared layer does not compile. Tried with CMake 3.25 and g++ 12.
# Pair it with: set_property(GLOBAL PROPERTY GLOBAL_DEPENDS_NO_CYCLES ON)
# Two things pass by it and need a lint: a relative include ("../http/x.h"), and the layers that a used
# layer links PUBLIC. Name in USES only what the layer's own headers show, the rest in PRIVATE_USES.
function(coffer_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TESTS_IN_ONE_PROCESS;SMALL" "" "HEADERS;SOURCES;TESTS;USES;PRIVATE_USES;TEST_USES")
  set(folder ${CMAKE_SOURCE_DIR}/src/${name})
  string(REPLACE "/" "_" target ${name})
  set(view ${CMAKE_BINARY_DIR}/layers/${target})
  get_filename_component(parent ${view}/${name} DIRECTORY)
  file(MAKE_DIRECTORY ${parent})
  file(CREATE_LINK ${folder} ${view}/${name} SYMBOLIC)
  list(TRANSFORM arg_SOURCES PREPEND ${folder}/)
  list(TRANSFORM arg_TESTS PREPEND ${folder}/)
  list(TRANSFORM arg_HEADERS PREPEND ${view}/${name}/)
  add_library(coffer_${target} STATIC ${arg_SOURCES})
  target_sources(coffer_${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${view} FILES ${arg_HEADERS})
  target_link_libraries(coffer_${target} PUBLIC ${arg_USES} PRIVATE ${arg_PRIVATE_USES})
  # Several sources are compiled as one where the build is not for development: headers are most of the work.
  set_target_properties(coffer_${target} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON
    UNITY_BUILD ${COFFER_UNITY} UNITY_BUILD_BATCH_SIZE 6)
  # Its code seldom runs, or waits for others when it does: it counts as memory that an idle server has.
  if(arg_SMALL)
    target_compile_options(coffer_${target} PRIVATE $<$<CONFIG:Release>:-Os>)
    coffer_precompile(coffer_${target} coffer_prelude_small)
  else()
    coffer_precompile(coffer_${target} coffer_prelude)
  endif()
  if(arg_TESTS AND BUILD_TESTING)
    add_executable(coffer_${target}_test ${arg_TESTS})
    target_link_libraries(coffer_${target}_test PRIVATE coffer_${target} ${arg_TEST_USES} GTest::gtest_main)
    coffer_as_test(coffer_${target}_test)
    if(arg_TESTS_IN_ONE_PROCESS)  # They share a server that takes long to start.
      add_test(NAME coffer_${target}_test COMMAND coffer_${target}_test)
    else()
      gtest_discover_tests(coffer_${target}_test)
    endif()
  endif()
endfunction()
