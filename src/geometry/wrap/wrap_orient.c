#include "geometry/wrap/wrap_orient.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "geometry/bvh.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/mesh_orient.h"
#include "geometry/mesh/mesh_tree.h"
#include "geometry/wrap/wrap_duplicates.h"

#include <math.h>

enum {
    MAX_SAMPLES = 16,     // triangles of a component from which lines are cast
    ALL_SAMPLES = 100000, // of all components, approximately
    HIDDEN = 1            // at most this many free lines count as none
};

// A relative difference between the free lines of the two sides below this is not significant.
static const double CLEAR = 0.1;

// Components of less than this fraction of the total area are not reversed: there may be a million
// of them.
static const double MIN_PIECE = 3e-5;

// The area vectors of a closed surface sum to zero, whatever its edges: to less than this fraction
// of its area.
static const double CLOSED_TOLERANCE = 0.02;

// A bulge whose volume is less than this fraction of its area to the power of 3/2 does not count; a
// hemisphere has 0.1.
static const double BULGE = 0.02;

typedef struct soup_piece {
    int32_t begin, end; // in `order`
    double area;        // [m^2]
    double volume6;     // six times the volume about its centre of area [m^3]
    sherd_vec3 centre;
    bool open;   // has a boundary edge, and its area vectors do not sum to zero
    bool walled; // parts of it are walls inside of others
} soup_piece;

typedef struct soup {
    sherd_mesh *mesh;
    const sherd_orientation *orientation;
    soup_piece *pieces;
    int32_t *order; // triangles by component
    double area;    // of all components [m^2]
    double near;    // points within this distance count as equal [m]
    const sherd_mesh_tree *tree;
    uint8_t *flip; // components to be reversed
    uint8_t *wall; // triangles inside of others
    sherd_mesh_work *work;
} soup;

static bool list_pieces(soup *s)
{
    size_t count = (size_t)s->orientation->components, n = (size_t)s->mesh->triangle_count;
    const int32_t *component = s->orientation->component;
    s->pieces = sherd_alloc(count, sizeof *s->pieces);
    s->order = sherd_alloc(n, sizeof *s->order);
    s->flip = sherd_alloc(count, 1);
    s->wall = sherd_alloc(n, 1);
    if (s->pieces == NULL || s->order == NULL || s->flip == NULL || s->wall == NULL) return false;
    for (size_t t = 0; t < n; ++t)
        ++s->pieces[component[t]].end;
    int32_t sum = 0;
    for (size_t c = 0; c < count; ++c) {
        s->pieces[c].begin = sum;
        sum += s->pieces[c].end;
        s->pieces[c].end = s->pieces[c].begin;
    }
    for (size_t t = 0; t < n; ++t)
        s->order[s->pieces[component[t]].end++] = (int32_t)t;
    return true;
}

static sherd_vec3 middle_of(const sherd_mesh *mesh, int32_t t)
{
    sherd_vec3 sum = vec3_add(mesh_corner(mesh, t, 0), mesh_corner(mesh, t, 1));
    return vec3_scale(1.0 / 3.0, vec3_add(sum, mesh_corner(mesh, t, 2)));
}

static void measure_piece(const soup *s, const sherd_mesh_edges *edges, soup_piece *p)
{
    const sherd_mesh *mesh = s->mesh;
    sherd_vec3 first = mesh_corner(mesh, s->order[p->begin], 0), sum = {0.0, 0.0, 0.0};
    sherd_vec3 normals = {0.0, 0.0, 0.0};
    for (int32_t k = p->begin; k < p->end; ++k) {
        int32_t t = s->order[k];
        double area = 0.5 * vec3_length(mesh_area_vector(mesh, t));
        p->area += area;
        normals = vec3_add_scaled(normals, 0.5, mesh_area_vector(mesh, t));
        sum = vec3_add_scaled(sum, area, vec3_sub(middle_of(mesh, t), first));
        for (int e = 0; e < 3; ++e)
            p->open = p->open || edges->twin[3 * (size_t)t + (size_t)e] < 0;
    }
    p->open = p->open && vec3_length(normals) > CLOSED_TOLERANCE * p->area;
    p->centre = p->area > 0.0 ? vec3_add_scaled(first, 1.0 / p->area, sum) : first;
    for (int32_t k = p->begin; k < p->end; ++k) {
        int32_t t = s->order[k];
        p->volume6 +=
            vec3_dot(vec3_sub(mesh_corner(mesh, t, 0), p->centre), mesh_area_vector(mesh, t));
    }
}

typedef struct visibility {
    double before, behind; // fractions of free lines on both sides
    bool hidden;           // there are none on either side, somewhere
} visibility;

enum { WRAP_VISIBILITY_LINES = 32 }; // directions, on one side of a triangle

// Tests that all lines of a triangle may do without being counted, and the work per test beyond
// that.
enum { FREE_VISITS = 8 * WRAP_VISIBILITY_LINES, VISIT_WORK = 8 };

typedef struct line {
    const sherd_mesh *mesh;
    int32_t own; // the triangle from which it starts
    sherd_vec3 origin, direction;
    double near; // nearer triangles are ignored [m]
    int64_t visits;
    bool met;
} line;

// Stops at the first hit. Moeller and Trumbore 1997, edges included.
static bool is_passed(void *context, int32_t t)
{
    line *l = context;
    ++l->visits;
    if (t == l->own) return true;
    sherd_vec3 a = mesh_corner(l->mesh, t, 0);
    sherd_vec3 ab = vec3_sub(mesh_corner(l->mesh, t, 1), a);
    sherd_vec3 ac = vec3_sub(mesh_corner(l->mesh, t, 2), a);
    sherd_vec3 across = vec3_cross(l->direction, ac), from = vec3_sub(l->origin, a);
    sherd_vec3 up = vec3_cross(from, ab);
    double determinant = vec3_dot(ab, across);
    if (determinant == 0.0) return true;
    double u = vec3_dot(from, across) / determinant;
    double v = vec3_dot(l->direction, up) / determinant;
    double distance = vec3_dot(ac, up) / determinant;
    const double margin = 1e-9;
    l->met = u >= -margin && v >= -margin && u + v <= 1.0 + margin && distance > l->near;
    return !l->met;
}

// Uniform over a hemisphere about z: a spiral with equal steps in height.
static sherd_vec3 direction_of(int k)
{
    const double golden = 2.39996322972865332; // angle [rad]
    double z = (k + 0.5) / WRAP_VISIBILITY_LINES, r = sqrt(1.0 - z * z);
    return vec3(r * cos(golden * k), r * sin(golden * k), z);
}

// Returns how many of the lines from the triangle's centroid on one of its sides hit no other
// triangle farther than `near` [m]: coincident triangles hide nothing. `side`: 1 in front, -1
// behind. `tree` is over the mesh's triangles.
static int wrap_free_lines(const sherd_mesh *mesh, const sherd_bvh *tree, int32_t triangle,
                           int side, double near, sherd_mesh_work *work)
{
    sherd_vec3 a = mesh_corner(mesh, triangle, 0), b = mesh_corner(mesh, triangle, 1);
    sherd_vec3 c = mesh_corner(mesh, triangle, 2);
    sherd_vec3 n = vec3_scale(side, vec3_normalize(mesh_area_vector(mesh, triangle)));
    sherd_vec3 x = vec3_normalize(vec3_cross(n, fabs(n.x) < 0.7 ? vec3(1, 0, 0) : vec3(0, 1, 0)));
    sherd_vec3 y = vec3_cross(n, x);
    line l = {.mesh = mesh, .own = triangle, .near = near};
    // Not exactly the centroid: in models made of equal parts centroids are aligned.
    l.origin = vec3_add(vec3_scale(0.371, a), vec3_add(vec3_scale(0.307, b), vec3_scale(0.322, c)));
    int free = 0;
    for (int k = 0; k < WRAP_VISIBILITY_LINES; ++k) {
        sherd_vec3 d = direction_of(k);
        l.direction = vec3_add_scaled(vec3_add_scaled(vec3_scale(d.x, x), d.y, y), d.z, n);
        l.met = false;
        sherd_bvh_ray(tree, l.origin, l.direction, is_passed, &l);
        free += !l.met;
    }
    if (l.visits > FREE_VISITS) mesh_work_spend(work, VISIT_WORK * (l.visits - FREE_VISITS));
    return free;
}

static int free_lines(const soup *s, int32_t t, int side)
{
    return wrap_free_lines(s->mesh, &s->tree->bvh, t, side, s->near, s->work);
}

static visibility measure_visibility(const soup *s, const soup_piece *p)
{
    visibility look = {0.0, 0.0, false};
    int32_t count = p->end - p->begin, samples = ALL_SAMPLES / s->orientation->components + 1;
    samples = samples < MAX_SAMPLES ? samples : MAX_SAMPLES;
    samples = samples < count ? samples : count;
    for (int32_t k = 0; k < samples && mesh_work_remains(s->work); ++k) {
        int32_t t = s->order[p->begin + (int32_t)((int64_t)count * (2 * k + 1) / (2 * samples))];
        int before = free_lines(s, t, 1), behind = free_lines(s, t, -1);
        look.before += (double)before / (WRAP_VISIBILITY_LINES * samples);
        look.behind += (double)behind / (WRAP_VISIBILITY_LINES * samples);
        look.hidden = look.hidden || (before <= HIDDEN && behind <= HIDDEN);
    }
    return look;
}

static bool bulges(const soup_piece *p)
{
    return fabs(p->volume6) > 6.0 * BULGE * p->area * sqrt(p->area);
}

static bool faces_wrongly(const soup_piece *p, const visibility *look)
{
    double largest = fmax(look->before, look->behind);
    if (!p->open) return p->volume6 < 0.0 && look->behind > CLEAR;
    if (fabs(look->before - look->behind) > CLEAR * largest && largest > 0.25 * CLEAR)
        return look->before < look->behind;
    return p->volume6 < 0.0 && bulges(p) && look->behind > CLEAR;
}

static void judge_pieces(void *context, size_t begin, size_t end)
{
    const soup *s = context;
    for (size_t c = begin; c < end; ++c) {
        soup_piece *p = &s->pieces[c];
        if (!(p->area > MIN_PIECE * s->area)) continue;
        visibility look = measure_visibility(s, p);
        s->flip[c] = faces_wrongly(p, &look);
        p->walled = p->open && look.hidden && !bulges(p);
    }
}

static void find_walls(void *context, size_t begin, size_t end)
{
    const soup *s = context;
    for (size_t t = begin; t < end; ++t) {
        if (!s->pieces[s->orientation->component[t]].walled || !mesh_work_remains(s->work))
            continue;
        s->wall[t] =
            free_lines(s, (int32_t)t, 1) <= HIDDEN && free_lines(s, (int32_t)t, -1) <= HIDDEN;
    }
}

// Returns the number of reversed triangles.
static int32_t flip_pieces(soup *s)
{
    int32_t turned = 0;
    for (int32_t c = 0; c < s->orientation->components; ++c) {
        soup_piece *p = &s->pieces[c];
        if (!s->flip[c]) continue;
        p->volume6 = -p->volume6;
        turned += p->end - p->begin;
        for (int32_t k = p->begin; k < p->end; ++k)
            mesh_flip_triangle(s->mesh, s->order[k]);
    }
    return turned;
}

// Closed components first, which stay; of open ones the walls of the larger one stay.
static bool find_doubles(soup *s)
{
    size_t count = (size_t)s->orientation->components;
    sherd_sort_pair *order = sherd_alloc(count, sizeof *order);
    int32_t *rank = sherd_alloc(count, sizeof *rank);
    wrap_ranks ranks = {s->orientation->component, rank, 0};
    bool good = order != NULL && rank != NULL;
    for (size_t c = 0; good && c < count; ++c) {
        const soup_piece *p = &s->pieces[c];
        double missing = fmax(0.0, 1.0 - p->area / s->area);
        order[c] = (sherd_sort_pair){p->open ? 1 + (uint64_t)(missing * 0x1p52) : 0, (uint32_t)c};
        ranks.first += !p->open;
    }
    good = good && sherd_sort_pairs(order, count);
    for (size_t k = 0; good && k < count; ++k)
        rank[order[k].value] = (int32_t)k;
    if (good) sherd_wrap_find_duplicates(s->mesh, s->tree, &ranks, s->work, s->wall);
    sherd_free(order);
    sherd_free(rank);
    return good;
}

static int32_t drop_walls(soup *s)
{
    int32_t kept = 0, count = s->mesh->triangle_count;
    for (int32_t t = 0; t < count; ++t)
        if (!s->wall[t]) mesh_move_triangle(s->mesh, kept++, t);
    s->mesh->triangle_count = kept;
    return count - kept;
}

static bool orient_pieces(soup *s, const sherd_mesh_edges *edges, wrap_orientation *result)
{
    if (!list_pieces(s)) return false;
    for (int32_t c = 0; c < s->orientation->components; ++c) {
        measure_piece(s, edges, &s->pieces[c]);
        s->area += s->pieces[c].area;
    }
    const sherd_parallel parallel = {0};
    sherd_mesh_tree tree;
    bool good = sherd_mesh_tree_init(&tree, s->mesh);
    s->tree = &tree;
    sherd_bounds b = sherd_mesh_bounds(s->mesh);
    s->near = WRAP_COINCIDENT * vec3_distance(b.low, b.high);
    if (good) {
        sherd_parallel_for(&parallel, (size_t)s->orientation->components, 1, judge_pieces, s);
        sherd_parallel_for(&parallel, (size_t)s->mesh->triangle_count, 256, find_walls, s);
        result->turned += flip_pieces(s);
        good = s->orientation->components == 1 || find_doubles(s);
        if (good) result->dropped = drop_walls(s);
    }
    sherd_mesh_tree_release(&tree);
    return good;
}

// Unit vector from an edge to its triangle's interior, perpendicular to the edge. `corner`: of the
// half-edge.
static sherd_vec3 inward_direction(const sherd_mesh *mesh, int32_t corner)
{
    int32_t t = corner / 3, k = corner % 3;
    sherd_vec3 a = mesh_corner(mesh, t, k), b = mesh_corner(mesh, t, (k + 1) % 3);
    sherd_vec3 along = vec3_normalize(vec3_sub(b, a));
    sherd_vec3 arm = vec3_sub(mesh_corner(mesh, t, (k + 2) % 3), a);
    return vec3_normalize(vec3_add_scaled(arm, -vec3_dot(arm, along), along));
}

// Triangles that lie on each other are not neighbours but two layers, as at the rim of a duplicated
// wall.
static void part_layers(const sherd_mesh *mesh, const sherd_mesh_edges *edges)
{
    static const double SAME_DIRECTION = 1.0 - 1e-9; // cosine
    for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
        int32_t twin = edges->twin[c];
        if (twin < c ||
            vec3_dot(inward_direction(mesh, c), inward_direction(mesh, twin)) < SAME_DIRECTION)
            continue;
        edges->twin[c] = edges->twin[twin] = -1;
    }
}

bool sherd_wrap_orient(sherd_mesh *mesh, sherd_mesh_work *work, wrap_orientation *result)
{
    sherd_mesh_edges edges = {0};
    sherd_orientation orientation = {0};
    soup s = {.mesh = mesh, .orientation = &orientation, .work = work};
    *result = (wrap_orientation){0, 0};
    bool good = sherd_mesh_edges_init(&edges, mesh);
    if (good) part_layers(mesh, &edges);
    good =
        good && sherd_mesh_orient(mesh, &edges, &orientation) && orient_pieces(&s, &edges, result);
    result->turned += orientation.flipped;
    sherd_mesh_edges_release(&edges);
    sherd_free(orientation.component);
    sherd_free(s.pieces);
    sherd_free(s.order);
    sherd_free(s.flip);
    sherd_free(s.wall);
    return good;
}
