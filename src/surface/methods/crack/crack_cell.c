#include "surface/methods/crack/crack_cell.h"

#include "base/memory.h"
#include "geometry/kuhn.h"
#include "math/vec3.h"

#include <string.h>

// Minimum barycentric weight of every corner of a vertex's simplex: it holds vertices away from
// lower-dimensional simplices, where triangles would degenerate.
static const double MIN_FRACTION = 0.04;
// A fragment out of reach counts as weaker than the fragments in reach by the logarithm of this
// factor.
static const double OUT_OF_REACH = 4.0;

typedef struct marching {
    const crack_grid *g;
    const partition *p;
    crack_block *b;
    const crack_node *node;
    // Vertex index + 1 by first node and simplex, 0: none yet.
    int32_t known[CRACK_NODES][KUHN_SIMPLICES];
    bool failed;
} marching;

// One tetrahedron of a cell.
typedef struct tetra {
    marching *m;
    int first;                // node of the cell's first corner
    int offset[4];            // 0, axis, two axes, 7 as bits x, y, z
    sherd_fragment_id own[4]; // owners of the corners
    // Classes to separate: they differ where owners, or sides of a crack, differ.
    int side[4];
    // Vertex index + 1 on each of its simplices by corner mask, 0: not computed.
    int32_t vertex[16];
} tetra;

static int node_at(int first, int offset)
{
    return first + (offset & 1) + (offset >> 1 & 1) * CRACK_EDGE +
           (offset >> 2) * CRACK_EDGE * CRACK_EDGE;
}

// --- Vertices --------------------------------------------------------------------------------------

static double log_of(const crack_node *n, sherd_fragment_id label)
{
    const strongest_list *at = &n->at;
    for (int k = 0; k < at->count; ++k)
        if (at->label[k] == label) return at->value[k];
    return at->value[at->count - 1] - OUT_OF_REACH;
}

// Solves the `count` equations m x = (0, ..., 0, 1) by elimination with pivoting. Returns false if
// singular.
static bool solve(int count, double m[4][5], double x[4])
{
    for (int c = 0; c < count; ++c) {
        int pivot = c;
        for (int r = c + 1; r < count; ++r)
            if (fabs(m[r][c]) > fabs(m[pivot][c])) pivot = r;
        if (!(fabs(m[pivot][c]) > 1e-9)) return false;
        for (int k = 0; k <= count; ++k) {
            double swap = m[c][k];
            m[c][k] = m[pivot][k];
            m[pivot][k] = swap;
        }
        for (int r = c + 1; r < count; ++r)
            for (int k = count; k >= c; --k)
                m[r][k] -= m[r][c] / m[c][c] * m[c][k];
    }
    for (int r = count - 1; r >= 0; --r) {
        x[r] = m[r][count];
        for (int k = r + 1; k < count; ++k)
            x[r] -= m[r][k] * x[k];
        x[r] /= m[r][r];
    }
    return true;
}

// On an edge that a slit crosses: the zero of the distance from the slit.
static void find_slit_weights(const crack_node *const corner[2], double weights[4])
{
    double a = fabs(corner[0]->slit), b = fabs(corner[1]->slit);
    double first = a + b > 0.0 ? b / (a + b) : 0.5;
    weights[0] = fmin(fmax(first, MIN_FRACTION), 1.0 - MIN_FRACTION);
    weights[1] = 1.0 - weights[0];
}

// Computes the barycentric weights of a simplex's point at which all its corners' owners have equal
// density. Returns false if there is none.
static bool solve_weights(int count, const crack_node *const corner[4], double weights[4])
{
    double m[4][5];
    for (int r = 0; r < count; ++r)
        for (int c = 0; c <= count; ++c)
            m[r][c] = r + 1 == count ? 1.0
                      : c == count   ? 0.0
                                     : log_of(corner[c], corner[0]->at.label[0]) -
                                         log_of(corner[c], corner[r + 1]->at.label[0]);
    return solve(count, m, weights);
}

// Returns the first of the lowest weights.
static int lowest_of(int count, const double weights[4])
{
    int lowest = 0;
    for (int k = 1; k < count; ++k)
        if (weights[k] < weights[lowest]) lowest = k;
    return lowest;
}

// Clamps that point to the interior. If it lies beyond the side opposite a corner, the surfaces of
// the other owners intersect in that side, and the vertex stays near the intersection. Clamping
// along any other line would move it out of all their cells, as a fin.
static void find_weights(int count, const crack_node *const corner[4], double weights[4])
{
    const crack_node *remaining[4];
    int index[4], remaining_count = count;
    double found[4];
    for (int k = 0; k < count; ++k)
        remaining[k] = corner[k], index[k] = k, weights[k] = MIN_FRACTION;
    for (;;) {
        bool known = solve_weights(remaining_count, remaining, found);
        if (!known)
            for (int k = 0; k < remaining_count; ++k)
                found[k] = 1.0 / remaining_count;
        int lowest = lowest_of(remaining_count, found);
        if (remaining_count == 2 || found[lowest] >= 0.0) break;
        --remaining_count;
        for (int k = lowest; k < remaining_count; ++k)
            remaining[k] = remaining[k + 1], index[k] = index[k + 1];
    }
    double sum = 0.0;
    for (int k = 0; k < remaining_count; ++k)
        weights[index[k]] = fmax(found[k], MIN_FRACTION);
    for (int k = 0; k < count; ++k)
        sum += weights[k];
    for (int k = 0; k < count; ++k)
        weights[k] /= sum;
}

static sherd_vec3 position_of(const marching *m, int node)
{
    double at[3];
    for (int d = 0; d < 3; ++d, node /= CRACK_EDGE)
        at[d] = CRACK_BLOCK * m->b->at[d] + node % CRACK_EDGE;
    return vec3_add_scaled(m->g->origin, m->g->cell, vec3(at[0], at[1], at[2]));
}

// Returns the fraction of the way from a node to a later node of its simplex at which a wall lies.
static double wall_fraction(const marching *m, int from, int to)
{
    const double steps = 8192.0; // twice the resolution of the search for walls
    int difference = to - from, beyond = (difference % CRACK_EDGE != 0) |
                                         (difference / CRACK_EDGE % CRACK_EDGE != 0) << 1 |
                                         (difference / (CRACK_EDGE * CRACK_EDGE) != 0) << 2;
    uint16_t *known = &m->b->walls->fraction[from][beyond];
    if (*known == 0)
        *known = (uint16_t)(steps * sherd_partition_wall_fraction(m->p, position_of(m, from),
                                                                  position_of(m, to)));
    return *known / steps;
}

// On an edge, the vertex lies at the wall; inside faces and tetrahedra, at the mean of the walls'
// positions on the edges.
static void find_wall_weights(const marching *m, int count, const int at[4], double weights[4])
{
    int pairs = count * (count - 1) / 2;
    for (int k = 0; k < count; ++k)
        weights[k] = 0.0;
    for (int i = 0; i < count; ++i)
        for (int j = i + 1; j < count; ++j) {
            double difference = wall_fraction(m, at[i], at[j]);
            difference = fmin(fmax(difference, MIN_FRACTION), 1.0 - MIN_FRACTION);
            weights[i] += (1.0 - difference) / pairs;
            weights[j] += difference / pairs;
        }
}

static int32_t add_vertex(marching *m, int first, int simplex, int count, const int at[4])
{
    crack_block *b = m->b;
    if (m->failed || !sherd_grow((void **)&b->vertices, &b->vertex_capacity,
                                 (size_t)b->vertex_count + 1, sizeof *b->vertices)) {
        m->failed = true;
        return 0;
    }
    const crack_node *corner[4] = {0};
    double weights[4], sum[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < count; ++k)
        corner[k] = &m->node[at[k]];
    if (m->p->wall_count > 0)
        find_wall_weights(m, count, at, weights);
    else if (corner[0]->at.label[0] == corner[1]->at.label[0])
        find_slit_weights(corner, weights);
    else
        find_weights(count, corner, weights);
    uint64_t key = 0;
    for (int d = 2; d >= 0; --d) {
        int step = d == 0 ? 1 : d == 1 ? CRACK_EDGE : CRACK_EDGE * CRACK_EDGE;
        for (int k = 0; k < count; ++k)
            sum[d] += weights[k] * (CRACK_BLOCK * b->at[d] + at[k] / step % CRACK_EDGE);
        key = key << 19 | (uint64_t)(CRACK_BLOCK * b->at[d] + first / step % CRACK_EDGE);
    }
    sherd_vec3 x = vec3_add_scaled(m->g->origin, m->g->cell, vec3(sum[0], sum[1], sum[2]));
    b->vertices[b->vertex_count] = (crack_vertex){key << 5 | (uint64_t)simplex, x};
    return b->vertex_count++;
}

// The vertex on the simplex spanned by a set of the tetrahedron's corners (a bit mask).
static int32_t vertex_on(tetra *t, unsigned corners)
{
    if (t->vertex[corners] != 0) return t->vertex[corners] - 1;
    int o[4], at[4], count = 0;
    for (int c = 0; c < 4; ++c)
        if (corners >> c & 1) o[count++] = t->offset[c];
    int simplex = kuhn_simplex(count, o);
    for (int k = 0; k < count; ++k)
        at[k] = node_at(t->first, o[k]);
    int32_t *known = &t->m->known[at[0]][simplex];
    if (*known == 0) *known = add_vertex(t->m, at[0], simplex, count, at) + 1;
    t->vertex[corners] = *known;
    return *known - 1;
}

// --- Triangles -------------------------------------------------------------------------------------

// Twelve times the centre of a simplex, in cells.
static void centre_of(const tetra *t, unsigned corners, int centre[3])
{
    static const int WEIGHTS[5] = {0, 12, 6, 4, 3};
    int weight = WEIGHTS[__builtin_popcount(corners)];
    for (int d = 0; d < 3; ++d) {
        centre[d] = 0;
        for (int c = 0; c < 4; ++c)
            if (corners >> c & 1) centre[d] += weight * (t->offset[c] >> d & 1);
    }
}

// Returns whether corner `front` lies on the side from which the triangle runs counter-clockwise.
// Decides by the centres of the simplices: vertices inside their simplices never change the
// orientation.
static bool faces(const tetra *t, const unsigned s[3], int front, int back)
{
    int p[3], q[3], r[3], u[3], v[3];
    centre_of(t, s[0], p);
    centre_of(t, s[1], q);
    centre_of(t, s[2], r);
    for (int d = 0; d < 3; ++d) {
        u[d] = q[d] - p[d];
        v[d] = r[d] - p[d];
    }
    int side = 0;
    for (int d = 0; d < 3; ++d) {
        int e = (d + 1) % 3, f = (d + 2) % 3;
        int along = (t->offset[front] >> d & 1) - (t->offset[back] >> d & 1);
        side += along * (u[e] * v[f] - u[f] * v[e]);
    }
    return side > 0;
}

// Appends a triangle between the owners of two corners.
static void emit(tetra *t, int front, int back, unsigned a, unsigned b, unsigned c)
{
    crack_block *block = t->m->b;
    const unsigned s[3] = {a, b, c};
    bool turned = !faces(t, s, front, back);
    int32_t v[3] = {vertex_on(t, a), vertex_on(t, turned ? c : b), vertex_on(t, turned ? b : c)};
    if (t->m->failed || !sherd_grow((void **)&block->triangles, &block->triangle_capacity,
                                    (size_t)block->triangle_count + 1, sizeof *block->triangles)) {
        t->m->failed = true;
        return;
    }
    block->triangles[block->triangle_count++] =
        (crack_triangle){{v[0], v[1], v[2]}, t->own[front], t->own[back]};
}

// Corner a has one owner, the three others have another.
static void cut_one(tetra *t, int a, int p, int q, int r)
{
    unsigned A = 1u << a;
    emit(t, p, a, A | 1u << p, A | 1u << q, A | 1u << r);
}

// Corners a, b have one owner, p, q another.
static void cut_two(tetra *t, int a, int b, int p, int q)
{
    unsigned A = 1u << a, B = 1u << b, P = 1u << p, Q = 1u << q;
    emit(t, p, a, A | P, A | Q, B | Q);
    emit(t, p, b, A | P, B | Q, B | P);
}

// Corners a and b have one owner, p and q two others.
static void cut_three(tetra *t, int a, int b, int p, int q)
{
    unsigned A = 1u << a, B = 1u << b, P = 1u << p, Q = 1u << q;
    unsigned first = A | P | Q, second = B | P | Q;
    emit(t, p, a, first, A | P, B | P);
    emit(t, p, b, first, B | P, second);
    emit(t, q, a, first, A | Q, B | Q);
    emit(t, q, b, first, B | Q, second);
    emit(t, p, q, P | Q, first, second);
}

static void cut_four(tetra *t)
{
    for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j) {
            unsigned edge = 1u << i | 1u << j, others = 15u & ~edge, low = others & (0u - others);
            emit(t, i, j, 15u, edge, edge | low);
            emit(t, i, j, 15u, edge | (others & ~low), edge);
        }
}

// Orders the corners so that equal owners are adjacent, the largest group first.
static int group_corners(tetra *t, int order[4], int size[4])
{
    int groups = 0, first[4];
    for (int c = 0; c < 4; ++c) {
        int k = 0;
        while (k < groups && t->side[first[k]] != t->side[c])
            ++k;
        if (k == groups) {
            first[groups] = c;
            size[groups++] = 0;
        }
        size[k]++;
    }
    int next = 0;
    for (int wanted = 3; wanted >= 1; --wanted)
        for (int k = 0; k < groups; ++k)
            for (int c = first[k]; size[k] == wanted && c < 4; ++c)
                if (t->side[c] == t->side[first[k]]) order[next++] = c;
    return groups;
}

static void cut_tetra(tetra *t)
{
    int o[4], size[4];
    int groups = group_corners(t, o, size);
    if (groups == 4)
        cut_four(t);
    else if (groups == 3)
        cut_three(t, o[0], o[1], o[2], o[3]);
    else if (size[0] == 2)
        cut_two(t, o[0], o[1], o[2], o[3]);
    else
        cut_one(t, o[3], o[0], o[1], o[2]);
}

// Determines the side of a slit, -1 or 1, of each corner. Returns false if there is no slit, or
// neighbours disagree on the sides.
static bool find_slit_sides(tetra *t, int side[4])
{
    const crack_node *n[4];
    for (int c = 0; c < 4; ++c) {
        n[c] = &t->m->node[node_at(t->first, t->offset[c])];
        if (!n[c]->near_slit) return false;
        side[c] = vec3_dot(n[0]->slit_side, n[c]->slit_side) * n[c]->slit > 0.0 ? 1 : -1;
    }
    for (int c = 0; c < 4; ++c)
        for (int d = 0; d < c; ++d) {
            double agreed = vec3_dot(n[c]->slit_side, n[d]->slit_side);
            if ((side[c] == side[d]) != (agreed * n[c]->slit * n[d]->slit > 0.0)) return false;
        }
    return side[0] != side[1] || side[0] != side[2] || side[0] != side[3];
}

// Determines the piece of each corner, all near a crack. Returns false if all corners have the same
// piece.
static bool find_pieces(tetra *t)
{
    bool mixed = false;
    for (int c = 0; c < 4; ++c) {
        const crack_node *n = &t->m->node[node_at(t->first, t->offset[c])];
        if (!n->near_slit) return false;
        t->side[c] = n->piece;
        mixed |= t->side[c] != t->side[0];
    }
    return mixed;
}

static void cut_slit(tetra *t)
{
    int side[4], order[4], count = 0, ours = 0;
    if (t->m->p->wall_count > 0) {
        if (find_pieces(t)) cut_tetra(t);
        return;
    }
    if (!find_slit_sides(t, side)) return;
    for (int wanted = 1; wanted >= -1; wanted -= 2)
        for (int c = 0; c < 4; ++c)
            if (side[c] == wanted) {
                order[count++] = c;
                ours += wanted == 1;
            }
    if (ours == 1)
        cut_one(t, order[0], order[1], order[2], order[3]);
    else if (ours == 2)
        cut_two(t, order[0], order[1], order[2], order[3]);
    else
        cut_one(t, order[3], order[0], order[1], order[2]);
}

static void cut_cell(marching *m, int first)
{
    for (int k = 0; k < 6; ++k) {
        tetra t = {.m = m, .first = first};
        bool mixed = false;
        kuhn_corners(k, t.offset);
        for (int c = 0; c < 4; ++c) {
            t.own[c] = m->node[node_at(first, t.offset[c])].at.label[0];
            mixed |= t.own[c] != t.own[0];
            t.side[c] = (int)t.own[c];
        }
        if (mixed)
            cut_tetra(&t);
        else
            cut_slit(&t);
    }
}

// Returns false if a corner has no owner, or if all have the same owner and no slit crosses: every
// tetrahedron has the first and the last corner.
static bool has_crack(const crack_node *node, int first)
{
    bool mixed = node[first].near_slit && node[node_at(first, 7)].near_slit;
    for (int k = 0; k < 8; ++k) {
        sherd_fragment_id owner = node[node_at(first, k)].at.label[0];
        if (owner == 0) return false;
        mixed |= owner != node[first].at.label[0];
    }
    return mixed;
}

bool sherd_crack_block_march(const crack_grid *g, const partition *p, crack_block *b,
                             const crack_node node[CRACK_NODES])
{
    marching m = {.g = g, .p = p, .b = b, .node = node};
    for (int z = 0; z < CRACK_BLOCK; ++z)
        for (int y = 0; y < CRACK_BLOCK; ++y)
            for (int x = 0; x < CRACK_BLOCK; ++x) {
                int first = (z * CRACK_EDGE + y) * CRACK_EDGE + x;
                if (has_crack(node, first)) cut_cell(&m, first);
            }
    return !m.failed;
}
