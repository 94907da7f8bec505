// Places for a new sphere are where it touches
//
//      three spheres                   the hollow above or below a triangle of neighbours
//      two spheres and the surface     the next site of a layer that follows the surface
//
// Every sphere that is added offers the places it forms with its neighbours. Offers wait in a heap:
// growing from a seed takes the nearest to the seed first, so that one crystal spreads over the
// wall; filling takes the place with most contacts first.
#include "packing/accrete.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "packing/point_grid.h"

enum { NEAR = 48, SLIDES = 5 };

// Neighbours up to this distance (in radii) are bridged by a new sphere; contacts are counted up
// to the other. Both in units of the radius.
static const double BRIDGE = 2.6, CONTACT = 2.15;
// A sphere may be placed sticking out of the surface by this share of r, and is then pushed in.
static const double STICK_OUT = 0.15;

typedef struct offer {
    double cost;     // the cheapest is taken first,
    uint64_t number; // of equals the one made first
    sherd_vec3 place;
} offer;

typedef struct grower {
    const sherd_shape *shape;
    const sherd_accrete_def *def;
    sherd_vec3 seed;
    sherd_point_grid grid;
    sherd_centres *centres;
    offer *heap;
    size_t count, capacity;
    uint64_t offers;
} grower;

sherd_vec3 sherd_push_inside(const sherd_shape *shape, sherd_vec3 p, double r)
{
    for (int step = 0; step < 8; ++step) {
        double out = sherd_shape_distance(shape, p) + r;
        if (!(out > 1e-6 * r)) break;
        p = vec3_add_scaled(p, -out, sherd_shape_normal(shape, p));
    }
    return p;
}

// ---- Heap -----------------------------------------------------------------------------------

static bool is_before(const offer *a, const offer *b)
{
    return a->cost < b->cost || (a->cost == b->cost && a->number < b->number);
}

static bool heap_push(grower *g, offer o)
{
    if (!sherd_grow((void **)&g->heap, &g->capacity, g->count + 1, sizeof *g->heap)) return false;
    size_t at = g->count++;
    for (; at > 0 && is_before(&o, &g->heap[(at - 1) / 2]); at = (at - 1) / 2)
        g->heap[at] = g->heap[(at - 1) / 2];
    g->heap[at] = o;
    return true;
}

static offer heap_pop(grower *g)
{
    offer top = g->heap[0], last = g->heap[--g->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= g->count) break;
        if (child + 1 < g->count && is_before(&g->heap[child + 1], &g->heap[child])) ++child;
        if (!is_before(&g->heap[child], &last)) break;
        g->heap[at] = g->heap[child];
        at = child;
    }
    g->heap[at] = last;
    return top;
}

// ---- Offers ---------------------------------------------------------------------------------

// How many spheres a new one at `place` would touch; -1 if it would overlap one too much.
static int contacts_at(const grower *g, sherd_vec3 place)
{
    double r = g->def->radius, free = (2.0 - g->def->overlap) * r;
    int32_t near[NEAR];
    int found = sherd_point_grid_near(&g->grid, place, CONTACT * r, near, NEAR);
    for (int k = 0; k < found; ++k)
        if (vec3_distance(g->grid.point[near[k]], place) < free) return -1;
    return found;
}

static bool make_offer(grower *g, sherd_vec3 place)
{
    double r = g->def->radius;
    if (contacts_at(g, place) < 0) return true;
    double depth = -sherd_shape_distance(g->shape, place);
    if (!(depth > (1.0 - STICK_OUT) * r)) return true;
    if (depth < r) {
        place = sherd_push_inside(g->shape, place, r);
        depth = -sherd_shape_distance(g->shape, place);
        // Where the wall is thinner than the sphere it cannot be pushed in.
        if (!(depth > 0.98 * r)) return true;
    }
    int contacts = contacts_at(g, place);
    if (contacts < 0) return true;
    // Touching the surface counts as one and a half contacts.
    double cost = -contacts - (depth < 1.1 * r ? 1.5 : 0.0);
    if (g->def->from_seed) cost += vec3_distance(place, g->seed) / r;
    return heap_push(g, (offer){.cost = cost, .number = g->offers++, .place = place});
}

// The two places that touch a, b and c: above and below the circumcentre of their triangle.
static bool offer_hollows(grower *g, sherd_vec3 a, sherd_vec3 b, sherd_vec3 c)
{
    sherd_vec3 u = vec3_sub(b, a), v = vec3_sub(c, a), n = vec3_cross(u, v);
    double r = g->def->radius, nn = vec3_dot(n, n);
    if (nn < 1e-3 * r * r * r * r) return true; // nearly in line
    sherd_vec3 to_centre = vec3_add(vec3_scale(vec3_dot(v, v), vec3_cross(n, u)),
                                    vec3_scale(vec3_dot(u, u), vec3_cross(v, n)));
    to_centre = vec3_scale(0.5 / nn, to_centre);
    double height2 = 4.0 * r * r - vec3_dot(to_centre, to_centre);
    if (height2 < 0.0) return true; // too far apart to touch all three
    double height = sqrt(height2 / nn);
    sherd_vec3 centre = vec3_add(a, to_centre);
    return make_offer(g, vec3_add_scaled(centre, height, n)) &&
           make_offer(g, vec3_add_scaled(centre, -height, n));
}

// Slides from `place` along the circle of places touching a and b until it touches the surface:
// alternately to the depth r and back onto the circle.
static sherd_vec3 slide_to_surface(const grower *g, sherd_vec3 middle, sherd_vec3 axis,
                                   double circle, sherd_vec3 place)
{
    double r = g->def->radius;
    for (int k = 0; k < SLIDES; ++k) {
        double out = sherd_shape_distance(g->shape, place) + r;
        if (fabs(out) < 1e-4 * r) break;
        sherd_vec3 normal = sherd_shape_normal(g->shape, place);
        sherd_vec3 spoke = vec3_sub(vec3_add_scaled(place, -out, normal), middle);
        spoke = vec3_add_scaled(spoke, -vec3_dot(spoke, axis), axis);
        place = vec3_add_scaled(middle, circle, vec3_normalize(spoke));
    }
    return place;
}

static bool offer_surface_sites(grower *g, sherd_vec3 a, sherd_vec3 b)
{
    double r = g->def->radius;
    sherd_vec3 middle = vec3_scale(0.5, vec3_add(a, b));
    sherd_vec3 axis = vec3_sub(b, a);
    double length = vec3_length(axis);
    axis = vec3_scale(1.0 / length, axis);
    double circle = sqrt(4.0 * r * r - 0.25 * length * length);
    sherd_vec3 side = vec3_normalize(vec3_cross(sherd_shape_normal(g->shape, middle), axis));
    for (int sign = -1; sign <= 1; sign += 2) {
        sherd_vec3 place = vec3_add_scaled(middle, sign * circle, side);
        // What is clearly occupied is not worth sliding.
        if (sherd_point_grid_is_taken(&g->grid, place, 1.2 * r)) continue;
        if (!make_offer(g, slide_to_surface(g, middle, axis, circle, place))) return false;
    }
    return true;
}

static bool is_at_surface(const grower *g, sherd_vec3 p)
{
    return -sherd_shape_distance(g->shape, p) < 1.5 * g->def->radius;
}

// All places that element n forms with its neighbours.
static bool offer_around(grower *g, size_t n)
{
    double reach = BRIDGE * g->def->radius;
    sherd_vec3 a = g->grid.point[n];
    int32_t near[NEAR];
    int found = sherd_point_grid_near(&g->grid, a, reach, near, NEAR);
    bool at_surface = is_at_surface(g, a);
    for (int k = 0; k < found; ++k) {
        if ((size_t)near[k] == n) continue;
        sherd_vec3 b = g->grid.point[near[k]];
        if (at_surface && is_at_surface(g, b) && !offer_surface_sites(g, a, b)) return false;
        for (int m = 0; m < k; ++m) {
            sherd_vec3 c = g->grid.point[near[m]];
            if ((size_t)near[m] == n || vec3_distance(b, c) > reach) continue;
            if (!offer_hollows(g, a, b, c)) return false;
        }
    }
    return true;
}

// ---- Start and loop -------------------------------------------------------------------------

static bool add_sphere(grower *g, sherd_vec3 place)
{
    sherd_centres *c = g->centres;
    if (!sherd_grow((void **)&c->point, &c->capacity, c->count + 1, sizeof *c->point) ||
        !sherd_point_grid_add(&g->grid, place))
        return false;
    c->point[c->count++] = place;
    return true;
}

// Elements with an incomplete shell of neighbours near the surface border the cavities.
static bool offer_cavities(grower *g)
{
    double r = g->def->radius;
    size_t existing = g->grid.count;
    for (size_t n = 0; n < existing; ++n) {
        int32_t near[NEAR];
        int contacts = sherd_point_grid_near(&g->grid, g->grid.point[n], CONTACT * r, near, NEAR);
        if (contacts - 1 >= 12) continue; // without itself: close packed all round
        if (-sherd_shape_distance(g->shape, g->grid.point[n]) > 4.0 * r) continue;
        if (!offer_around(g, n)) return false;
    }
    return true;
}

// A second sphere beside the seed, so that there is a pair to start from.
static bool offer_first_pair(grower *g)
{
    sherd_vec3 normal = sherd_shape_normal(g->shape, g->seed);
    sherd_vec3 aside = vec3_perpendicular(normal);
    for (int k = 0; k < 12; ++k) {
        double angle = k * 3.14159265358979323846 / 6.0;
        sherd_vec3 way =
            vec3_add_scaled(vec3_scale(cos(angle), aside), sin(angle), vec3_cross(normal, aside));
        sherd_vec3 place = vec3_add_scaled(g->seed, 2.0 * g->def->radius, way);
        if (!make_offer(g, place)) return false;
    }
    return true;
}

static bool take_offers(grower *g)
{
    double r = g->def->radius;
    while (g->count > 0 && g->centres->count < g->def->most) {
        offer best = heap_pop(g);
        if (sherd_point_grid_is_taken(&g->grid, best.place, (2.0 - g->def->overlap) * r)) continue;
        if (!add_sphere(g, best.place) || !offer_around(g, g->grid.count - 1)) return false;
    }
    return true;
}

bool sherd_accrete(const sherd_shape *shape, const sherd_accrete_def *def, sherd_centres *centres)
{
    grower g = {.shape = shape, .def = def, .centres = centres, .seed = centres->point[0]};
    if (!sherd_point_grid_init(&g.grid, BRIDGE * def->radius, centres->count)) return false;
    bool done = true;
    for (size_t k = 0; k < centres->count && done; ++k)
        done = sherd_point_grid_add(&g.grid, centres->point[k]);
    if (done) done = def->from_seed ? offer_first_pair(&g) : offer_cavities(&g);
    done = done && take_offers(&g);
    sherd_point_grid_free(&g.grid);
    sherd_free(g.heap);
    return done;
}
