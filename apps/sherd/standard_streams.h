// Descriptors 0 to 2: there before anything else is opened, and what became of the words written to
// standard output.
#pragma once

#include <stdbool.h>

// Puts /dev/null where standard input, output or errors are closed: otherwise the next file that is
// opened takes the number, and words for the terminal end up in it. Ignores SIGPIPE: when nobody
// reads any more, words are lost and nothing else. Returns false when nothing could be opened.
bool standard_streams_open(void);

// Flushes standard output. Returns false after having said so when words that somebody waits for
// are lost, as on a full disk; true when their reader has gone away by itself (a closed pipe).
bool standard_output_flush(void);
