#include "models/mpm/contact/mpm_parting.h"

#include <math.h>

enum { MOST_PLACES = 1024, STEPS = 24 };

static const double REACH = 2.0;  // of points from the node, along each axis [h]
static const double DEEP = 1.0;   // below a surface [h]: no direction within 14 degrees ends there
static const double ALIKE = 1e-6; // of distances [h]
// Half a spacing of points: surfaces of lattices are no smoother. What overlaps by less along the line of centroids keeps it,
// as balls do; planes through single points of them would depend on how lattices lie.
static const double ROUGHNESS = 0.25; // [h]
static const double FIRST_STEP = 0.3; // of directions; the n-th is an n-th of it

// From the node [h].
typedef struct cloud {
    int count;
    bool crowded;
    double at[MOST_PLACES][3];
} cloud;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// ---------------------------------------------------------------- places

static void add_place(cloud *c, double *const x[3], size_t at, const double node[3], double inverse)
{
    double d[3];
    for (int i = 0; i < 3; ++i) {
        d[i] = inverse * (x[i][at] - node[i]);
        if (!(fabs(d[i]) < REACH)) return;
    }
    c->crowded = c->crowded || c->count == MOST_PLACES;
    if (c->crowded) return;
    for (int i = 0; i < 3; ++i)
        c->at[c->count][i] = d[i];
    ++c->count;
}

static void add_points(const sherd_mpm_grid *g, const sherd_mpm_points *p, size_t layer,
                       const double node[3], cloud *c)
{
    for (int part = 0; part < SHERD_MPM_PARTS; ++part) {
        int32_t number = g->layers[layer].page[part];
        if (number < 0) continue;
        const sherd_mpm_page *page = &g->pages[number];
        for (size_t k = page->begin; k < page->end; ++k)
            if (p->volume[k] > 0.0) add_place(c, p->x, k, node, 1.0 / g->h);
    }
}

static void add_samples(const sherd_mpm_grid *g, const sherd_mpm_guests *guests, size_t layer,
                        const double node[3], cloud *c)
{
    for (size_t n = guests->first[layer]; n < guests->first[layer + 1]; ++n)
        add_place(c, guests->x, guests->visitor[n], node, 1.0 / g->h);
}

// Of all layers that are the group's at the node.
static void find_places(const sherd_mpm_grid *g, const sherd_mpm_sites *sites,
                        const sherd_mpm_meeting *m, const double node[3], int group, cloud *c)
{
    c->count = 0, c->crowded = false;
    for (int n = 0; n < m->layers; ++n) {
        size_t layer = m->layer[n];
        if (m->group_of[n] != group) continue;
        if (!sherd_mpm_is_guest(g, layer) && sites->points != NULL)
            add_points(g, sites->points, layer, node, c);
        else if (sherd_mpm_is_guest(g, layer) && sites->guests != NULL)
            add_samples(g, sites->guests, layer, node, c);
    }
}

// ---------------------------------------------------------------- directions

// How far a cloud reaches along `sign` times a direction; sets the middle of the places that decide it, so that no order does.
static double reach_along(const cloud *c, const double direction[3], double sign, double middle[3])
{
    double along[MOST_PLACES], most = -INFINITY;
    int count = 0;
    for (int k = 0; k < c->count; ++k) {
        along[k] = sign * dot(c->at[k], direction);
        most = along[k] > most ? along[k] : most;
    }
    middle[0] = middle[1] = middle[2] = 0.0;
    for (int k = 0; k < c->count; ++k) {
        if (along[k] < most - ALIKE) continue;
        ++count;
        for (int i = 0; i < 3; ++i)
            middle[i] += c->at[k][i];
    }
    for (int i = 0; i < 3; ++i)
        middle[i] /= count;
    return most;
}

// How far apart the clouds are along a unit normal from one to the other, below 0 where they overlap; sets the line between
// the places that decide it, which is its gradient but for what is along the normal.
static double distance_along(const cloud *one, const cloud *other, const double normal[3],
                             double line[3])
{
    double a[3], b[3], distance = -reach_along(one, normal, 1.0, a);
    distance -= reach_along(other, normal, -1.0, b);
    for (int i = 0; i < 3; ++i)
        line[i] = b[i] - a[i];
    return distance;
}

// Only what is near the surface along the normal can decide.
static void leave_out_deep(cloud *c, const double normal[3], double sign)
{
    double middle[3], most = reach_along(c, normal, sign, middle);
    int kept = 0;
    for (int k = 0; k < c->count; ++k) {
        if (sign * dot(c->at[k], normal) < most - DEEP) continue;
        for (int i = 0; i < 3; ++i)
            c->at[kept][i] = c->at[k][i];
        ++kept;
    }
    c->count = kept;
}

// Across the normal; false where nothing would change.
static bool turn(double normal[3], const double line[3], double step)
{
    double across[3], along = dot(line, normal), squares = 0.0, length = 0.0;
    for (int i = 0; i < 3; ++i) {
        across[i] = line[i] - along * normal[i];
        squares += across[i] * across[i];
    }
    if (!(squares > 1e-18)) return false;
    for (int i = 0; i < 3; ++i) {
        normal[i] += step / sqrt(squares) * across[i];
        length += normal[i] * normal[i];
    }
    for (int i = 0; i < 3; ++i)
        normal[i] /= sqrt(length);
    return true;
}

// Subgradients do not rise in every step: the best direction so far counts.
static double climb(const cloud *one, const cloud *other, double best, double normal[3])
{
    double here[3] = {normal[0], normal[1], normal[2]}, line[3];
    distance_along(one, other, here, line);
    for (int k = 1; k <= STEPS; ++k) {
        if (!turn(here, line, FIRST_STEP / k)) return best;
        double distance = distance_along(one, other, here, line);
        if (!(distance > best)) continue;
        best = distance;
        for (int i = 0; i < 3; ++i)
            normal[i] = here[i];
    }
    return best;
}

// Of the direction given, both bodies' own ones and the mean of these the best; returns how far apart they are along it.
static double choose(const cloud clouds[2], const double *const from[2], double normal[3])
{
    double line[3], own[3][3], length[3],
        best = distance_along(&clouds[0], &clouds[1], normal, line);
    length[0] = sqrt(dot(from[0], from[0])), length[1] = sqrt(dot(from[1], from[1]));
    for (int i = 0; i < 3; ++i) {
        own[1][i] = -from[0][i] / length[0], own[2][i] = from[1][i] / length[1];
        own[0][i] = own[1][i] + own[2][i];
    }
    length[2] = sqrt(dot(own[0], own[0]));
    for (int i = 0; i < 3; ++i)
        own[0][i] /= length[2];
    for (int k = 0; k < 3; ++k) {
        bool known = k == 0 ? length[2] > SHERD_MPM_LEAST_CENTROID
                            : length[k - 1] > SHERD_MPM_LEAST_CENTROID;
        if (!known) continue;
        double distance = distance_along(&clouds[0], &clouds[1], own[k], line);
        if (!(distance > best + ALIKE)) continue;
        best = distance;
        for (int i = 0; i < 3; ++i)
            normal[i] = own[k][i];
    }
    return best;
}

void sherd_mpm_part(const sherd_mpm_grid *grid, const sherd_mpm_sites *sites,
                    const sherd_mpm_meeting *meeting, const double x[3], const int group[2],
                    const double *const from[2], double normal[3])
{
    cloud clouds[2];
    for (int k = 0; k < 2; ++k) {
        find_places(grid, sites, meeting, x, group[k], &clouds[k]);
        if (clouds[k].crowded || clouds[k].count == 0) return;
    }
    const double given[3] = {normal[0], normal[1], normal[2]};
    double line[3], cut = distance_along(&clouds[0], &clouds[1], given, line),
                    best = choose(clouds, from, normal);
    leave_out_deep(&clouds[0], normal, 1.0), leave_out_deep(&clouds[1], normal, -1.0);
    best = climb(&clouds[0], &clouds[1], best, normal);
    for (int i = 0; i < 3 && !(best > cut + ROUGHNESS); ++i)
        normal[i] = given[i];
}
