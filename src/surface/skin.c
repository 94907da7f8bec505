#include "surface/skin.h"

#include "math/vec3.h"

enum { CANDIDATES = SKIN_BONES + 1 };

typedef struct nearest {
    int count;
    int32_t source[CANDIDATES];
    double distance2[CANDIDATES];
} nearest;

static void keep_nearest(nearest *n, int32_t source, double distance2)
{
    if (n->count == CANDIDATES && distance2 >= n->distance2[CANDIDATES - 1]) return;
    int at = n->count < CANDIDATES ? n->count++ : CANDIDATES - 1;
    for (; at > 0 && n->distance2[at - 1] > distance2; --at) {
        n->distance2[at] = n->distance2[at - 1];
        n->source[at] = n->source[at - 1];
    }
    n->distance2[at] = distance2;
    n->source[at] = source;
}

static nearest find_nearest(const partition *p, sherd_fragment_id label, sherd_vec3 x, double reach)
{
    nearest n = {0};
    int32_t begin, end;
    bins_rows rows = sherd_bins_ball(&p->elements, x, reach);
    while (sherd_bins_next(&p->elements, &rows, &begin, &end))
        for (int32_t k = begin; k < end; ++k)
            if (p->label[k] == label) {
                sherd_vec3 arm = vec3_sub(x, p->elements.point[k]);
                keep_nearest(&n, p->elements.source[k], vec3_dot(arm, arm));
            }
    return n;
}

// w = (1 - d^2 / D^2)^2 with D the distance of the fifth nearest: an element's weight has faded out
// when another takes its place.
void sherd_skin_vertex(const partition *p, sherd_fragment_id label, sherd_vec3 x, int32_t fallback,
                       int32_t bones[SKIN_BONES], float weights[SKIN_BONES])
{
    // Near the surface of a close packing five elements lie within 2.3 radii; the reach is 4.2. What
    // lies within the radius searched is complete.
    double most = 0.6 * p->reach;
    nearest n = find_nearest(p, label, x, most);
    if (n.count < CANDIDATES || n.distance2[CANDIDATES - 1] > most * most)
        n = find_nearest(p, label, x, p->reach);
    double limit = n.count == CANDIDATES ? n.distance2[CANDIDATES - 1]
                   : n.count > 0         ? 4.0 * n.distance2[n.count - 1]
                                         : 1.0;
    double w[SKIN_BONES] = {0}, sum = 0.0;
    for (int k = 0; k < SKIN_BONES; ++k) {
        bones[k] = k < n.count ? n.source[k] : n.count > 0 ? n.source[0] : fallback;
        double u = k < n.count && limit > 0.0 ? 1.0 - n.distance2[k] / limit : 0.0;
        w[k] = u * u;
        sum += w[k];
    }
    // All at one distance, or on top of an element: the nearest alone.
    if (!(sum > 0.0)) w[0] = sum = 1.0;
    for (int k = 0; k < SKIN_BONES; ++k)
        weights[k] = (float)(w[k] / sum);
}

void sherd_skin_to_one(int32_t element, int32_t bones[SKIN_BONES], float weights[SKIN_BONES])
{
    for (int k = 0; k < SKIN_BONES; ++k) {
        bones[k] = element;
        weights[k] = k == 0 ? 1.0f : 0.0f;
    }
}
