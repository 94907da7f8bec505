#include "stepping/grid/grid_edges.h"

#include "base/error.h"
#include "base/memory.h"
#include "geometry/crease.h"
#include "geometry/mesh/mesh_edges.h"
#include "geometry/shape/shape_display_mesh.h"
#include "geometry/shape/shape_kind.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>

static const double PART = 0.5;        // of the spacing: length of edge that a sample represents
static const double MAX_SAMPLES = 1e5; // per obstacle
static const double POINTED = 0.25;    // slopes of edges below a corner's normal

void sherd_grid_edges_free(sherd_grid_edges *e)
{
    sherd_free(e->list);
    *e = (sherd_grid_edges){0};
}

static bool add(sherd_grid_edges *e, sherd_vec3 at, const sherd_vec3 *directions, int count,
                double length)
{
    if (!sherd_grow((void **)&e->list, &e->capacity, e->count + 1, sizeof *e->list)) return false;
    sherd_mpm_edge_sample *p = &e->list[e->count++];
    *p = (sherd_mpm_edge_sample){.at = {at.x, at.y, at.z}, .directions = count, .length = length};
    for (int k = 0; k < count; ++k)
        p->direction[k][0] = directions[k].x, p->direction[k][1] = directions[k].y,
        p->direction[k][2] = directions[k].z;
    return true;
}

// ---------------------------------------------------------------- edges

typedef struct search {
    sherd_grid_edges *edges;
    const sherd_shape *shape;
    const sherd_mesh *mesh;
    sherd_mesh_edges near;
    double part;        // of an edge, per sample [m]
    sherd_vec3 *normal; // at vertices
    double *slope;      // of the flattest edge at each vertex, relative to the normal
} search;

static sherd_vec3 vertex(const sherd_mesh *mesh, int32_t v)
{
    const double *x = &mesh->vertices[3 * (size_t)v];
    return vec3(x[0], x[1], x[2]);
}

static int32_t third(const sherd_mesh *mesh, int32_t half_edge)
{
    return mesh->triangles[half_edge - half_edge % 3 + (half_edge + 2) % 3];
}

static sherd_vec3 normal_of(const sherd_mesh *mesh, int32_t half_edge)
{
    sherd_vec3 a = vertex(mesh, mesh_edge_from(mesh, half_edge)),
               b = vertex(mesh, mesh_edge_to(mesh, half_edge)),
               c = vertex(mesh, third(mesh, half_edge));
    return vec3_normalize(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
}

// In the plane of a half-edge's triangle, away from the edge.
static sherd_vec3 direction_of(const sherd_mesh *mesh, int32_t half_edge)
{
    sherd_vec3 from = vertex(mesh, mesh_edge_from(mesh, half_edge)),
               along = vec3_sub(vertex(mesh, mesh_edge_to(mesh, half_edge)), from);
    return vec3_normalize(vec3_cross(normal_of(mesh, half_edge), along));
}

// For a mesh that approximates a shape, such as a cylinder's: finds the crease of the shape near a
// point on the mesh. False: the shape is smooth there.
static bool find_free_point(const search *s, sherd_vec3 *x, sherd_vec3 direction[2])
{
    static const double BESIDE = 0.25, EXACT = 1e-6, FARTHEST = 0.2; // of a part
    double beside = BESIDE * s->part;
    if (fabs(sherd_shape_distance(s->shape, *x)) > FARTHEST * s->part) return false;
    sherd_vec3 a = vec3_add_scaled(*x, beside, direction[0]),
               b = vec3_add_scaled(*x, beside, direction[1]), n;
    bool exact = fabs(sherd_shape_distance(s->shape, a)) < EXACT * s->part &&
                 fabs(sherd_shape_distance(s->shape, b)) < EXACT * s->part;
    if (exact)
        return vec3_dot(sherd_shape_normal(s->shape, a), sherd_shape_normal(s->shape, b)) <
               SAME_SURFACE;
    surface_feature feature;
    if (!sherd_project_to_surface(s->shape, s->part, &a, &n) ||
        !sherd_project_to_surface(s->shape, s->part, &b, &n) ||
        !sherd_find_crease(s->shape, s->part, a, b, &feature, x))
        return false;
    direction[0] = vec3_normalize(vec3_sub(a, *x)), direction[1] = vec3_normalize(vec3_sub(b, *x));
    return true;
}

static bool add_edge(const search *s, int32_t half_edge)
{
    const sherd_mesh *m = s->mesh;
    int32_t twin = s->near.twin[half_edge];
    if (twin < half_edge) return true; // each edge once, or a boundary
    sherd_vec3 a = vertex(m, mesh_edge_from(m, half_edge)),
               b = vertex(m, mesh_edge_to(m, half_edge)), n = normal_of(m, half_edge);
    if (vec3_dot(n, normal_of(m, twin)) > SAME_SURFACE) return true;
    if (vec3_dot(n, vec3_sub(vertex(m, third(m, twin)), a)) > 0.0) return true; // concave
    double length = vec3_distance(a, b);
    int parts = (int)fmax(1.0, ceil(length / s->part * (1.0 - 1e-9)));
    for (int k = 0; k < parts; ++k) {
        sherd_vec3 x = vec3_add_scaled(a, (k + 0.5) / parts, vec3_sub(b, a)),
                   direction[2] = {direction_of(m, half_edge), direction_of(m, twin)};
        if (find_free_point(s, &x, direction) && !add(s->edges, x, direction, 2, length / parts))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- corners

static size_t half_edges(const sherd_mesh *m)
{
    return 3 * (size_t)m->triangle_count;
}

static sherd_vec3 along(const sherd_mesh *m, int32_t half_edge)
{
    return vec3_normalize(
        vec3_sub(vertex(m, mesh_edge_to(m, half_edge)), vertex(m, mesh_edge_from(m, half_edge))));
}

// Normals of vertices are means of those of their triangles, weighted with angles, so that
// diagonals have no effect.
static void find_slopes(const search *s)
{
    const sherd_mesh *m = s->mesh;
    for (int32_t k = 0; k < m->vertex_count; ++k)
        s->normal[k] = vec3(0.0, 0.0, 0.0), s->slope[k] = -1.0;
    for (size_t h = 0; h < half_edges(m); ++h) {
        int32_t half = (int32_t)h, at = mesh_edge_from(m, half);
        sherd_vec3 back = vec3_normalize(vec3_sub(vertex(m, third(m, half)), vertex(m, at)));
        double angle = acos(fmax(-1.0, fmin(1.0, vec3_dot(along(m, half), back))));
        s->normal[at] = vec3_add_scaled(s->normal[at], angle, normal_of(m, half));
    }
    for (size_t h = 0; h < half_edges(m); ++h) {
        int32_t at = mesh_edge_from(m, (int32_t)h);
        double slope = vec3_dot(along(m, (int32_t)h), vec3_normalize(s->normal[at]));
        s->slope[at] = fmax(s->slope[at], slope);
    }
}

// All edges from a corner go down: it is convex.
static bool add_corners(const search *s)
{
    const sherd_mesh *m = s->mesh;
    size_t *index = sherd_alloc((size_t)m->vertex_count, sizeof *index);
    bool ok = index != NULL;
    find_slopes(s);
    for (int32_t v = 0; ok && v < m->vertex_count; ++v) {
        index[v] = SIZE_MAX;
        if (s->slope[v] > -POINTED ||
            fabs(sherd_shape_distance(s->shape, vertex(m, v))) > 1e-3 * s->part)
            continue;
        index[v] = s->edges->count;
        ok = add(s->edges, vertex(m, v), NULL, 0, s->part);
    }
    for (size_t h = 0; ok && h < half_edges(m); ++h) {
        int32_t at = mesh_edge_from(m, (int32_t)h);
        if (index[at] == SIZE_MAX) continue;
        sherd_mpm_edge_sample *p = &s->edges->list[index[at]];
        if (p->directions == SHERD_MPM_EDGE_DIRECTIONS) continue;
        sherd_vec3 direction = along(m, (int32_t)h);
        double *to = p->direction[p->directions++];
        to[0] = direction.x, to[1] = direction.y, to[2] = direction.z;
    }
    sherd_free(index);
    return ok;
}

// ---------------------------------------------------------------- samples

// The mesh must be fine enough to distinguish a rod's surface from creases, without too many edges.
static double edge_length(const sherd_shape *shape)
{
    static const double FINE = 1.0 / 4.0, MAX_EDGE_POINTS = 1000.0;
    sherd_bounds box = sherd_shape_bounds(shape);
    sherd_vec3 size = vec3_sub(box.high, box.low);
    double smallest_extent = fmin(size.x, fmin(size.y, size.z)),
           area = 2.0 * (size.x * size.y + size.y * size.z + size.z * size.x);
    return fmax(FINE * smallest_extent, sqrt(area / MAX_EDGE_POINTS));
}

static double total_length(const search *s)
{
    double sum = 0.0;
    for (size_t h = 0; h < half_edges(s->mesh); ++h) {
        int32_t half = (int32_t)h, twin = s->near.twin[h];
        if (twin > half &&
            vec3_dot(normal_of(s->mesh, half), normal_of(s->mesh, twin)) <= SAME_SURFACE)
            sum += vec3_distance(vertex(s->mesh, mesh_edge_from(s->mesh, half)),
                                 vertex(s->mesh, mesh_edge_to(s->mesh, half)));
    }
    return sum;
}

static bool find_on_mesh(search *s, double spacing)
{
    s->normal = sherd_alloc((size_t)s->mesh->vertex_count, sizeof *s->normal);
    s->slope = sherd_alloc((size_t)s->mesh->vertex_count, sizeof *s->slope);
    bool ok = s->normal != NULL && s->slope != NULL && sherd_mesh_edges_init(&s->near, s->mesh);
    if (ok) {
        s->part = fmax(PART * spacing, total_length(s) / MAX_SAMPLES);
        for (size_t h = 0; ok && h < half_edges(s->mesh); ++h)
            ok = add_edge(s, (int32_t)h);
        ok = ok && add_corners(s);
        sherd_mesh_edges_release(&s->near);
    }
    sherd_free(s->normal), sherd_free(s->slope);
    return ok;
}

sherd_status sherd_grid_edges_find(sherd_grid_edges *edges, const sherd_obstacle *o, double spacing,
                                   sherd_error *error)
{
    sherd_error ignored = {0};
    *edges = (sherd_grid_edges){0};
    if (o->shape == NULL || o->sticky) return SHERD_OK;
    // Parts of a union are meshed separately, because a boolean cut takes long: samples inside
    // other parts are dropped below. A difference has edges that no part has, and is meshed as a
    // whole.
    double edge = edge_length(o->shape);
    sherd_mesh *mesh = o->shape->bounded ? sherd_shape_display_mesh(o->shape, edge, &ignored)
                                         : sherd_shape_faces(o->shape, edge, &ignored);
    if (mesh == NULL && ignored.status != SHERD_ERROR_MEMORY) return SHERD_OK;
    search s = {.edges = edges, .shape = o->shape, .mesh = mesh};
    bool ok = mesh != NULL && find_on_mesh(&s, spacing);
    sherd_mesh_destroy(mesh);
    return ok ? SHERD_OK : sherd_fail_memory(error, "edges of obstacles");
}

static void frame(const void *context, double origin[3], double axes[3][3])
{
    const sherd_obstacle *o = context;
    origin[0] = o->pose.position.x, origin[1] = o->pose.position.y, origin[2] = o->pose.position.z;
    for (int k = 0; k < 3; ++k) {
        sherd_vec3 axis = quat_rotate(o->pose.rotation, vec3(k == 0, k == 1, k == 2));
        axes[0][k] = axis.x, axes[1][k] = axis.y, axes[2][k] = axis.z;
    }
}

void sherd_grid_edges_give(const sherd_grid_edges *edges, sherd_mpm_wall *wall)
{
    wall->edges = edges->list, wall->edge_count = edges->count, wall->frame = frame;
}
