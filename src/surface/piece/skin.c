// Weights of elements at a point of the surface, by moving least squares.
//
// Let x_k be the elements' centres, d_k their distances from the point x, and D a few radii, or the
// distance of the first excluded element if that is less. The smooth weights  s_k = (1 - d_k^2 /
// D^2)^2  are corrected to reproduce affine motions,
//
//     w_k = s_k / S + s_k (x_k - c)^T (C + e S)^-1 (x - c),
//     S = sum s_k,   c = sum s_k x_k / S,   C = sum s_k (x_k - c)(x_k - c)^T,
//
// which gives sum w_k = 1 and, except for e, sum w_k x_k = x. Without the correction a stretched
// body would show the lattice, because c follows the elements and not x. The small e bounds the
// weights where elements lie in a plane or a row; there the elements' rotations supply the missing
// directions (pose.c).
#include "surface/piece/skin.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

enum { CANDIDATES = SKIN_BONES + 1 };

// e in squared radii: small against the spread of two layers, (0.8 r)^2.
static const double SMALLEST_SPREAD = 0.5;

// In radii of the largest element: thirteen of a half-space of close packing are nearer than 3.4.
static const double SUPPORT = 3.5, LAST_SEARCH = 7.0;
enum { ENOUGH = 4 }; // minimum number of elements: with fewer, the search radius grows
// Vertices this close to each other use the same list of elements [radii].
static const double SLACK = 1.5;

// Elements by distance.
typedef struct nearest {
    const sherd_vec3 *point; // positions, by which elements at equal distances are ordered
    const int32_t *source;
    int count;
    int32_t index[CANDIDATES];
    double distance2[CANDIDATES];
} nearest;

static inline void keep_nearest(nearest *n, int32_t index, double distance2)
{
    if (n->count == CANDIDATES && distance2 >= n->distance2[CANDIDATES - 1]) return;
    int at = n->count < CANDIDATES ? n->count++ : CANDIDATES - 1;
    for (; at > 0 && n->distance2[at - 1] > distance2; --at) {
        n->distance2[at] = n->distance2[at - 1];
        n->index[at] = n->index[at - 1];
    }
    n->distance2[at] = distance2;
    n->index[at] = index;
}

static bool is_seen(const skin_search *s, int32_t index)
{
    const partition *p = s->partition;
    return s->seen == NULL || sherd_visible_set_has(s->seen, &p->links, p->elements.point[index]);
}

// Uses all elements at x, at any distance.
static nearest find_nearest(const skin_search *s, sherd_vec3 x, double reach)
{
    const partition *p = s->partition;
    nearest n = {.point = p->elements.point, .source = p->elements.source};
    int32_t begin, end;
    sherd_bin_rows rows = sherd_point_bins_ball(&p->elements, x, reach);
    while (sherd_point_bins_next(&p->elements, &rows, &begin, &end))
        for (int32_t k = begin; k < end; ++k) {
            if (p->label[k] != s->label || !is_seen(s, k)) continue;
            sherd_vec3 arm = vec3_sub(x, p->elements.point[k]);
            double distance2 = vec3_dot(arm, arm);
            if (distance2 < reach * reach) keep_nearest(&n, k, distance2);
        }
    return n;
}

// --- Elements around ---------------------------------------------------------------------------------

void sherd_skin_search_release(skin_search *s)
{
    sherd_free(s->numbers);
    sherd_free(s->index);
    *s = (skin_search){0};
}

static bool make_room(skin_search *s, size_t needed)
{
    if (s->capacity > 0 && needed <= s->capacity) return true;
    size_t capacity = 2 * needed + 16;
    double *numbers = sherd_alloc(4 * capacity, sizeof *numbers);
    int32_t *index = sherd_alloc(capacity, sizeof *index);
    if (numbers == NULL || index == NULL) {
        sherd_free(numbers);
        sherd_free(index);
        return false;
    }
    for (size_t d = 0; d < 3 && s->count > 0; ++d)
        memcpy(numbers + d * capacity, s->numbers + d * s->capacity, s->count * sizeof *numbers);
    if (s->count > 0) memcpy(index, s->index, s->count * sizeof *index);
    sherd_free(s->numbers);
    sherd_free(s->index);
    s->numbers = numbers;
    s->index = index;
    s->capacity = capacity;
    return true;
}

// Lists the fragment's elements that points up to `slack` from x may need.
static bool list_around(skin_search *s, sherd_vec3 x, double reach)
{
    const partition *p = s->partition;
    int32_t begin, end;
    s->count = 0;
    s->centre = x;
    sherd_bin_rows rows = sherd_point_bins_ball(&p->elements, x, reach);
    while (sherd_point_bins_next(&p->elements, &rows, &begin, &end)) {
        if (!make_room(s, s->count + (size_t)(end - begin))) return false;
        double *at = s->numbers;
        for (int32_t k = begin; k < end; ++k) {
            sherd_vec3 e = p->elements.point[k], arm = vec3_sub(x, e);
            if (p->label[k] != s->label || vec3_dot(arm, arm) > reach * reach) continue;
            at[s->count] = e.x;
            at[s->capacity + s->count] = e.y;
            at[2 * s->capacity + s->count] = e.z;
            s->index[s->count++] = k;
        }
    }
    return true;
}

SHERD_WIDE(static, void, find_distances,
           (size_t count, const double *ex, const double *ey, const double *ez, sherd_vec3 x,
            double *restrict distance2),
           (count, ex, ey, ez, x, distance2)) // without the positions
{
    for (size_t k = 0; k < count; ++k) {
        double dx = x.x - ex[k], dy = x.y - ey[k], dz = x.z - ez[k];
        distance2[k] = dx * dx + dy * dy + dz * dz;
    }
}

static nearest search_list(const skin_search *s, sherd_vec3 x, double reach)
{
    const sherd_point_bins *e = &s->partition->elements;
    nearest n = {.point = e->point, .source = e->source};
    const double *at = s->numbers;
    double *distance2 = s->numbers + 3 * s->capacity, limit = reach * reach;
    find_distances(s->count, at, at + s->capacity, at + 2 * s->capacity, x, distance2);
    for (size_t k = 0; k < s->count; ++k) {
        if (distance2[k] >= limit || !is_seen(s, s->index[k])) continue;
        keep_nearest(&n, s->index[k], distance2[k]);
        if (n.count == CANDIDATES) limit = n.distance2[CANDIDATES - 1];
    }
    return n;
}

// --- Weights -----------------------------------------------------------------------------------------

// Computes s_k with D^2 = limit; returns S. If all are at one distance, or x is an element's
// centre, only the nearest has weight.
static double smooth_weights(const nearest *n, double limit, double s[SKIN_BONES])
{
    double sum = 0.0;
    if (n->count == CANDIDATES) limit = fmin(limit, n->distance2[CANDIDATES - 1]);
    for (int k = 0; k < SKIN_BONES; ++k) {
        double u = k < n->count && n->distance2[k] < limit ? 1.0 - n->distance2[k] / limit : 0.0;
        s[k] = u * u;
        sum += s[k];
    }
    if (!(sum > 0.0)) s[0] = sum = 1.0;
    return sum;
}

typedef struct moments {
    sherd_vec3 centre;             // c
    double xx, yy, zz, xy, yz, zx; // of C
} moments;

static moments find_moments(const nearest *n, const double s[SKIN_BONES], double sum)
{
    moments m = {.centre = {0.0, 0.0, 0.0}};
    int count = n->count < SKIN_BONES ? n->count : SKIN_BONES;
    for (int k = 0; k < count; ++k)
        m.centre = vec3_add_scaled(m.centre, s[k] / sum, n->point[n->index[k]]);
    for (int k = 0; k < count; ++k) {
        sherd_vec3 d = vec3_sub(n->point[n->index[k]], m.centre);
        m.xx += s[k] * d.x * d.x, m.yy += s[k] * d.y * d.y, m.zz += s[k] * d.z * d.z;
        m.xy += s[k] * d.x * d.y, m.yz += s[k] * d.y * d.z, m.zx += s[k] * d.z * d.x;
    }
    return m;
}

// (C + e)^-1 b by Cramer's rule: positive definite, as C is positive semi-definite.
static sherd_vec3 solve_moments(const moments *m, double e, sherd_vec3 b)
{
    sherd_vec3 r0 = vec3(m->xx + e, m->xy, m->zx), r1 = vec3(m->xy, m->yy + e, m->yz),
               r2 = vec3(m->zx, m->yz, m->zz + e);
    sherd_vec3 c0 = vec3_cross(r1, r2), c1 = vec3_cross(r2, r0), c2 = vec3_cross(r0, r1);
    double inverse = 1.0 / vec3_dot(r0, c0);
    return vec3_scale(inverse, vec3(vec3_dot(c0, b), vec3_dot(c1, b), vec3_dot(c2, b)));
}

// There is at least one element; `r` is the radius of the nearest [m].
static void weigh(const nearest *n, double limit, double r, sherd_vec3 x, int32_t bones[SKIN_BONES],
                  float weights[SKIN_BONES])
{
    double s[SKIN_BONES], sum = smooth_weights(n, limit, s);
    moments m = find_moments(n, s, sum);
    sherd_vec3 slope = solve_moments(&m, SMALLEST_SPREAD * r * r * sum, vec3_sub(x, m.centre));
    for (int k = 0; k < SKIN_BONES; ++k) {
        int32_t j = n->index[k < n->count ? k : 0];
        bones[k] = n->source[j];
        double lever = vec3_dot(slope, vec3_sub(n->point[j], m.centre));
        weights[k] = (float)(s[k] * (1.0 / sum + lever));
    }
}

bool sherd_skin_vertex(skin_search *s, sherd_vec3 x, int32_t fallback, int32_t bones[SKIN_BONES],
                       float weights[SKIN_BONES])
{
    const partition *p = s->partition;
    double radius = p->reach / (sqrt(8.0) * p->smoothing), within = SUPPORT * radius;
    double slack = SLACK * radius;
    // Rounding of distances is far below this margin.
    if ((s->capacity == 0 || vec3_distance(x, s->centre) > 0.999 * slack) &&
        !list_around(s, x, within + slack))
        return false;
    nearest n = search_list(s, x, within);
    while (n.count < ENOUGH && within < LAST_SEARCH * radius) {
        within *= 1.5;
        n = find_nearest(s, x, within);
    }
    s->near_cut = false;
    for (int k = 0; k < n.count && p->links.any; ++k)
        s->near_cut |= p->links.cut[n.index[k]] != 0;
    if (n.count == 0)
        sherd_skin_to_one(fallback, bones, weights);
    else
        weigh(&n, within * within, p->radius[n.source[n.index[0]]], x, bones, weights);
    return true;
}

void sherd_skin_among(const sherd_vec3 *point, const int32_t *source, int32_t count, double radius,
                      sherd_vec3 x, int32_t bones[SKIN_BONES], float weights[SKIN_BONES])
{
    nearest n = {.point = point, .source = source};
    for (int32_t k = 0; k < count; ++k) {
        sherd_vec3 arm = vec3_sub(x, point[k]);
        keep_nearest(&n, k, vec3_dot(arm, arm));
    }
    // If there are few elements, all have weight: the farthest still a half.
    weigh(&n, n.count > 0 ? 4.0 * n.distance2[n.count - 1] : 0.0, radius, x, bones, weights);
}

void sherd_skin_to_one(int32_t element, int32_t bones[SKIN_BONES], float weights[SKIN_BONES])
{
    for (int k = 0; k < SKIN_BONES; ++k) {
        bones[k] = element;
        weights[k] = k == 0 ? 1.0f : 0.0f;
    }
}
