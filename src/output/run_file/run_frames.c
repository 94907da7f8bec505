#include "output/run_file/run_frames.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "output/run_file/run_format.h"

// Frames have ascending numbers; a damaged frame may lack one chunk, or both, or several frames may
// be missing. A descending number ends the run.
sherd_status sherd_run_find_frames(const sherd_chunk_file *file, size_t first_chunk,
                                   sherd_run_chunks **frames, int64_t *count, sherd_error *error)
{
    size_t capacity = 0;
    int64_t count_so_far = 0, most = (int64_t)(file->size / (2 * SHERD_CHUNK_HEADER_SIZE));
    *frames = NULL;
    *count = 0;
    for (size_t k = first_chunk; k < file->count; ++k) {
        const sherd_chunk *chunk = &file->chunks[k];
        bool step = chunk->kind == SHERD_CHUNK_STEP;
        if (!step && chunk->kind != SHERD_CHUNK_FRAME) break;
        if (chunk->index < 0 || chunk->index < count_so_far - 1 || chunk->index >= most) break;
        for (; count_so_far <= chunk->index; ++count_so_far) {
            if (!sherd_grow((void **)frames, &capacity, (size_t)count_so_far + 1, sizeof **frames))
                return sherd_fail_memory(error, file->path);
            (*frames)[count_so_far] = (sherd_run_chunks){-1, -1};
        }
        sherd_run_chunks *frame = &(*frames)[chunk->index];
        int64_t *place = step ? &frame->step : &frame->arrays;
        if (*place >= 0 || (step && frame->arrays >= 0)) break;
        *place = (int64_t)k;
        if (frame->step >= 0 && frame->arrays >= 0) *count = chunk->index + 1;
    }
    SHERD_ASSERT(*count <= count_so_far, "complete frames are among those found");
    return SHERD_OK;
}

sherd_status sherd_run_fail_missing(const sherd_chunk_file *file, int64_t frame, sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, file->path,
                      "earlier and later frames can still be read; the disk may be failing",
                      "frame %lld is damaged", (long long)frame);
}
