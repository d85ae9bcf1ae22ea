# Finds the implementations by globbing: a new file in custom_kernels/<operation>/ or vendor_wrappers/<operation>/ needs
# no edit here.

# Thrust's CPU back ends are headers: from the CUDA toolkit, else from Debian's libthrust-dev.
function(find_thrust)
  find_path(TANDEM_THRUST_INCLUDE thrust/version.h
            HINTS ${CUDAToolkit_INCLUDE_DIRS} PATH_SUFFIXES cccl
            PATHS /usr/local/cuda/include/cccl /usr/local/cuda/include /usr/include NO_CMAKE_FIND_ROOT_PATH)
endfunction()

# OpenBLAS has functions beyond standard BLAS, so another BLAS will not do.
function(find_openblas)
  find_library(TANDEM_OPENBLAS openblas PATH_SUFFIXES openblas-pthread openblas-openmp)
  find_path(TANDEM_OPENBLAS_INCLUDE openblas_config.h PATH_SUFFIXES openblas-pthread openblas-openmp
            PATHS /usr/include/${CMAKE_CXX_LIBRARY_ARCHITECTURE})
endfunction()

function(find_roaring)
  find_library(TANDEM_ROARING roaring)
endfunction()

# Sets TANDEM_HOST_FILES, TANDEM_DEVICE_FILES and TANDEM_SIMT_FILES, and writes left_out.cpp, which registers the rest
# by name with the reason, so that a newcomer sees whole ladders in any build.
function(collect_implementations)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
       custom_kernels/*/*.cpp custom_kernels/*/*.cu vendor_wrappers/*/*.cpp vendor_wrappers/*/*.cu)
  set(left_out "")
  foreach(file IN LISTS files)
    set(place host)
    set(reason "")
    if(file MATCHES "\\.cu$")
      set(place device)
      if(file MATCHES "^custom_kernels" AND NOT file MATCHES "\\.sm[0-9]+\\.cu$")
        list(APPEND simt_files ${PROJECT_SOURCE_DIR}/${file})
      endif()
      if(NOT TANDEM_DEVICE)
        set(reason "needs device code (this build has none: make device)")
      elseif(file MATCHES "\\.sm90\\.cu$" AND NOT CMAKE_CUDA_ARCHITECTURES MATCHES "^90a?(-real|-virtual)?$")
        set(reason "needs sm_90 (this build is for ${CMAKE_CUDA_ARCHITECTURES})")
      endif()
    elseif(file MATCHES "thrust" AND NOT TANDEM_THRUST_INCLUDE)
      set(reason "needs Thrust's headers (install libthrust-dev or the CUDA toolkit)")
    elseif(file MATCHES "openblas" AND NOT TANDEM_OPENBLAS)
      set(reason "needs OpenBLAS (install libopenblas-dev)")
    elseif(file MATCHES "roaring" AND NOT TANDEM_ROARING)
      set(reason "needs CRoaring (install libroaring-dev)")
    endif()
    if(TANDEM_ONLY AND NOT file MATCHES "${TANDEM_ONLY}")
      list(REMOVE_ITEM simt_files ${PROJECT_SOURCE_DIR}/${file})
      set(reason "left out by TANDEM_ONLY")
    endif()
    if(reason)
      file(READ ${file} text)  # file(STRINGS) would end at the first letter outside ASCII and escape semicolons
      string(REGEX MATCH "\\.note =[ \n]*\"([^\"]*)\"" note "${text}")
      set(note "${CMAKE_MATCH_1}")
      string(APPEND left_out "  add(\"${file}\", Place::${place}, \"${note}\", \"${reason}\");\n")
    elseif(place STREQUAL device)
      list(APPEND device_files ${file})
    else()
      list(APPEND host_files ${file})
      if(file MATCHES "thrust")
        # Thrust forms references to null in its own headers, which UndefinedBehaviorSanitizer would stop at.
        set_source_files_properties(${file} PROPERTIES INCLUDE_DIRECTORIES "${TANDEM_THRUST_INCLUDE}"
                                    COMPILE_OPTIONS -fno-sanitize=null)
      elseif(file MATCHES "openblas")
        set_source_files_properties(${file} PROPERTIES INCLUDE_DIRECTORIES "${TANDEM_OPENBLAS_INCLUDE}")
      endif()
    endif()
  endforeach()
  # Our kernels must not spill. (Those of sweeps may: how far one can go is what they ask.)
  set(ladder_files ${device_files})
  list(FILTER ladder_files INCLUDE REGEX "^custom_kernels")
  set_property(SOURCE ${ladder_files} APPEND PROPERTY COMPILE_OPTIONS -Xptxas=--warn-on-spills)
  configure_file(cmake/left_out.cpp.in ${CMAKE_BINARY_DIR}/left_out.cpp @ONLY)
  # Instructions of one architecture: compiled for it alone, and refused elsewhere (Implementation::unavailable).
  foreach(file IN LISTS device_files)
    if(file MATCHES "\\.sm([0-9]+)\\.cu$")
      set(target tandem_sm${CMAKE_MATCH_1})
      if(NOT TARGET ${target})
        add_library(${target} OBJECT)
        set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES ${CMAKE_MATCH_1}a-real)
        target_compile_options(${target} PRIVATE -lineinfo --diag-suppress=445)
      endif()
      target_sources(${target} PRIVATE ${file})
      list(REMOVE_ITEM device_files ${file})
      list(APPEND device_files $<TARGET_OBJECTS:${target}>)
    endif()
  endforeach()
  file(GLOB host_sweeps CONFIGURE_DEPENDS custom_kernels/*/tuning/*.cpp)
  file(GLOB sweeps CONFIGURE_DEPENDS custom_kernels/*/tuning/*.cu)
  if(TANDEM_ONLY)
    list(FILTER host_sweeps INCLUDE REGEX "${TANDEM_ONLY}")
    list(FILTER sweeps INCLUDE REGEX "${TANDEM_ONLY}")
  endif()
  list(APPEND host_files ${host_sweeps})
  list(APPEND simt_files ${sweeps})
  if(TANDEM_DEVICE)
    list(APPEND device_files ${sweeps})
  endif()
  set(TANDEM_HOST_FILES ${host_files} PARENT_SCOPE)
  set(TANDEM_DEVICE_FILES ${device_files} PARENT_SCOPE)
  set(TANDEM_SIMT_FILES ${simt_files} PARENT_SCOPE)
endfunction()

# Compiles .cu files for the executor: each is included by a generated one-line .cpp, so that __FILE__ is its own name.
# Each library has hidden visibility, because templates compiled for the executor must never meet their twins of the
# host build in one link. The compiler calls lib/simt/hooks.cpp before every load and store (-fsanitize=thread without
# its runtime), but where another sanitizer has that place. The optimiser is held back so that every call site stays one
# source line.
function(simt_library target files)
  foreach(file IN LISTS files)
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${file})
    set(wrapper ${CMAKE_BINARY_DIR}/simt/${name}.cpp)
    file(CONFIGURE OUTPUT ${wrapper} CONTENT "#include \"@file@\"\n" @ONLY)
    target_sources(${target} PRIVATE ${wrapper})
  endforeach()
  target_compile_definitions(${target} PRIVATE TANDEM_SIMT)
  target_compile_options(${target} PRIVATE -O1 -g -fno-tree-sra -fno-thread-jumps -fno-tree-sink -Wno-unknown-pragmas)
  if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    target_compile_options(${target} PRIVATE -fsanitize=thread)
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/lib/simt/hooks.cpp)
    set_source_files_properties(${PROJECT_SOURCE_DIR}/lib/simt/hooks.cpp TARGET_DIRECTORY ${target}
                                PROPERTIES COMPILE_OPTIONS "-O2;-fno-sanitize=thread")
    target_compile_definitions(${target} PRIVATE TANDEM_INSTRUMENTED)
    target_link_options(${target} PRIVATE -Wl,--no-undefined)  # a hook that is missing shows at once
  endif()
  target_link_libraries(${target} PRIVATE tandem tandem_executor)
endfunction()
