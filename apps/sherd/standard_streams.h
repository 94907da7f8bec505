// Descriptors 0 to 2: opens closed ones at the start, and checks that standard output was written.
#pragma once

#include <stdbool.h>

// Opens /dev/null for a closed standard input, output or error; otherwise the next opened file
// would get that number and receive text for the terminal. Ignores SIGPIPE: output without a reader
// is lost. Returns false if nothing could be opened.
bool standard_streams_open(void);

// Flushes standard output. Returns false after printing an error if output was lost (full disk);
// true if the reader closed the pipe.
bool standard_output_flush(void);
