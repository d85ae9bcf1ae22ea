# tandem_stage1, tandem_stage2: programs that show the tables of some operations before the others compile (bench/stages). What
# they are made of is compiled once, into objects that the libraries take in, too.

set(TANDEM_STAGES "reduce" "scan transform transpose gemm tridiagonal intersect")  # what each adds
if(TANDEM_DEVICE OR NOT TANDEM_SIMT OR NOT TANDEM_COMMAND)
  set(TANDEM_STAGES "")  # nvcc sets the pace of the one, and nobody waits for a table of the others: sanitizers, packages
endif()

# compile_in_stages(target libraries…): the files of a library that name no operation but those of the first stages, in object
# libraries stage1_<target> and stage2_<target> that are compiled with these libraries. (They link none of ours: their
# linking would have to come before.)
function(compile_in_stages target)
  file(GLOB others CONFIGURE_DEPENDS LIST_DIRECTORIES true RELATIVE ${PROJECT_SOURCE_DIR}/lib/ops lib/ops/*)
  get_target_property(rest ${target} SOURCES)
  set(stage 0)
  foreach(operations IN LISTS TANDEM_STAGES)
    math(EXPR stage "${stage} + 1")
    string(REPLACE " " ";" operations "${operations}")
    list(REMOVE_ITEM others ${operations})
    list(JOIN others "|" left)
    string(REPLACE "intersect" "intersect|posting" left "${left}")
    set(objects ${rest})
    list(FILTER objects EXCLUDE REGEX "[/_](${left})[/_.]|\\.cu$")
    list(REMOVE_ITEM rest ${objects})
    add_library(stage${stage}_${target} OBJECT ${objects})
    target_link_libraries(stage${stage}_${target} PRIVATE ${ARGN})
    target_link_libraries(${target} PRIVATE stage${stage}_${target})
  endforeach()
  set_target_properties(${target} PROPERTIES SOURCES "${rest}")
endfunction()
