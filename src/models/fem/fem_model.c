#include "models/fem/fem_model.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "math/quat.h"
#include "models/fem/fem_math.h"
#include "models/fem/fem_separation.h"
#include "models/fem/fem_stiffness.h"
#include "models/rounding.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 256 };

static sherd_fem *fem_of(const void *state)
{
    return ((const sherd_fem_model_state *)state)->fem;
}

static sherd_model_part bonded_of(const void *state)
{
    return (sherd_model_part){&sherd_model_bonded, ((const sherd_fem_model_state *)state)->bonded};
}

// ---------------------------------------------------------------- elements

// Present gradients of shape functions at corners [1/m].
static void gradients_of(const sherd_fem *fem, int32_t t, sherd_vec3 g[4])
{
    sherd_vec3 x[4];
    for (int c = 0; c < 4; ++c)
        x[c] = sherd_fem_node(fem, t, c);
    sherd_vec3 a = vec3_sub(x[1], x[0]), b = vec3_sub(x[2], x[0]), c = vec3_sub(x[3], x[0]);
    double det = vec3_dot(vec3_cross(a, b), c), least = 1e-3 * 6.0 * fem->volume[t];
    double per = 1.0 / (fabs(det) > least ? det : copysign(least, det)); // flat ones do not spin
    g[1] = vec3_scale(per, vec3_cross(b, c));
    g[2] = vec3_scale(per, vec3_cross(c, a));
    g[3] = vec3_scale(per, vec3_cross(a, b));
    g[0] = vec3_scale(-1.0, vec3_add(g[1], vec3_add(g[2], g[3])));
}

void sherd_fem_place_elements(const sherd_fem *fem, sherd_elements *e, size_t begin, size_t end)
{
    const sherd_points *n = &fem->nodes;
    for (size_t t = begin; t < end; ++t) {
        sherd_vec3 x = {0}, v = {0}, w = {0}, g[4];
        gradients_of(fem, (int32_t)t, g);
        for (int c = 0; c < 4; ++c) {
            int32_t node = fem->corner[4 * t + (size_t)c];
            sherd_vec3 u = sherd_point_velocity(n, node);
            x = vec3_add(x, sherd_point_position(n, node));
            v = vec3_add(v, u);
            w = vec3_add(w, vec3_cross(g[c], u));
        }
        e->px[t] = 0.25 * x.x, e->py[t] = 0.25 * x.y, e->pz[t] = 0.25 * x.z;
        e->vx[t] = 0.25 * v.x, e->vy[t] = 0.25 * v.y, e->vz[t] = 0.25 * v.z;
        e->wx[t] = 0.5 * w.x, e->wy[t] = 0.5 * w.y, e->wz[t] = 0.5 * w.z;
    }
}

void sherd_fem_spread_load(sherd_fem *fem, int32_t t, sherd_vec3 force, sherd_vec3 torque)
{
    sherd_vec3 g[4];
    gradients_of(fem, t, g);
    for (int c = 0; c < 4; ++c) {
        sherd_vec3 f = vec3_add_scaled(vec3_scale(0.25, force), 0.5, vec3_cross(torque, g[c]));
        fem->force[3 * c][t] += f.x;
        fem->force[3 * c + 1][t] += f.y;
        fem->force[3 * c + 2][t] += f.z;
    }
}

// By the largest of the four squares (Shepperd).
static sherd_quat quat_of(const double *R)
{
    double trace = R[0] + R[4] + R[8];
    sherd_quat q = {R[7] - R[5], R[2] - R[6], R[3] - R[1], 1.0 + trace};
    if (trace < 0.0) {
        int k = R[4] > R[0] ? 1 : 0;
        if (R[8] > R[4 * k]) k = 2;
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double part[3];
        part[k] = 1.0 + R[4 * k] - R[4 * i] - R[4 * j];
        part[i] = R[3 * i + k] + R[3 * k + i];
        part[j] = R[3 * j + k] + R[3 * k + j];
        q = (sherd_quat){part[0], part[1], part[2], R[3 * j + i] - R[3 * i + j]};
    }
    return quat_normalize(q);
}

typedef struct turning {
    const sherd_fem *fem;
    sherd_elements *elements;
} turning;

static void turn_range(void *context, size_t begin, size_t end)
{
    const turning *j = context;
    sherd_elements *e = j->elements;
    for (size_t t = begin; t < end; ++t) {
        sherd_fem_state s = sherd_fem_state_of(j->fem, (int32_t)t);
        sherd_quat q = quat_of(s.R);
        e->qx[t] = q.x, e->qy[t] = q.y, e->qz[t] = q.z, e->qw[t] = q.w;
    }
}

void sherd_fem_turn_elements(sherd_fem *fem, sherd_elements *elements)
{
    if (fem->has_orientations) return;
    turning j = {fem, elements};
    sherd_parallel_for(&fem->parallel, (size_t)fem->tetra_count, CHUNK, turn_range, &j);
    fem->has_orientations = true;
}

size_t sherd_fem_bytes(const sherd_fem *fem)
{
    if (fem == NULL) return 0;
    size_t t = (size_t)fem->tetra_count;
    return t * (30 * sizeof(double) + sizeof *fem->parts +
                4 * (4 * sizeof(int32_t) + sizeof(int64_t))) +
           4 * t * (22 * sizeof(double) + 2 * sizeof(int32_t));
}

// ---------------------------------------------------------------- the row

static const sherd_points *points(const void *state)
{
    return &fem_of(state)->nodes;
}

static void set_loads(void *state, const sherd_point_advance *advance)
{
    sherd_fem *fem = fem_of(state);
    if (advance != NULL) advance->advance(advance->context, 0, (size_t)fem->nodes.count);
    sherd_fem_set_forces(fem);
    sherd_fem_gather(fem);
}

static double stored_energy(const void *state)
{
    return sherd_fem_energy(fem_of(state));
}

static double damping_power(const void *state)
{
    return sherd_fem_damping_power(fem_of(state));
}

static bool is_stiff(const void *state)
{
    return fem_of(state)->tetra_count > 0;
}

static sherd_relaxation_range relaxation(const void *state)
{
    const sherd_fem *fem = fem_of(state);
    sherd_relaxation_range range = {INFINITY, 0.0};
    for (int32_t t = 0; t < fem->tetra_count; ++t) {
        range.shortest = fmin(range.shortest, fem->relaxation[t]);
        range.longest = fmax(range.longest, fem->relaxation[t]);
    }
    return range;
}

static sherd_status prepare_stiffness(const void *state, double c, sherd_prepared_operator *product,
                                      sherd_error *error)
{
    return sherd_fem_prepare_stiffness(fem_of(state), c, product, error);
}

static double stable_dt(const void *state)
{
    return sherd_fem_stable_dt(fem_of(state));
}

// ---------------------------------------------------------------- measures

static double noise_of(const sherd_fem *fem)
{
    double sum = 0.0;
    for (int32_t t = 0; t < fem->tetra_count; ++t) {
        double strain = sherd_noise_strain(sherd_fem_node(fem, t, 0), cbrt(fem->volume[t]));
        sum += 0.5 * (fem->lambda[t] + 2.0 * fem->mu[t]) * strain * strain * fem->volume[t];
    }
    return sum;
}

typedef struct rating {
    const sherd_fem *fem;
    double *ratio; // by node
} rating;

static double rate_nodes(void *context, size_t begin, size_t end)
{
    const rating *j = context;
    double largest = 0.0;
    for (size_t k = begin; k < end; ++k) {
        if (j->fem->nodes.held[k]) continue;
        j->ratio[k] = sherd_fem_separation_of(j->fem, (int32_t)k, NULL).ratio;
        largest = fmax(largest, j->ratio[k]);
    }
    return largest;
}

static sherd_model_measures measure(const void *state, float *ratio)
{
    const sherd_fem *fem = fem_of(state);
    sherd_model_measures m = {sherd_fem_energy(fem), noise_of(fem), 0.0};
    for (int32_t t = 0; t < fem->tetra_count && ratio != NULL; ++t)
        ratio[t] = 0.0F;
    rating j = {fem, sherd_alloc((size_t)fem->nodes.count, sizeof *j.ratio)};
    if (!fem->separates || j.ratio == NULL) {
        sherd_free(j.ratio);
        return m;
    }
    sherd_fem_divide_all(fem);
    m.stress_ratio =
        sherd_parallel_max(&fem->parallel, (size_t)fem->nodes.count, 32, rate_nodes, &j);
    memset(fem->has_parts, 0, (size_t)fem->tetra_count);
    for (int32_t k = 0; k < 4 * fem->tetra_count && ratio != NULL; ++k)
        ratio[k / 4] = fmaxf(ratio[k / 4], (float)j.ratio[fem->corner[k]]);
    sherd_free(j.ratio);
    return m;
}

// Cauchy's: P F^T / J = R (2 mu E + lambda tr E) S R^T / J.
static void find_stresses(const void *state, sherd_stress *stress)
{
    const sherd_fem *fem = fem_of(state);
    for (int32_t t = 0; t < fem->tetra_count; ++t) {
        sherd_fem_state s = sherd_fem_state_of(fem, t);
        double X[9], P[9], c[9], pressure = fem->lambda[t] * (s.E[0] + s.E[4] + s.E[8]);
        for (int k = 0; k < 9; ++k)
            X[k] = 2.0 * fem->mu[t] * s.E[k] + (k % 4 == 0 ? pressure : 0.0);
        mat3_multiply(s.R, X, P);
        double J = mat3_determinant(s.F);
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k)
                c[3 * i + k] = (P[3 * i] * s.F[3 * k] + P[3 * i + 1] * s.F[3 * k + 1] +
                                P[3 * i + 2] * s.F[3 * k + 2]) /
                               J;
        stress[t] = (sherd_stress){(float)c[0], (float)c[4], (float)c[8],
                                   (float)c[1], (float)c[5], (float)c[2]};
    }
}

static void find_components(const void *state, sherd_element_index *first)
{
    sherd_model_part bonded = bonded_of(state);
    bonded.model->find_components(bonded.state, first);
}

static uint64_t hash_state(const void *state, uint64_t hash)
{
    const sherd_fem *fem = fem_of(state);
    hash = sherd_points_hash(&fem->nodes, hash);
    return sherd_hash_bytes(hash, fem->corner, 4 * (size_t)fem->tetra_count * sizeof *fem->corner);
}

// ---------------------------------------------------------------- saving

enum { NODE_COLUMNS = 9 };

static int node_columns(const sherd_fem *fem, sherd_record_column columns[NODE_COLUMNS])
{
    static const char *const NAMES[] = {"px", "py", "pz", "vx", "vy", "vz", "fx", "fy", "fz"};
    const sherd_points *n = &fem->nodes;
    double *const items[] = {n->px, n->py, n->pz, n->vx, n->vy, n->vz, n->fx, n->fy, n->fz};
    for (int k = 0; k < NODE_COLUMNS; ++k)
        columns[k] =
            (sherd_record_column){NAMES[k], &sherd_rows_f64, items[k], (size_t)n->count, 0};
    return NODE_COLUMNS;
}

static sherd_record_column corners_of(const sherd_fem *fem)
{
    return (sherd_record_column){"corner", &sherd_rows_i32, fem->corner,
                                 4 * (size_t)fem->tetra_count, 0};
}

static sherd_status save(const void *state, sherd_byte_buffer *out, sherd_error *error)
{
    const sherd_fem *fem = fem_of(state);
    sherd_model_part bonded = bonded_of(state);
    sherd_status status = bonded.model->save(bonded.state, out, error);
    if (status != SHERD_OK) return status;
    sherd_record_column columns[NODE_COLUMNS], corners = corners_of(fem);
    size_t begun = sherd_record_begin(out, "tetrahedra");
    sherd_record_write_all(out, columns, node_columns(fem, columns));
    sherd_record_write(out, &corners);
    sherd_record_end(out, begun);
    return SHERD_OK;
}

// A damaged file may say anything: each node is one vertex's, and has corners.
static bool corners_are_sound(const sherd_fem *fem)
{
    for (int32_t k = 0; k < fem->nodes.count; ++k)
        fem->lead[k] = -1;
    for (int32_t k = 0; k < 4 * fem->tetra_count; ++k) {
        int32_t node = fem->corner[k];
        if (node < 0 || node >= fem->nodes.count) return false;
        if (fem->lead[node] < 0) fem->lead[node] = k;
        if (fem->vertex[fem->lead[node]] != fem->vertex[k]) return false;
    }
    for (int32_t k = 0; k < fem->nodes.count; ++k)
        if (fem->lead[k] < 0) return false;
    return true;
}

static sherd_status restore_nodes(sherd_fem *fem, const uint8_t *held, sherd_record_reader *in,
                                  sherd_error *error)
{
    sherd_record_reader part = sherd_record_enter(in, "tetrahedra");
    size_t nodes = sherd_record_rows(&part, "px");
    bool fits = nodes <= 4 * (size_t)fem->tetra_count && nodes >= (size_t)fem->vertex_count;
    if (fits) {
        fem->nodes.count = (int32_t)nodes;
        sherd_record_column columns[NODE_COLUMNS], corners = corners_of(fem);
        sherd_record_read_all(&part, columns, node_columns(fem, columns));
        sherd_record_read(&part, &corners);
    }
    sherd_status status = sherd_record_leave(&part);
    if (status != SHERD_OK) return status;
    if (!fits || !corners_are_sound(fem))
        return sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint", "start the run anew",
                          "is damaged or from another version of Sherd");
    sherd_fem_renew_nodes(fem, held);
    fem->has_orientations = false;
    return SHERD_OK;
}

static sherd_status restore(void *state, sherd_record_reader *in, sherd_error *error)
{
    const sherd_fem_model_state *s = state;
    sherd_model_part bonded = bonded_of(state);
    sherd_status status = bonded.model->restore(bonded.state, in, error);
    return status == SHERD_OK ? restore_nodes(s->fem, s->bonded->elements->held, in, error)
                              : status;
}

const sherd_model sherd_model_fem = {
    .points = points,
    .set_loads = set_loads,
    .stored_energy = stored_energy,
    .damping_power = damping_power,
    .is_stiff = is_stiff,
    .relaxation = relaxation,
    .prepare_stiffness = prepare_stiffness,
    .stable_dt = stable_dt,
    .measure = measure,
    .find_stresses = find_stresses,
    .find_components = find_components,
    .hash = hash_state,
    .save = save,
    .restore = restore,
};
