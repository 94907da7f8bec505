// Positions for a new sphere are where it touches
//
//      three spheres                   the hollow above or below a triangle of neighbours
//      two spheres and the surface     the next site of a layer at the surface
//
// Every sphere makes candidates of the positions it forms with its neighbours; the one with most contacts is
// taken first, and the sphere put there makes new ones.
#include "packing/lattice/fill_cavities.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/shape/shape_range.h"
#include "math/cell_rows.h"
#include "math/point_grid.h"
#include "math/vec3.h"
#include "packing/lattice/candidate_heap.h"
#include "packing/touching.h"

enum {
    NEAR = 48,
    CHUNK = 256,
};

// Neighbours up to BRIDGE apart may both touch a new sphere; CONTACT is the distance of contacts.
// Both in units of the radius.
static const double BRIDGE = 2.6, CONTACT = 2.15;
// A new sphere may protrude from the surface by this fraction of r, and is then pushed inside.
static const double STICK_OUT = 0.15;

typedef struct filler {
    const sherd_shape *shape;
    const sherd_fill_cavities_def *def;
    sherd_point_grid grid;
    const sherd_cell_rows *rows; // of the same points until the first is added, then NULL
    sherd_centres *centres;
    bool *at_surface; // of each element
    size_t known;     // their capacity
    sherd_candidate_heap candidates;
} filler;

// An element and the neighbours that may form positions with it.
typedef struct ring {
    sherd_vec3 middle;
    int count;
    int32_t near[NEAR];
    double x[NEAR], y[NEAR], z[NEAR];
} ring;

static sherd_vec3 ring_point(const ring *around, int k)
{
    return vec3(around->x[k], around->y[k], around->z[k]);
}

// Elements closer than `distance`, at most NEAR, in an order that does not depend on `rows`.
static int find_near(const filler *f, sherd_vec3 at, double distance, int32_t near[NEAR])
{
    return f->rows != NULL ? sherd_cell_rows_near(f->rows, at, distance, near, NEAR)
                           : sherd_point_grid_near(&f->grid, at, distance, near, NEAR);
}

static bool is_taken(const filler *f, sherd_vec3 at, double distance)
{
    return f->rows != NULL ? sherd_cell_rows_is_taken(f->rows, at, distance)
                           : sherd_point_grid_is_taken(&f->grid, at, distance);
}

// How many spheres a new one at `position` would touch; -1 if it would overlap one too much.
static int contacts_at(const filler *f, sherd_vec3 position)
{
    double r = f->def->radius, free = (2.0 - f->def->overlap) * r;
    int32_t near[NEAR];
    int found = find_near(f, position, CONTACT * r, near);
    for (int k = 0; k < found; ++k)
        if (vec3_distance(f->grid.point[near[k]].at, position) < free) return -1;
    return found;
}

static bool push_candidate(filler *f, sherd_vec3 position)
{
    double r = f->def->radius;
    if (is_taken(f, position, (2.0 - f->def->overlap) * r)) return true;
    double depth = -sherd_shape_distance(f->shape, position);
    if (!(depth > (1.0 - STICK_OUT) * r)) return true;
    if (depth < r) {
        position = sherd_push_inside(f->shape, position, r);
        depth = -sherd_shape_distance(f->shape, position);
        // Where the wall is thinner than the sphere it can't be pushed inside.
        if (!(depth > 0.98 * r)) return true;
    }
    int contacts = contacts_at(f, position);
    if (contacts < 0) return true;
    // Touching the surface counts as one and a half contacts.
    double cost = -contacts - (depth < 1.1 * r ? 1.5 : 0.0);
    return sherd_candidate_heap_push(&f->candidates,
                                     (sherd_candidate){.cost = cost, .position = position});
}

// Whether an element of the ring occupies the position: most positions are occupied, usually by one
// of these.
static inline __attribute__((always_inline)) bool is_taken_by(const ring *around,
                                                              sherd_vec3 position, double free)
{
    int64_t taken = 0; // as wide as a number, for vectors
    for (int k = 0; k < around->count; ++k) {
        double x = around->x[k] - position.x, y = around->y[k] - position.y,
               z = around->z[k] - position.z;
        taken |= x * x + y * y + z * z < free * free;
    }
    return taken != 0;
}

SHERD_WIDE(static, bool, push_hollows, (filler * f, const ring *around, sherd_vec3 b, sherd_vec3 c),
           (f, around, b, c))
{
    double free = (2.0 - f->def->overlap) * f->def->radius;
    sherd_vec3 position[2];
    if (!sherd_touch_three(around->middle, b, c, f->def->radius, position)) return true;
    for (int k = 0; k < 2; ++k)
        if (!is_taken_by(around, position[k], free) && !push_candidate(f, position[k]))
            return false;
    return true;
}

static bool push_surface_sites(filler *f, sherd_vec3 a, sherd_vec3 b)
{
    double r = f->def->radius;
    sherd_vec3 middle = vec3_scale(0.5, vec3_add(a, b));
    sherd_touch_circle circle = sherd_touch_two(a, b, r, sherd_shape_normal(f->shape, middle));
    for (int sign = -1; sign <= 1; sign += 2) {
        sherd_vec3 position = vec3_add_scaled(circle.middle, sign * circle.radius, circle.side);
        // Positions that are clearly occupied need not be moved to the surface.
        if (is_taken(f, position, 1.2 * r)) continue;
        if (!push_candidate(f, sherd_slide_to_surface(f->shape, &circle, position, r)))
            return false;
    }
    return true;
}

// Whether an element, which is inside, is nearer to the surface than `depth`.
static bool is_within(const filler *f, sherd_vec3 element, double depth)
{
    sherd_known_side inside = {element, SHERD_SIDE_INSIDE};
    return -sherd_shape_distance_between(f->shape, element, (sherd_distance_range){depth, depth},
                                         &inside, NULL) < depth;
}

static bool is_at_surface(const filler *f, sherd_vec3 p)
{
    return is_within(f, p, 1.5 * f->def->radius);
}

static ring ring_around(const filler *f, size_t n)
{
    ring around = {.middle = f->grid.point[n].at};
    around.count = find_near(f, around.middle, BRIDGE * f->def->radius, around.near);
    for (int k = 0; k < around.count; ++k) {
        sherd_vec3 at = f->grid.point[around.near[k]].at;
        around.x[k] = at.x, around.y[k] = at.y, around.z[k] = at.z;
    }
    return around;
}

// Pushes all positions that element n forms with its neighbours.
static bool push_around(filler *f, size_t n)
{
    double reach = BRIDGE * f->def->radius;
    ring around = ring_around(f, n);
    for (int k = 0; k < around.count; ++k) {
        if ((size_t)around.near[k] == n) continue;
        sherd_vec3 b = ring_point(&around, k);
        bool at_surface = f->at_surface[n] && f->at_surface[around.near[k]];
        if (at_surface && !push_surface_sites(f, around.middle, b)) return false;
        for (int m = 0; m < k; ++m) {
            sherd_vec3 c = ring_point(&around, m);
            if ((size_t)around.near[m] == n || vec3_distance(b, c) > reach) continue;
            if (!push_hollows(f, &around, b, c)) return false;
        }
    }
    return true;
}

static void find_surface(void *context, size_t begin, size_t end)
{
    filler *f = context;
    for (size_t n = begin; n < end; ++n)
        f->at_surface[n] = is_at_surface(f, f->grid.point[n].at);
}

typedef struct cavity_job {
    const filler *filler;
    sherd_candidate_heap *candidates; // by chunk
    bool *done;                       // by chunk
} cavity_job;

// Elements with an incomplete shell of neighbours near the surface border the cavities.
static bool borders_cavity(const filler *f, size_t n)
{
    double r = f->def->radius;
    sherd_vec3 p = f->grid.point[n].at;
    int32_t near[NEAR];
    int contacts = find_near(f, p, CONTACT * r, near) - 1;
    return contacts < 12 && is_within(f, p, 4.0 * r);
}

static void push_cavities_of(void *context, size_t begin, size_t end)
{
    cavity_job *job = context;
    filler own = *job->filler;
    bool done = true;
    own.candidates = (sherd_candidate_heap){0};
    for (size_t n = begin; n < end && done; ++n)
        if (borders_cavity(&own, n)) done = push_around(&own, n);
    job->candidates[begin / CHUNK] = own.candidates;
    job->done[begin / CHUNK] = done;
}

// In the order of elements, whatever thread computed them.
static bool push_cavities(filler *f)
{
    const sherd_parallel threads = {f->def->threads};
    size_t chunks = (f->grid.count + CHUNK - 1) / CHUNK;
    cavity_job job = {.filler = f,
                      .candidates = sherd_alloc(chunks, sizeof *job.candidates),
                      .done = sherd_alloc(chunks, sizeof *job.done)};
    bool done = job.candidates != NULL && job.done != NULL;
    if (done) sherd_parallel_for(&threads, f->grid.count, CHUNK, push_cavities_of, &job);
    for (size_t k = 0; k < chunks && job.candidates != NULL; ++k) {
        done = done && job.done[k] && sherd_candidate_heap_join(&f->candidates, &job.candidates[k]);
        sherd_candidate_heap_free(&job.candidates[k]);
    }
    sherd_free(job.candidates);
    sherd_free(job.done);
    return done;
}

static bool add_sphere(filler *f, sherd_vec3 position)
{
    sherd_centres *c = f->centres;
    if (!sherd_grow((void **)&c->point, &c->capacity, c->count + 1, sizeof *c->point) ||
        !sherd_grow((void **)&f->at_surface, &f->known, c->count + 1, sizeof *f->at_surface) ||
        !sherd_point_grid_add(&f->grid, position))
        return false;
    f->at_surface[c->count] = is_at_surface(f, position);
    c->point[c->count++] = position;
    return true;
}

static bool place_candidates(filler *f)
{
    double free = (2.0 - f->def->overlap) * f->def->radius;
    while (f->candidates.count > 0 && f->centres->count < f->def->most) {
        sherd_candidate best = sherd_candidate_heap_pop(&f->candidates);
        if (is_taken(f, best.position, free)) continue;
        if (!add_sphere(f, best.position) || !push_around(f, f->grid.count - 1)) return false;
    }
    return true;
}

// The grid and data of the present elements.
static bool set_up(filler *f, sherd_cell_rows *rows)
{
    const sherd_parallel threads = {f->def->threads};
    size_t count = f->centres->count;
    double cell = BRIDGE * f->def->radius;
    if (!sherd_point_grid_init(&f->grid, cell, count) ||
        !sherd_cell_rows_build(rows, cell, f->centres->point, NULL, count) ||
        !sherd_grow((void **)&f->at_surface, &f->known, count, sizeof *f->at_surface))
        return false;
    for (size_t k = 0; k < count; ++k)
        if (!sherd_point_grid_add(&f->grid, f->centres->point[k])) return false;
    f->rows = rows;
    sherd_parallel_for(&threads, count, CHUNK, find_surface, f);
    return true;
}

bool sherd_fill_cavities(const sherd_shape *shape, const sherd_fill_cavities_def *def,
                         sherd_centres *centres)
{
    filler f = {.shape = shape, .def = def, .centres = centres};
    sherd_cell_rows rows = {0};
    bool done = set_up(&f, &rows) && push_cavities(&f);
    sherd_cell_rows_free(&rows);
    f.rows = NULL;
    done = done && place_candidates(&f);
    sherd_point_grid_free(&f.grid);
    sherd_candidate_heap_free(&f.candidates);
    sherd_free(f.at_surface);
    return done;
}
