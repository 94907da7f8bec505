// A file of checked, compressed chunks: the container of run.sherd and checkpoint.sherd.
//
//     file   = header, chunk, chunk, ...                                    little-endian
//     header = magic (8 bytes), version u32, 0 u32, run id u64, 0 u32, crc u32      32 bytes
//     chunk  = kind u32, codec u32, index i64, raw size u64, stored size u64,
//              payload crc u32, header crc u32                                      40 bytes
//              payload (stored size bytes)
//
// The crc of a header covers the bytes before it, so that lengths can be trusted. Opening scans the
// headers only; there is no table of contents at the end, which a killed process would never have
// written. After an invalid header the reader searches for the next valid one.
#pragma once

#include "base/byte_buffer.h"
#include "base/file_writer.h"
#include "base/parallel.h"

enum {
    SHERD_CHUNK_MAGIC_SIZE = 8,
    SHERD_CHUNK_FILE_HEADER_SIZE = 32,
    SHERD_CHUNK_HEADER_SIZE = 40
};

// Four letters as they appear in the file.
#define SHERD_CHUNK_KIND(a, b, c, d)                                                               \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

typedef struct sherd_chunk {
    uint32_t kind, codec, crc;
    int64_t index;
    uint64_t raw_size, stored_size; // [bytes]
    uint64_t offset;                // of the payload [bytes]
} sherd_chunk;

typedef struct sherd_chunk_file {
    int descriptor;
    char *path;
    uint64_t run_id;
    uint32_t version;    // of the format
    uint64_t size;       // of the file [bytes]
    sherd_chunk *chunks; // in file order
    size_t count, capacity;
} sherd_chunk_file;

// ---------------------------------------------------------------- writing

void sherd_chunk_write_file_header(sherd_file_writer *writer, const char *magic, uint64_t run_id);

// Compresses and appends one chunk. The threads compress pieces of a fixed size, so that its bytes do
// not depend on their number. Reports short memory at once; failed writes are reported at the
// writer's next flush.
sherd_status sherd_chunk_write(sherd_file_writer *writer, uint32_t kind, int64_t index,
                               const sherd_byte_buffer *payload, const sherd_parallel *parallel,
                               sherd_error *error);

// A payload that is encoded while it is written, so that it is never in memory as a whole.
typedef struct sherd_chunk_source {
    // Appends the payload to `out`; called twice, with the same bytes.
    sherd_status (*encode)(const void *context, sherd_byte_buffer *out, sherd_error *error);
    const void *context;
    enum {
        SHERD_CHUNK_APPENDED, // after its header, from memory once it is compressed
        // before its header is known: the file is a regular one and thrown away after a failure
        SHERD_CHUNK_IN_PLACE,
    } order;
} sherd_chunk_source;
sherd_status sherd_chunk_write_pieces(sherd_file_writer *writer, uint32_t kind, int64_t index,
                                      const sherd_chunk_source *source,
                                      const sherd_parallel *parallel, sherd_error *error);

// ---------------------------------------------------------------- reading

// Opens the file, checks its header and lists its chunks, skipping damaged ranges. Also checks the
// payloads at the end of the file, where a crash may leave holes. On failure nothing stays open.
sherd_status sherd_chunk_file_open(sherd_chunk_file *file, const char *path, const char *magic,
                                   sherd_error *error);
// Lists the chunks that were appended since, by the process that writes the file.
sherd_status sherd_chunk_file_extend(sherd_chunk_file *file, sherd_error *error);
void sherd_chunk_file_close(sherd_chunk_file *file);

// True if a file (not a link) starts with a valid header of this kind, of any version.
bool sherd_chunk_file_is(const char *path, const char *magic);

// End of the last valid chunk [bytes].
uint64_t sherd_chunk_file_end(const sherd_chunk_file *file);

// Checks the stored bytes without decompressing them; needs little memory.
sherd_status sherd_chunk_check(const sherd_chunk_file *file, const sherd_chunk *chunk,
                               sherd_error *error);

// The chunk's raw bytes, checked; free with sherd_free.
sherd_status sherd_chunk_read(const sherd_chunk_file *file, const sherd_chunk *chunk,
                              unsigned char **bytes, sherd_error *error);
