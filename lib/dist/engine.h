#pragma once
// What moves data between ranks: a table of C functions, which a plugin (libtandem_mpi.so) has and the library loads. MPI's
// communicators cross this boundary as integers (MPI_Comm_c2f), so the library is the same for every MPI. Functions
// return 0, or MPI's code of an error.

#include "tandem/operators.h"

namespace tandem {

/// Of the table below: a plugin that has another one is refused.
constexpr int kEngineVersion = 2;
constexpr const char* kEngineSymbol = "tandem_engine";

struct Engine {
  int version;          // stands first in every version
  const char* library;  // "Open MPI v4.1.4, …"

  /// Initialises MPI where nobody has; its own initialisation ends by itself when the program does.
  int (*start)();
  /// Called once when the program ends, before MPI_Finalize where start() initialised MPI.
  void (*at_end)(void (*work)());
  int (*world)(int* comm);
  int (*duplicate)(int comm, int* copy);
  int (*split)(int comm, int colour, int key, int* part);
  int (*release)(int comm);
  int (*place)(int comm, int* rank, int* size);

  int (*barrier)(int comm);
  /// `bytes` from every rank to every rank, in rank order.
  int (*all_gather)(int comm, const void* part, void* all, int bytes);
  /// The same with parts of different length: bytes[r] of rank r come to all + at[r].
  int (*all_gather_parts)(int comm, const void* part, void* all, const int* bytes, const int* at);
  /// from_bytes[r] bytes at from + from_at[r] go to rank r, to_bytes[r] bytes of rank r come to to + to_at[r].
  int (*all_to_all)(int comm, const void* from, const int* from_bytes, const int* from_at, void* to,
                    const int* to_bytes, const int* to_at);

  /// The library's own: op over the same elements of all ranks, in an order of its own. Numbers of 8 bits at least, and
  /// plus, multiplies, minimum and maximum.
  int (*all_reduce)(int comm, const void* in, void* out, int count, Type type, OperatorId op);

  void (*describe)(int code, char* text, int room);
  /// Ends the processes of all ranks. May be called from any thread, and may not return.
  void (*abort)(int status);
};

/// The table of the plugin. Throws Unavailable, which says what is missing and how to get it.
const Engine& mpi_engine();

}  // namespace tandem
