// Ropes: yarns twisted into strands, strands into a rope.
//
// The strands of a rope are helices about its axis that touch their neighbours; the yarns of a
// strand are helices about the strand's own curve with the opposite direction, so that a rope under
// tension does not untwist. Every yarn is inside its strand's tube, and tubes only touch: nothing
// overlaps. Filled strands have rings of yarns within the outermost one, each inside the tube that the
// ring around it leaves free.
#include "base/error.h"
#include "math/vec3.h"
#include "packing/yarn/yarn_build.h"

static const double PI = 3.14159265358979323846;

// A pitch shorter than this many radii of the twisted rope or strand makes strands nearly flat.
static const double LEAST_PITCH = 2.0;
static const double DEFAULT_PITCH = 10.0; // radii: strands of three lie at 19 degrees

typedef struct rope {
    const sherd_yarn_def *def;
    sherd_yarn_build *build;
    sherd_yarn_curve axis;
    double length;
} rope;

static sherd_status check_pitch(const char *where, double pitch, double radius, sherd_error *error)
{
    if (pitch == 0.0 || (isfinite(pitch) && fabs(pitch) >= LEAST_PITCH * radius)) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, where, "one turn needs at least that length",
                      "must be at least %g m either way round, got %g m", LEAST_PITCH * radius,
                      pitch);
}

static sherd_status check_path(const sherd_rope_def *d, sherd_error *error)
{
    if (d->path_count == 0) return sherd_yarn_check_length("yarn.rope.length", d->length, error);
    if (d->path_count < 2 || d->path == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, "yarn.rope.path", NULL,
                          "must have at least 2 points, got %d", d->path_count);
    for (int k = 0; k < d->path_count; ++k) {
        if (!vec3_is_finite(d->path[k]))
            return sherd_fail(error, SHERD_ERROR_INPUT, "yarn.rope.path", NULL,
                              "point %d is not finite", k);
        // Segments much shorter than the rope is thick make kinks, not bends.
        if (k > 0 && !(vec3_distance(d->path[k - 1], d->path[k]) > 0.5 * d->radius))
            return sherd_fail(error, SHERD_ERROR_INPUT, "yarn.rope.path",
                              "leave out points, the path is smooth between them",
                              "points %d and %d are closer than half the rope's radius", k - 1, k);
    }
    return SHERD_OK;
}

static sherd_status check(const sherd_rope_def *d, sherd_error *error)
{
    sherd_status status = sherd_yarn_check_length("yarn.rope.radius", d->radius, error);
    if (status == SHERD_OK) status = check_pitch("yarn.rope.pitch", d->pitch, d->radius, error);
    if (status == SHERD_OK) status = check_path(d, error);
    return status;
}

// The axis in steps so short that helices about it are smooth.
static void make_axis(rope *r, double step)
{
    const sherd_rope_def *d = &r->def->rope;
    const sherd_vec3 straight[2] = {vec3(0, 0, -0.5 * d->length), vec3(0, 0, 0.5 * d->length)};
    if (d->path_count > 0)
        sherd_yarn_curve_through(&r->axis, d->path, d->path_count, step);
    else
        sherd_yarn_curve_through(&r->axis, straight, 2, step);
    r->length = sherd_yarn_curve_length(&r->axis);
}

// Whipped ends: two radii of the rope at each.
static void mark_ends(rope *r, size_t first)
{
    sherd_yarn_build *b = r->build;
    size_t count = b->count - first;
    double share = 2.0 * r->def->rope.radius / r->length;
    for (size_t k = 0; k < count; ++k) {
        double at = (double)k / (double)(count - 1);
        b->edge[first + k] = at <= share || at >= 1.0 - share;
    }
}

// ---------------------------------------------------------------- the plies of a strand

// Plies of one radius in rings about the strand's curve, from the outermost to the middle.
typedef struct ply_ring {
    int count;     // 1: in the middle
    double offset; // of its plies' curves from the strand's [m]
} ply_ring;

enum { MAX_RINGS = 64 }; // of a ring of 64 plies there are about ten

typedef struct ply_rings {
    int count;     // of rings
    double radius; // of each ply [m]
    ply_ring ring[MAX_RINGS];
} ply_rings;

// The most plies, twisted at this pitch, for which a tube has room beside each other; 0: for none.
static int plies_that_fit(double tube, double radius, double pitch)
{
    int count = tube >= radius ? 1 : 0;
    while (count > 0 && tube - sherd_yarn_lay_offset(count + 1, tube, pitch) >= radius)
        ++count;
    return count;
}

static ply_rings find_rings(const sherd_rope_def *d, double strand, double pitch)
{
    double outermost = sherd_yarn_lay_offset(d->plies, strand, pitch);
    ply_rings rings = {1, strand - outermost, {{d->plies, outermost}}};
    double tube = strand - 2.0 * rings.radius;
    while (d->filled && d->plies > 1 && rings.count < MAX_RINGS) {
        int count = plies_that_fit(tube, rings.radius, pitch);
        if (count == 0) break;
        rings.ring[rings.count++] = (ply_ring){count, count > 1 ? tube - rings.radius : 0.0};
        tube = count > 1 ? tube - 2.0 * rings.radius : 0.0;
    }
    return rings;
}

// A strand along `curve` of the given radius, as one yarn or as plies; frees the curve.
static sherd_status add_strand(rope *r, sherd_yarn_curve *curve, double radius, double pitch,
                               sherd_error *error)
{
    const sherd_rope_def *d = &r->def->rope;
    double ply_pitch =
        d->ply_pitch != 0.0 ? d->ply_pitch : -copysign(DEFAULT_PITCH * radius, pitch);
    sherd_status status = check_pitch("yarn.rope.ply_pitch", ply_pitch, radius, error);
    ply_rings rings = {0};
    if (status == SHERD_OK) rings = find_rings(d, radius, ply_pitch);
    for (int g = 0; g < rings.count; ++g)
        for (int k = 0; k < rings.ring[g].count; ++k) {
            sherd_yarn_curve ply = {0};
            sherd_yarn_curve_helix(&ply, curve, rings.ring[g].offset, ply_pitch,
                                   2.0 * PI * k / rings.ring[g].count);
            size_t first = sherd_yarn_build_add(r->build, &ply, rings.radius, r->def->spacing);
            if (!r->build->failed && !r->build->too_many) mark_ends(r, first);
        }
    sherd_yarn_curve_free(curve);
    return status;
}

sherd_status sherd_yarn_rope(sherd_yarn_build *build, const sherd_yarn_def *def, sherd_error *error)
{
    const sherd_rope_def *d = &def->rope;
    sherd_status status = check(d, error);
    if (status != SHERD_OK) return status;
    rope r = {.def = def, .build = build};
    double pitch = d->pitch != 0.0 ? d->pitch : DEFAULT_PITCH * d->radius;
    double offset = sherd_yarn_lay_offset(d->strands, d->radius, pitch);
    double strand = d->radius - offset;
    double yarn = strand - sherd_yarn_lay_offset(d->plies, strand, DEFAULT_PITCH * strand);
    // No more than fit side by side; rings are found only where their number is known to be small.
    double plies = d->filled ? fmax(d->plies, strand * strand / (yarn * yarn)) : d->plies;
    double longest = d->path_count > 0 ? 0.0 : d->length;
    for (int k = 1; k < d->path_count; ++k)
        longest += vec3_distance(d->path[k - 1], d->path[k]);
    // At least one element per diameter: rejected before memory is allocated.
    if (longest / (2.0 * yarn) * d->strands * plies > (double)def->max_elements) {
        build->too_many = true;
        return SHERD_OK;
    }
    make_axis(&r, 0.25 * yarn);
    for (int k = 0; k < d->strands && status == SHERD_OK; ++k) {
        sherd_yarn_curve curve = {0};
        sherd_yarn_curve_helix(&curve, &r.axis, offset, pitch, 2.0 * PI * k / d->strands);
        status = add_strand(&r, &curve, strand, pitch, error);
    }
    if (status == SHERD_OK && d->core && offset > strand) {
        sherd_yarn_curve curve = {0};
        sherd_yarn_curve_helix(&curve, &r.axis, 0.0, pitch, 0.0);
        status = add_strand(&r, &curve, offset - strand, pitch, error);
    }
    sherd_yarn_curve_free(&r.axis);
    return status;
}
