# Turns the system's list of media types (shared-mime-info) into a sorted C++ table.
# cmake -DSOURCE=…/globs2 -DMORE=more_media_types.txt -DTARGET=….inc -P media_types.cmake
# Lines are weight:type:pattern[:flags], the heavier first; the first type of an extension wins.
# Patterns that are more than an extension, and those that depend on case, are left out.
file(STRINGS ${SOURCE} lines REGEX "^[0-9]+:[^:]+:\\*\\.[A-Za-z0-9_.+~-]+$")
file(STRINGS ${MORE} more REGEX "^[0-9]+:")
list(APPEND lines ${more})
set(entries)
foreach(line IN LISTS lines)
  string(REGEX MATCH "^[0-9]+:([^:]+):\\*\\.(.+)$" matched "${line}")
  set(type ${CMAKE_MATCH_1})
  string(TOLOWER "${CMAKE_MATCH_2}" extension)
  if(NOT DEFINED "seen_${extension}")
    set("seen_${extension}" TRUE)
    # The blank sorts before every character of an extension, as the end of a string does.
    list(APPEND entries "${extension} ${type}")
  endif()
endforeach()
list(SORT entries)
list(TRANSFORM entries REPLACE "^([^ ]+) (.+)$" "{\"\\1\", \"\\2\"},")
list(JOIN entries "\n" text)
file(WRITE ${TARGET} "${text}\n")
