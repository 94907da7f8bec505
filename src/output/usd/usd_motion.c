// Keys of rigid pieces: those that linear interpolation reproduces are left out.
#include "base/memory.h"
#include "output/usd/usd_animation.h"

#include <math.h>
#include <string.h>

// Error of speed, stress and age, of the piece's largest value.
static const double STATE_TOLERANCE = 0.005;
// Longest stretch of frames without a key of rotation: the search for keys tries all frames of it.
enum { LONGEST_STRETCH = 64 };

// Playback times are frame numbers of the timeline, up to float rounding.
double sherd_usd_time_code(const sherd_animation *animation, int64_t frame)
{
    double code = (double)animation->times[frame] * SHERD_USD_RATE, whole = nearbyint(code);
    return fabs(code - whole) < 1e-4 ? whole : code;
}

// ---------------------------------------------------------------- keys of one attribute

typedef struct key_list {
    size_t count; // frames, later keys
    double *times;
    float *seconds; // the same for the search
    bool *needed;
    char *values; // (count x size)
    size_t size;
} key_list;

static bool make_keys(key_list *keys, const sherd_animation *animation, int64_t first, size_t count,
                      size_t size)
{
    *keys = (key_list){.count = count,
                       .times = sherd_alloc(count, sizeof *keys->times),
                       .seconds = sherd_alloc(count, sizeof *keys->seconds),
                       .needed = sherd_alloc(count, sizeof *keys->needed),
                       .values = sherd_alloc(count, size),
                       .size = size};
    if (keys->times == NULL || keys->seconds == NULL || keys->needed == NULL ||
        keys->values == NULL)
        return false;
    for (size_t k = 0; k < count; ++k) {
        keys->times[k] = sherd_usd_time_code(animation, first + (int64_t)k);
        keys->seconds[k] = (float)keys->times[k];
    }
    return true;
}

static void free_keys(key_list *keys)
{
    sherd_free(keys->times);
    sherd_free(keys->seconds);
    sherd_free(keys->needed);
    sherd_free(keys->values);
}

static bool rests(const key_list *keys, size_t k)
{
    const char *value = keys->values + k * keys->size;
    return memcmp(value, value - keys->size, keys->size) == 0;
}

// Without a tolerance only what lies between two equal values is not needed.
static void keep_changes(key_list *keys)
{
    for (size_t k = 0; k < keys->count; ++k)
        keys->needed[k] = k == 0 || k + 1 == keys->count || !rests(keys, k) || !rests(keys, k + 1);
}

static void drop_others(key_list *keys)
{
    size_t to = 0;
    for (size_t k = 0; k < keys->count; ++k) {
        if (!keys->needed[k]) continue;
        keys->times[to] = keys->times[k];
        memmove(keys->values + to++ * keys->size, keys->values + k * keys->size, keys->size);
    }
    bool constant = true;
    keys->count = to;
    for (size_t k = 1; k < to; ++k)
        constant = constant && rests(keys, k);
    if (constant) keys->count = 1;
}

static bool get_key(void *context, size_t k, sherd_usd_value *value)
{
    const key_list *keys = context;
    *value = (sherd_usd_value){1, keys->values + k * keys->size};
    return true;
}

// One key is a value without samples. Primvars with samples have a value, too: in text their
// interpolation is said of it, and not all readers know that without.
static void put_keys(const sherd_usd_output *out, key_list *keys, const char *type,
                     const char *name, const char *interpolation)
{
    const sherd_usd_samples samples = {keys->count, keys->times, get_key, keys};
    sherd_usd_attribute a = {.type = type, .name = name, .interpolation = interpolation};
    if (keys->count == 1 || interpolation != NULL) a.value = (sherd_usd_value){1, keys->values};
    if (keys->count > 1) a.samples = &samples;
    out->encoding->attribute(out->file, &a);
}

// ---------------------------------------------------------------- transforms

static bool put_translation(const sherd_animation *animation, const sherd_posed_piece *course,
                            const sherd_usd_output *out)
{
    key_list keys;
    size_t count = course->track->moves ? (size_t)course->track->count : 1;
    double tolerance = 0.5 * course->piece->tolerance;
    float *places = sherd_alloc(3 * count, sizeof *places);
    bool good =
        make_keys(&keys, animation, course->track->first_frame, count, 3 * sizeof(double)) &&
        places != NULL;
    for (size_t k = 0; good && k < count; ++k) {
        sherd_vec3 p = course->poses[k].position;
        const double row[3] = {p.x, p.y, p.z};
        memcpy(keys.values + k * keys.size, row, sizeof row);
        for (size_t c = 0; c < 3; ++c)
            places[3 * k + c] = (float)row[c];
    }
    if (good) {
        if (tolerance > 0.0)
            sherd_thin_keys(keys.seconds, places, count, tolerance, keys.needed);
        else
            keep_changes(&keys);
        drop_others(&keys);
        put_keys(out, &keys, "double3", "xformOp:translate", NULL);
    }
    sherd_free(places);
    free_keys(&keys);
    return good;
}

// Angle between the rotation `share` of the way from a to b and the rotation q. From the chord: the
// cosine of a small angle has no digits left in single precision.
static double angle_off(const float *a, const float *b, double share, const float *q)
{
    double along = 0.0, way[4], way_square = 0.0, square = 0.0, chord = 0.0;
    for (int c = 0; c < 4; ++c)
        along += (double)a[c] * (double)b[c];
    double angle = acos(fmin(along, 1.0)), sine = sin(angle);
    bool near = sine < 1e-6;
    double from = near ? 1.0 - share : sin((1.0 - share) * angle) / sine,
           to = near ? share : sin(share * angle) / sine;
    for (int c = 0; c < 4; ++c) {
        way[c] = from * (double)a[c] + to * (double)b[c];
        way_square += way[c] * way[c];
        square += (double)q[c] * (double)q[c];
    }
    for (int c = 0; c < 4; ++c) {
        double off = way[c] / sqrt(way_square) - (double)q[c] / sqrt(square);
        chord += off * off;
    }
    return 4.0 * asin(fmin(0.5 * sqrt(chord), 1.0));
}

static bool passes(const key_list *keys, size_t from, size_t to, double tolerance)
{
    const float *q = (const float *)keys->values;
    for (size_t k = from + 1; k < to; ++k) {
        double share = (keys->times[k] - keys->times[from]) / (keys->times[to] - keys->times[from]);
        if (angle_off(q + 4 * from, q + 4 * to, share, q + 4 * k) > tolerance) return false;
    }
    return true;
}

// Rotations are interpolated along the great circle.
static void thin_rotations(key_list *keys, double tolerance)
{
    size_t last = 0;
    for (size_t k = 0; k < keys->count; ++k)
        keys->needed[k] = k == 0 || k + 1 == keys->count;
    for (size_t k = 1; k < keys->count; ++k) {
        if (k - last <= LONGEST_STRETCH && passes(keys, last, k, tolerance)) continue;
        last = k - 1;
        keys->needed[last] = true;
    }
}

// q and -q are the same rotation; equal signs of neighbours give the shorter path.
static void set_rotation(float *row, const sherd_pose *pose, bool first)
{
    sherd_quat q = pose->rotation;
    double scale = 1.0 / sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w), along = 0.0;
    const double parts[4] = {scale * q.x, scale * q.y, scale * q.z, scale * q.w};
    for (int c = 0; c < 4 && !first; ++c)
        along += parts[c] * (double)row[c - 4];
    for (int c = 0; c < 4; ++c)
        row[c] = (float)(along < 0.0 ? -parts[c] : parts[c]);
}

static bool put_rotation(const sherd_animation *animation, const sherd_posed_piece *course,
                         const sherd_usd_output *out)
{
    key_list keys;
    size_t count = course->track->turns ? (size_t)course->track->count : 1;
    double tolerance = 0.5 * course->piece->tolerance, radius = course->piece->radius;
    bool good = make_keys(&keys, animation, course->track->first_frame, count, 4 * sizeof(float));
    for (size_t k = 0; good && k < count; ++k)
        set_rotation((float *)keys.values + 4 * k, &course->poses[k], k == 0);
    if (good) {
        if (tolerance > 0.0 && radius > 0.0)
            thin_rotations(&keys, tolerance / radius);
        else
            keep_changes(&keys);
        drop_others(&keys);
        put_keys(out, &keys, "quatf", "xformOp:orient", NULL);
    }
    free_keys(&keys);
    return good;
}

bool sherd_usd_put_motion(const sherd_animation *animation, const sherd_posed_piece *course,
                          const sherd_usd_output *out)
{
    static const char *const ORDER[] = {"xformOp:translate", "xformOp:orient", "xformOp:scale"};
    float s = (float)course->piece->scale;
    const float scale[3] = {s, s, s};
    bool good = put_translation(animation, course, out) && put_rotation(animation, course, out);
    sherd_usd_put(out, "float3", "xformOp:scale", 1, scale);
    sherd_usd_put_uniform(out, "token[]", "xformOpOrder", 3, ORDER);
    return good;
}

// ---------------------------------------------------------------- states

static double state_value(const sherd_pose *row, int c)
{
    return c == 0 ? row->position.x : c == 1 ? row->position.y : row->position.z;
}

static bool put_state(const sherd_animation *animation, const sherd_pose_track *track,
                      const sherd_pose *rows, int c, const sherd_usd_output *out)
{
    static const char *const NAMES[] = {"primvars:speed", "primvars:stress", "primvars:age"};
    key_list keys;
    size_t count = (size_t)track->count;
    double largest = 0.0;
    float *line = sherd_alloc(3 * count, sizeof *line); // points, of which x is used
    bool good =
        make_keys(&keys, animation, track->first_frame, count, sizeof(float)) && line != NULL;
    for (size_t k = 0; good && k < count; ++k) {
        float value = (float)state_value(&rows[k], c);
        memcpy(keys.values + k * keys.size, &value, sizeof value);
        line[3 * k] = value;
        largest = fmax(largest, fabs((double)value));
    }
    if (good) {
        if (largest > 0.0)
            sherd_thin_keys(keys.seconds, line, count, STATE_TOLERANCE * largest, keys.needed);
        else
            keep_changes(&keys);
        drop_others(&keys);
        put_keys(out, &keys, "float", NAMES[c], "constant");
    }
    sherd_free(line);
    free_keys(&keys);
    return good;
}

bool sherd_usd_put_state(sherd_animation *animation, int piece, const sherd_usd_output *out)
{
    const sherd_pose_track *track = &animation->states.items[piece];
    if (track->count == 0) return true;
    const sherd_pose *rows = sherd_pose_tracks_read(&animation->states, piece);
    bool good = rows != NULL;
    for (int c = 0; c < 3 && good; ++c)
        good = put_state(animation, track, rows, c, out);
    return good;
}
