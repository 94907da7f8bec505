// A line of text, strokes of round pen extruded along z.
#include "geometry/shape_kind.h"

#include "base/error.h"
#include "base/memory.h"
#include "geometry/font.h"
#include "geometry/grid_volume.h"
#include "geometry/slab_distance.h"
#include "geometry/surface_build.h"
#include "math/vec3.h"

#include <string.h>

enum { MOST_LETTERS = 200 };

typedef struct text_shape {
    sherd_shape base;
    sherd_strokes strokes;       // centred [m]
    double half_pen, half_depth; // [m]
} text_shape;

static const text_shape *as_text(const sherd_shape *shape)
{
    return (const text_shape *)shape;
}

static void text_release(sherd_shape *shape)
{
    sherd_free(((text_shape *)shape)->strokes.stroke);
}

// From the nearest point of a piece to (x, y).
static sherd_vec2 from_piece(const sherd_stroke *s, double x, double y)
{
    double dx = s->to.x - s->from.x, dy = s->to.y - s->from.y, length2 = dx * dx + dy * dy;
    double t = length2 > 0.0 ? ((x - s->from.x) * dx + (y - s->from.y) * dy) / length2 : 0.0;
    t = fmin(fmax(t, 0.0), 1.0);
    return (sherd_vec2){x - s->from.x - t * dx, y - s->from.y - t * dy};
}

static double text_distance(const sherd_shape *shape, sherd_vec3 p, sherd_vec3 *normal)
{
    const text_shape *text = as_text(shape);
    sherd_vec2 nearest = {0.0, 0.0};
    double least2 = INFINITY;
    for (size_t k = 0; k < text->strokes.count; ++k) {
        sherd_vec2 way = from_piece(&text->strokes.stroke[k], p.x, p.y);
        double d2 = way.x * way.x + way.y * way.y;
        if (d2 < least2) least2 = d2, nearest = way;
    }
    double d = sqrt(least2);
    sherd_vec3 across = d > 0.0 ? vec3(nearest.x / d, nearest.y / d, 0.0) : vec3(1.0, 0.0, 0.0);
    return slab_distance(d - text->half_pen, across, p.z, text->half_depth, normal);
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

static double outline_distance(const sherd_shape *shape, sherd_vec2 p)
{
    const text_shape *text = as_text(shape);
    double least2 = INFINITY;
    for (size_t k = 0; k < text->strokes.count; ++k) {
        sherd_vec2 way = from_piece(&text->strokes.stroke[k], p.x, p.y);
        least2 = fmin(least2, way.x * way.x + way.y * way.y);
    }
    return sqrt(least2) - text->half_pen;
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
                                      .support = text_support,
                                      .volume = sherd_grid_volume,
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
    shape->half_pen = 0.5 * unit * sherd_font_pen;
    shape->half_depth = 0.5 * depth;
    return sherd_shape_finish(&shape->base);
}
