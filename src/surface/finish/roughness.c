#include "surface/finish/roughness.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "base/random.h"
#include "geometry/mesh/mesh_access.h"
#include "math/vec3.h"
#include "surface/finish/refine.h"
#include "surface/finish/rough_lattice.h"
#include "surface/partition/key_map.h"

// Each octave has half the size and height of the previous one. The derivative of each must stay
// below 1, or faces could pass through each other. With bump sizes of four amplitudes A, a height
// of A / 1.75 for the first octave and noise that changes by 5 over its size, the derivative is 5 /
// (4 * 1.75) = 0.71. The growth of the height over a depth of 4 A adds 1 / (4 * 1.75) = 0.14, and
// up to 0.25 where it begins, but heights are small there.
enum { OCTAVES = 3 };
static const double FIRST_HEIGHT = 1.0 / 1.75; // the heights of the three octaves sum to 1
static const double DEPTH_IN_AMPLITUDES =
    4.0; // depth below the outer surface at which bumps reach full height

// Cells per size of the largest and of the smallest bumps; a cell is never smaller than a fraction
// of an element's radius.
static const double CELLS_PER_SIZE = 6.0, CELLS_PER_BUMP = 1.4, SMALLEST_IN_RADII = 0.4;
// Nodes up to a cell's diagonal from the outer surface do not move, and neither does any
// tetrahedron that reaches the surface.
static const double DIAGONAL = 1.7320508075688772;

roughness sherd_roughness_of(const sherd_surface_roughness *settings, const sherd_shape *shape,
                             double radius)
{
    double size =
        settings->size > 0.0 ? settings->size : SHERD_ROUGHNESS_LEAST_SIZE * settings->amplitude;
    return (roughness){.shape = shape,
                       .amplitude = settings->amplitude,
                       .size = size,
                       .cell = fmax(size / CELLS_PER_SIZE, SMALLEST_IN_RADII * radius),
                       .seed = settings->seed};
}

// Selects vertices of inner faces only: vertices on the rim, which outer faces use too, do not
// move.
static uint8_t *mark_inner(const sherd_mesh *mesh)
{
    uint8_t *inner = sherd_alloc((size_t)mesh->vertex_count, 1);
    for (int pass = 0; pass < 2 && inner != NULL; ++pass)
        for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c)
            if ((mesh->face_kind[c / 3] == SHERD_FACE_INNER) == (pass == 0))
                inner[mesh->triangles[c]] = pass == 0;
    return inner;
}

// --- Motion of the lattice ---------------------------------------------------------------------------

// Nodes whose displacement was computed.
typedef struct node_list {
    const roughness *r;
    key_map numbers;
    size_t capacity;
    sherd_vec3 *moves;
} node_list;

// Octaves finer than the lattice resolves are left out.
static sherd_vec3 move_of_node(const roughness *r, sherd_vec3 x)
{
    double height = FIRST_HEIGHT * r->amplitude, size = r->size;
    double depth = fabs(sherd_shape_distance(r->shape, x));
    double fraction = fmin(depth / (DEPTH_IN_AMPLITUDES * r->amplitude), 1.0);
    if (depth <= DIAGONAL * r->cell) fraction = 0.0;
    sherd_vec3 to = x;
    for (int k = 0; fraction > 0.0 && k < OCTAVES && size >= CELLS_PER_BUMP * r->cell; ++k) {
        sherd_vec3 offset = sherd_roughness_noise(r->seed, k, vec3_scale(1.0 / size, to));
        to = vec3_add_scaled(to, fraction * height, offset);
        height *= 0.5;
        size *= 0.5;
    }
    return vec3_sub(to, x);
}

static uint64_t node_key(sherd_vec3 coordinates)
{
    const uint64_t mask = (1 << 21) - 1; // more than the number of cells along any body
    return ((uint64_t)(int64_t)coordinates.x & mask) << 42 |
           ((uint64_t)(int64_t)coordinates.y & mask) << 21 |
           ((uint64_t)(int64_t)coordinates.z & mask);
}

static bool node_move(node_list *n, sherd_vec3 coordinates, sherd_vec3 *move)
{
    size_t before = n->numbers.count;
    int32_t k = sherd_key_map_insert(&n->numbers, node_key(coordinates));
    if (k < 0 || !sherd_grow((void **)&n->moves, &n->capacity, n->numbers.count, sizeof *n->moves))
        return false;
    if (n->numbers.count > before)
        n->moves[k] = move_of_node(n->r, rough_lattice_point(n->r->cell, coordinates));
    *move = n->moves[k];
    return true;
}

static double *component(sherd_vec3 *v, int axis)
{
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

// Interpolates linearly in the tetrahedron around x. The path from the cell's lowest node goes
// along the axes in descending order of x's offsets.
static bool move_point(node_list *n, sherd_vec3 *x)
{
    sherd_vec3 coordinates = rough_lattice_coordinates(n->r->cell, *x), sum = vec3(0.0, 0.0, 0.0),
               move;
    sherd_vec3 node = vec3(floor(coordinates.x), floor(coordinates.y), floor(coordinates.z));
    double part[5] = {1.0, coordinates.x - node.x, coordinates.y - node.y, coordinates.z - node.z,
                      0.0};
    int axis[5] = {-1, 0, 1, 2, -1};
    for (int k = 2; k <= 3; ++k)
        for (int j = k; j > 1 && part[j] > part[j - 1]; --j) {
            double p = part[j];
            int a = axis[j];
            part[j] = part[j - 1], axis[j] = axis[j - 1];
            part[j - 1] = p, axis[j - 1] = a;
        }
    for (int k = 0; k < 4; ++k) {
        if (k > 0) *component(&node, axis[k]) += 1.0;
        if (!node_move(n, node, &move)) return false;
        sum = vec3_add_scaled(sum, part[k] - part[k + 1], move);
    }
    *x = vec3_add(*x, sum);
    return true;
}

static bool move_inner(sherd_mesh *mesh, const roughness *r, const uint8_t *inner)
{
    node_list nodes = {.r = r};
    bool ok = true;
    for (int32_t v = 0; ok && v < mesh->vertex_count; ++v) {
        sherd_vec3 x = mesh_vertex(mesh, v);
        if (!inner[v]) continue;
        ok = move_point(&nodes, &x);
        mesh_set_vertex(mesh, v, x);
    }
    sherd_key_map_release(&nodes.numbers);
    sherd_free(nodes.moves);
    return ok;
}

// ---------------------------------------------------------------------------------------------------

static void add_to(double *sum, sherd_vec3 v)
{
    sum[0] += v.x, sum[1] += v.y, sum[2] += v.z;
}

static void renew_normals(sherd_mesh *mesh, const uint8_t *inner)
{
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        for (size_t k = 0; inner[v] && k < 3; ++k)
            mesh->normals[3 * (size_t)v + k] = 0.0;
    for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c) {
        int32_t v = mesh->triangles[c];
        if (inner[v])
            add_to(mesh->normals + 3 * (size_t)v, mesh_area_vector(mesh, (int32_t)(c / 3)));
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        double *n = mesh->normals + 3 * (size_t)v;
        if (!inner[v]) continue;
        sherd_vec3 unit = vec3_normalize(vec3(n[0], n[1], n[2]));
        if (!(vec3_length(unit) > 0.0)) unit = vec3(0.0, 0.0, 1.0);
        n[0] = unit.x, n[1] = unit.y, n[2] = unit.z;
    }
}

bool sherd_roughen(sherd_mesh *mesh, const roughness *r)
{
    if (r->amplitude == 0.0) return true;
    if (!sherd_refine_inner(mesh, r->cell)) return false;
    uint8_t *inner = mark_inner(mesh);
    bool ok = inner != NULL && move_inner(mesh, r, inner);
    if (ok) renew_normals(mesh, inner);
    sherd_free(inner);
    return ok;
}

// Gradient noise after Perlin (2002) with three components: every lattice point has a random linear
// function for each component; quintic weights blend them.

// Scales the sum to a useful height before it is limited.
static const double GAIN = 1.6;

// Lattice points this far away have indices that overflow; doubles resolve no detail there.
static const double FARTHEST = 1e15;

static uint64_t lattice_bits(uint64_t seed, int octave, const int64_t at[3])
{
    uint64_t row = sherd_random_bits(seed, (uint64_t)at[2], (uint64_t)at[1]);
    return sherd_random_bits(row, (uint64_t)octave, (uint64_t)at[0]);
}

// Returns seven bits of `bits`, from bit `position` on, as a number in [-1, 1].
static double signed_fraction(uint64_t bits, int position)
{
    return (double)(bits >> (7 * position) & 127) * (2.0 / 127.0) - 1.0;
}

// Evaluates the linear functions of a lattice point at offset d: nine coefficients from its 64
// bits.
static sherd_vec3 linear_functions(uint64_t bits, sherd_vec3 d)
{
    double value[3];
    for (int c = 0; c < 3; ++c)
        value[c] = signed_fraction(bits, 3 * c) * d.x + signed_fraction(bits, 3 * c + 1) * d.y +
                   signed_fraction(bits, 3 * c + 2) * d.z;
    return vec3(value[0], value[1], value[2]);
}

static double fade(double t)
{
    return t * t * t * (t * (6.0 * t - 15.0) + 10.0);
}

sherd_vec3 sherd_roughness_noise(uint64_t seed, int octave, sherd_vec3 x)
{
    SHERD_ASSERT(octave >= 0, "octaves are counted from 0");
    const double low[3] = {floor(x.x), floor(x.y), floor(x.z)};
    const double part[3] = {x.x - low[0], x.y - low[1], x.z - low[2]};
    const double up[3] = {fade(part[0]), fade(part[1]), fade(part[2])};
    sherd_vec3 sum = vec3(0.0, 0.0, 0.0);
    if (!(vec3_dot(x, x) < FARTHEST * FARTHEST)) return sum;
    for (int corner = 0; corner < 8; ++corner) {
        int64_t at[3];
        double offset[3], weight = GAIN;
        for (int a = 0; a < 3; ++a) {
            int high = corner >> a & 1;
            at[a] = (int64_t)low[a] + high;
            offset[a] = part[a] - high;
            weight *= high ? up[a] : 1.0 - up[a];
        }
        sherd_vec3 value =
            linear_functions(lattice_bits(seed, octave, at), vec3(offset[0], offset[1], offset[2]));
        sum = vec3_add_scaled(sum, weight, value);
    }
    // The length is below 1 even where all corners agree; the limit never makes slopes steeper.
    return vec3_scale(1.0 / sqrt(1.0 + vec3_dot(sum, sum)), sum);
}
