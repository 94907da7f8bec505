// A line of text, strokes of round pen extruded along z.
#include "geometry/shape/shape_kind.h"

#include "base/error.h"
#include "base/memory.h"
#include "geometry/font.h"
#include "geometry/shape/near_combine.h"
#include "geometry/slab_distance.h"
#include "geometry/stroke_area.h"
#include "geometry/tessellate/surface_build.h"
#include "math/vec3.h"

#include <string.h>

enum { MOST_LETTERS = 200, STROKES_A_BLOCK = 8 };

// Strokes that follow each other, about half a letter.
typedef struct stroke_block {
    double low,
        high; // x of this and all later ones is at least, of this and all earlier ones at most [m]
} stroke_block;

typedef struct text_shape {
    sherd_shape base;
    sherd_strokes strokes;       // centred [m]
    stroke_block *blocks;        // (block_count)
    size_t block_count;          //
    double half_pen, half_depth; // [m]
} text_shape;

static const text_shape *as_text(const sherd_shape *shape)
{
    return (const text_shape *)shape;
}

static void text_release(sherd_shape *shape)
{
    text_shape *text = (text_shape *)shape;
    sherd_free(text->strokes.stroke);
    sherd_free(text->blocks);
}

// From the nearest point of a piece to (x, y).
static sherd_vec2 from_piece(const sherd_stroke *s, double x, double y)
{
    double dx = s->to.x - s->from.x, dy = s->to.y - s->from.y, length2 = dx * dx + dy * dy;
    double t = length2 > 0.0 ? ((x - s->from.x) * dx + (y - s->from.y) * dy) / length2 : 0.0;
    t = fmin(fmax(t, 0.0), 1.0);
    return (sherd_vec2){x - s->from.x - t * dx, y - s->from.y - t * dy};
}

// The nearest way so far.
typedef struct nearest_stroke {
    sherd_vec2 way;
    double least2; // [m^2]
} nearest_stroke;

static void try_block(const text_shape *text, size_t block, sherd_vec2 p, nearest_stroke *nearest)
{
    size_t end = (block + 1) * STROKES_A_BLOCK;
    if (end > text->strokes.count) end = text->strokes.count;
    for (size_t k = block * STROKES_A_BLOCK; k < end; ++k) {
        sherd_vec2 way = from_piece(&text->strokes.stroke[k], p.x, p.y);
        double d2 = way.x * way.x + way.y * way.y;
        if (d2 < nearest->least2) *nearest = (nearest_stroke){way, d2};
    }
}

// The first block that does not end before x; the last one if there is none.
static size_t first_block(const text_shape *text, double x)
{
    size_t low = 0, high = text->block_count - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (text->blocks[middle].high < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Letters stand in a line: from the one at p to either side, until all others are farther away in x alone.
static nearest_stroke find_nearest(const text_shape *text, sherd_vec2 p)
{
    nearest_stroke nearest = {{0.0, 0.0}, INFINITY};
    size_t first = first_block(text, p.x);
    for (size_t b = first; b < text->block_count; ++b) {
        double gap = text->blocks[b].low - p.x;
        if (gap > 0.0 && gap * gap >= nearest.least2) break;
        try_block(text, b, p, &nearest);
    }
    for (size_t b = first; b-- > 0;) {
        double gap = p.x - text->blocks[b].high;
        if (gap > 0.0 && gap * gap >= nearest.least2) break;
        try_block(text, b, p, &nearest);
    }
    return nearest;
}

static double text_distance(const sherd_shape *shape, sherd_vec3 p, sherd_vec3 *normal)
{
    const text_shape *text = as_text(shape);
    nearest_stroke found = find_nearest(text, (sherd_vec2){p.x, p.y});
    sherd_vec2 nearest = found.way;
    double d = sqrt(found.least2);
    sherd_vec3 across = d > 0.0 ? vec3(nearest.x / d, nearest.y / d, 0.0) : vec3(1.0, 0.0, 0.0);
    return slab_distance(d - text->half_pen, across, p.z, text->half_depth, normal);
}

// Of each stroke the nearest place, where no other is nearer around it; and what is above or below a stroke.
static void text_near(const sherd_shape *shape, const sherd_near_view *view, sherd_near_list *list)
{
    if (view->side == SHERD_SIDE_INSIDE) {
        sherd_near_nearest(shape, view, list);
        return;
    }
    const text_shape *text = as_text(shape);
    const sherd_near_solid solid = {shape, SHERD_SIDE_OUTSIDE};
    sherd_vec3 p = view->point;
    double up = copysign(fmax(fabs(p.z) - text->half_depth, 0.0), p.z),
           most = view->reach + text->half_pen;
    for (size_t b = 0; b < text->block_count; ++b) {
        if (text->blocks[b].high < p.x - most || text->blocks[b].low > p.x + most) continue;
        size_t end = (b + 1) * STROKES_A_BLOCK;
        for (size_t k = b * STROKES_A_BLOCK; k < end && k < text->strokes.count; ++k) {
            sherd_vec2 way = from_piece(&text->strokes.stroke[k], p.x, p.y);
            double length = sqrt(way.x * way.x + way.y * way.y), out = length - text->half_pen,
                   share = out > 0.0 ? out / length : 0.0;
            sherd_vec3 from = vec3(share * way.x, share * way.y, up);
            double distance = vec3_length(from);
            if (!(distance > 0.0 && distance < view->reach)) continue;
            sherd_near_place place = {distance, vec3_scale(1.0 / distance, from)};
            if (sherd_near_solid_above(&solid, p, &place)) sherd_near_add(list, place);
        }
    }
}

static double text_support(const sherd_shape *shape, sherd_vec3 d)
{
    const text_shape *text = as_text(shape);
    double best = -INFINITY;
    for (size_t k = 0; k < text->strokes.count; ++k) {
        const sherd_stroke *s = &text->strokes.stroke[k];
        best = fmax(best, fmax(d.x * s->from.x + d.y * s->from.y, d.x * s->to.x + d.y * s->to.y));
    }
    return best + text->half_pen * sqrt(d.x * d.x + d.y * d.y) + text->half_depth * fabs(d.z);
}

static double text_volume(const sherd_shape *shape)
{
    const text_shape *text = as_text(shape);
    return 2.0 * text->half_depth * sherd_stroke_area(&text->strokes, text->half_pen);
}

static double outline_distance(const sherd_shape *shape, sherd_vec2 p)
{
    const text_shape *text = as_text(shape);
    return sqrt(find_nearest(text, p).least2) - text->half_pen;
}

// Finely enough for the pen's round ends, whatever is asked for.
static sherd_mesh *text_surface(const sherd_shape *shape, double edge_length, sherd_error *error)
{
    const text_shape *text = as_text(shape);
    return sherd_surface_contour(shape, outline_distance, text->half_depth,
                                 fmin(edge_length, 0.5 * text->half_pen), error);
}

static const sherd_shape_kind TEXT = {.name = "text",
                                      .distance = text_distance,
                                      .near = text_near,
                                      .support = text_support,
                                      .volume = text_volume,
                                      .surface = text_surface,
                                      .release = text_release};

// Font units to metres, the line's middle to the origin.
static void scale_strokes(sherd_strokes *s, double unit)
{
    for (size_t k = 0; k < s->count; ++k) {
        sherd_vec2 *ends[2] = {&s->stroke[k].from, &s->stroke[k].to};
        for (int e = 0; e < 2; ++e) {
            ends[e]->x = unit * (ends[e]->x - 0.5 * s->width);
            ends[e]->y = unit * (ends[e]->y - 0.5 * SHERD_FONT_HEIGHT);
        }
    }
}

static bool make_blocks(text_shape *text)
{
    size_t count = text->strokes.count;
    text->block_count = (count + STROKES_A_BLOCK - 1) / STROKES_A_BLOCK;
    text->blocks = sherd_alloc(text->block_count, sizeof *text->blocks);
    if (text->blocks == NULL) return false;
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < count; ++k) {
        const sherd_stroke *s = &text->strokes.stroke[k];
        high = fmax(high, fmax(s->from.x, s->to.x));
        text->blocks[k / STROKES_A_BLOCK].high = high;
    }
    for (size_t k = count; k-- > 0;) {
        const sherd_stroke *s = &text->strokes.stroke[k];
        low = fmin(low, fmin(s->from.x, s->to.x));
        text->blocks[k / STROKES_A_BLOCK].low = low;
    }
    return true;
}

static bool set_text(text_shape *shape, const char *text, sherd_error *error)
{
    const char *where = "sherd_shape_text";
    int unknown = -1;
    size_t length = text != NULL ? strlen(text) : 0;
    if (length > MOST_LETTERS) {
        sherd_fail(error, SHERD_ERROR_INPUT, where, "use several bodies",
                   "at most %d letters, got %zu", MOST_LETTERS, length);
        return false;
    }
    if (length > 0 && !sherd_font_set(text, &shape->strokes, &unknown)) {
        sherd_fail_memory(error, "text");
        return false;
    }
    if (unknown >= 0) {
        sherd_fail(error, SHERD_ERROR_INPUT, where, "there are A-Z, 0-9 and . , : ! ? - + / '",
                   "the font has no letter %d of '%.40s'", unknown + 1, text);
        return false;
    }
    if (shape->strokes.count == 0)
        sherd_fail(error, SHERD_ERROR_INPUT, where, NULL, "there is no letter in the text");
    return shape->strokes.count > 0;
}

sherd_shape *sherd_shape_text(const char *text, double height, double depth, sherd_error *error)
{
    const char *where = "sherd_shape_text";
    if (!sherd_shape_check_length(height, where, "height", error) ||
        !sherd_shape_check_length(depth, where, "depth", error))
        return NULL;
    text_shape *shape = sherd_shape_allocate(sizeof *shape, &TEXT, error);
    if (shape == NULL) return NULL;
    if (!set_text(shape, text, error)) {
        sherd_shape_destroy(&shape->base);
        return NULL;
    }
    double unit = height / (SHERD_FONT_HEIGHT + sherd_font_pen);
    scale_strokes(&shape->strokes, unit);
    if (!make_blocks(shape)) {
        sherd_fail_memory(error, "text");
        sherd_shape_destroy(&shape->base);
        return NULL;
    }
    shape->half_pen = 0.5 * unit * sherd_font_pen;
    shape->half_depth = 0.5 * depth;
    shape->base.concave = shape->base.blind[1] = true;
    return sherd_shape_finish(&shape->base);
}
