#include "packing/random/random_join.h"

#include "base/memory.h"
#include "math/point_grid.h"
#include "math/vec3.h"

// Of the grid [mean radii]: a ball's centre is deeper than its distance from its cell's middle.
static const double SPACING = 0.5;

// The search goes no deeper than this [mean radii]: any exit from the volume that a part fills
// begins at the surface, and the volume it leads to is filled.
static const double BAND = 2.5;

// Depth of a point that is moved to the surface, and how far a segment may leave the shape: walls
// that touch are connected [spacings].
static const double INSIDE = 0.01, TOUCHING = 2e-3;

// Largest distance of a cell's point from the cell's middle along each axis [spacings].
static const double ASIDE = 0.75;

bool sherd_rcp_is_passage(const sherd_shape *shape, sherd_vec3 p, sherd_vec3 q, double step,
                          double tolerance)
{
    double length = vec3_distance(p, q);
    sherd_vec3 way = vec3_normalize(vec3_sub(q, p));
    for (double at = 0.0; at < length;) {
        double depth = -sherd_shape_distance(shape, vec3_add_scaled(p, at, way));
        if (depth < -tolerance) return false;
        at += fmax(depth, step);
    }
    return true;
}

typedef struct place {
    sherd_vec3 at;
    double depth;    // [m]
    int32_t cell[3]; // of the grid
    uint32_t source; // ball from which it was reached
} place;

typedef struct search {
    const sherd_rcp *rcp;
    const uint32_t *part_of;
    uint32_t part;
    double h; // spacing [m]
    sherd_vec3 origin;
    sherd_point_grid balls; // centres
    sherd_point_grid known; // middles of visited cells
    place *queue;           // (count), in the order of visits
    size_t count, capacity;
    sherd_rcp_link *link;
} search;

static sherd_vec3 middle_of(const search *s, const int32_t cell[3])
{
    return vec3_add_scaled(s->origin, s->h, vec3(cell[0], cell[1], cell[2]));
}

static bool add_place(search *s, const place *p)
{
    if (!sherd_grow((void **)&s->queue, &s->capacity, s->count + 1, sizeof *s->queue) ||
        !sherd_point_grid_add(&s->known, middle_of(s, p->cell)))
        return false;
    s->queue[s->count++] = *p;
    return true;
}

static bool is_known(const search *s, const int32_t cell[3])
{
    return sherd_point_grid_is_taken(&s->known, middle_of(s, cell), 0.1 * s->h);
}

// A point inside the shape in a cell, or near it: its middle, else just below the nearest surface.
static bool find_place(const search *s, place *p)
{
    enum { TRIES = 4 };
    const sherd_shape *shape = s->rcp->shape;
    sherd_vec3 middle = middle_of(s, p->cell);
    p->at = middle;
    p->depth = -sherd_shape_distance(shape, middle);
    if (p->depth < -s->h) return false;
    for (int k = 0; p->depth <= 0.0 && k < TRIES; ++k) {
        sherd_vec3 normal = sherd_shape_normal(shape, p->at);
        p->at = vec3_add_scaled(p->at, p->depth - INSIDE * s->h, normal);
        p->depth = -sherd_shape_distance(shape, p->at);
    }
    sherd_vec3 aside = vec3_sub(p->at, middle);
    double most = fmax(fabs(aside.x), fmax(fabs(aside.y), fabs(aside.z)));
    return p->depth > 0.0 && most <= ASIDE * s->h;
}

static bool is_linked(const search *s, const place *p, sherd_vec3 to, double depth)
{
    if (p->depth + depth >= vec3_distance(p->at, to)) return true;
    return sherd_rcp_is_passage(s->rcp->shape, p->at, to, 0.05 * s->h, TOUCHING * s->h);
}

// Whether a ball of another part is near.
static bool meets(const search *s, const place *p)
{
    enum { MOST = 64 };
    int32_t near[MOST];
    int found = sherd_point_grid_near(&s->balls, p->at, 1.5 * s->h, near, MOST);
    for (int k = 0; k < found; ++k) {
        uint32_t ball = (uint32_t)near[k], part = s->part_of[ball];
        if (part == s->part || part == SHERD_RCP_NO_PART) continue;
        double r = s->rcp->scale * s->rcp->ball[ball].r; // it is inside
        if (!is_linked(s, p, sherd_rcp_centre(&s->rcp->ball[ball]), r)) continue;
        *s->link = (sherd_rcp_link){true, p->source, ball};
        return true;
    }
    return false;
}

static bool explore_around(search *s, const place *from)
{
    for (int k = 0; k < 27; ++k) {
        place p = {.source = from->source,
                   .cell = {from->cell[0] + k % 3 - 1, from->cell[1] + k / 3 % 3 - 1,
                            from->cell[2] + k / 9 - 1}};
        if (k == 13 || is_known(s, p.cell) || !find_place(s, &p)) continue;
        if (p.depth > BAND * s->rcp->scale * s->rcp->mean_radius) continue;
        if (is_linked(s, from, p.at, p.depth) && !add_place(s, &p)) return false;
    }
    return true;
}

// The search starts at the part's balls near the surface.
static bool begin(search *s)
{
    const sherd_rcp *rcp = s->rcp;
    double band = BAND * rcp->scale * rcp->mean_radius;
    for (size_t n = 0; n < rcp->count; ++n) {
        sherd_vec3 c = sherd_rcp_centre(&rcp->ball[n]);
        if (!sherd_point_grid_add(&s->balls, c)) return false;
        if (s->part_of[n] != s->part || rcp->deep[n] > band) continue;
        place p = {.at = c, .depth = rcp->scale * rcp->ball[n].r, .source = (uint32_t)n};
        p.cell[0] = (int32_t)lround((c.x - s->origin.x) / s->h);
        p.cell[1] = (int32_t)lround((c.y - s->origin.y) / s->h);
        p.cell[2] = (int32_t)lround((c.z - s->origin.z) / s->h);
        if (!is_known(s, p.cell) && !add_place(s, &p)) return false;
    }
    return true;
}

bool sherd_rcp_find_link(const sherd_rcp *rcp, const uint32_t *part_of, uint32_t part,
                         sherd_rcp_link *link)
{
    search s = {.rcp = rcp, .part_of = part_of, .part = part, .link = link};
    s.h = SPACING * rcp->scale * rcp->mean_radius;
    s.origin = sherd_rcp_centre(&rcp->ball[0]);
    *link = (sherd_rcp_link){.found = false};
    bool done = sherd_point_grid_init(&s.balls, 1.5 * s.h, rcp->count) &&
                sherd_point_grid_init(&s.known, s.h, rcp->count) && begin(&s);
    for (size_t k = 0; done && k < s.count && !link->found; ++k) {
        place p = s.queue[k];
        if (!meets(&s, &p)) done = explore_around(&s, &p);
    }
    sherd_point_grid_free(&s.balls);
    sherd_point_grid_free(&s.known);
    sherd_free(s.queue);
    return done;
}
