#include "surface/methods/sheet/tear_line.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

// One pass removes zigzags that alternate from corner to corner, a second one most of those of
// period four.
enum { PASSES = 2, SIDES = 2 };

// Returns the number of half-bonds across which a tear enters and leaves the face to the left of
// `h`, and lists them.
static int exits(const sheet *s, const uint8_t *is_open, int32_t h, int32_t exit[SIDES])
{
    int count = 0;
    int32_t k = h;
    do {
        if (is_open[k] && count < SIDES) exit[count] = s->other[k];
        count += is_open[k];
        k = s->next[k];
    } while (k != h);
    return count;
}

static void set_face(const sheet *s, int32_t h, sherd_vec3 point, sheet_corner *corner)
{
    int32_t k = h;
    do {
        corner[k].point = point;
        k = s->next[k];
    } while (k != h);
}

static bool is_first_of_face(const sheet *s, int32_t h)
{
    for (int32_t k = s->next[h]; k != h; k = s->next[k])
        if (k < h) return false;
    return true;
}

static void smooth_once(const sheet *s, const uint8_t *is_open, const sheet_corner *former,
                        sheet_corner *corner)
{
    for (int32_t h = 0; h < s->half_count; ++h) {
        int32_t exit[SIDES];
        if (s->is_rim[h] || !is_first_of_face(s, h)) continue;
        if (exits(s, is_open, h, exit) != SIDES) continue;
        sherd_vec3 middle = vec3_scale(0.5, vec3_add(former[exit[0]].point, former[exit[1]].point));
        set_face(s, h, vec3_scale(0.5, vec3_add(former[h].point, middle)), corner);
    }
}

bool sherd_tear_line_smooth(const sheet *s, const uint8_t *is_open, sheet_corner *corner)
{
    size_t size = (size_t)s->half_count * sizeof *corner;
    sheet_corner *former = sherd_alloc((size_t)s->half_count, sizeof *former);
    if (former == NULL) return false;
    if (size > 0) memcpy(corner, s->corner, size);
    for (int pass = 0; pass < PASSES && size > 0; ++pass) {
        memcpy(former, corner, size);
        smooth_once(s, is_open, former, corner);
    }
    sherd_free(former);
    return true;
}
