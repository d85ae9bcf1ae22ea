# tandem_first: a program that shows the tables of a few operations before the rest compiles (bench/first). What it is made
# of is compiled once, into objects that the libraries take in, too.

set(TANDEM_FIRST_OPERATIONS reduce scan)
set(TANDEM_FIRST ${TANDEM_COMMAND})
if(TANDEM_DEVICE OR NOT TANDEM_SIMT)
  set(TANDEM_FIRST OFF)  # nvcc sets the pace of the one, and nobody waits for a table of the other: sanitizers, packages
endif()

# compile_first(target libraries…): of its files those that name no other operation, in an object library first_<target>
# that is compiled with these libraries. (It links none of ours: their linking would have to come before.)
function(compile_first target)
  if(NOT TANDEM_FIRST)
    return()
  endif()
  file(GLOB others CONFIGURE_DEPENDS LIST_DIRECTORIES true RELATIVE ${PROJECT_SOURCE_DIR}/lib/ops lib/ops/*)
  list(REMOVE_ITEM others ${TANDEM_FIRST_OPERATIONS})
  list(JOIN others "|" others)
  get_target_property(rest ${target} SOURCES)
  set(first ${rest})
  list(FILTER first EXCLUDE REGEX "[/_](${others}|posting)[/_.]|\\.cu$")
  list(REMOVE_ITEM rest ${first})
  set_target_properties(${target} PROPERTIES SOURCES "${rest}")
  add_library(first_${target} OBJECT ${first})
  target_link_libraries(first_${target} PRIVATE ${ARGN})
  target_link_libraries(${target} PRIVATE first_${target})
endfunction()
