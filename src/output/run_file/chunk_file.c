#include "output/run_file/chunk_file.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "run files are little-endian; this machine needs byte swaps here"
#endif

enum {
    FORMAT_VERSION = 5, // chunks are records of named columns; 4 and before have fixed layouts
                        // 3 has no broken bonds with a frame's arrays
    OLDEST_VERSION = 2, // differs from 3 in how settings are told apart
    CODEC_RAW = 0,
    CODEC_ZSTD = 1,
    // Level 3 gains 1 to 2 % in size over level 1 on shuffled frames and takes a fifth longer.
    ZSTD_LEVEL = 1,
    PIECE = 1 << 18,        // [bytes] compressed by itself, by one thread
    LARGEST_READ = 1 << 30, // [bytes] Linux moves at most 2 GiB - 4 KiB per call
};

// zstd stores at best 128 KiB in 4 bytes, so that a small file could ask for gigabytes. Compressed
// chunks are limited to this ratio; data that compress better are stored uncompressed. The first
// frame of a plate compresses to a third.
static const uint64_t LARGEST_RATIO = 1024, ALWAYS_UNPACKED = 16 << 20; // [bytes]

static bool may_unpack(uint64_t stored_size, uint64_t raw_size)
{
    return raw_size <= ALWAYS_UNPACKED ||
           (raw_size - ALWAYS_UNPACKED) / LARGEST_RATIO <= stored_size;
}

static uint32_t checksum(const void *bytes, size_t size)
{
    return (uint32_t)crc32_z(0, bytes, size);
}

static void put32(unsigned char *at, uint32_t value)
{
    memcpy(at, &value, sizeof value);
}

static void put64(unsigned char *at, uint64_t value)
{
    memcpy(at, &value, sizeof value);
}

static uint32_t get32(const unsigned char *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static uint64_t get64(const unsigned char *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

// ---------------------------------------------------------------- writing

void sherd_chunk_write_file_header(sherd_file_writer *writer, const char *magic, uint64_t run_id)
{
    unsigned char header[SHERD_CHUNK_FILE_HEADER_SIZE] = {0};
    memcpy(header, magic, SHERD_CHUNK_MAGIC_SIZE);
    put32(header + 8, FORMAT_VERSION);
    put64(header + 16, run_id);
    put32(header + 28, checksum(header, 28));
    sherd_file_writer_write(writer, header, sizeof header);
}

static void fill_chunk_header(unsigned char header[SHERD_CHUNK_HEADER_SIZE],
                              const sherd_chunk *chunk)
{
    put32(header, chunk->kind);
    put32(header + 4, chunk->codec);
    put64(header + 8, (uint64_t)chunk->index);
    put64(header + 16, chunk->raw_size);
    put64(header + 24, chunk->stored_size);
    put32(header + 32, chunk->crc);
    put32(header + 36, checksum(header, 36));
}

static void write_chunk_header(sherd_file_writer *writer, const sherd_chunk *chunk)
{
    unsigned char header[SHERD_CHUNK_HEADER_SIZE];
    fill_chunk_header(header, chunk);
    sherd_file_writer_write(writer, header, sizeof header);
}

// The payload as zstd frames of PIECE bytes each, the last one shorter. Readers that take one zstd
// frame take several, too: ZSTD_decompress joins them.
typedef struct packing {
    const unsigned char *bytes;
    size_t size;
    size_t count, room; // pieces; bytes reserved for each
    unsigned char *packed;
    size_t *sizes;  // of each packed piece [bytes]; an error code of zstd if it failed
    uint32_t *crcs; // of each packed piece
} packing;

static void pack_pieces(void *context, size_t begin, size_t end)
{
    const packing *p = context;
    for (size_t k = begin; k < end; ++k) {
        size_t at = k * PIECE, left = p->size - at;
        unsigned char *to = p->packed + k * p->room;
        p->sizes[k] =
            ZSTD_compress(to, p->room, p->bytes + at, left < PIECE ? left : PIECE, ZSTD_LEVEL);
        if (!ZSTD_isError(p->sizes[k])) p->crcs[k] = checksum(to, p->sizes[k]);
    }
}

// Memory for the packed pieces is not zeroed: what stays unused of large blocks is never there.
static bool allocate(packing *p)
{
    p->count = (p->size + PIECE - 1) / PIECE;
    p->room = ZSTD_compressBound(p->size < PIECE ? p->size : PIECE);
    p->packed = malloc(p->count * p->room + 1);
    p->sizes = sherd_alloc(p->count, sizeof *p->sizes);
    p->crcs = sherd_alloc(p->count, sizeof *p->crcs);
    return p->packed != NULL && p->sizes != NULL && p->crcs != NULL;
}

static void release(packing *p)
{
    free(p->packed);
    sherd_free(p->sizes);
    sherd_free(p->crcs);
}

// Adds the packed pieces to sizes and checksum of the chunk. False if one was not packed.
static bool add_pieces(const packing *p, sherd_chunk *chunk)
{
    chunk->raw_size += p->size;
    for (size_t k = 0; k < p->count; ++k) {
        if (ZSTD_isError(p->sizes[k])) return false;
        chunk->stored_size += p->sizes[k];
        chunk->crc = (uint32_t)crc32_combine(chunk->crc, p->crcs[k], (z_off_t)p->sizes[k]);
    }
    return true;
}

// Sets codec, sizes and checksum of the chunk.
static void choose_codec(const packing *p, sherd_chunk *chunk)
{
    chunk->codec = CODEC_ZSTD;
    bool good = add_pieces(p, chunk);
    if (good && chunk->stored_size < chunk->raw_size &&
        may_unpack(chunk->stored_size, chunk->raw_size))
        return;
    chunk->codec = CODEC_RAW;
    chunk->stored_size = chunk->raw_size;
    chunk->crc = checksum(p->bytes, p->size);
}

sherd_status sherd_chunk_write(sherd_file_writer *writer, uint32_t kind, int64_t index,
                               const sherd_byte_buffer *payload, const sherd_parallel *parallel,
                               sherd_error *error)
{
    packing p = {.bytes = payload->bytes, .size = payload->size};
    if (payload->failed || !allocate(&p)) {
        release(&p);
        return sherd_fail_memory(error, "run file");
    }
    sherd_parallel_for(parallel, p.count, 1, pack_pieces, &p);
    sherd_chunk chunk = {.kind = kind, .index = index};
    choose_codec(&p, &chunk);
    write_chunk_header(writer, &chunk);
    if (chunk.codec == CODEC_RAW) sherd_file_writer_write(writer, payload->bytes, payload->size);
    for (size_t k = 0; k < p.count && chunk.codec == CODEC_ZSTD; ++k)
        sherd_file_writer_write(writer, p.packed + k * p.room, p.sizes[k]);
    release(&p);
    return SHERD_OK;
}

// ---------------------------------------------------------------- writing what is being encoded

enum { BATCH = 8 * PIECE, SKIPPED_HEAD = 8 }; // [bytes] packed at once; head of a skipped frame
static const uint32_t SKIPPED_MAGIC = 0x184D2A50;

typedef struct streaming {
    sherd_file_writer *writer;
    const sherd_parallel *parallel;
    packing packing;
    unsigned char *raw; // BATCH
    size_t used;
    bool in_place;
    sherd_byte_buffer stored; // what is not written in place
    sherd_chunk chunk;
} streaming;

static void put_stored(streaming *s, const void *bytes, size_t size)
{
    if (s->in_place)
        sherd_file_writer_write(s->writer, bytes, size);
    else
        sherd_byte_buffer_append(&s->stored, bytes, size);
}

static bool pack_batch(streaming *s)
{
    packing *p = &s->packing;
    p->size = s->used, p->count = (s->used + PIECE - 1) / PIECE;
    sherd_parallel_for(s->parallel, p->count, 1, pack_pieces, p);
    if (!add_pieces(p, &s->chunk)) return false;
    for (size_t k = 0; k < p->count; ++k)
        put_stored(s, p->packed + k * p->room, p->sizes[k]);
    s->used = 0;
    return !s->stored.failed;
}

static bool take_bytes(void *context, const void *bytes, size_t size)
{
    streaming *s = context;
    const unsigned char *from = bytes;
    while (size > 0) {
        if (s->used == BATCH && !pack_batch(s)) return false;
        size_t part = size < BATCH - s->used ? size : BATCH - s->used;
        memcpy(s->raw + s->used, from, part);
        s->used += part, from += part, size -= part;
    }
    return true;
}

// Readers refuse what is compressed by more than LARGEST_RATIO, and skip frames of this kind.
static void fill_up(streaming *s)
{
    static const unsigned char zeros[4096] = {0};
    sherd_chunk *chunk = &s->chunk;
    if (may_unpack(chunk->stored_size, chunk->raw_size)) return;
    uint64_t least = (chunk->raw_size - ALWAYS_UNPACKED) / LARGEST_RATIO;
    uint32_t missing = (uint32_t)(least - chunk->stored_size);
    unsigned char head[SKIPPED_HEAD];
    put32(head, SKIPPED_MAGIC);
    put32(head + 4, missing);
    put_stored(s, head, sizeof head);
    chunk->crc = (uint32_t)crc32_z(chunk->crc, head, sizeof head);
    chunk->stored_size += sizeof head + missing;
    for (size_t part; missing > 0; missing -= (uint32_t)part) {
        part = missing < sizeof zeros ? missing : sizeof zeros;
        put_stored(s, zeros, part);
        chunk->crc = (uint32_t)crc32_z(chunk->crc, zeros, part);
    }
}

static sherd_status write_rest(streaming *s, int64_t start, sherd_error *error)
{
    if (!pack_batch(s)) return sherd_fail_memory(error, "run file");
    fill_up(s);
    if (s->stored.failed) return sherd_fail_memory(error, "run file");
    unsigned char header[SHERD_CHUNK_HEADER_SIZE];
    fill_chunk_header(header, &s->chunk);
    if (s->in_place) {
        sherd_file_writer_rewrite(s->writer, start, header, sizeof header);
        return SHERD_OK;
    }
    sherd_file_writer_write(s->writer, header, sizeof header);
    sherd_file_writer_write(s->writer, s->stored.bytes, s->stored.size);
    return SHERD_OK;
}

static sherd_status stream(streaming *s, const sherd_chunk_source *source, sherd_byte_buffer *out,
                           sherd_error *error)
{
    static const unsigned char no_header[SHERD_CHUNK_HEADER_SIZE] = {0};
    sherd_status status = source->encode(source->context, out, error);
    if (status != SHERD_OK || out->failed) goto end;
    size_t size = out->size;
    int64_t start = sherd_file_writer_size(s->writer);
    out->size = 0, out->stream->take = take_bytes;
    if (s->in_place && size > BATCH)
        sherd_file_writer_write(s->writer, no_header, sizeof no_header);
    status = source->encode(source->context, out, error);
    sherd_byte_buffer_flush(out);
    SHERD_ASSERT(out->failed || out->size == size, "what is encoded twice is the same");
    if (status != SHERD_OK || out->failed) goto end;
    if (size > BATCH) return write_rest(s, start, error);
    sherd_byte_buffer payload = {.bytes = s->raw, .size = size, .capacity = BATCH};
    return sherd_chunk_write(s->writer, s->chunk.kind, s->chunk.index, &payload, s->parallel,
                             error);
end:
    return status != SHERD_OK ? status : sherd_fail_memory(error, "run file");
}

sherd_status sherd_chunk_write_pieces(sherd_file_writer *writer, uint32_t kind, int64_t index,
                                      const sherd_chunk_source *source,
                                      const sherd_parallel *parallel, sherd_error *error)
{
    streaming s = {.writer = writer,
                   .parallel = parallel,
                   .packing = {.size = BATCH},
                   .raw = malloc(BATCH),
                   .in_place = source->order == SHERD_CHUNK_IN_PLACE,
                   .chunk = {.kind = kind, .codec = CODEC_ZSTD, .index = index}};
    sherd_byte_stream counted = {.context = &s};
    sherd_byte_buffer out = {.stream = &counted};
    s.packing.bytes = s.raw;
    sherd_status status = s.raw != NULL && allocate(&s.packing)
                              ? stream(&s, source, &out, error)
                              : sherd_fail_memory(error, "run file");
    release(&s.packing), free(s.raw);
    sherd_byte_buffer_free(&s.stored);
    sherd_byte_buffer_free(&out), sherd_byte_stream_free(&counted);
    return status;
}

// ---------------------------------------------------------------- opening

// 0, errno, or -1 at the end of the file.
static int read_at(int descriptor, void *bytes, size_t size, uint64_t offset)
{
    unsigned char *to = bytes;
    while (size > 0) {
        size_t part = size < LARGEST_READ ? size : LARGEST_READ;
        ssize_t got = pread(descriptor, to, part, (off_t)offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return errno;
        if (got == 0) return -1;
        to += got;
        size -= (size_t)got;
        offset += (uint64_t)got;
    }
    return 0;
}

static sherd_status fail_read(const sherd_chunk_file *file, int problem, sherd_error *error)
{
    if (problem > 0) return sherd_fail_reading(error, problem, file->path);
    return sherd_fail(error, SHERD_ERROR_INPUT, file->path,
                      "something cut the file while it was read: read it again",
                      "the file ends too early");
}

static sherd_status check_file_header(sherd_chunk_file *file, const char *magic, sherd_error *error)
{
    unsigned char header[SHERD_CHUNK_FILE_HEADER_SIZE];
    int problem = read_at(file->descriptor, header, sizeof header, 0);
    if (problem > 0) return fail_read(file, problem, error);
    if (problem < 0 || memcmp(header, magic, SHERD_CHUNK_MAGIC_SIZE) != 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, file->path,
                          "give a run folder or the run.sherd in it",
                          "not a run file of Sherd, or its first bytes are damaged");
    if (get32(header + 28) != checksum(header, 28))
        return sherd_fail(error, SHERD_ERROR_INPUT, file->path, "run the scene again",
                          "the first bytes of this file are damaged");
    uint32_t version = get32(header + 8);
    if (version < OLDEST_VERSION || version > FORMAT_VERSION)
        return sherd_fail(error, SHERD_ERROR_UNSUPPORTED, file->path,
                          "read it with the version of Sherd that wrote it",
                          "format version %u, this program reads versions %d to %d", version,
                          OLDEST_VERSION, FORMAT_VERSION);
    file->run_id = get64(header + 16);
    file->version = version;
    return SHERD_OK;
}

bool sherd_chunk_file_is(const char *path, const char *magic)
{
    unsigned char header[SHERD_CHUNK_FILE_HEADER_SIZE];
    int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0) return false;
    bool whole = read_at(descriptor, header, sizeof header, 0) == 0;
    close(descriptor);
    return whole && memcmp(header, magic, SHERD_CHUNK_MAGIC_SIZE) == 0 &&
           get32(header + 28) == checksum(header, 28);
}

static bool parse_chunk_header(const unsigned char *header, uint64_t offset, uint64_t file_size,
                               sherd_chunk *chunk)
{
    if (get32(header + 36) != checksum(header, 36)) return false;
    *chunk = (sherd_chunk){.kind = get32(header),
                           .codec = get32(header + 4),
                           .crc = get32(header + 32),
                           .index = (int64_t)get64(header + 8),
                           .raw_size = get64(header + 16),
                           .stored_size = get64(header + 24),
                           .offset = offset};
    if (chunk->stored_size > file_size - offset) return false;
    if (chunk->codec == CODEC_RAW) return chunk->raw_size == chunk->stored_size;
    return chunk->codec == CODEC_ZSTD && may_unpack(chunk->stored_size, chunk->raw_size);
}

// Finds the next valid header of an expected kind at or after `at`; the file's size if there is
// none. The checksum excludes chance matches.
static sherd_status find_next(const sherd_chunk_file *file, uint64_t at, uint64_t *found,
                              sherd_error *error)
{
    enum { BLOCK = 1 << 16 };
    unsigned char *block = sherd_alloc(BLOCK, 1);
    if (block == NULL) return sherd_fail_memory(error, file->path);
    int problem = 0;
    *found = file->size;
    while (problem == 0 && *found == file->size && file->size - at >= SHERD_CHUNK_HEADER_SIZE) {
        size_t size = file->size - at < BLOCK ? (size_t)(file->size - at) : BLOCK, k = 0;
        problem = read_at(file->descriptor, block, size, at);
        for (; problem == 0 && k + SHERD_CHUNK_HEADER_SIZE <= size && *found == file->size; ++k) {
            sherd_chunk chunk;
            bool named =
                block[k] >= 'A' && block[k] <= 'Z' && block[k + 3] >= 'A' && block[k + 3] <= 'Z';
            if (named &&
                parse_chunk_header(block + k, at + k + SHERD_CHUNK_HEADER_SIZE, file->size, &chunk))
                *found = at + k;
        }
        at += k;
    }
    sherd_free(block);
    return problem == 0 ? SHERD_OK : fail_read(file, problem, error);
}

// From the end of the last known chunk.
static sherd_status scan(sherd_chunk_file *file, sherd_error *error)
{
    uint64_t at = sherd_chunk_file_end(file);
    while (file->size - at >= SHERD_CHUNK_HEADER_SIZE) {
        unsigned char header[SHERD_CHUNK_HEADER_SIZE];
        sherd_chunk chunk;
        int problem = read_at(file->descriptor, header, sizeof header, at);
        if (problem != 0) return fail_read(file, problem, error);
        if (!parse_chunk_header(header, at + SHERD_CHUNK_HEADER_SIZE, file->size, &chunk)) {
            sherd_status status = find_next(file, at + 1, &at, error);
            if (status != SHERD_OK) return status;
            continue;
        }
        if (!sherd_grow((void **)&file->chunks, &file->capacity, file->count + 1,
                        sizeof *file->chunks))
            return sherd_fail_memory(error, file->path);
        file->chunks[file->count++] = chunk;
        at = chunk.offset + chunk.stored_size;
    }
    return SHERD_OK;
}

// Drops chunks from the end while their payload is damaged. Stops if memory is short.
static void drop_damaged_end(sherd_chunk_file *file)
{
    while (file->count > 0) {
        unsigned char *bytes = NULL;
        sherd_status status = sherd_chunk_read(file, &file->chunks[file->count - 1], &bytes, NULL);
        sherd_free(bytes);
        if (status != SHERD_ERROR_INPUT) return;
        --file->count;
    }
}

sherd_status sherd_chunk_file_open(sherd_chunk_file *file, const char *path, const char *magic,
                                   sherd_error *error)
{
    *file = (sherd_chunk_file){.descriptor = -1, .path = sherd_string_copy(path)};
    if (file->path == NULL) return sherd_fail_memory(error, path);
    struct stat info = {0};
    int problem;
    file->descriptor = sherd_open_file(path, &problem);
    if (problem == 0 && fstat(file->descriptor, &info) != 0) problem = errno;
    file->size = (uint64_t)info.st_size;
    sherd_status status = problem != 0 ? sherd_fail_reading(error, problem, path)
                                       : check_file_header(file, magic, error);
    if (status == SHERD_OK) status = scan(file, error);
    if (status != SHERD_OK) {
        sherd_chunk_file_close(file);
        return status;
    }
    drop_damaged_end(file);
    return SHERD_OK;
}

sherd_status sherd_chunk_file_extend(sherd_chunk_file *file, sherd_error *error)
{
    struct stat info = {0};
    if (fstat(file->descriptor, &info) != 0) return sherd_fail_reading(error, errno, file->path);
    file->size = (uint64_t)info.st_size;
    return scan(file, error);
}

void sherd_chunk_file_close(sherd_chunk_file *file)
{
    if (file->path != NULL && file->descriptor >= 0) close(file->descriptor);
    sherd_free(file->path);
    sherd_free(file->chunks);
    *file = (sherd_chunk_file){.descriptor = -1};
}

uint64_t sherd_chunk_file_end(const sherd_chunk_file *file)
{
    if (file->count == 0) return SHERD_CHUNK_FILE_HEADER_SIZE;
    const sherd_chunk *last = &file->chunks[file->count - 1];
    return last->offset + last->stored_size;
}

// ---------------------------------------------------------------- reading

static sherd_status fail_damaged(const sherd_chunk_file *file, const sherd_chunk *chunk,
                                 sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, file->path,
                      "earlier and later frames can still be read; the disk may be failing",
                      "the bytes at %llu to %llu (part of frame %lld) are damaged",
                      (unsigned long long)chunk->offset,
                      (unsigned long long)(chunk->offset + chunk->stored_size),
                      (long long)chunk->index);
}

sherd_status sherd_chunk_check(const sherd_chunk_file *file, const sherd_chunk *chunk,
                               sherd_error *error)
{
    SHERD_ASSERT(file->descriptor >= 0 && chunk->offset + chunk->stored_size <= file->size,
                 "checked chunks are within their file");
    enum { BLOCK = 1 << 16 };
    unsigned char *block = sherd_alloc(BLOCK, 1);
    if (block == NULL) return sherd_fail_memory(error, file->path);
    uint32_t crc = 0;
    int problem = 0;
    for (uint64_t at = 0; at < chunk->stored_size && problem == 0; at += BLOCK) {
        uint64_t left = chunk->stored_size - at;
        size_t size = left < BLOCK ? (size_t)left : BLOCK;
        problem = read_at(file->descriptor, block, size, chunk->offset + at);
        if (problem == 0) crc = (uint32_t)crc32_z(crc, block, size);
    }
    sherd_free(block);
    if (problem != 0) return fail_read(file, problem, error);
    return crc == chunk->crc ? SHERD_OK : fail_damaged(file, chunk, error);
}

sherd_status sherd_chunk_read(const sherd_chunk_file *file, const sherd_chunk *chunk,
                              unsigned char **bytes, sherd_error *error)
{
    SHERD_ASSERT(file->descriptor >= 0 && chunk->offset + chunk->stored_size <= file->size,
                 "listed chunks are within their file");
    *bytes = NULL;
    unsigned char *stored = sherd_alloc(chunk->stored_size, 1);
    if (stored == NULL) return sherd_fail_memory(error, file->path);
    int problem = read_at(file->descriptor, stored, chunk->stored_size, chunk->offset);
    sherd_status status = problem != 0 ? fail_read(file, problem, error) : SHERD_OK;
    if (status == SHERD_OK && checksum(stored, chunk->stored_size) != chunk->crc)
        status = fail_damaged(file, chunk, error);
    if (status != SHERD_OK || chunk->codec == CODEC_RAW) {
        if (status == SHERD_OK)
            *bytes = stored;
        else
            sherd_free(stored);
        return status;
    }
    unsigned char *raw = sherd_alloc(chunk->raw_size, 1);
    if (raw == NULL)
        status = sherd_fail_memory(error, file->path);
    else if (ZSTD_decompress(raw, chunk->raw_size, stored, chunk->stored_size) != chunk->raw_size)
        status = fail_damaged(file, chunk, error);
    sherd_free(stored);
    if (status == SHERD_OK)
        *bytes = raw;
    else
        sherd_free(raw);
    return status;
}
