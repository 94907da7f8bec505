// A line of text: letters' outlines, extruded.
#include "geometry/shape/shape_kind.h"

#include "base/error.h"
#include "base/memory.h"
#include "geometry/font.h"
#include "geometry/polygon.h"

#include <math.h>

typedef struct outline {
    int32_t begin, end; // vertices
    sherd_vec2 low, high;
    int orientation; // 1: counter-clockwise, -1: clockwise
} outline;

static outline measure(const sherd_outlines *o, size_t k)
{
    outline m = {
        k > 0 ? o->end[k - 1] : 0, o->end[k], {INFINITY, INFINITY}, {-INFINITY, -INFINITY}, 0};
    double twice = 0.0;
    for (int32_t i = m.begin; i < m.end; ++i) {
        sherd_vec2 a = o->vertex[i], b = o->vertex[i + 1 < m.end ? i + 1 : m.begin],
                   c = o->vertex[m.begin];
        twice += (a.x - c.x) * (b.y - c.y) - (a.y - c.y) * (b.x - c.x);
        m.low = (sherd_vec2){fmin(m.low.x, a.x), fmin(m.low.y, a.y)};
        m.high = (sherd_vec2){fmax(m.high.x, a.x), fmax(m.high.y, a.y)};
    }
    m.orientation = (twice > 0.0) - (twice < 0.0);
    return m;
}

// Winding number of an outline around q, counter-clockwise.
static int winding(const sherd_outlines *o, const outline *m, sherd_vec2 q)
{
    if (q.x < m->low.x || q.x > m->high.x || q.y < m->low.y || q.y > m->high.y) return 0;
    int turns = 0;
    for (int32_t i = m->begin; i < m->end; ++i) {
        sherd_vec2 a = o->vertex[i], b = o->vertex[i + 1 < m->end ? i + 1 : m->begin];
        double side = (b.x - a.x) * (q.y - a.y) - (b.y - a.y) * (q.x - a.x);
        if (a.y <= q.y && b.y > q.y) turns += side > 0.0;
        if (a.y > q.y && b.y <= q.y) turns -= side < 0.0;
    }
    return turns;
}

// Ink is where outlines have a non-zero winding number (TrueType and PostScript orient letters
// differently). Retains the outlines that separate ink from paper, with ink on their left.
static bool extract_boundaries(sherd_outlines *o)
{
    outline *m = sherd_alloc(o->count, sizeof *m);
    if (m == NULL) return false;
    for (size_t k = 0; k < o->count; ++k)
        m[k] = measure(o, k);
    size_t count = 0;
    int32_t vertices = 0;
    for (size_t k = 0; k < o->count; ++k) {
        int around = 0;
        for (size_t i = 0; i < o->count; ++i)
            if (i != k && m[k].orientation != 0) around += winding(o, &m[i], o->vertex[m[k].begin]);
        bool ink_outside = around != 0, ink_inside = around + m[k].orientation != 0;
        m[k].orientation = ink_outside == ink_inside              ? 0
                           : ink_inside == (m[k].orientation > 0) ? 1
                                                                  : -1;
    }
    for (size_t k = 0; k < o->count; ++k) {
        int32_t n = m[k].end - m[k].begin;
        if (m[k].orientation == 0) continue;
        if (m[k].orientation < 0) sherd_outline_reverse(o->vertex + m[k].begin, n);
        for (int32_t i = 0; i < n; ++i)
            o->vertex[vertices + i] = o->vertex[m[k].begin + i];
        vertices += n;
        o->end[count++] = vertices;
    }
    o->count = count, o->vertex_count = (size_t)vertices;
    sherd_free(m);
    return true;
}

// Scales capitals to `height`, centred at y = 0, and centres the ink at x = 0.
static void scale_and_centre(sherd_outlines *o, double height)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < o->vertex_count; ++k)
        low = fmin(low, o->vertex[k].x), high = fmax(high, o->vertex[k].x);
    for (size_t k = 0; k < o->vertex_count; ++k) {
        sherd_vec2 *v = &o->vertex[k];
        *v = (sherd_vec2){height * (v->x - 0.5 * (low + high)), height * (v->y - 0.5)};
    }
}

// ---------------------------------------------------------------- letters that touch

// Returns the counter-clockwise outline around `hole` that is nested deepest, or -1.
static int surrounding(const sherd_outlines *o, const outline *m, size_t hole)
{
    int best = -1;
    for (size_t k = 0; k < o->count; ++k)
        if (m[k].orientation > 0 && winding(o, &m[k], o->vertex[m[hole].begin]) > 0 &&
            (best < 0 || winding(o, &m[best], o->vertex[m[k].begin]) > 0))
            best = (int)k;
    return best;
}

static void append(sherd_outlines *part, const sherd_outlines *o, const outline *m)
{
    for (int32_t i = m->begin; i < m->end; ++i)
        part->vertex[part->vertex_count++] = o->vertex[i];
    part->end[part->count++] = (int32_t)part->vertex_count;
}

// Handles outlines that cross, for example accents drawn into a letter: the union of each with its
// own holes. `part` has room for all.
static sherd_shape *unite_parts(const sherd_outlines *o, const outline *m, sherd_outlines *part,
                                double depth, sherd_error *error)
{
    sherd_shape *all = NULL;
    for (size_t k = 0; k < o->count; ++k) {
        if (m[k].orientation < 0) continue;
        part->count = part->vertex_count = 0;
        append(part, o, &m[k]);
        for (size_t h = 0; h < o->count; ++h)
            if (m[h].orientation < 0 && surrounding(o, m, h) == (int)k) append(part, o, &m[h]);
        sherd_shape *one = sherd_shape_extrude_outlines(part->vertex, part->end, (int)part->count,
                                                        depth, "sherd_shape_text", error);
        if (one == NULL) {
            if (all != NULL) sherd_shape_destroy(all);
            return NULL;
        }
        all = all == NULL ? one : sherd_shape_union(all, one, error);
        if (all == NULL) return NULL;
    }
    if (all == NULL)
        sherd_fail(error, SHERD_ERROR_INPUT, "text", "use another font",
                   "its letters enclose no area");
    return all;
}

static sherd_shape *unite(const sherd_outlines *o, double depth, sherd_error *error)
{
    outline *m = sherd_alloc(o->count, sizeof *m);
    sherd_outlines part = {.vertex = sherd_alloc(o->vertex_count, sizeof *part.vertex),
                           .end = sherd_alloc(o->count, sizeof *part.end)};
    sherd_shape *shape = NULL;
    if (m == NULL || part.vertex == NULL || part.end == NULL) {
        sherd_fail_memory(error, "text");
    } else {
        for (size_t k = 0; k < o->count; ++k)
            m[k] = measure(o, k);
        shape = unite_parts(o, m, &part, depth, error);
    }
    sherd_free(m);
    sherd_outlines_release(&part);
    return shape;
}

sherd_shape *sherd_shape_text(const char *text, const char *font_file, double height, double depth,
                              sherd_error *error)
{
    const char *where = "sherd_shape_text";
    if (!sherd_shape_check_length(height, where, "height", error) ||
        !sherd_shape_check_length(depth, where, "depth", error))
        return NULL;
    sherd_outlines outlines;
    sherd_shape *shape = NULL;
    sherd_status status = sherd_font_set(text != NULL ? text : "", font_file, &outlines, error);
    if (status == SHERD_OK && !extract_boundaries(&outlines))
        status = sherd_fail_memory(error, "text");
    if (status == SHERD_OK) {
        scale_and_centre(&outlines, height);
        sherd_error crossing;
        shape = sherd_shape_extrude_outlines(outlines.vertex, outlines.end, (int)outlines.count,
                                             depth, where, &crossing);
        if (shape == NULL) shape = unite(&outlines, depth, error);
    }
    sherd_outlines_release(&outlines);
    return shape;
}
