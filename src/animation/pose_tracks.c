#include "animation/pose_tracks.h"

#include "base/assertion.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { READ_AT_ONCE = 1 << 15 }; // poses, 2 MB

bool sherd_pose_tracks_begin(sherd_pose_tracks *t)
{
    if (!sherd_grow((void **)&t->items, &t->capacity, (size_t)t->count + 1, sizeof *t->items))
        return false;
    t->items[t->count++] = (sherd_pose_track){0};
    return true;
}

static bool store(sherd_pose_tracks *t, int32_t piece, int64_t frame, const sherd_pose *pose)
{
    sherd_pose_run *last = t->run_count > 0 ? &t->runs[t->run_count - 1] : NULL;
    if (last == NULL || last->frame != frame || last->first + last->count != piece) {
        if (!sherd_grow((void **)&t->runs, &t->run_capacity, t->run_count + 1, sizeof *t->runs))
            return false;
        last = &t->runs[t->run_count++];
        *last = (sherd_pose_run){frame, sherd_spool_size(&t->spool), piece, 0};
    }
    ++last->count;
    sherd_spool_append(&t->spool, pose, sizeof *pose);
    return true;
}

bool sherd_pose_tracks_add(sherd_pose_tracks *t, int32_t piece, int64_t frame, sherd_pose pose)
{
    sherd_pose_track *track = &t->items[piece];
    SHERD_ASSERT(piece >= 0 && piece < t->count, "poses are of pieces that exist");
    SHERD_ASSERT(track->count == 0 || frame == track->first_frame + track->count,
                 "frames of a piece follow each other without gaps");
    if (!store(t, piece, frame, &pose)) return false;
    if (track->count == 0) {
        track->first_frame = frame;
        track->first = pose;
    }
    track->moves = track->moves || memcmp(&pose, &track->first, sizeof pose) != 0;
    track->turns =
        track->turns || memcmp(&pose.rotation, &track->first.rotation, sizeof pose.rotation) != 0;
    ++track->count;
    return true;
}

// ---------------------------------------------------------------- reading

// Choose as many pieces from `first` on as fit into the buffer, at least one.
static bool choose_pieces(sherd_pose_tracks *t, int32_t first)
{
    int64_t total = 0;
    int32_t end = first;
    for (; end < t->count && (end == first || total + t->items[end].count <= READ_AT_ONCE); ++end)
        total += t->items[end].count;
    if (!sherd_grow((void **)&t->read, &t->read_room, (size_t)total + 1, sizeof *t->read) ||
        !sherd_grow((void **)&t->read_at, &t->at_room, (size_t)(end - first) + 1,
                    sizeof *t->read_at))
        return false;
    t->read_first = first;
    t->read_end = end;
    t->read_at[0] = 0;
    for (int32_t k = first; k < end; ++k)
        t->read_at[k - first + 1] = t->read_at[k - first] + t->items[k].count;
    SHERD_ASSERT(end > first && t->read_at[end - first] == total,
                 "poses of the chosen pieces fill the buffer");
    return true;
}

// Read the chosen pieces' part of a run.
static void read_run(sherd_pose_tracks *t, const sherd_pose_run *run, sherd_pose *row)
{
    int32_t first = run->first > t->read_first ? run->first : t->read_first;
    int32_t end = run->first + run->count < t->read_end ? run->first + run->count : t->read_end;
    if (first >= end) return;
    sherd_spool_read(&t->spool, run->offset + (int64_t)sizeof *row * (first - run->first), row,
                     sizeof *row * (size_t)(end - first));
    for (int32_t k = first; k < end; ++k)
        t->read[t->read_at[k - t->read_first] + run->frame - t->items[k].first_frame] =
            row[k - first];
}

const sherd_pose *sherd_pose_tracks_read(sherd_pose_tracks *t, int32_t piece)
{
    SHERD_ASSERT(piece >= 0 && piece < t->count, "tracks are read of pieces that exist");
    if (piece < t->read_first || piece >= t->read_end) {
        if (!choose_pieces(t, piece)) return NULL;
        sherd_pose *row = sherd_alloc((size_t)(t->read_end - t->read_first), sizeof *row);
        for (size_t k = 0; row != NULL && k < t->run_count; ++k)
            read_run(t, &t->runs[k], row);
        sherd_free(row);
        if (row == NULL || t->spool.system_error != 0) {
            t->read_end = t->read_first;
            return NULL;
        }
    }
    return t->read + t->read_at[piece - t->read_first];
}

void sherd_pose_tracks_free(sherd_pose_tracks *t)
{
    sherd_spool_free(&t->spool);
    sherd_free(t->items);
    sherd_free(t->runs);
    sherd_free(t->read);
    sherd_free(t->read_at);
    *t = (sherd_pose_tracks){.spool.folder = t->spool.folder};
}

// ---------------------------------------------------------------- thinning

// Range of slopes of the lines through the last key that pass all later positions within tolerance.
typedef struct fan {
    double low[3], high[3];
} fan;

static const fan ALL = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};

// True if the line to `to` passes all positions before it. Narrows the range so that later lines
// pass this position too.
static bool reaches(fan *f, const float *from, const float *to, double time, double tolerance)
{
    bool inside = true;
    for (int c = 0; c < 3; ++c) {
        double way = (double)to[c] - (double)from[c], slope = way / time;
        inside = inside && slope >= f->low[c] && slope <= f->high[c];
        f->low[c] = fmax(f->low[c], (way - tolerance) / time);
        f->high[c] = fmin(f->high[c], (way + tolerance) / time);
    }
    return inside;
}

size_t sherd_thin_keys(const float *times, const float *positions, size_t count, double tolerance,
                       bool *needed)
{
    SHERD_ASSERT(count >= 1, "a path has at least one key");
    SHERD_ASSERT(count == 1 || times[0] < times[count - 1], "times of keys ascend");
    double along_axis = tolerance / sqrt(3.0);
    size_t last = 0, total = count > 1 ? 2 : 1;
    fan f = ALL;
    for (size_t k = 0; k < count; ++k)
        needed[k] = k == 0 || k + 1 == count || !(tolerance > 0.0);
    if (!(tolerance > 0.0)) return count;
    for (size_t k = 1; k < count; ++k) {
        double time = (double)times[k] - (double)times[last];
        if (reaches(&f, positions + 3 * last, positions + 3 * k, time, along_axis)) continue;
        last = k - 1; // the line from the previous key is good up to here
        needed[last] = true;
        ++total;
        f = ALL;
        reaches(&f, positions + 3 * last, positions + 3 * k, (double)times[k] - (double)times[last],
                along_axis);
    }
    SHERD_ASSERT(needed[0] && needed[count - 1] && total <= count,
                 "the first and the last key are needed");
    return total;
}
