# The libraries that a file asks for in its first line, `// needs: NAME …`: how each is found, what it gives to the files
# that name it, and what to say where it is missing.
#
#   tandem_library(NAME "what to say" [INCLUDE folder] [LINK library] [LOADED library] [OPTIONS compile options])
# A library is there when its INCLUDE, LINK and LOADED, as far as given, were found. What is LOADED is not linked: its
# wrappers load it when a call needs it.

function(tandem_library name missing)
  cmake_parse_arguments(PARSE_ARGV 2 library "" "INCLUDE;LINK;LOADED;OPTIONS" "")
  set(there TRUE)
  foreach(part INCLUDE LINK LOADED)
    if(DEFINED library_${part} AND NOT library_${part})
      set(there FALSE)
    endif()
  endforeach()
  foreach(part INCLUDE LINK OPTIONS)
    set(TANDEM_${name}_${part} "${library_${part}}" PARENT_SCOPE)
  endforeach()
  set(TANDEM_${name}_MISSING "${missing}" PARENT_SCOPE)
  set(TANDEM_${name}_THERE ${there} PARENT_SCOPE)
endfunction()

# Thrust's CPU back ends are headers: from the CUDA toolkit, else from Debian's libthrust-dev. Thrust forms references to
# null in its own headers, which UndefinedBehaviorSanitizer would stop at.
find_path(TANDEM_THRUST_INCLUDE thrust/version.h
          HINTS ${CUDAToolkit_INCLUDE_DIRS} PATH_SUFFIXES cccl
          PATHS /usr/local/cuda/include/cccl /usr/local/cuda/include /usr/include NO_CMAKE_FIND_ROOT_PATH)
tandem_library(thrust "needs Thrust's headers (install libthrust-dev or the CUDA toolkit)"
               INCLUDE "${TANDEM_THRUST_INCLUDE}" OPTIONS -fno-sanitize=null)

# Another CCCL than the toolkit's, for rows beside those of the toolkit's: CUB's and Thrust's namespaces carry their version,
# that of cuda::std is __4 in both, and gets another name here.
set(TANDEM_CCCL "" CACHE PATH "A checkout of github.com/NVIDIA/cccl, for the rows cub_newest")
set(cccl NOTFOUND)
if(EXISTS ${TANDEM_CCCL}/cub/cub/version.cuh)
  set(cccl ${TANDEM_CCCL}/cub ${TANDEM_CCCL}/thrust ${TANDEM_CCCL}/libcudacxx/include)
endif()
tandem_library(cccl "needs another CCCL (cmake -DTANDEM_CCCL=checkout)"
               INCLUDE "${cccl}" OPTIONS -D__4=__another)
set(cccl_top_k NOTFOUND)
if(EXISTS ${TANDEM_CCCL}/cub/cub/device/device_topk.cuh)
  set(cccl_top_k ${cccl})
endif()
tandem_library(cccl_top_k "needs another CCCL that has cub::DeviceTopK (cmake -DTANDEM_CCCL=checkout)"
               INCLUDE "${cccl_top_k}" OPTIONS -D__4=__another)

# OpenBLAS has functions beyond standard BLAS, so another BLAS will not do.
find_library(TANDEM_OPENBLAS openblas PATH_SUFFIXES openblas-pthread openblas-openmp)
find_path(TANDEM_OPENBLAS_INCLUDE openblas_config.h PATH_SUFFIXES openblas-pthread openblas-openmp
          PATHS /usr/include/${CMAKE_CXX_LIBRARY_ARCHITECTURE})
tandem_library(openblas "needs OpenBLAS (install libopenblas-dev)"
               INCLUDE "${TANDEM_OPENBLAS_INCLUDE}" LOADED "${TANDEM_OPENBLAS}")

find_library(TANDEM_ROARING roaring)
tandem_library(roaring "needs CRoaring (install libroaring-dev)" LINK "${TANDEM_ROARING}")

# Of both precisions, with its threads. It is under the GPL: loaded when a call needs it, never linked.
find_path(TANDEM_FFTW_INCLUDE fftw3.h)
find_library(TANDEM_FFTW fftw3_threads)
find_library(TANDEM_FFTWF fftw3f_threads)
set(fftw NOTFOUND)
if(TANDEM_FFTW AND TANDEM_FFTWF AND TANDEM_FFTW_INCLUDE)
  set(fftw ${TANDEM_FFTW})
endif()
tandem_library(fftw "needs FFTW (install libfftw3-dev)" LOADED "${fftw}")

find_path(TANDEM_EIGEN_INCLUDE Eigen/SparseCore PATH_SUFFIXES eigen3)
tandem_library(eigen "needs Eigen (install libeigen3-dev)" INCLUDE "${TANDEM_EIGEN_INCLUDE}")

# The back end of libstdc++'s parallel algorithms, and one of Thrust's.
find_package(TBB QUIET)
set(tbb NOTFOUND)
if(TARGET TBB::tbb)
  set(tbb TBB::tbb)
endif()
tandem_library(tbb "needs TBB (install libtbb-dev)" LINK "${tbb}")
