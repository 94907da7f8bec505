#include "contact/crack_faces.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "math/quat.h"

#include <math.h>

// R in r_i + r_j: the sum of w over a close-packed layer then varies by 8 % of its mean as another
// layer slides over it.
static const double RANGE = 1.2;
// Upper bound of a_i + a_j in r_i + r_j: bonds span gaps of about that.
static const double THICKEST = 1.1;
// If two reference normals are farther from antiparallel than this, they belong to different faces
// of a bent cut. Faces that turn relative to each other by this much no longer face each other.
static const double OPPOSITE = 0.8, AVERTED = 0.5;
// Overlap in smaller radii above which faces do not begin to touch, and weight w above which they
// do not begin to touch by sliding.
static const double AROUND = 0.5, SLID_IN = 0.25;
// Rounding of positions, in radii.
static const double POSITION_TOLERANCE = 1e-6;

void sherd_crack_faces_free(sherd_crack_faces *faces)
{
    sherd_free(faces->start);
    sherd_free(faces->face);
    *faces = (sherd_crack_faces){0};
}

size_t sherd_crack_faces_bytes(const sherd_crack_faces *faces)
{
    return faces->start_capacity * sizeof *faces->start +
           faces->face_capacity * sizeof *faces->face;
}

bool sherd_crack_faces_add(sherd_crack_faces *faces, sherd_element_index first,
                           const sherd_crack_face *face, int count)
{
    SHERD_ASSERT(count > 0 && first >= 0 && first >= faces->count,
                 "faces are added in the order of their elements");
    size_t used = faces->start != NULL ? faces->start[faces->count] : 0;
    if (!sherd_grow((void **)&faces->start, &faces->start_capacity, (size_t)first + 2,
                    sizeof *faces->start) ||
        !sherd_grow((void **)&faces->face, &faces->face_capacity, used + (size_t)count,
                    sizeof *faces->face))
        return false;
    for (sherd_element_index k = faces->count; k <= first; ++k)
        faces->start[k] = (uint32_t)used;
    for (int f = 0; f < count; ++f)
        faces->face[used + (size_t)f] = face[f];
    faces->start[first + 1] = (uint32_t)(used + (size_t)count);
    faces->count = first + 1;
    return true;
}

void sherd_crack_faces_keep(sherd_crack_faces *faces, sherd_element_index end)
{
    if (faces->count > end) faces->count = end;
}

double sherd_crack_reach(double r, double r_other)
{
    return THICKEST * (r + r_other);
}

bool sherd_crack_side_is_bonded(const sherd_bond_adjacency *bonds, sherd_element_index k)
{
    if (bonds == NULL) return true;
    for (uint32_t b = bonds->start[k]; b < bonds->start[k + 1]; ++b)
        if (!bonds->broken[bonds->bond[b]]) return true;
    return false;
}

// ---------------------------------------------------------------- selection of the faces

static bool face_each_other(const sherd_crack_face *a, const sherd_crack_face *b,
                            double max_distance)
{
    return a->cut == b->cut && a->distance + b->distance <= max_distance &&
           vec3_dot(a->normal, b->normal) <= -OPPOSITE;
}

sherd_crack_pairs sherd_crack_pairs_of(const sherd_crack_faces *faces, const sherd_points *points,
                                       sherd_element_index i, sherd_element_index j)
{
    sherd_crack_pairs pairs;
    pairs.count = 0;
    if (!sherd_has_crack_face(faces, points, i) || !sherd_has_crack_face(faces, points, j))
        return pairs;
    sherd_element_index a = sherd_point_number(points, i), b = sherd_point_number(points, j);
    double max_distance =
        sherd_crack_reach(sherd_point_radius(points, i), sherd_point_radius(points, j));
    for (uint32_t f = faces->start[a]; f < faces->start[a + 1]; ++f)
        for (uint32_t g = faces->start[b]; g < faces->start[b + 1]; ++g)
            if (pairs.count < SHERD_MAX_CUT_FACES &&
                face_each_other(&faces->face[f], &faces->face[g], max_distance))
                pairs.list[pairs.count++] = (sherd_crack_pair){&faces->face[f], &faces->face[g]};
    return pairs;
}

const double *sherd_crack_margins(const sherd_crack_faces *faces, const sherd_points *points,
                                  const double *margin, double **reach)
{
    if (faces == NULL) return margin;
    size_t count = (size_t)points->count;
    if (*reach == NULL) *reach = sherd_alloc(count, sizeof **reach);
    for (size_t k = 0; k < count && *reach != NULL; ++k) {
        sherd_element_index e = (sherd_element_index)k;
        bool wide = sherd_has_crack_face(faces, points, e);
        double extra = wide ? SHERD_CRACK_EXTRA * sherd_point_radius(points, e) : 0.0;
        (*reach)[k] = margin[k] + extra;
    }
    return *reach;
}

// ---------------------------------------------------------------- contact geometry

sherd_crack_contact sherd_crack_contact_of(const sherd_crack_pair *pair, const sherd_crack_end *i,
                                           const sherd_crack_end *j)
{
    sherd_vec3 m_i = quat_rotate(i->q, pair->i->normal), m_j = quat_rotate(j->q, pair->j->normal);
    double range = RANGE * (i->radius + j->radius), range2 = range * range;
    sherd_crack_contact c = {.faces = vec3_dot(m_i, m_j) <= -AVERTED,
                             .overlap = -range,
                             .between = vec3_sub(i->x, j->x)};
    if (!c.faces) return c;
    double length = vec3_length(vec3_sub(m_j, m_i));
    c.side_i = vec3_scale(1.0 / length, m_i), c.side_j = vec3_scale(1.0 / length, m_j);
    c.normal = vec3_sub(c.side_j, c.side_i);
    double height = vec3_dot(c.between, c.normal);
    c.across = vec3_add_scaled(c.between, -height, c.normal);
    double remaining = 1.0 - vec3_dot(c.across, c.across) / range2;
    double rest_overlap = 0.5 * length * (pair->i->distance + pair->j->distance);
    c.overlap = rest_overlap - height;
    sherd_vec3 lever = vec3_add_scaled(c.across, -rest_overlap, c.normal);
    c.rotation_i = vec3_cross(c.side_i, lever), c.rotation_j = vec3_cross(c.side_j, lever);
    if (!(remaining > 0.0)) return c;
    c.weight = remaining * remaining;
    c.spread = 4.0 * remaining / range2;
    return c;
}

sherd_crack_contact sherd_crack_widest(const sherd_crack_pairs *pairs, const sherd_crack_end *i,
                                       const sherd_crack_end *j, int *chosen)
{
    SHERD_ASSERT(pairs->count > 0, "there is at least one pair of faces");
    sherd_crack_contact widest = sherd_crack_contact_of(&pairs->list[0], i, j);
    *chosen = 0;
    for (int p = 1; p < pairs->count; ++p) {
        sherd_crack_contact c = sherd_crack_contact_of(&pairs->list[p], i, j);
        if (!c.faces || (widest.faces && c.overlap >= widest.overlap)) continue;
        widest = c;
        *chosen = p;
    }
    return widest;
}

bool sherd_crack_may_touch(const sherd_crack_pairs *pairs, double radii, double apart2)
{
    double thickest = 0.0, range = RANGE * radii;
    for (int p = 0; p < pairs->count; ++p)
        thickest = fmax(thickest, pairs->list[p].i->distance + pairs->list[p].j->distance);
    return apart2 < range * range + thickest * thickest;
}

sherd_crack_end sherd_crack_end_of(const sherd_points *points, sherd_element_index k)
{
    return (sherd_crack_end){sherd_point_position(points, k), sherd_point_orientation(points, k),
                             sherd_point_radius(points, k)};
}

sherd_crack_contact sherd_crack_between(const sherd_crack_faces *faces, const sherd_points *points,
                                        sherd_element_index i, sherd_element_index j)
{
    const sherd_crack_contact none = {.faces = false};
    if (faces == NULL) return none;
    sherd_crack_pairs pairs = sherd_crack_pairs_of(faces, points, i, j);
    if (pairs.count == 0) return none;
    sherd_crack_end a = sherd_crack_end_of(points, i), b = sherd_crack_end_of(points, j);
    int chosen;
    return sherd_crack_widest(&pairs, &a, &b, &chosen);
}

bool sherd_crack_takes(const sherd_crack_contact *contact, double smaller_radius,
                       sherd_touch before)
{
    if (!contact->faces) return false;
    if (before != SHERD_TOUCH_NONE) return before == SHERD_TOUCH_FACES;
    return contact->overlap <= AROUND * smaller_radius;
}

bool sherd_crack_begins_at_rest(const sherd_crack_contact *contact, double smaller_radius,
                                double closed, sherd_touch before)
{
    if (before != SHERD_TOUCH_NONE) return false;
    double overlap = contact->overlap;
    return contact->weight > SLID_IN &&
           overlap > 2.0 * fabs(closed) + POSITION_TOLERANCE * smaller_radius;
}
