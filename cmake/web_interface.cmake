# Builds the interface of a folder with Vite, packs its files, and gives the sources that put them into the
# program: a table, and assembly that includes the bytes as they are (`.incbin`), so that the compiler never
# sees them and only pages that are asked for take memory.
function(coffer_web_files result folder)
  set(modules ${folder}/node_modules)
  # script/setup brings it, since Debian 12 has an older Node than Vite takes.
  set(node ${folder}/node/bin/node)
  if(NOT EXISTS ${node} OR NOT EXISTS ${modules})
    message(FATAL_ERROR "The web interface needs Node and its modules in ${folder}: run script/setup, "
                        "or build without it by -DCOFFER_WEB=OFF.")
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/src/* ${folder}/public/* ${folder}/script/*)
  # Types that the build makes are no part of the interface.
  list(FILTER sources EXCLUDE REGEX "\\.d\\.ts$")
  list(APPEND sources ${folder}/index.html ${folder}/api-docs.html ${folder}/offline.html ${folder}/package.json
    ${folder}/package-lock.json ${folder}/tsconfig.json ${folder}/vite.config.ts)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/built)
  add_custom_command(
    OUTPUT ${out}/built_files.cc ${out}/built_files.S ${out}/built_files.bin
    COMMAND ${node} ${modules}/vite/bin/vite.js build --logLevel warn --emptyOutDir --outDir ${out}/dist
    COMMAND ${node} ${folder}/script/pack.mjs ${out}/dist ${out}
    DEPENDS ${sources}
    WORKING_DIRECTORY ${folder}
    COMMENT "Building the web interface"
    VERBATIM)
  set_source_files_properties(${out}/built_files.S PROPERTIES OBJECT_DEPENDS ${out}/built_files.bin)
  set_source_files_properties(${out}/built_files.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set(${result} ${out}/built_files.cc ${out}/built_files.S PARENT_SCOPE)
endfunction()
