#include "models/fem/fem_separation.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/forest.h"
#include "base/memory.h"
#include "models/fem/fem_math.h"

#include <math.h>
#include <string.h>

// Areas across a direction are at least this part of half of the sum of the star's areas; half of
// it is the mean over directions. It bounds stresses by forces, and so the search for nodes.
static const double LEAST_AREA = 0.3;

// ---------------------------------------------------------------- the tensor

// t += w a a^T / |a|
static void add_outer(double t[6], double w, sherd_vec3 a)
{
    double length = vec3_length(a);
    if (!(length > 0.0)) return;
    w /= length;
    t[0] += w * a.x * a.x, t[1] += w * a.y * a.y, t[2] += w * a.z * a.z;
    t[3] += w * a.y * a.z, t[4] += w * a.x * a.z, t[5] += w * a.x * a.y;
}

// Forces on the corners of a tetrahedron by tension and by compression, and its areas V grad N,
// turned with it.
static sherd_fem_parts parts_of(const sherd_fem *fem, int32_t t)
{
    sherd_fem_state s = sherd_fem_state_of(fem, t);
    double stress[9], values[3], v[9], pressure = fem->lambda[t] * (s.E[0] + s.E[4] + s.E[8]);
    for (int k = 0; k < 9; ++k)
        stress[k] = 2.0 * fem->mu[t] * s.E[k] + (k % 4 == 0 ? pressure : 0.0);
    sherd_symmetric_eigen(3, stress, values, v);
    sherd_fem_parts parts;
    for (int c = 0; c < 4; ++c) {
        sherd_vec3 area = sherd_fem_area(fem, t, c), pull = {0}, push = {0};
        for (int k = 0; k < 3; ++k) {
            sherd_vec3 n = vec3(v[k], v[3 + k], v[6 + k]);
            sherd_vec3 *to = values[k] > 0.0 ? &pull : &push;
            *to = vec3_add_scaled(*to, -values[k] * vec3_dot(n, area), n);
        }
        parts.pull[c] = mat3_apply(s.R, pull);
        parts.push[c] = mat3_apply(s.R, push);
        parts.area[c] = mat3_apply(s.R, area);
    }
    return parts;
}

static void divide_range(void *context, size_t begin, size_t end)
{
    const sherd_fem *fem = context;
    for (size_t t = begin; t < end; ++t)
        if (fem->has_parts[t]) fem->parts[t] = parts_of(fem, (int32_t)t);
}

// For tetrahedra marked in `has_parts`.
static void divide_stresses(const sherd_fem *fem)
{
    sherd_parallel_for(&fem->parallel, (size_t)fem->tetra_count, 256, divide_range,
                       (void *)(uintptr_t)fem);
}

void sherd_fem_divide_all(const sherd_fem *fem)
{
    memset(fem->has_parts, 1, (size_t)fem->tetra_count);
    divide_stresses(fem);
}

static sherd_fem_parts get_parts(const sherd_fem *fem, int32_t t)
{
    return fem->has_parts[t] ? fem->parts[t] : parts_of(fem, t);
}

static double threshold_of(const sherd_fem *fem, int32_t node, double area)
{
    int32_t t = fem->lead[node] / 4;
    return fmin(fem->toughness[t], fem->strength[t] * area);
}

typedef struct star {
    double tensor[6];
    double half_sum; // of areas [m^2]
} star;

static star star_of(const sherd_fem *fem, int32_t node)
{
    star s = {{0.0}, 0.0};
    int32_t v = fem->vertex[fem->lead[node]];
    sherd_vec3 pull = {0}, push = {0};
    for (int32_t k = fem->start[v]; k < fem->start[v + 1]; ++k) {
        int32_t at = fem->around[k], t = at / 4;
        if (fem->corner[at] != node) continue;
        sherd_fem_parts parts = get_parts(fem, t);
        sherd_vec3 tension = parts.pull[at % 4], compression = parts.push[at % 4];
        pull = vec3_add(pull, tension), push = vec3_add(push, compression);
        add_outer(s.tensor, 0.5, tension), add_outer(s.tensor, -0.5, compression);
        s.half_sum += 0.5 * fem->shape[at];
    }
    add_outer(s.tensor, -0.5, pull), add_outer(s.tensor, 0.5, push);
    return s;
}

// Half the sum of the projections of the star's areas: the force by a uniform uniaxial stress is
// this times the stress.
static double area_across(const sherd_fem *fem, int32_t node, sherd_vec3 n)
{
    int32_t v = fem->vertex[fem->lead[node]];
    double sum = 0.0;
    for (int32_t k = fem->start[v]; k < fem->start[v + 1]; ++k) {
        int32_t at = fem->around[k];
        if (fem->corner[at] != node) continue;
        sum += 0.5 * fabs(vec3_dot(get_parts(fem, at / 4).area[at % 4], n));
    }
    return sum;
}

sherd_fem_separation sherd_fem_separation_of(const sherd_fem *fem, int32_t node,
                                             const double *residual)
{
    star s = star_of(fem, node);
    for (int k = 0; k < 6 && residual != NULL; ++k)
        s.tensor[k] += residual[k];
    const double *t = s.tensor;
    double a[9] = {t[0], t[5], t[4], t[5], t[1], t[3], t[4], t[3], t[2]}, values[3], v[9];
    sherd_symmetric_eigen(3, a, values, v);
    int top = values[1] > values[0] ? 1 : 0;
    if (values[2] > values[top]) top = 2;
    sherd_fem_separation of = {.force = values[top],
                               .normal = vec3(v[top], v[3 + top], v[6 + top])};
    of.area = fmax(area_across(fem, node, of.normal), LEAST_AREA * s.half_sum);
    double threshold = threshold_of(fem, node, of.area);
    of.ratio = isfinite(threshold) ? of.force / threshold : 0.0;
    return of;
}

// ---------------------------------------------------------------- nodes of a vertex

static void renew(sherd_fem *fem, const uint8_t *held, int32_t v)
{
    sherd_points *n = &fem->nodes;
    for (int32_t k = fem->start[v]; k < fem->start[v + 1]; ++k) {
        int32_t node = fem->corner[fem->around[k]];
        n->mass[node] = fem->limit[node] = 0.0, n->held[node] = 0, fem->lead[node] = -1;
    }
    for (int32_t k = fem->start[v]; k < fem->start[v + 1]; ++k) {
        int32_t at = fem->around[k], node = fem->corner[at], t = at / 4;
        n->mass[node] += 0.25 * fem->density[t] * fem->volume[t];
        n->held[node] |= (uint8_t)(held != NULL ? held[t] & ~SHERD_HELD_TURN : 0);
        if (fem->lead[node] < 0) fem->lead[node] = at;
        fem->limit[node] += 0.5 * LEAST_AREA * fem->shape[at];
    }
    for (int32_t k = fem->start[v]; k < fem->start[v + 1]; ++k) {
        int32_t at = fem->around[k], node = fem->corner[at];
        if (fem->lead[node] == at) fem->limit[node] = threshold_of(fem, node, fem->limit[node]);
    }
}

void sherd_fem_renew_nodes(sherd_fem *fem, const uint8_t *held)
{
    for (int32_t v = 0; v < fem->vertex_count; ++v)
        renew(fem, held, v);
}

// The state of a separation within a step.
typedef struct separating {
    sherd_fem *fem;
    const uint8_t *held;
    uint8_t *broken;
    sherd_fem_cracks *cracks;
    int32_t *candidate;       // nodes whose bound exceeds their threshold
    sherd_fem_separation *of; // by candidate
    double (*residual)[6];    // by candidate
    uint8_t *over;            // by candidate: it could not be separated
    size_t count, capacity[4];
    int32_t *root, *name; // scratch of a vertex
    int32_t *changed;     // vertices with cracked faces
    size_t root_capacity, name_capacity, changed_capacity, changed_count;
} separating;

static int32_t index_in_star(const sherd_fem *fem, int32_t v, int32_t t)
{
    for (int32_t k = fem->start[v]; k < fem->start[v + 1]; ++k)
        if (fem->around[k] / 4 == t) return k - fem->start[v];
    return -1;
}

// Joins the tetrahedra around a vertex across intact faces at the vertex.
static void join_star(const separating *s, int32_t v)
{
    const sherd_fem *fem = s->fem;
    int32_t first = fem->start[v], count = fem->start[v + 1] - first;
    for (int32_t k = 0; k < count; ++k)
        s->root[k] = k;
    for (int32_t k = 0; k < count; ++k) {
        int32_t at = fem->around[first + k], t = at / 4;
        for (int f = 0; f < 4; ++f) {
            if (f == at % 4 || sherd_fem_face_is_open(fem, s->broken, t, f)) continue;
            int32_t other = fem->neighbor[4 * t + f];
            if (other > t) sherd_join_roots(s->root, k, index_in_star(fem, v, other));
        }
    }
}

static int32_t copy_node(sherd_fem *fem, int32_t from)
{
    sherd_points *n = &fem->nodes;
    int32_t to = n->count++;
    SHERD_ASSERT(to < 4 * fem->tetra_count, "nodes are at most as many as corners");
    n->px[to] = n->px[from], n->py[to] = n->py[from], n->pz[to] = n->pz[from];
    n->vx[to] = n->vx[from], n->vy[to] = n->vy[from], n->vz[to] = n->vz[from];
    return to;
}

static void sum_forces(sherd_fem *fem, int32_t v)
{
    sherd_points *n = &fem->nodes;
    for (int32_t k = fem->start[v]; k < fem->start[v + 1]; ++k) {
        int32_t node = fem->corner[fem->around[k]];
        n->fx[node] = n->fy[node] = n->fz[node] = 0.0;
    }
    for (int32_t k = fem->start[v]; k < fem->start[v + 1]; ++k) {
        int32_t at = fem->around[k], node = fem->corner[at], t = at / 4, c = at % 4;
        n->fx[node] += fem->force[3 * c][t];
        n->fy[node] += fem->force[3 * c + 1][t];
        n->fz[node] += fem->force[3 * c + 2][t];
    }
}

static bool reserve_star(separating *s, size_t count)
{
    return sherd_grow((void **)&s->root, &s->root_capacity, count, sizeof *s->root) &&
           sherd_grow((void **)&s->name, &s->name_capacity, count, sizeof *s->name);
}

// Gives each connected part of a vertex's star a node of its own; the part with a node's first
// corner keeps the node.
static bool divide_vertex(separating *s, int32_t v)
{
    sherd_fem *fem = s->fem;
    int32_t first = fem->start[v], count = fem->start[v + 1] - first;
    if (!reserve_star(s, (size_t)count)) return false;
    join_star(s, v);
    for (int32_t k = 0; k < count; ++k)
        s->name[k] = -1;
    for (int32_t k = 0; k < count; ++k) {
        int32_t at = fem->around[first + k], root = sherd_find_root(s->root, k);
        if (s->name[root] < 0) {
            int32_t node = fem->corner[at];
            bool taken = false;
            for (int32_t j = 0; j < count && !taken; ++j)
                taken = s->name[j] == node;
            s->name[root] = taken ? copy_node(fem, node) : node;
        }
        fem->corner[at] = s->name[root];
    }
    renew(fem, s->held, v);
    sum_forces(fem, v);
    return true;
}

// ---------------------------------------------------------------- one node

static double side_of(const sherd_fem *fem, int32_t t, sherd_vec3 x, sherd_vec3 normal)
{
    sherd_vec3 sum = {0};
    for (int c = 0; c < 4; ++c)
        sum = vec3_add(sum, vec3_sub(sherd_fem_node(fem, t, c), x));
    return vec3_dot(sum, normal);
}

static bool note_vertices(separating *s, int32_t t, int face)
{
    for (int c = 0; c < 4; ++c) {
        if (c == face) continue;
        int32_t v = s->fem->vertex[4 * t + c];
        bool known = false;
        for (size_t k = 0; k < s->changed_count && !known; ++k)
            known = s->changed[k] == v;
        if (known) continue;
        if (!sherd_grow((void **)&s->changed, &s->changed_capacity, s->changed_count + 1,
                        sizeof *s->changed))
            return false;
        s->changed[s->changed_count++] = v;
    }
    return true;
}

static bool crack_face(separating *s, int32_t t, int face)
{
    int64_t bond = s->fem->face_bond[4 * t + face];
    sherd_fem_cracks *c = s->cracks;
    if (!sherd_grow((void **)&c->bond, &c->capacity, c->count + 1, sizeof *c->bond)) return false;
    c->bond[c->count++] = bond;
    s->broken[bond] = 1;
    return note_vertices(s, t, face);
}

// Cracks the faces at a node between tetrahedra on both sides of a plane. Notes their vertices.
static bool crack_node(separating *s, int32_t node, sherd_vec3 normal)
{
    const sherd_fem *fem = s->fem;
    int32_t v = fem->vertex[fem->lead[node]];
    sherd_vec3 x = sherd_point_position(&fem->nodes, node);
    s->changed_count = 0;
    for (int32_t k = fem->start[v]; k < fem->start[v + 1]; ++k) {
        int32_t at = fem->around[k], t = at / 4;
        if (fem->corner[at] != node || side_of(fem, t, x, normal) < 0.0) continue;
        for (int f = 0; f < 4; ++f) {
            if (f == at % 4 || sherd_fem_face_is_open(fem, s->broken, t, f)) continue;
            int32_t other = fem->neighbor[4 * t + f];
            if (side_of(fem, other, x, normal) < 0.0 && !crack_face(s, t, f)) return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------- all nodes

static bool reserve(separating *s, size_t count)
{
    return sherd_grow((void **)&s->candidate, &s->capacity[0], count, sizeof *s->candidate) &&
           sherd_grow((void **)&s->of, &s->capacity[1], count, sizeof *s->of) &&
           sherd_grow((void **)&s->residual, &s->capacity[2], count, sizeof *s->residual) &&
           sherd_grow((void **)&s->over, &s->capacity[3], count, sizeof *s->over);
}

static bool may_separate(const sherd_fem *fem, int32_t node)
{
    return fem->bound[node] > fem->limit[node] && !fem->nodes.held[node];
}

bool sherd_fem_may_separate(const sherd_fem *fem)
{
    for (int32_t node = 0; node < fem->nodes.count; ++node)
        if (may_separate(fem, node)) return true;
    return false;
}

// Also marks their tetrahedra.
static bool find_candidates(separating *s)
{
    const sherd_fem *fem = s->fem;
    memset(fem->has_parts, 0, (size_t)fem->tetra_count);
    for (int32_t node = 0; node < s->fem->nodes.count; ++node) {
        if (!may_separate(s->fem, node)) continue;
        if (!reserve(s, s->count + 1)) return false;
        s->candidate[s->count++] = node;
        int32_t v = fem->vertex[fem->lead[node]];
        for (int32_t k = fem->start[v]; k < fem->start[v + 1]; ++k)
            fem->has_parts[fem->around[k] / 4] = 1;
    }
    return true;
}

static void evaluate(void *context, size_t begin, size_t end)
{
    const separating *s = context;
    for (size_t k = begin; k < end; ++k)
        s->of[k] = sherd_fem_separation_of(s->fem, s->candidate[k], NULL);
}

// The entry of a node, which is added if there is none. -1: no memory.
static int64_t entry_of(separating *s, int32_t node)
{
    for (size_t k = 0; k < s->count; ++k)
        if (s->candidate[k] == node) return (int64_t)k;
    if (!reserve(s, s->count + 1)) return -1;
    size_t k = s->count++;
    s->candidate[k] = node;
    memset(s->residual[k], 0, sizeof s->residual[k]);
    s->over[k] = 0;
    return (int64_t)k;
}

// The nodes of a vertex have other tetrahedra, or a residual, which those of the separated node
// itself do not get.
static bool renew_entries(separating *s, int32_t v, const double *residual)
{
    const sherd_fem *fem = s->fem;
    for (int32_t k = fem->start[v]; k < fem->start[v + 1]; ++k) {
        int32_t at = fem->around[k], node = fem->corner[at];
        if (fem->lead[node] != at || fem->nodes.held[node]) continue;
        int64_t entry = entry_of(s, node);
        if (entry < 0) return false;
        for (int j = 0; j < 6 && residual != NULL; ++j)
            s->residual[entry][j] += residual[j];
        s->over[entry] = 0;
        s->of[entry] = sherd_fem_separation_of(fem, node, s->residual[entry]);
    }
    return true;
}

// The entry that exceeds its threshold most; -1: none.
static int64_t next_entry(const separating *s)
{
    int64_t next = -1;
    double most = 1.0;
    for (size_t k = 0; k < s->count; ++k)
        if (!s->over[k] && s->of[k].ratio > most) most = s->of[k].ratio, next = (int64_t)k;
    return next;
}

// Nodes of a vertex that may separate.
static int64_t count_nodes(const sherd_fem *fem, int32_t v)
{
    int64_t count = 0;
    for (int32_t k = fem->start[v]; k < fem->start[v + 1]; ++k) {
        int32_t at = fem->around[k], node = fem->corner[at];
        count += fem->lead[node] == at && !fem->nodes.held[node];
    }
    return count;
}

// The residual is shared: handed to each whole, it would grow without bound where nodes have several far ends.
static bool separate_entry(separating *s, size_t entry)
{
    sherd_fem_separation of = s->of[entry];
    int32_t node = s->candidate[entry], own = s->fem->vertex[s->fem->lead[node]];
    s->over[entry] = 1; // all of its tetrahedra may be on one side
    if (!crack_node(s, node, of.normal)) return false;
    int64_t sharers = 0;
    for (size_t k = 0; k < s->changed_count; ++k) {
        if (!divide_vertex(s, s->changed[k])) return false;
        if (s->changed[k] != own) sharers += count_nodes(s->fem, s->changed[k]);
    }
    double residual[6] = {0.0}, share = of.force * (1.0 - 1.0 / of.ratio);
    add_outer(residual, share / (double)(sharers > 0 ? sharers : 1), of.normal);
    for (size_t k = 0; k < s->changed_count; ++k)
        if (!renew_entries(s, s->changed[k], s->changed[k] == own ? NULL : residual)) return false;
    return true;
}

static void release(separating *s)
{
    sherd_free(s->candidate), sherd_free(s->of), sherd_free(s->residual), sherd_free(s->over);
    sherd_free(s->root), sherd_free(s->name), sherd_free(s->changed);
}

sherd_status sherd_fem_separate(sherd_fem *fem, const uint8_t *held, uint8_t *broken,
                                sherd_fem_cracks *cracks, sherd_error *error)
{
    enum { CHUNK = 8 };
    if (!fem->separates) return SHERD_OK;
    separating s = {.fem = fem, .held = held, .broken = broken, .cracks = cracks};
    bool good = find_candidates(&s);
    if (good) divide_stresses(fem);
    if (good) sherd_parallel_for(&fem->parallel, s.count, CHUNK, evaluate, &s);
    for (int64_t entry; good && (entry = next_entry(&s)) >= 0;)
        good = separate_entry(&s, (size_t)entry);
    memset(fem->has_parts, 0, (size_t)fem->tetra_count);
    release(&s);
    return good ? SHERD_OK : sherd_fail_memory(error, "separation of nodes");
}
