#include "bench/broken_plate.h"

#include "bench/benchmarks.h"

#include <sherd/world.h>

#include <math.h>
#include <stdlib.h>

// The shape of scenes/plate.yaml: half of the cross-section [m].
static const sherd_vec2 PROFILE[] = {{0.0, 0.0},      {0.068, 0.0},   {0.084, 0.009},
                                     {0.119, 0.018},  {0.12, 0.021},  {0.117, 0.0235},
                                     {0.081, 0.0145}, {0.066, 0.006}, {0.0, 0.006}};
static const double ELEMENT = 1.1e-3, PLATE = 0.12; // radii [m]
static const double HIT_X = 0.05, HIT_Y = -0.07;    // where it was hit [m]
static const double REACH = 0.13;                   // pieces farther away lie as they were [m]
enum { MORE_BONDS = 20, WALLS_PER_CELL = 4 };

static sherd_status fail_memory(sherd_error *error)
{
    *error =
        (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory for a benchmark"};
    return SHERD_ERROR_MEMORY;
}

// In [0, 1), the same on every machine (the finaliser of MurmurHash3).
static double hashed(uint32_t a, uint32_t b)
{
    uint32_t v = a * 0x9e3779b9u ^ (b + 0x7f4a7c15u) * 0x85ebca6bu;
    v = (v ^ v >> 16) * 0x85ebca6bu;
    v = (v ^ v >> 13) * 0xc2b2ae35u;
    return (double)(v ^ v >> 16) / 4294967296.0;
}

// --- Body ---------------------------------------------------------------------------------------

static sherd_status fill_plate(broken_plate *p, int threads, sherd_error *error)
{
    p->shape = sherd_shape_revolve(PROFILE, sizeof PROFILE / sizeof PROFILE[0], error);
    if (p->shape == NULL) return error->status;
    sherd_packing_def packing_def = sherd_packing_def_default();
    packing_def.radius = ELEMENT;
    packing_def.threads = threads;
    sherd_packing *packing = sherd_packing_create(p->shape, &packing_def, error);
    if (packing == NULL) return error->status;
    p->count = packing->count;
    sherd_world_def def = sherd_world_def_default();
    def.threads = threads;
    p->world = sherd_world_create(&def, error);
    if (p->world == NULL) {
        sherd_packing_destroy(packing);
        return error->status;
    }
    sherd_material_def material = sherd_material_def_default();
    if (!bench_add_body(p->world, packing, &material, sherd_body_def_default(), error))
        return error->status;
    return sherd_given_columns_create(&p->given, p->world) ? SHERD_OK : fail_memory(error);
}

static sherd_status make_surface(broken_plate *p, int threads, sherd_error *error)
{
    sherd_bond_view b = sherd_world_bonds(p->world);
    p->body = (sherd_surface_body){.shape = p->shape, .count = p->count};
    sherd_surface_def def = sherd_surface_def_default();
    def.body_count = 1;
    def.bodies = &p->body;
    def.element_count = p->count;
    def.rest_x = p->given.rest_x, def.rest_y = p->given.rest_y, def.rest_z = p->given.rest_z;
    def.radius = p->given.radius;
    def.bond_count = b.count;
    def.bond_i = b.i, def.bond_j = b.j;
    def.threads = threads;
    p->surface = sherd_surface_create(&def, error);
    return p->surface != NULL ? SHERD_OK : error->status;
}

// --- Cracks -------------------------------------------------------------------------------------

// `count` points of the plate about where it was hit, by the golden angle and ever farther apart.
static void place_seeds(sherd_vec2 *seeds, int count)
{
    const double most = 2.0 * PLATE;
    int candidates = 2 * count, taken = 0;
    for (int k = 0; taken < count; ++k) {
        double r = most * pow((k + 0.5) / candidates, 2.0), angle = 2.39996322972865 * k;
        sherd_vec2 p = {HIT_X + r * cos(angle), HIT_Y + r * sin(angle)};
        if (hypot(p.x, p.y) < PLATE || k >= 8 * count) seeds[taken++] = p;
    }
}

static int nearest_seed(const sherd_vec2 *seeds, int count, double x, double y)
{
    int best = 0;
    double least = INFINITY;
    for (int k = 0; k < count; ++k) {
        double dx = x - seeds[k].x, dy = y - seeds[k].y, distance = dx * dx + dy * dy;
        if (distance >= least) continue;
        least = distance;
        best = k;
    }
    return best;
}

// Cells of elements; NULL when memory is short.
static int *find_cells(const broken_plate *p, int count)
{
    sherd_vec2 *seeds = calloc((size_t)count, sizeof *seeds);
    int *cell = calloc((size_t)p->count + 1, sizeof *cell);
    if (seeds != NULL) place_seeds(seeds, count);
    for (sherd_element_index k = 0; seeds != NULL && cell != NULL && k < p->count; ++k)
        cell[k] = nearest_seed(seeds, count, p->given.rest_x[k], p->given.rest_y[k]);
    free(seeds);
    return cell;
}

static sherd_status break_bonds(broken_plate *p, int cells, sherd_error *error)
{
    const double cracked = 0.05; // share of walls inside cells that are cracks
    sherd_bond_view b = sherd_world_bonds(p->world);
    p->whole = calloc((size_t)b.count + 1, 1);
    p->broken = calloc((size_t)b.count + 1, 1);
    p->more = calloc((size_t)b.count + 1, 1);
    int *cell = find_cells(p, cells), *part = find_cells(p, WALLS_PER_CELL * cells);
    bool fits = p->whole && p->broken && p->more && cell != NULL && part != NULL;
    for (sherd_bond_index k = 0; fits && k < b.count; ++k) {
        int i = part[b.i[k]], j = part[b.j[k]];
        bool wall =
            i != j && hashed((uint32_t)(i < j ? i : j), (uint32_t)(i < j ? j : i)) < cracked;
        p->broken[k] = p->more[k] = cell[b.i[k]] != cell[b.j[k]] || wall;
    }
    // Those that come first are beside each other.
    for (sherd_bond_index k = b.count / 2, n = 0; fits && k < b.count && n < MORE_BONDS; ++k)
        if (!p->more[k]) p->more[k] = 1, ++n;
    free(cell);
    free(part);
    return fits ? SHERD_OK : fail_memory(error);
}

sherd_status broken_plate_divide(broken_plate *p, const uint8_t *broken, sherd_error *error)
{
    sherd_bond_view b = sherd_world_bonds(p->world);
    sherd_fragment_input input = {.element_count = p->count,
                                  .mass = p->given.mass,
                                  .radius = p->given.radius,
                                  .bond_count = b.count,
                                  .bond_i = b.i,
                                  .bond_j = b.j,
                                  .bond_broken = broken};
    return sherd_fragments_update(p->fragments, &input, error);
}

// --- Where pieces lie ---------------------------------------------------------------------------

// A turn about a level axis, and a way along the floor away from where the plate was hit.
typedef struct piece_motion {
    sherd_vec3 middle; // at rest
    double axis_x, axis_y, angle;
    double way_x, way_y, lowest; // of elements' lower ends
} piece_motion;

static void choose_motion(piece_motion *m, uint32_t piece)
{
    double away = hypot(m->middle.x - HIT_X, m->middle.y - HIT_Y);
    double amount = fmax(0.0, 1.0 - away / REACH), turn = 6.28318530717959 * hashed(piece, 1);
    m->axis_x = cos(turn), m->axis_y = sin(turn);
    m->angle = amount * (0.05 + 0.5 * hashed(piece, 2));
    double way = 8.0 * ELEMENT * amount * (0.3 + hashed(piece, 3)) / fmax(away, ELEMENT);
    m->way_x = way * (m->middle.x - HIT_X), m->way_y = way * (m->middle.y - HIT_Y);
    m->lowest = INFINITY;
}

// Rodrigues' rotation about the piece's middle, then the way.
static sherd_vec3 moved(const piece_motion *m, double x, double y, double z)
{
    double c = cos(m->angle), s = sin(m->angle), ax = m->axis_x, ay = m->axis_y;
    double rx = x - m->middle.x, ry = y - m->middle.y, rz = z - m->middle.z;
    double along = (ax * rx + ay * ry) * (1.0 - c);
    return (sherd_vec3){m->middle.x + m->way_x + c * rx + s * ay * rz + along * ax,
                        m->middle.y + m->way_y + c * ry - s * ax * rz + along * ay,
                        m->middle.z + c * rz + s * (ax * ry - ay * rx)};
}

// Moved pieces lie on the floor, those that did not move are left where they are.
static void move_elements(broken_plate *p, const sherd_fragment_view *view, piece_motion *motions,
                          double *const column[7])
{
    const sherd_given_columns *g = &p->given;
    for (sherd_element_index k = 0; k < p->count; ++k) {
        piece_motion *m = &motions[view->element_slot[k]];
        sherd_vec3 to = moved(m, g->rest_x[k], g->rest_y[k], g->rest_z[k]);
        column[0][k] = to.x, column[1][k] = to.y, column[2][k] = to.z;
        column[3][k] = m->axis_x * sin(0.5 * m->angle);
        column[4][k] = m->axis_y * sin(0.5 * m->angle);
        column[6][k] = cos(0.5 * m->angle);
        m->lowest = fmin(m->lowest, to.z - g->radius[k]);
    }
    for (sherd_element_index k = 0; k < p->count; ++k) {
        const piece_motion *m = &motions[view->element_slot[k]];
        if (m->lowest < 0.0 || m->angle > 0.0) column[2][k] -= m->lowest;
    }
}

static sherd_status place_pieces(broken_plate *p, sherd_error *error)
{
    sherd_fragment_view view = sherd_fragments_view(p->fragments);
    size_t n = (size_t)p->count;
    piece_motion *motions = calloc((size_t)view.count + 1, sizeof *motions);
    p->numbers = calloc(7 * n + 1, sizeof *p->numbers);
    if (motions == NULL || p->numbers == NULL) {
        free(motions);
        return fail_memory(error);
    }
    for (sherd_element_index k = 0; k < p->count; ++k) {
        sherd_vec3 *sum = &motions[view.element_slot[k]].middle;
        double share = 1.0 / view.fragments[view.element_slot[k]].count;
        sum->x += share * p->given.rest_x[k], sum->y += share * p->given.rest_y[k];
        sum->z += share * p->given.rest_z[k];
    }
    for (int32_t s = 0; s < view.count; ++s)
        choose_motion(&motions[s], (uint32_t)s);
    double *column[7];
    for (size_t k = 0; k < 7; ++k)
        column[k] = p->numbers + k * n;
    move_elements(p, &view, motions, column);
    p->pose = (sherd_surface_pose){column[0], column[1], column[2], column[3],
                                   column[4], column[5], column[6]};
    free(motions);
    return SHERD_OK;
}

// --- Life ---------------------------------------------------------------------------------------

sherd_status broken_plate_make(broken_plate *p, int cells, int threads, sherd_error *error)
{
    sherd_status status = fill_plate(p, threads, error);
    if (status == SHERD_OK) status = break_bonds(p, cells, error);
    if (status != SHERD_OK) return status;
    p->fragments = sherd_fragments_create(error);
    if (p->fragments == NULL) return error->status;
    status = broken_plate_divide(p, p->broken, error);
    if (status == SHERD_OK) status = place_pieces(p, error);
    return status == SHERD_OK ? make_surface(p, threads, error) : status;
}

void broken_plate_free(broken_plate *p)
{
    sherd_surface_destroy(p->surface);
    sherd_fragments_destroy(p->fragments);
    sherd_given_columns_free(&p->given);
    free(p->whole);
    free(p->broken);
    free(p->more);
    free(p->numbers);
    sherd_world_destroy(p->world);
    sherd_shape_destroy(p->shape);
}
