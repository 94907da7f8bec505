// Records calls of usd_scene.h, to be made later: meshes come before it is known where they stand in
// the file.
#pragma once

#include "animation/spool.h"
#include "base/byte_buffer.h"
#include "output/usd/usd_scene.h"

// Calls are recorded in a sherd_byte_buffer, the `file` of the output. Attributes have a value and
// no samples. After the last call, the buffer is complete, failed if memory was short.
extern const sherd_usd_encoding sherd_usd_recorder;

// A range of a spool.
typedef struct sherd_usd_record {
    int64_t offset, size;
} sherd_usd_record;

// Moves the buffer's calls to the end of the spool and empties it.
sherd_usd_record sherd_usd_record_store(sherd_byte_buffer *calls, sherd_spool *spool);
// Makes the calls. False if memory is short.
bool sherd_usd_record_play(sherd_usd_record record, sherd_spool *spool,
                           const sherd_usd_output *out);
