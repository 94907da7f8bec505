// Cutting a lattice's tetrahedra at the surface.
//
// The part inside is a tetrahedron, or a wedge whose quadrilaterals are split by diagonals. A
// diagonal starts at the inner vertex whose edge is cut deeper: this orders the edges, so
// neighbours agree and the three diagonals of a wedge never form a cycle.
#include "geometry/tetra/tetra_lattice.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

typedef struct cutter {
    const tetra_field *field;
    size_t count, capacity;
    int32_t (*tetra)[4]; // lattice vertices, then crossings
    bool short_of_memory;
} cutter;

static const tetra_crossing *crossing_between(const tetra_field *f, int32_t a, int32_t b,
                                              int32_t *number)
{
    uint64_t key = a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a;
    size_t low = 0, high = f->crossing_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (f->crossing_key[middle] <= key)
            low = middle;
        else
            high = middle;
    }
    *number = (int32_t)(f->lattice.vertex_count + (int64_t)low);
    return &f->crossing[low];
}

static int32_t cut_vertex(const cutter *c, int32_t in, int32_t out)
{
    int32_t number;
    crossing_between(c->field, in, out, &number);
    return number;
}

// Returns whether the edge from a to `out` is cut deeper than that from b.
static bool is_deeper(const cutter *c, int32_t a, int32_t b, int32_t out)
{
    int32_t number;
    double depth_a = crossing_between(c->field, a, out, &number)->depth;
    double depth_b = crossing_between(c->field, b, out, &number)->depth;
    return depth_a > depth_b || (depth_a == depth_b && a < b);
}

static sherd_vec3 point_of(const cutter *c, int32_t v)
{
    int64_t lattice = c->field->lattice.vertex_count;
    return v < lattice ? c->field->point[v] : c->field->crossing[v - lattice].cut;
}

static void emit(cutter *c, int32_t v0, int32_t v1, int32_t v2, int32_t v3)
{
    sherd_vec3 p[4] = {point_of(c, v0), point_of(c, v1), point_of(c, v2), point_of(c, v3)};
    bool turned = tetra_volume_of(p) < 0.0;
    if (c->short_of_memory ||
        !sherd_grow((void **)&c->tetra, &c->capacity, c->count + 1, sizeof *c->tetra)) {
        c->short_of_memory = true;
        return;
    }
    int32_t v[4] = {v0, v1, turned ? v3 : v2, turned ? v2 : v3};
    memcpy(c->tetra[c->count++], v, sizeof v);
}

// u[k] and w[k] are joined by edges; diagonals u0 w1, u0 w2, u1 w2.
static void emit_wedge(cutter *c, const int32_t u[3], const int32_t w[3])
{
    emit(c, u[0], u[1], u[2], w[2]);
    emit(c, u[0], u[1], w[1], w[2]);
    emit(c, u[0], w[0], w[1], w[2]);
}

// Corners of a tetrahedron by their side of the surface.
typedef struct sides {
    int in_count, out_count, on_count;
    int32_t in[4], out[4], on[4];
} sides;

static sides sort_corners(const cutter *c, const int32_t v[4])
{
    sides s = {0};
    for (int k = 0; k < 4; ++k) {
        float side = c->field->side[v[k]];
        if (side < 0.0f)
            s.in[s.in_count++] = v[k];
        else if (side > 0.0f)
            s.out[s.out_count++] = v[k];
        else
            s.on[s.on_count++] = v[k];
    }
    return s;
}

static void cut_one_inside(cutter *c, const sides *s)
{
    int32_t v[3];
    int n = 0;
    for (int k = 0; k < s->on_count; ++k)
        v[n++] = s->on[k];
    for (int k = 0; k < s->out_count; ++k)
        v[n++] = cut_vertex(c, s->in[0], s->out[k]);
    emit(c, s->in[0], v[0], v[1], v[2]);
}

// Two inside, one on the surface, one outside: a pyramid over a quadrilateral.
static void cut_pyramid(cutter *c, const sides *s)
{
    bool first = is_deeper(c, s->in[0], s->in[1], s->out[0]);
    int32_t a = s->in[first ? 0 : 1], b = s->in[first ? 1 : 0];
    int32_t cut_a = cut_vertex(c, a, s->out[0]), cut_b = cut_vertex(c, b, s->out[0]);
    emit(c, a, b, cut_b, s->on[0]);
    emit(c, a, cut_b, cut_a, s->on[0]);
}

static void cut_corner_off(cutter *c, sides *s)
{
    for (int k = 1; k < 3; ++k) // deepest first
        for (int j = k; j > 0 && is_deeper(c, s->in[j], s->in[j - 1], s->out[0]); --j) {
            int32_t swap = s->in[j];
            s->in[j] = s->in[j - 1];
            s->in[j - 1] = swap;
        }
    int32_t w[3];
    for (int k = 0; k < 3; ++k)
        w[k] = cut_vertex(c, s->in[k], s->out[0]);
    emit_wedge(c, s->in, w);
}

// Two inside, two outside: a wedge with an end at each inner vertex. The edge between the two inner
// vertices precedes that of an outer vertex if its diagonal starts at the first end.
static void cut_through(cutter *c, const sides *s)
{
    int32_t end[2][3]; // inner vertex, and its cuts towards the two outer ones
    for (int k = 0; k < 2; ++k) {
        end[k][0] = s->in[k];
        end[k][1] = cut_vertex(c, s->in[k], s->out[0]);
        end[k][2] = cut_vertex(c, s->in[k], s->out[1]);
    }
    bool before[2];
    for (int k = 0; k < 2; ++k)
        before[k] = is_deeper(c, s->in[0], s->in[1], s->out[k]);
    static const int8_t ORDER[2][2][3] = {{{1, 2, 0}, {1, 0, 2}}, {{2, 0, 1}, {0, 1, 2}}};
    const int8_t *order = ORDER[before[0]][before[1]];
    int32_t u[3], w[3];
    for (int k = 0; k < 3; ++k) {
        u[k] = end[0][order[k]];
        w[k] = end[1][order[k]];
    }
    emit_wedge(c, u, w);
}

// Decides whether a tetrahedron with four vertices on the surface belongs to the solid. A thin one
// is removed unless it connects others; a thick one stays.
static bool is_inside(const cutter *c, const int32_t v[4])
{
    sherd_vec3 sum = vec3(0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        if (c->field->side[v[k]] > 0.0f) return false;
        sum = vec3_add(sum, point_of(c, v[k]));
    }
    sherd_vec3 p[4] = {point_of(c, v[0]), point_of(c, v[1]), point_of(c, v[2]), point_of(c, v[3])};
    return sherd_tetra_shape_quality(p) > 0.02 &&
           sherd_shape_distance(c->field->shape, vec3_scale(0.25, sum)) < 0.0;
}

static void cut_tetra(cutter *c, const int32_t v[4])
{
    sides s = sort_corners(c, v);
    if (s.in_count == 0 && !is_inside(c, v)) return; // its vertices were moved onto the surface
    if (s.out_count == 0)
        emit(c, v[0], v[1], v[2], v[3]);
    else if (s.in_count == 1)
        cut_one_inside(c, &s);
    else if (s.in_count == 3)
        cut_corner_off(c, &s);
    else if (s.out_count == 1)
        cut_pyramid(c, &s);
    else
        cut_through(c, &s);
}

// Copies only vertices in use, in the lattice's order.
static sherd_tetra_mesh *collect(const cutter *c, sherd_error *error)
{
    size_t all = (size_t)c->field->lattice.vertex_count + c->field->crossing_count;
    int32_t *number = sherd_alloc(all, sizeof *number);
    if (number == NULL) {
        sherd_fail_memory(error, "a tetrahedral mesh");
        return NULL;
    }
    for (size_t t = 0; t < c->count; ++t)
        for (int k = 0; k < 4; ++k)
            number[c->tetra[t][k]] = 1;
    int32_t used = 0;
    for (size_t v = 0; v < all; ++v)
        number[v] = number[v] != 0 ? used++ : -1;
    sherd_tetra_mesh *mesh = sherd_tetra_mesh_create(used, (int32_t)c->count, error);
    for (size_t v = 0; mesh != NULL && v < all; ++v)
        if (number[v] >= 0) tetra_set_vertex(mesh, number[v], point_of(c, (int32_t)v));
    for (size_t t = 0; mesh != NULL && t < 4 * c->count; ++t)
        mesh->tetras[t] = number[c->tetra[t / 4][t % 4]];
    sherd_free(number);
    return mesh;
}

sherd_tetra_mesh *sherd_tetra_field_cut(const tetra_field *field, sherd_error *error)
{
    cutter c = {.field = field};
    for (size_t t = 0; t < field->tetra_count; ++t)
        cut_tetra(&c, field->tetra[t]);
    sherd_tetra_mesh *mesh = NULL;
    if (c.short_of_memory || c.count > INT32_MAX / 4)
        sherd_fail_memory(error, "a tetrahedral mesh");
    else
        mesh = collect(&c, error);
    sherd_free(c.tetra);
    return mesh;
}
