#include "contact/explicit/pair_crack_faces.h"

#include "math/vec3.h"

#include <math.h>

static sherd_vec3 part_of(const double *row, int first)
{
    return vec3(row[first], row[first + 1], row[first + 2]);
}

// Velocity of i's face against j's: tangentially at the point halfway between the centres, normally
// the rate of the gap.
static sherd_vec3 velocity_between(const sherd_pair_ends *ends, const sherd_pair_slide *at)
{
    const int v = SHERD_PAIR_MOTION + SHERD_PAIR_V, w = SHERD_PAIR_TURNING + SHERD_PAIR_W_MORE;
    sherd_vec3 w_i = part_of(ends->row_i, w), w_j = part_of(ends->row_j, w);
    sherd_vec3 centres = vec3_sub(part_of(ends->row_i, v), part_of(ends->row_j, v));
    double closing = vec3_dot(at->rotation_i, w_i) - vec3_dot(at->rotation_j, w_j) -
                     vec3_dot(centres, at->normal);
    sherd_vec3 speed = vec3_add_scaled(centres, -0.5, vec3_cross(vec3_add(w_i, w_j), at->between));
    return vec3_add_scaled(speed, -closing - vec3_dot(speed, at->normal), at->normal);
}

// sqrt(w_before / w): with w = l^2 and l = 1 - rho^2/R^2, spread = 4 l/R^2; rho changed by v dt.
static double stretch_of(const sherd_crack_contact *c, const sherd_pair_ends *ends, double dt)
{
    const int v = SHERD_PAIR_MOTION + SHERD_PAIR_V;
    if (!(c->weight > 0.0)) return 1.0;
    sherd_vec3 speed = vec3_sub(part_of(ends->row_i, v), part_of(ends->row_j, v));
    double before = 1.0 + 0.5 * dt * c->spread / c->weight * vec3_dot(c->across, speed);
    return fmin(fmax(before, 0.0), 2.0);
}

static bool both_are_bonded(const sherd_pair_slides *slides, const sherd_pair_ends *ends)
{
    return sherd_crack_side_is_bonded(slides->bonds, ends->i) &&
           sherd_crack_side_is_bonded(slides->bonds, ends->j);
}

// The overlap as spheres becomes the rest overlap: the end of contact by faces causes no force.
static sherd_pair_slide become_round(const sherd_crack_contact *was, const sherd_crack_end *i,
                                     const sherd_crack_end *j)
{
    double gap = vec3_distance(i->x, j->x) - i->radius - j->radius;
    return (sherd_pair_slide){.changed = true,
                              .rest_overlap = fmax(-gap, 0.0),
                              .overlap = was->overlap,
                              .lost_weight = was->weight};
}

static sherd_pair_slide slide_of(const sherd_pair_slides *slides, const sherd_points *points,
                                 const sherd_pair_ends *ends, double dt)
{
    sherd_pair_slide out = {.slides = false};
    sherd_crack_pairs pairs = sherd_crack_pairs_of(slides->faces, points, ends->i, ends->j);
    if (pairs.count == 0) return out;
    sherd_crack_end i = sherd_crack_end_of(points, ends->i),
                    j = sherd_crack_end_of(points, ends->j);
    double smaller = fmin(i.radius, j.radius);
    int chosen;
    sherd_crack_contact c = sherd_crack_widest(&pairs, &i, &j, &chosen);
    if (!sherd_crack_takes(&c, smaller, ends->before) || !both_are_bonded(slides, ends))
        return ends->before == SHERD_TOUCH_FACES ? become_round(&c, &i, &j) : out;
    out = (sherd_pair_slide){.slides = true,
                             .overlap = c.weight > 0.0 ? c.overlap : -(i.radius + j.radius),
                             .weight = c.weight,
                             .spread = c.spread,
                             .stretch = stretch_of(&c, ends, dt),
                             .normal = c.normal,
                             .between = c.between,
                             .across = c.across,
                             .rotation_i = c.rotation_i,
                             .rotation_j = c.rotation_j};
    out.velocity = velocity_between(ends, &out);
    double closed = -dt * vec3_dot(out.velocity, c.normal);
    // In the first evaluation all overlap becomes rest overlap.
    out.changed = dt > 0.0 ? sherd_crack_begins_at_rest(&c, smaller, closed, ends->before)
                           : ends->before == SHERD_TOUCH_NONE;
    out.rest_overlap = fmax(c.overlap, 0.0);
    return out;
}

// ---------------------------------------------------------------- selection of pairs to evaluate

static void widen(const sherd_pair_slides *slides, const sherd_pair_block *block,
                  const sherd_points *points, const sherd_pair_scratch *scratch)
{
    for (int32_t m = 0; m < block->member_count; ++m)
        if (sherd_has_crack_face(slides->faces, points, block->member[m]))
            scratch->radius[m] *= 1.0 + SHERD_CRACK_EXTRA;
}

// True if a pair at a crack without a history does not touch by its faces; `apart2` is the squared
// distance.
static bool faces_are_apart(const sherd_points *e, const sherd_crack_pairs *pairs,
                            sherd_element_index i, sherd_element_index j, double apart2,
                            bool *round)
{
    sherd_crack_end a = sherd_crack_end_of(e, i), b = sherd_crack_end_of(e, j);
    if (!sherd_crack_may_touch(pairs, a.radius + b.radius, apart2)) return true;
    int chosen;
    sherd_crack_contact c = sherd_crack_widest(pairs, &a, &b, &chosen);
    *round = !sherd_crack_takes(&c, fmin(a.radius, b.radius), SHERD_TOUCH_NONE);
    return !(c.overlap > 0.0 && c.weight > 0.0);
}

// True if a pair without a history needs no evaluation: its faces, by which it would touch, do not
// touch.
static bool is_apart(const sherd_pair_slides *slides, const sherd_points *e, sherd_element_index i,
                     sherd_element_index j)
{
    bool at_i = sherd_has_crack_face(slides->faces, e, i),
         at_j = sherd_has_crack_face(slides->faces, e, j);
    if (!at_i && !at_j) return false;
    double reach = sherd_point_radius(e, i) + sherd_point_radius(e, j);
    sherd_vec3 d = vec3_sub(sherd_point_position(e, i), sherd_point_position(e, j));
    double apart2 = vec3_dot(d, d);
    if (at_i && at_j) {
        sherd_crack_pairs pairs = sherd_crack_pairs_of(slides->faces, e, i, j);
        const sherd_pair_ends ends = {.i = i, .j = j};
        bool round = false;
        bool apart = pairs.count > 0 && faces_are_apart(e, &pairs, i, j, apart2, &round);
        if (pairs.count > 0 && !round && both_are_bonded(slides, &ends)) return apart;
    }
    return apart2 >= reach * reach;
}

static int32_t leave_apart(const sherd_pair_slides *slides, const sherd_pair_block *block,
                           const sherd_points *points, const sherd_pair_scratch *s, int32_t count)
{
    int32_t kept = 0;
    for (int32_t a = 0; a < count; ++a) {
        int32_t i = s->end_i[a], j = s->end_j[a], at = s->active[a];
        s->active[kept] = at;
        s->end_i[kept] = i;
        s->end_j[kept] = j;
        kept +=
            block->slot[at] >= 0 || !is_apart(slides, points, block->member[i], block->member[j]);
    }
    return kept;
}

sherd_pair_slides sherd_pair_slides_of(const sherd_crack_faces *faces,
                                       const sherd_bond_adjacency *bonds)
{
    return (sherd_pair_slides){faces, bonds, widen, leave_apart, slide_of};
}
