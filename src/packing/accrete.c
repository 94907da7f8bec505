// Places for a new sphere are where it touches
//
//      three spheres                   the hollow above or below a triangle of neighbours
//      two spheres and the surface     the next site of a layer at the surface
//
// Every sphere offers the places it forms with its neighbours; the place with most contacts is
// taken first, and the sphere put there offers new ones.
#include "packing/accrete.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "packing/offers.h"
#include "packing/point_grid.h"
#include "packing/touching.h"

enum { NEAR = 48 };

// Neighbours up to this distance are bridged by a new sphere; contacts are counted up to the
// other. Both in units of the radius.
static const double BRIDGE = 2.6, CONTACT = 2.15;
// A sphere may be placed sticking out of the surface by this share of r, and is then pushed in.
static const double STICK_OUT = 0.15;

typedef struct filler {
    const sherd_shape *shape;
    const sherd_accrete_def *def;
    sherd_point_grid grid;
    sherd_centres *centres;
    sherd_offers offers;
} filler;

// How many spheres a new one at `place` would touch; -1 if it would overlap one too much.
static int contacts_at(const filler *f, sherd_vec3 place)
{
    double r = f->def->radius, free = (2.0 - f->def->overlap) * r;
    int32_t near[NEAR];
    int found = sherd_point_grid_near(&f->grid, place, CONTACT * r, near, NEAR);
    for (int k = 0; k < found; ++k)
        if (vec3_distance(f->grid.point[near[k]], place) < free) return -1;
    return found;
}

static bool make_offer(filler *f, sherd_vec3 place)
{
    double r = f->def->radius;
    if (contacts_at(f, place) < 0) return true;
    double depth = -sherd_shape_distance(f->shape, place);
    if (!(depth > (1.0 - STICK_OUT) * r)) return true;
    if (depth < r) {
        place = sherd_push_inside(f->shape, place, r);
        depth = -sherd_shape_distance(f->shape, place);
        // Where the wall is thinner than the sphere it cannot be pushed in.
        if (!(depth > 0.98 * r)) return true;
    }
    int contacts = contacts_at(f, place);
    if (contacts < 0) return true;
    // Touching the surface counts as one and a half contacts.
    double cost = -contacts - (depth < 1.1 * r ? 1.5 : 0.0);
    return sherd_offers_push(&f->offers, (sherd_offer){.cost = cost, .place = place});
}

static bool offer_hollows(filler *f, sherd_vec3 a, sherd_vec3 b, sherd_vec3 c)
{
    sherd_vec3 place[2];
    if (!sherd_touch_three(a, b, c, f->def->radius, place)) return true;
    return make_offer(f, place[0]) && make_offer(f, place[1]);
}

static bool offer_surface_sites(filler *f, sherd_vec3 a, sherd_vec3 b)
{
    double r = f->def->radius;
    sherd_vec3 middle = vec3_scale(0.5, vec3_add(a, b));
    sherd_touch_circle circle = sherd_touch_two(a, b, r, sherd_shape_normal(f->shape, middle));
    for (int sign = -1; sign <= 1; sign += 2) {
        sherd_vec3 place = vec3_add_scaled(circle.middle, sign * circle.radius, circle.side);
        // What is clearly occupied is not worth sliding.
        if (sherd_point_grid_is_taken(&f->grid, place, 1.2 * r)) continue;
        if (!make_offer(f, sherd_slide_to_surface(f->shape, &circle, place, r))) return false;
    }
    return true;
}

static bool is_at_surface(const filler *f, sherd_vec3 p)
{
    return -sherd_shape_distance(f->shape, p) < 1.5 * f->def->radius;
}

// All places that element n forms with its neighbours.
static bool offer_around(filler *f, size_t n)
{
    double reach = BRIDGE * f->def->radius;
    sherd_vec3 a = f->grid.point[n];
    int32_t near[NEAR];
    int found = sherd_point_grid_near(&f->grid, a, reach, near, NEAR);
    bool at_surface = is_at_surface(f, a);
    for (int k = 0; k < found; ++k) {
        if ((size_t)near[k] == n) continue;
        sherd_vec3 b = f->grid.point[near[k]];
        if (at_surface && is_at_surface(f, b) && !offer_surface_sites(f, a, b)) return false;
        for (int m = 0; m < k; ++m) {
            sherd_vec3 c = f->grid.point[near[m]];
            if ((size_t)near[m] == n || vec3_distance(b, c) > reach) continue;
            if (!offer_hollows(f, a, b, c)) return false;
        }
    }
    return true;
}

// Elements with an incomplete shell of neighbours near the surface border the cavities.
static bool offer_cavities(filler *f)
{
    double r = f->def->radius;
    size_t existing = f->grid.count;
    for (size_t n = 0; n < existing; ++n) {
        sherd_vec3 p = f->grid.point[n];
        int32_t near[NEAR];
        int contacts = sherd_point_grid_near(&f->grid, p, CONTACT * r, near, NEAR) - 1;
        if (contacts >= 12 || -sherd_shape_distance(f->shape, p) > 4.0 * r) continue;
        if (!offer_around(f, n)) return false;
    }
    return true;
}

static bool add_sphere(filler *f, sherd_vec3 place)
{
    sherd_centres *c = f->centres;
    if (!sherd_grow((void **)&c->point, &c->capacity, c->count + 1, sizeof *c->point) ||
        !sherd_point_grid_add(&f->grid, place))
        return false;
    c->point[c->count++] = place;
    return true;
}

static bool take_offers(filler *f)
{
    double free = (2.0 - f->def->overlap) * f->def->radius;
    while (f->offers.count > 0 && f->centres->count < f->def->most) {
        sherd_offer best = sherd_offers_pop(&f->offers);
        if (sherd_point_grid_is_taken(&f->grid, best.place, free)) continue;
        if (!add_sphere(f, best.place) || !offer_around(f, f->grid.count - 1)) return false;
    }
    return true;
}

bool sherd_accrete(const sherd_shape *shape, const sherd_accrete_def *def, sherd_centres *centres)
{
    filler f = {.shape = shape, .def = def, .centres = centres};
    if (!sherd_point_grid_init(&f.grid, BRIDGE * def->radius, centres->count)) return false;
    bool done = true;
    for (size_t k = 0; k < centres->count && done; ++k)
        done = sherd_point_grid_add(&f.grid, centres->point[k]);
    done = done && offer_cavities(&f) && take_offers(&f);
    sherd_point_grid_free(&f.grid);
    sherd_offers_free(&f.offers);
    return done;
}
