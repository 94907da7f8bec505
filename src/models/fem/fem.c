#include "models/fem/fem.h"

#include "base/assertion.h"
#include "base/cpu.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/quat.h"
#include "models/fem/fem_kernel.h"
#include "models/fem/fem_math.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 256, ROW = 8 }; // a multiple of every number of lanes

// ---------------------------------------------------------------- memory

static bool make_nodes(sherd_points *p, size_t room)
{
    double **column[] = {&p->px, &p->py, &p->pz, &p->qx, &p->qy, &p->qz,     &p->qw,
                         &p->vx, &p->vy, &p->vz, &p->wx, &p->wy, &p->wz,     &p->fx,
                         &p->fy, &p->fz, &p->tx, &p->ty, &p->tz, &p->radius, &p->mass};
    bool good = true;
    for (size_t k = 0; k < sizeof column / sizeof column[0]; ++k)
        good = (*column[k] = sherd_alloc(room, sizeof(double))) != NULL && good;
    p->material = sherd_alloc(room, sizeof *p->material);
    p->held = sherd_alloc(room, 1), p->asleep = sherd_alloc(room, 1);
    for (size_t k = 0; k < room && p->qw != NULL; ++k)
        p->qw[k] = 1.0;
    return good && p->material != NULL && p->held != NULL && p->asleep != NULL;
}

static void free_nodes(sherd_points *p)
{
    double *const column[] = {p->px, p->py, p->pz, p->qx, p->qy, p->qz,     p->qw,
                              p->vx, p->vy, p->vz, p->wx, p->wy, p->wz,     p->fx,
                              p->fy, p->fz, p->tx, p->ty, p->tz, p->radius, p->mass};
    for (size_t k = 0; k < sizeof column / sizeof column[0]; ++k)
        sherd_free(column[k]);
    sherd_free(p->material), sherd_free(p->held), sherd_free(p->asleep);
}

enum { COLUMNS = 9 + 9 + 12 }; // of doubles by tetrahedron

static void columns_of(sherd_fem *fem, double **column[COLUMNS])
{
    double **own[9] = {&fem->volume,   &fem->density,   &fem->lambda, &fem->mu,  &fem->relaxation,
                       &fem->strength, &fem->toughness, &fem->power,  &fem->norm};
    int n = 0;
    for (int k = 0; k < 9; ++k)
        column[n++] = own[k];
    for (int k = 0; k < 9; ++k)
        column[n++] = &fem->inverse[k];
    for (int k = 0; k < 12; ++k)
        column[n++] = &fem->force[k];
}

sherd_fem *sherd_fem_create(int32_t vertices, int32_t tetrahedra, const sherd_parallel *parallel)
{
    sherd_fem *fem = sherd_alloc(1, sizeof *fem);
    if (fem == NULL) return NULL;
    fem->parallel = *parallel;
    fem->find_rotation = sherd_fem_rotation;
    size_t room = ((size_t)tetrahedra + ROW - 1) / ROW * ROW, corners = 4 * room;
    double **column[COLUMNS];
    columns_of(fem, column);
    bool good = true;
    for (int k = 0; k < COLUMNS; ++k)
        good = (*column[k] = sherd_alloc(room, sizeof(double))) != NULL && good;
    fem->corner = sherd_alloc(corners, sizeof *fem->corner);
    fem->vertex = sherd_alloc(corners, sizeof *fem->vertex);
    fem->around = sherd_alloc(corners, sizeof *fem->around);
    fem->neighbor = sherd_alloc(corners, sizeof *fem->neighbor);
    fem->face_bond = sherd_alloc(corners, sizeof *fem->face_bond);
    fem->shape = sherd_alloc(corners, sizeof *fem->shape);
    fem->bound = sherd_alloc(corners, sizeof *fem->bound);
    fem->limit = sherd_alloc(corners, sizeof *fem->limit);
    fem->parts = sherd_alloc(room, sizeof *fem->parts);
    fem->has_parts = sherd_alloc(room, 1);
    fem->lead = sherd_alloc(corners, sizeof *fem->lead);
    fem->start = sherd_alloc((size_t)vertices + 1, sizeof *fem->start);
    good = make_nodes(&fem->nodes, corners) && good;
    if (good && fem->corner != NULL && fem->vertex != NULL && fem->around != NULL &&
        fem->neighbor != NULL && fem->face_bond != NULL && fem->shape != NULL &&
        fem->bound != NULL && fem->limit != NULL && fem->parts != NULL && fem->has_parts != NULL &&
        fem->lead != NULL && fem->start != NULL)
        return fem;
    sherd_fem_destroy(fem);
    return NULL;
}

void sherd_fem_destroy(sherd_fem *fem)
{
    if (fem == NULL) return;
    double **column[COLUMNS];
    columns_of(fem, column);
    for (int k = 0; k < COLUMNS; ++k)
        sherd_free(*column[k]);
    sherd_free(fem->corner), sherd_free(fem->vertex), sherd_free(fem->around);
    sherd_free(fem->neighbor), sherd_free(fem->face_bond), sherd_free(fem->shape);
    sherd_free(fem->bound), sherd_free(fem->limit), sherd_free(fem->lead), sherd_free(fem->start);
    sherd_free(fem->parts), sherd_free(fem->has_parts);
    free_nodes(&fem->nodes);
    sherd_free(fem);
}

// ---------------------------------------------------------------- bodies

// Mean distance of the centroids of two regular tetrahedra of this volume that share a face.
static double spacing_of(double volume)
{
    double edge = cbrt(6.0 * sqrt(2.0) * volume);
    return edge / sqrt(6.0);
}

static void set_material(sherd_fem *fem, size_t t, const sherd_fem_material *m)
{
    double E = m->youngs_modulus, nu = m->poissons_ratio;
    fem->mu[t] = 0.5 * E / (1.0 + nu);
    fem->lambda[t] = E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
    fem->density[t] = m->density;
    fem->strength[t] = m->toughness > 0.0 ? INFINITY : m->strength;
    fem->toughness[t] = m->toughness > 0.0 ? m->toughness : INFINITY;
    fem->separates |= isfinite(fem->strength[t]) || isfinite(fem->toughness[t]);
    // A chain of masses one spacing apart has the frequencies up to 2 c / spacing.
    fem->relaxation[t] =
        m->damping * spacing_of(fem->volume[t]) / sqrt(m->youngs_modulus / m->density);
}

static sherd_status set_shape(sherd_fem *fem, size_t t, const sherd_vec3 p[4], sherd_error *error)
{
    sherd_vec3 e[3] = {vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]), vec3_sub(p[3], p[0])};
    const double Dm[9] = {e[0].x, e[1].x, e[2].x, e[0].y, e[1].y, e[2].y, e[0].z, e[1].z, e[2].z};
    double cofactor[9], det = mat3_determinant(Dm);
    if (!(det > 0.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "packing.tetra", "repair the mesh",
                          "tetrahedron %d has no volume", (int)t);
    mat3_cofactors(Dm, cofactor);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            fem->inverse[3 * i + j][t] = cofactor[3 * j + i] / det;
    fem->volume[t] = det / 6.0;
    for (int c = 0; c < 4; ++c)
        fem->shape[4 * t + (size_t)c] = vec3_length(sherd_fem_area(fem, (int32_t)t, c));
    return SHERD_OK;
}

static sherd_vec3 vertex_of(const sherd_tetra_mesh *mesh, int32_t v)
{
    const double *x = mesh->vertices + 3 * (size_t)v;
    return vec3(x[0], x[1], x[2]);
}

static void set_vertices(sherd_fem *fem, const sherd_fem_body *body)
{
    sherd_quat q = quat_normalize(body->pose.rotation);
    sherd_points *n = &fem->nodes;
    for (int32_t v = 0; v < body->mesh->vertex_count; ++v) {
        sherd_vec3 arm = quat_rotate(q, vertex_of(body->mesh, v)),
                   x = vec3_add(body->pose.position, arm),
                   u = vec3_add(body->velocity, vec3_cross(body->spin, arm));
        int32_t at = fem->vertex_count + v;
        n->px[at] = x.x, n->py[at] = x.y, n->pz[at] = x.z;
        n->vx[at] = u.x, n->vy[at] = u.y, n->vz[at] = u.z;
    }
}

sherd_status sherd_fem_add(sherd_fem *fem, const sherd_fem_body *body, sherd_error *error)
{
    const sherd_tetra_mesh *mesh = body->mesh;
    sherd_status status = SHERD_OK;
    size_t first = (size_t)fem->tetra_count;
    for (int32_t k = 0; k < mesh->tetra_count && status == SHERD_OK; ++k) {
        size_t t = first + (size_t)k;
        sherd_vec3 p[4];
        for (int c = 0; c < 4; ++c)
            p[c] = vertex_of(mesh, mesh->tetras[4 * k + c]);
        status = set_shape(fem, t, p, error);
        set_material(fem, t, &body->material);
        for (size_t c = 0; c < 4; ++c) {
            int32_t other = body->neighbor[4 * (size_t)k + c];
            fem->corner[4 * t + c] = fem->vertex[4 * t + c] =
                fem->vertex_count + mesh->tetras[4 * (size_t)k + c];
            fem->neighbor[4 * t + c] = other < 0 ? -1 : (int32_t)first + other;
            fem->face_bond[4 * t + c] = -1;
        }
    }
    if (status != SHERD_OK) return status;
    set_vertices(fem, body);
    fem->tetra_count += mesh->tetra_count;
    fem->vertex_count += mesh->vertex_count;
    return SHERD_OK;
}

static void list_corners(sherd_fem *fem)
{
    size_t corners = 4 * (size_t)fem->tetra_count;
    for (size_t k = 0; k < corners; ++k)
        fem->start[fem->vertex[k] + 1]++;
    for (int32_t v = 0; v < fem->vertex_count; ++v)
        fem->start[v + 1] += fem->start[v];
    for (size_t k = corners; k-- > 0;) // ends as the starts, one row early
        fem->around[--fem->start[fem->vertex[k] + 1]] = (int32_t)k;
    for (int32_t v = 0; v < fem->vertex_count; ++v)
        fem->start[v] = fem->start[v + 1];
    fem->start[fem->vertex_count] = (int32_t)corners;
}

sherd_status sherd_fem_finish(sherd_fem *fem, sherd_error *error)
{
    list_corners(fem);
    fem->nodes.count = fem->vertex_count;
    for (int32_t v = 0; v < fem->vertex_count; ++v) {
        if (fem->start[v] == fem->start[v + 1])
            return sherd_fail(error, SHERD_ERROR_INPUT, "packing.tetra", "repair the mesh",
                              "vertex %d has no tetrahedron", (int)v);
    }
    return SHERD_OK;
}

// ---------------------------------------------------------------- one tetrahedron

sherd_vec3 sherd_fem_rest_arm(const sherd_fem *fem, int32_t t, int c)
{
    double inverse[9], cofactor[9];
    for (int k = 0; k < 9; ++k)
        inverse[k] = fem->inverse[k][t];
    mat3_cofactors(inverse, cofactor);
    double per = 6.0 * fem->volume[t]; // 1 over the determinant
    sherd_vec3 arm = {0};
    for (int k = 0; k < 3; ++k) { // edge k is column k of Dm, which is a row of the cofactors
        double weight = per * ((k + 1 == c) - 0.25);
        arm = vec3_add_scaled(arm, weight,
                              vec3(cofactor[3 * k], cofactor[3 * k + 1], cofactor[3 * k + 2]));
    }
    return arm;
}

sherd_vec3 sherd_fem_area(const sherd_fem *fem, int32_t t, int c)
{
    sherd_vec3 g = {0};
    for (int i = c == 0 ? 0 : c - 1; i < (c == 0 ? 3 : c); ++i)
        g = vec3_add(g, vec3(fem->inverse[3 * i][t], fem->inverse[3 * i + 1][t],
                             fem->inverse[3 * i + 2][t]));
    return vec3_scale(c == 0 ? -fem->volume[t] : fem->volume[t], g);
}

void sherd_fem_rotation(const double *F, double *R)
{
    double product[9], values[3], v[9], Fv[9];
    mat3_transposed_multiply(F, F, product);
    sherd_symmetric_eigen(3, product, values, v);
    mat3_multiply(F, v, Fv);
    int order[3] = {0, 1, 2}; // the largest first
    for (int i = 0; i < 2; ++i)
        for (int j = i + 1; j < 3; ++j)
            if (values[order[j]] > values[order[i]]) {
                int k = order[i];
                order[i] = order[j], order[j] = k;
            }
    // R v_k = u_k, with u orthonormal; the last one follows from a proper rotation.
    sherd_vec3 w[3], u[3];
    for (int k = 0; k < 3; ++k) {
        w[k] = vec3(v[order[k]], v[3 + order[k]], v[6 + order[k]]);
        u[k] = vec3(Fv[order[k]], Fv[3 + order[k]], Fv[6 + order[k]]);
    }
    w[2] = vec3_cross(w[0], w[1]);
    u[0] = vec3_length(u[0]) > 0.0 ? vec3_normalize(u[0]) : w[0];
    u[1] = vec3_add_scaled(u[1], -vec3_dot(u[1], u[0]), u[0]);
    u[1] = vec3_length(u[1]) > 1e-12 ? vec3_normalize(u[1]) : vec3_perpendicular(u[0]);
    u[2] = vec3_cross(u[0], u[1]);
    memset(R, 0, 9 * sizeof *R);
    for (int k = 0; k < 3; ++k) {
        const double a[3] = {u[k].x, u[k].y, u[k].z}, b[3] = {w[k].x, w[k].y, w[k].z};
        for (int i = 0; i < 9; ++i)
            R[i] += a[i / 3] * b[i % 3];
    }
}

// As the kernel does, but for rounding.
static void find_rotation(const double *F, double *R)
{
    if (!(mat3_determinant(F) > SHERD_FEM_FLAT)) {
        sherd_fem_rotation(F, R);
        return;
    }
    memcpy(R, F, 9 * sizeof *R);
    double change = 1.0;
    for (int n = 0; n < 12 && change > 1e-16; ++n) {
        double cofactor[9], half = 0.5 / mat3_determinant(R);
        mat3_cofactors(R, cofactor);
        change = 0.0;
        for (int k = 0; k < 9; ++k) {
            double next = 0.5 * R[k] + half * cofactor[k];
            change += (next - R[k]) * (next - R[k]);
            R[k] = next;
        }
    }
}

sherd_fem_state sherd_fem_state_of(const sherd_fem *fem, int32_t t)
{
    sherd_fem_state s;
    double Ds[9], inverse[9], S[9];
    sherd_vec3 origin = sherd_fem_node(fem, t, 0);
    for (int c = 0; c < 3; ++c) {
        sherd_vec3 e = vec3_sub(sherd_fem_node(fem, t, c + 1), origin);
        Ds[c] = e.x, Ds[3 + c] = e.y, Ds[6 + c] = e.z;
    }
    for (int k = 0; k < 9; ++k)
        inverse[k] = fem->inverse[k][t];
    mat3_multiply(Ds, inverse, s.F);
    find_rotation(s.F, s.R);
    mat3_transposed_multiply(s.R, s.F, S);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            s.E[3 * i + j] = 0.5 * (S[3 * i + j] + S[3 * j + i]) - (i == j);
    return s;
}

// ---------------------------------------------------------------- forces

static void forces_range(void *context, size_t begin, size_t end)
{
    sherd_fem_forces_function *kernel = SHERD_KERNEL_AT(sherd_cpu_level(), sherd_fem_forces);
    kernel(context, begin, end);
}

void sherd_fem_set_forces(sherd_fem *fem)
{
    sherd_parallel_for(&fem->parallel, (size_t)fem->tetra_count, CHUNK, forces_range, fem);
}

// Each vertex's nodes are its own: threads share none.
static void gather_range(void *context, size_t begin, size_t end)
{
    sherd_fem *fem = context;
    sherd_points *n = &fem->nodes;
    for (size_t v = begin; v < end; ++v) {
        int32_t first = fem->start[v], last = fem->start[v + 1];
        for (int32_t k = first; k < last; ++k) {
            int32_t node = fem->corner[fem->around[k]];
            n->fx[node] = n->fy[node] = n->fz[node] = fem->bound[node] = 0.0;
        }
        for (int32_t k = first; k < last; ++k) {
            int32_t at = fem->around[k], node = fem->corner[at], t = at / 4, c = at % 4;
            n->fx[node] += fem->force[3 * c][t];
            n->fy[node] += fem->force[3 * c + 1][t];
            n->fz[node] += fem->force[3 * c + 2][t];
            fem->bound[node] += M_SQRT1_2 * fem->shape[at] * fem->norm[t];
        }
    }
}

void sherd_fem_gather(sherd_fem *fem)
{
    sherd_parallel_for(&fem->parallel, (size_t)fem->vertex_count, CHUNK, gather_range, fem);
}

static double energy_range(void *context, size_t begin, size_t end)
{
    const sherd_fem *fem = context;
    double sum = 0.0;
    for (size_t t = begin; t < end; ++t) {
        sherd_fem_state s = sherd_fem_state_of(fem, (int32_t)t);
        double square = 0.0, trace = s.E[0] + s.E[4] + s.E[8];
        for (int k = 0; k < 9; ++k)
            square += s.E[k] * s.E[k];
        sum += fem->volume[t] * (fem->mu[t] * square + 0.5 * fem->lambda[t] * trace * trace);
    }
    return sum;
}

double sherd_fem_energy(const sherd_fem *fem)
{
    return sherd_parallel_sum(&fem->parallel, (size_t)fem->tetra_count, CHUNK, energy_range,
                              (void *)(uintptr_t)fem);
}

static double power_range(void *context, size_t begin, size_t end)
{
    const sherd_fem *fem = context;
    double sum = 0.0;
    for (size_t t = begin; t < end; ++t)
        sum += fem->power[t];
    return sum;
}

double sherd_fem_damping_power(const sherd_fem *fem)
{
    return sherd_parallel_sum(&fem->parallel, (size_t)fem->tetra_count, 4096, power_range,
                              (void *)(uintptr_t)fem);
}

// ---------------------------------------------------------------- the step

// K = V B^T C B has the eigenvalues that C^1/2 (V B B^T) C^1/2 has, with masses m/4 times 4/m. In
// Mandel's notation C is 2 mu + lambda 1 1^T, whose root is root(2 mu) plus a multiple of 1 1^T.
double sherd_fem_element_eigenvalue(const sherd_fem *fem, int32_t t)
{
    double B[6][12], a[36], values[6], v[36];
    double mass = 0.25 * fem->density[t] * fem->volume[t];
    for (int c = 0; c < 4; ++c) {
        sherd_vec3 s = vec3_scale(1.0 / sqrt(mass * fem->volume[t]), sherd_fem_area(fem, t, c));
        const double g[3] = {s.x, s.y, s.z};
        for (int k = 0; k < 3; ++k) {
            for (int j = 0; j < 3; ++j)
                B[k][3 * c + j] = j == k ? g[k] : 0.0;
            int p = (k + 1) % 3, q = (k + 2) % 3; // the strain pq, times root 2
            for (int j = 0; j < 3; ++j)
                B[3 + k][3 * c + j] = M_SQRT1_2 * (j == p ? g[q] : j == q ? g[p] : 0.0);
        }
    }
    double root = sqrt(2.0 * fem->mu[t]),
           more = (sqrt(2.0 * fem->mu[t] + 3.0 * fem->lambda[t]) - root) / 3.0;
    for (int j = 0; j < 12; ++j) {
        double trace = B[0][j] + B[1][j] + B[2][j];
        for (int k = 0; k < 6; ++k)
            B[k][j] = root * B[k][j] + (k < 3 ? more * trace : 0.0);
    }
    for (int i = 0; i < 36; ++i) {
        a[i] = 0.0;
        for (int j = 0; j < 12; ++j)
            a[i] += B[i / 6][j] * B[i % 6][j];
    }
    sherd_symmetric_eigen(6, a, values, v);
    double largest = 0.0;
    for (int k = 0; k < 6; ++k)
        largest = fmax(largest, values[k]);
    return largest;
}

// 1 over the largest step at which dt^2 lambda + 2 dt beta lambda < 4 (stepping/explicit/time_step.h).
static double rate_range(void *context, size_t begin, size_t end)
{
    const sherd_fem *fem = context;
    double largest = 0.0;
    for (size_t t = begin; t < end; ++t) {
        double omega = sqrt(sherd_fem_element_eigenvalue(fem, (int32_t)t));
        double z = 0.5 * fem->relaxation[t] * omega;
        largest = fmax(largest, 0.5 * omega / (sqrt(1.0 + z * z) - z));
    }
    return largest;
}

double sherd_fem_stable_dt(const sherd_fem *fem)
{
    return 1.0 / sherd_parallel_max(&fem->parallel, (size_t)fem->tetra_count, CHUNK, rate_range,
                                    (void *)(uintptr_t)fem);
}
