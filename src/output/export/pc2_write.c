// Point cache 2: a header of 32 bytes, then the points of every sample as floats, little-endian.
//
//     "POINTCACHE2\0", int32 version 1, int32 points, float start, float rate, int32 samples

#include "output/export/pc2_write.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/file_writer.h"
#include "base/memory.h"
#include "output/byte_order.h"

#include <stdio.h>

enum { HEADER_SIZE = 32, BATCH = 256 };
static const double FIRST_FRAME = 1.0, FRAMES_PER_SAMPLE = 1.0;

struct sherd_pc2 {
    sherd_file_writer *writer;
    char *path;
    int64_t wanted, written; // points
};

static void write_header(sherd_file_writer *writer, int64_t points, int64_t frames)
{
    unsigned char header[HEADER_SIZE] = "POINTCACHE2";
    sherd_store_u32(header + 12, 1);
    sherd_store_u32(header + 16, (uint32_t)points);
    sherd_store_f32(header + 20, FIRST_FRAME);
    sherd_store_f32(header + 24, FRAMES_PER_SAMPLE);
    sherd_store_u32(header + 28, (uint32_t)frames);
    sherd_file_writer_write(writer, header, sizeof header);
}

sherd_pc2 *sherd_pc2_create(const char *path, int64_t points, int64_t frames, sherd_error *error)
{
    if (points < 1 || frames < 1 || points > INT32_MAX || frames > INT32_MAX) {
        sherd_fail(error, SHERD_ERROR_INPUT, path, NULL,
                   "a point cache holds 1 to 2 billion points and frames, got %lld and %lld",
                   (long long)points, (long long)frames);
        return NULL;
    }
    sherd_pc2 *cache = sherd_alloc(1, sizeof *cache);
    char *copy = sherd_string_copy(path);
    if (cache == NULL || copy == NULL) {
        sherd_free(cache);
        sherd_free(copy);
        sherd_fail_memory(error, path);
        return NULL;
    }
    *cache = (sherd_pc2){sherd_file_writer_create(path, error), copy, points * frames, 0};
    if (cache->writer == NULL) {
        sherd_pc2_abort(cache);
        return NULL;
    }
    write_header(cache->writer, points, frames);
    return cache;
}

void sherd_pc2_abort(sherd_pc2 *cache)
{
    if (cache == NULL) return;
    sherd_file_writer_abort(cache->writer);
    sherd_free(cache->path);
    sherd_free(cache);
}

void sherd_pc2_add(sherd_pc2 *cache, int64_t count, const double *points)
{
    SHERD_ASSERT(cache->writer != NULL && count >= 0, "points are added to a cache that is open");
    unsigned char bytes[12 * BATCH];
    for (int64_t first = 0; first < count; first += BATCH) {
        size_t n = (size_t)(count - first < BATCH ? count - first : BATCH);
        for (size_t k = 0; k < n; ++k) {
            const double *p = points + 3 * ((size_t)first + k);
            sherd_store_f32(bytes + 12 * k, p[0]);
            sherd_store_f32(bytes + 12 * k + 4, p[2]);
            sherd_store_f32(bytes + 12 * k + 8, -p[1]);
        }
        sherd_file_writer_write(cache->writer, bytes, 12 * n);
    }
    cache->written += count;
}

sherd_status sherd_pc2_finish(sherd_pc2 *cache, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    if (cache->written != cache->wanted) {
        status = sherd_fail(error, SHERD_ERROR_INPUT, cache->path, NULL,
                            "%lld points were announced, %lld came", (long long)cache->wanted,
                            (long long)cache->written);
    } else {
        status = sherd_file_writer_commit(cache->writer, error);
        cache->writer = NULL;
    }
    sherd_pc2_abort(cache);
    return status;
}
