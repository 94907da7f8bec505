#include "models/mpm/mpm_model.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/forest.h"
#include "base/hash.h"
#include "base/memory.h"
#include "models/mpm/mpm_diagnostics.h"
#include "models/mpm/mpm_record.h"
#include "models/rounding.h"

// ---------------------------------------------------------------- bodies

sherd_point_bodies *sherd_point_bodies_create(const sherd_mpm_def *def, int body_count,
                                              uint32_t piece_count, uint32_t coupled_count,
                                              sherd_element_index elements)
{
    sherd_point_bodies *b = sherd_alloc(1, sizeof *b);
    if (b == NULL) return NULL;
    size_t count = (size_t)body_count;
    b->solids = sherd_alloc((size_t)piece_count + coupled_count, sizeof *b->solids);
    b->first_piece = sherd_alloc(count + 1, sizeof *b->first_piece);
    b->piece = sherd_alloc((size_t)elements, sizeof *b->piece);
    b->root = sherd_alloc(piece_count, sizeof *b->root);
    b->lead = sherd_alloc(piece_count, sizeof *b->lead);
    b->piece_count = piece_count, b->coupled_count = coupled_count;
    b->first = sherd_alloc(count + 1, sizeof *b->first);
    b->of_points = sherd_alloc(count, sizeof *b->of_points);
    b->body_count = body_count;
    b->lattice.spacing = 0.5 * def->spacing;
    sherd_mpm_init(&b->m, def, b->solids);
    b->m.grid.first_coupled = coupled_count > 0 ? piece_count : 0;
    if (b->solids != NULL && b->first != NULL && b->of_points != NULL && b->first_piece != NULL &&
        b->piece != NULL && b->root != NULL && b->lead != NULL)
        return b;
    sherd_point_bodies_destroy(b);
    return NULL;
}

void sherd_point_bodies_destroy(sherd_point_bodies *b)
{
    if (b == NULL) return;
    sherd_mpm_release(&b->m);
    sherd_mpm_lattice_free(&b->lattice), sherd_mpm_tears_free(&b->tears);
    sherd_mpm_surface_fit_free(&b->outer);
    sherd_free(b->solids), sherd_free(b->first), sherd_free(b->of_points);
    sherd_free(b->first_piece), sherd_free(b->piece), sherd_free(b->root), sherd_free(b->lead);
    sherd_free(b);
}

static size_t count_points(const sherd_point_bodies *b)
{
    size_t count = 0;
    for (int k = 0; k < b->body_count; ++k)
        if (b->of_points[k]) count += (size_t)(b->first[k + 1] - b->first[k]);
    return count;
}

static void fill_point(const sherd_point_bodies *b, sherd_mpm_points *p, size_t at,
                       const sherd_elements *e, sherd_element_index k)
{
    const sherd_solid *solid = &b->solids[b->piece[k]];
    sherd_vec3 x = sherd_element_position(e, k), v = sherd_element_velocity(e, k);
    p->x[0][at] = x.x, p->x[1][at] = x.y, p->x[2][at] = x.z;
    p->v[0][at] = v.x, p->v[1][at] = v.y, p->v[2][at] = v.z;
    p->state[at] = sherd_solid_start(solid->kind);
    p->volume[at] = sherd_element_mass(e, k) / solid->density;
    SHERD_ASSERT(b->piece[k] < b->piece_count, "points belong to pieces");
    SHERD_ASSERT(p->volume[at] > 0.0, "points have a volume");
    p->body[at] = b->piece[k];
    p->number[at] = k;
}

// Builds the bodies' surfaces; called again after points have torn off.
static bool make_surface(sherd_point_bodies *b)
{
    sherd_mpm_body_surface *surface = &b->m.penalty.surface;
    if (!sherd_mpm_body_surface_make(surface, &b->lattice, b->tears.torn, &b->m.glue, &b->outer,
                                     (size_t)b->first[b->body_count]))
        return false;
    if (b->m.sorted && surface->count > 0) sherd_mpm_body_surface_sort(surface, &b->m.points);
    b->m.penalty.candidates.made = false;
    return true;
}

static bool list_neighbours(sherd_point_bodies *b, const sherd_elements *e)
{
    sherd_mpm_lattice_free(&b->lattice);
    for (int body = 0; body < b->body_count; ++body)
        if (b->of_points[body] && sherd_mpm_has_body_surface(&b->solids[b->first_piece[body]]) &&
            !sherd_mpm_lattice_add(&b->lattice, e, b->first[body], b->first[body + 1]))
            return false;
    sherd_mpm_lattice_divide(&b->lattice, b->piece, &b->m.glue);
    sherd_mpm_tears_free(&b->tears);
    return sherd_mpm_tears_make(&b->tears, &b->lattice) && make_surface(b);
}

sherd_status sherd_point_bodies_fill(sherd_point_bodies *b, const sherd_elements *e,
                                     sherd_error *error)
{
    sherd_mpm_points *p = &b->m.points;
    sherd_mpm_points_release(p);
    if (!sherd_mpm_points_make(p, count_points(b), b->m.def.affine))
        return sherd_fail_memory(error, "material points");
    size_t at = 0;
    for (int body = 0; body < b->body_count; ++body)
        for (sherd_element_index k = b->first[body]; k < b->first[body + 1] && b->of_points[body];
             ++k)
            fill_point(b, p, at++, e, k);
    b->m.sorted = false, b->has_places = b->has_orientations = true; // set by the packing
    return list_neighbours(b, e) ? SHERD_OK : sherd_fail_memory(error, "material points");
}

sherd_status sherd_point_bodies_sort(sherd_point_bodies *b, sherd_error *error)
{
    if (!sherd_mpm_must_sort(&b->m)) return SHERD_OK;
    sherd_status status = sherd_mpm_sort(&b->m, error);
    if (status != SHERD_OK) return status;
    size_t torn = b->tears.count;
    bool ok = sherd_mpm_tears_find(&b->tears, &b->lattice, &b->m.grid, &b->m.points,
                                   b->first[b->body_count], &b->m.def.parallel);
    ok = ok && (b->tears.count == torn || make_surface(b));
    return ok ? SHERD_OK : sherd_fail_memory(error, "material points");
}

typedef struct update {
    const sherd_mpm_points *points;
    sherd_elements *elements;
} update;

static void update_range(void *context, size_t begin, size_t end)
{
    const update *t = context;
    const sherd_mpm_points *p = t->points;
    sherd_elements *e = t->elements;
    for (size_t at = begin; at < end; ++at) {
        sherd_element_index k = p->number[at];
        if (k == SHERD_MPM_FILLER) continue;
        e->px[k] = p->x[0][at], e->py[k] = p->x[1][at], e->pz[k] = p->x[2][at];
        e->vx[k] = p->v[0][at], e->vy[k] = p->v[1][at], e->vz[k] = p->v[2][at];
    }
}

void sherd_point_bodies_clear_elements(sherd_point_bodies *b, sherd_elements *e)
{
    if (!b->has_places || count_points(b) != (size_t)e->count) return;
    // Orientations of elements without a lattice do not change.
    sherd_elements_clear_motion(e, b->lattice.count == (size_t)e->count);
    b->has_places = b->has_orientations = false;
}

void sherd_point_bodies_move_on(sherd_point_bodies *b)
{
    b->has_places = b->has_orientations = false;
}

void sherd_point_bodies_update_elements(sherd_point_bodies *b, sherd_elements *e)
{
    enum { CHUNK = 4096 };
    if (b->has_places) return;
    update t = {&b->m.points, e};
    sherd_parallel_for(&b->m.def.parallel, b->m.points.count, CHUNK, update_range, &t);
    b->has_places = true;
}

void sherd_point_bodies_update_orientations(sherd_point_bodies *b, sherd_elements *e)
{
    if (b->has_orientations) return;
    sherd_mpm_grid_rest(&b->m.grid); // whoever looks at all of the state needs memory
    sherd_point_bodies_update_elements(b, e);
    sherd_mpm_lattice_find_rotations(&b->lattice, &b->m.glue, e, &b->m.def.parallel);
    b->has_orientations = true;
}

size_t sherd_point_bodies_bytes(const sherd_point_bodies *b)
{
    if (b == NULL) return 0;
    const sherd_mpm_grid *g = &b->m.grid;
    size_t columns = 3 + 3 + 2 * SHERD_MPM_SYMMETRIC + 2 + (b->m.def.affine ? SHERD_MPM_TENSOR : 0);
    return b->m.points.count * (columns * sizeof(double) + sizeof(uint32_t) + sizeof(int32_t)) +
           g->page_count * sizeof *g->pages +
           g->layer_count * (sizeof *g->layers + sizeof *g->loads + sizeof *g->motion) +
           g->shared_count * sizeof *g->shared + g->moments_count * sizeof *g->moments +
           g->stress_count * sizeof *g->stresses +
           b->m.glue.count * (sizeof *b->m.glue.items + sizeof *b->m.glue.places) +
           b->m.glue.joint_count * sizeof *b->m.glue.joints +
           sherd_mpm_penalty_bytes(&b->m.penalty);
}

// ---------------------------------------------------------------- the row

static sherd_model_part bonded_of(const void *state)
{
    return (sherd_model_part){&sherd_model_bonded, ((const sherd_mpm_model_state *)state)->bonded};
}

static const sherd_points *points(const void *state)
{
    return &((const sherd_mpm_model_state *)state)->bonded->elements->points;
}

// Orientations are updated on demand, before the whole state is read.
static void turn(const void *state)
{
    const sherd_mpm_model_state *s = state;
    sherd_point_bodies_update_orientations(s->bodies, s->bonded->elements);
}

static void set_loads(void *state, const sherd_point_advance *advance)
{
    sherd_model_part bonded = bonded_of(state);
    bonded.model->set_loads(bonded.state, advance);
}

static double stored_energy(const void *state)
{
    sherd_model_part bonded = bonded_of(state);
    return bonded.model->stored_energy(bonded.state) +
           sherd_mpm_sum(&((const sherd_mpm_model_state *)state)->bodies->m).stored;
}

static double damping_power(const void *state)
{
    sherd_model_part bonded = bonded_of(state);
    return bonded.model->damping_power(bonded.state);
}

// Adds that of points to `sum`.
static double add_noise(const sherd_point_bodies *b, double sum)
{
    const sherd_mpm_points *p = &b->m.points;
    for (size_t k = 0; k < p->count; ++k) {
        const sherd_solid *s = &b->solids[p->body[k]];
        double strain =
            sherd_noise_strain((sherd_vec3){p->x[0][k], p->x[1][k], p->x[2][k]}, b->m.def.spacing);
        sum += 0.5 * (s->lambda + 2.0 * s->mu) * strain * strain * p->volume[k];
    }
    return sum;
}

static bool is_stiff(const void *state)
{
    sherd_model_part bonded = bonded_of(state);
    return bonded.model->is_stiff(bonded.state);
}

static sherd_relaxation_range relaxation(const void *state)
{
    sherd_model_part bonded = bonded_of(state);
    return bonded.model->relaxation(bonded.state);
}

static sherd_status prepare_stiffness(const void *state, double c, sherd_prepared_operator *product,
                                      sherd_error *error)
{
    sherd_model_part bonded = bonded_of(state);
    return bonded.model->prepare_stiffness(bonded.state, c, product, error);
}

static sherd_model_measures measure(const void *state, float *ratio)
{
    sherd_model_part bonded = bonded_of(state);
    const sherd_point_bodies *b = ((const sherd_mpm_model_state *)state)->bodies;
    sherd_model_measures m = bonded.model->measure(bonded.state, ratio);
    m.stored += sherd_mpm_sum(&b->m).stored;
    m.noise = add_noise(b, m.noise);
    return m;
}

static void find_stresses(const void *state, sherd_stress *stress)
{
    sherd_model_part bonded = bonded_of(state);
    bonded.model->find_stresses(bonded.state, stress);
    sherd_mpm_find_stresses(&((const sherd_mpm_model_state *)state)->bodies->m, stress);
}

// Finds the pieces that intact glue joins, as a forest of roots. `lead` will hold the first element
// of each tree.
static void join_pieces(const sherd_point_bodies *b, const sherd_mpm_glues *glue)
{
    for (uint32_t k = 0; k < b->piece_count; ++k)
        b->root[k] = (int32_t)k, b->lead[k] = -1;
    for (size_t k = 0; k < glue->count; ++k)
        if (glue->items[k].damage < 1.0)
            sherd_join_roots(b->root, (int32_t)glue->items[k].a, (int32_t)glue->items[k].b);
}

// Components while no point has torn off: pieces joined by intact glue.
static void find_components_of_pieces(const sherd_point_bodies *b, sherd_element_index *first)
{
    join_pieces(b, &b->m.glue);
    for (int body = 0; body < b->body_count; ++body)
        for (sherd_element_index k = b->first[body]; k < b->first[body + 1] && b->of_points[body];
             ++k) {
            int32_t *lead = &b->lead[sherd_find_root(b->root, (int32_t)b->piece[k])];
            if (*lead < 0) *lead = k;
            first[k] = *lead;
        }
}

// Whether a body can tear: its law has a lattice of neighbours.
static bool is_listed(const sherd_point_bodies *b, int body)
{
    return b->of_points[body] && sherd_mpm_has_body_surface(&b->solids[b->first_piece[body]]);
}

static void find_components_of_points(const sherd_point_bodies *b, sherd_element_index *first)
{
    find_components_of_pieces(b, first);
    for (int body = 0; body < b->body_count; ++body)
        for (sherd_element_index k = b->first[body]; k < b->first[body + 1] && is_listed(b, body);
             ++k)
            first[k] = k;
    sherd_mpm_tears_join(&b->tears, &b->lattice, &b->m.glue, first);
    for (int body = 0; body < b->body_count; ++body)
        for (sherd_element_index k = b->first[body]; k < b->first[body + 1] && is_listed(b, body);
             ++k)
            first[k] = sherd_find_root(first, k);
}

static void find_components(const void *state, sherd_element_index *first)
{
    sherd_model_part bonded = bonded_of(state);
    bonded.model->find_components(bonded.state, first);
    const sherd_point_bodies *b = ((const sherd_mpm_model_state *)state)->bodies;
    if (b->tears.count > 0)
        find_components_of_points(b, first);
    else
        find_components_of_pieces(b, first);
}

static uint64_t hash_state(const void *state, uint64_t hash)
{
    turn(state);
    sherd_model_part bonded = bonded_of(state);
    hash = bonded.model->hash(bonded.state, hash);
    const sherd_mpm_points *p = &((const sherd_mpm_model_state *)state)->bodies->m.points;
    for (int n = 0; n < SHERD_MPM_SYMMETRIC; ++n)
        hash = sherd_hash_bytes(hash, p->b[n], p->count * sizeof(double));
    hash = sherd_hash_bytes(hash, p->state, p->count * sizeof(double));
    const sherd_point_bodies *b = ((const sherd_mpm_model_state *)state)->bodies;
    hash = sherd_mpm_glues_hash(&b->m.glue, hash);
    return sherd_mpm_tears_hash(&b->tears, b->lattice.count, hash);
}

static sherd_status save(const void *state, sherd_byte_buffer *out, sherd_error *error)
{
    turn(state);
    sherd_model_part bonded = bonded_of(state);
    sherd_status status = bonded.model->save(bonded.state, out, error);
    if (status != SHERD_OK) return status;
    const sherd_point_bodies *b = ((const sherd_mpm_model_state *)state)->bodies;
    sherd_mpm_save(&b->m, out);
    sherd_mpm_tears_save(&b->tears, b->lattice.count, out);
    return SHERD_OK;
}

static sherd_status restore(void *state, sherd_record_reader *in, sherd_error *error)
{
    sherd_model_part bonded = bonded_of(state);
    sherd_status status = bonded.model->restore(bonded.state, in, error);
    sherd_point_bodies *b = ((sherd_mpm_model_state *)state)->bodies;
    b->has_places = b->has_orientations = true; // `save` updates them
    sherd_mpm_owner owner = {b->piece_count, b->coupled_count, points(state)->count,
                             count_points(b)};
    if (status == SHERD_OK) status = sherd_mpm_restore(&b->m, &owner, in, error);
    if (status != SHERD_OK) return status;
    status = sherd_mpm_tears_restore(&b->tears, b->lattice.count, in, error);
    if (status == SHERD_OK && !make_surface(b)) status = sherd_fail_memory(error, "checkpoint");
    return status;
}

const sherd_model sherd_model_mpm = {
    .points = points,
    .set_loads = set_loads,
    .stored_energy = stored_energy,
    .damping_power = damping_power,
    .is_stiff = is_stiff,
    .relaxation = relaxation,
    .prepare_stiffness = prepare_stiffness,
    .measure = measure,
    .find_stresses = find_stresses,
    .find_components = find_components,
    .hash = hash_state,
    .save = save,
    .restore = restore,
};
