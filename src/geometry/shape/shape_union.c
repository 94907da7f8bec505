// The union of many shapes: a tree over their bounds instead of a chain of pairs, which would
// evaluate every part for every distance.
#include "geometry/shape/shape_kind.h"

#include "base/error.h"
#include "base/memory.h"
#include "geometry/bvh.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/shape/contact_points_combine.h"
#include "geometry/shape/shape_display_mesh.h"
#include "geometry/tessellate/surface_build.h"
#include "math/bounds.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

typedef struct many_shape {
    sherd_shape base;
    int count;
    sherd_shape **parts; // owned                 (count)
    sherd_bvh tree;      // over the parts' bounds
} many_shape;

static const many_shape *as_many(const sherd_shape *shape)
{
    return (const many_shape *)shape;
}

static bool many_same(const sherd_shape *a, const sherd_shape *b)
{
    const many_shape *p = as_many(a), *q = as_many(b);
    bool same = p->count == q->count;
    for (int k = 0; k < p->count && same; ++k)
        same = sherd_shape_same_solid(p->parts[k], q->parts[k]);
    return same;
}

static void destroy_parts(sherd_shape *const *parts, int count)
{
    for (int k = 0; k < count; ++k)
        sherd_shape_destroy(parts[k]);
}

static void many_release(sherd_shape *shape)
{
    many_shape *many = (many_shape *)shape;
    if (many->parts != NULL) destroy_parts(many->parts, many->count);
    sherd_free(many->parts);
    sherd_bvh_release(&many->tree);
}

// ---- distance

// Lower bound of the signed distance to anything within the box: outside, the distance to the box;
// inside, minus the distance to its nearest face.
static double min_distance(sherd_bounds box, sherd_vec3 p)
{
    double x = sherd_larger(box.low.x - p.x, p.x - box.high.x);
    double y = sherd_larger(box.low.y - p.y, p.y - box.high.y);
    double z = sherd_larger(box.low.z - p.z, p.z - box.high.z);
    double deepest = sherd_larger(x, sherd_larger(y, z));
    if (deepest <= 0.0) return deepest;
    return vec3_length(vec3(sherd_larger(x, 0.0), sherd_larger(y, 0.0), sherd_larger(z, 0.0)));
}

// A child of a node that waits to be visited.
typedef struct waiting {
    double distance; //  [m]
    int32_t first, count;
} waiting;

// Pushes children of a node that may contain a distance below `best`, the most promising on top.
static int push_children(const sherd_bvh_node *node, sherd_vec3 p, double best, waiting *stack,
                         int depth)
{
    int begin = depth;
    for (int k = 0; k < SHERD_BVH_WIDTH; ++k) {
        if (!(node->low[0][k] <= node->high[0][k])) continue; // unused
        sherd_bounds box = {vec3(node->low[0][k], node->low[1][k], node->low[2][k]),
                            vec3(node->high[0][k], node->high[1][k], node->high[2][k])};
        waiting child = {min_distance(box, p), node->first[k], node->count[k]};
        if (!(child.distance < best)) continue;
        int at = depth++;
        for (; at > begin && stack[at - 1].distance < child.distance; --at)
            stack[at] = stack[at - 1];
        stack[at] = child;
    }
    return depth;
}

// Replaces *best where a part of a leaf is below it.
static void visit_parts(const many_shape *many, waiting leaf, sherd_vec3 p, double *best,
                        sherd_vec3 *normal)
{
    for (int32_t i = 0; i < leaf.count; ++i) {
        const sherd_shape *part = many->parts[many->tree.order[leaf.first + i]];
        if (!(min_distance(part->bounds, p) < *best)) continue;
        sherd_vec3 of_part = {0.0, 0.0, 0.0};
        double distance = part->kind->distance(part, p, normal != NULL ? &of_part : NULL);
        if (distance >= *best) continue;
        *best = distance;
        if (normal != NULL) *normal = of_part;
    }
}

// Returns the smallest distance to a part, or `limit` if all are at least that far.
static double distance_below(const many_shape *many, sherd_vec3 p, double limit, sherd_vec3 *normal)
{
    waiting stack[SHERD_BVH_STACK_SIZE];
    double best = limit;
    int depth = push_children(&many->tree.nodes[0], p, best, stack, 0);
    while (depth > 0) {
        waiting next = stack[--depth];
        if (!(next.distance < best)) continue;
        if (next.count > 0)
            visit_parts(many, next, p, &best, normal);
        else
            depth = push_children(&many->tree.nodes[next.first], p, best, stack, depth);
    }
    return best;
}

static double many_distance(const sherd_shape *shape, sherd_vec3 p, sherd_vec3 *normal)
{
    return distance_below(as_many(shape), p, INFINITY, normal);
}

static double many_distance_between(const sherd_shape *shape, sherd_vec3 p,
                                    sherd_distance_range range, sherd_vec3 *normal)
{
    double distance = distance_below(as_many(shape), p, range.high, normal);
    return fabs(distance) < range.high ? distance : INFINITY;
}

// ---- places near a point (contact_points_combine.h)

typedef struct near_parts {
    const many_shape *many;
    const sherd_near_view *view;
    int32_t part; // part whose contact points are being added
    bool seen;    // visible past all other parts so far
    sherd_near_point contact;
    sherd_near_list *list;
} near_parts;

static bool is_above_another(void *context, int32_t item)
{
    near_parts *search = context;
    if (item == search->part) return true;
    sherd_near_solid other = {search->many->parts[item], SHERD_SIDE_OUTSIDE};
    search->seen = sherd_near_solid_above(&other, search->view->point, &search->contact);
    return search->seen;
}

static sherd_bounds box_around(sherd_vec3 p, double reach)
{
    sherd_vec3 half = vec3(reach, reach, reach);
    return (sherd_bounds){vec3_sub(p, half), vec3_add(p, half)};
}

static bool add_points_of(void *context, int32_t item)
{
    near_parts *search = context;
    const sherd_near_view *view = search->view;
    sherd_near_list own = {.count = 0};
    sherd_near_collect(search->many->parts[item], view, &own);
    search->part = item;
    for (int k = 0; k < own.count; ++k) {
        search->contact = own.points[k];
        search->seen = true;
        sherd_vec3 at =
            vec3_add_scaled(view->point, -search->contact.distance, search->contact.normal);
        sherd_bounds box = box_around(at, 1e-3 * search->contact.distance);
        sherd_bvh_overlaps(&search->many->tree, box, is_above_another, search);
        if (search->seen) sherd_near_add(search->list, search->contact);
    }
    return true;
}

// The complements of all parts that are near.
typedef struct near_hollow {
    const many_shape *many;
    sherd_vec3 point;
    double reach;
    int count;
    sherd_near_solid solids[SHERD_NEAR_MEET];
} near_hollow;

static bool add_hollow(void *context, int32_t item)
{
    near_hollow *hollow = context;
    const sherd_shape *part = hollow->many->parts[item];
    if (bounds_squared_gap(part->bounds, hollow->point) < hollow->reach * hollow->reach)
        hollow->solids[hollow->count++] = (sherd_near_solid){part, SHERD_SIDE_INSIDE};
    return hollow->count < SHERD_NEAR_MEET;
}

static void many_near(const sherd_shape *shape, const sherd_near_view *view, sherd_near_list *list)
{
    const many_shape *many = as_many(shape);
    sherd_bounds box = box_around(view->point, view->reach);
    if (view->side == SHERD_SIDE_INSIDE) {
        near_hollow hollow = {.many = many, .point = view->point, .reach = view->reach};
        sherd_bvh_overlaps(&many->tree, box, add_hollow, &hollow);
        sherd_near_meet(hollow.solids, hollow.count, view, list);
        return;
    }
    near_parts search = {.many = many, .view = view, .list = list};
    sherd_bvh_overlaps(&many->tree, box, add_points_of, &search);
}

static double many_support(const sherd_shape *shape, sherd_vec3 d)
{
    const many_shape *many = as_many(shape);
    double best = -INFINITY;
    for (int k = 0; k < many->count; ++k)
        best = fmax(best, many->parts[k]->kind->support(many->parts[k], d));
    return best;
}

// ---- volume

// As sherd_grid_volume, but cells know which parts may reach them, so that the smallest cells
// evaluate few.
enum { FEWEST_BITS = 6, MAX_BITS = 10 };
static const double HALF_DIAGONAL = 0.8660254037844386; // of a cube of size 1
static const int64_t MAX_EVALUATIONS =
    50 * 1000 * 1000; // evaluations of parts, in total: about a second

typedef struct volume_search {
    const many_shape *many;
    int64_t evaluations; // parts
} volume_search;

typedef struct volume_cell {
    sherd_vec3 centre;
    double size;
    int levels; // subdivisions to come
    // Parts that may reach the cell (near_count), with room for as many after it.
    const int32_t *near;
    int near_count;
} volume_cell;

// The union's distance at a cell's centre, if that is below `limit`; parts that are equally near
// are written to `near`.
static double find_near(volume_search *search, const volume_cell *cell, double limit, int32_t *near,
                        int *near_count)
{
    double distance = INFINITY;
    for (int k = 0; k < cell->near_count; ++k) {
        const sherd_shape *part = search->many->parts[cell->near[k]];
        double bound = min_distance(part->bounds, cell->centre);
        if (bound >= limit) continue;
        near[(*near_count)++] = cell->near[k];
        if (bound < distance)
            distance = fmin(distance, part->kind->distance(part, cell->centre, NULL));
        if (distance <= -limit) break; // whatever the distances of other parts
    }
    search->evaluations += cell->near_count;
    return distance;
}

// The union's volume in a cell, in units of the cell's.
static double filled_fraction(volume_search *search, const volume_cell *cell, int32_t *scratch)
{
    double limit = HALF_DIAGONAL * cell->size;
    int near_count = 0;
    double distance = find_near(search, cell, limit, scratch, &near_count);
    if (distance >= limit) return 0.0;
    if (distance <= -limit) return 1.0;
    if (cell->levels == 0) return fmin(fmax(0.5 - distance / cell->size, 0.0), 1.0);
    double sum = 0.0, quarter = 0.25 * cell->size;
    for (int k = 0; k < 8; ++k) {
        sherd_vec3 offset = vec3(k & 1 ? quarter : -quarter, k & 2 ? quarter : -quarter,
                                 k & 4 ? quarter : -quarter);
        volume_cell child = {vec3_add(cell->centre, offset), 0.5 * cell->size, cell->levels - 1,
                             scratch, near_count};
        sum += filled_fraction(search, &child, scratch + near_count);
    }
    return 0.125 * sum;
}

// Refines until halving the smallest cells changes little, or would take long.
static double search_volume(volume_search *search, const int32_t *all, int32_t *scratch)
{
    const sherd_shape *shape = &search->many->base;
    sherd_vec3 size = vec3_sub(shape->bounds.high, shape->bounds.low);
    double extent = fmax(size.x, fmax(size.y, size.z)), volume = 0.0;
    for (int bits = FEWEST_BITS; bits <= MAX_BITS; ++bits) {
        double coarser = volume;
        int64_t before = search->evaluations;
        volume_cell cell = {vec3_add_scaled(shape->bounds.low, 0.5 * extent, vec3(1.0, 1.0, 1.0)),
                            extent, bits, all, search->many->count};
        volume = extent * extent * extent * filled_fraction(search, &cell, scratch);
        // The next level evaluates four times as many.
        if (bits > FEWEST_BITS && fabs(volume - coarser) <= 5e-4 * volume) break;
        if (search->evaluations + 4 * (search->evaluations - before) > MAX_EVALUATIONS) break;
    }
    return volume;
}

// NaN when out of memory.
static double many_volume(const sherd_shape *shape)
{
    const many_shape *many = as_many(shape);
    size_t levels = MAX_BITS + 2;
    int32_t *scratch = sherd_alloc((size_t)many->count * levels, sizeof *scratch);
    if (scratch == NULL) return NAN;
    for (int k = 0; k < many->count; ++k)
        scratch[k] = k;
    volume_search search = {many, 0};
    double volume = search_volume(&search, scratch, scratch + many->count);
    sherd_free(scratch);
    return volume;
}

// ---- faces

static void copy_mesh(sherd_mesh *all, const sherd_mesh *mesh, int32_t vertex, int32_t triangle)
{
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        mesh_set_vertex(all, vertex + v, mesh_vertex(mesh, v));
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        const int32_t *c = mesh->triangles + 3 * (size_t)t;
        mesh_set_triangle(all, triangle + t, vertex + c[0], vertex + c[1], vertex + c[2]);
    }
}

// Concatenates all meshes. NULL with an error.
static sherd_mesh *join(sherd_mesh *const *meshes, int count, sherd_error *error)
{
    int64_t vertices = 0, triangles = 0;
    for (int k = 0; k < count; ++k) {
        vertices += meshes[k]->vertex_count;
        triangles += meshes[k]->triangle_count;
    }
    if (vertices > INT32_MAX / 3 || triangles > INT32_MAX / 3) {
        sherd_fail_memory(error, "a surface mesh");
        return NULL;
    }
    sherd_mesh *all = sherd_mesh_create((int32_t)vertices, (int32_t)triangles, error);
    int32_t vertex = 0, triangle = 0;
    for (int k = 0; all != NULL && k < count; ++k) {
        copy_mesh(all, meshes[k], vertex, triangle);
        vertex += meshes[k]->vertex_count;
        triangle += meshes[k]->triangle_count;
    }
    return all;
}

static sherd_mesh *many_faces(const sherd_shape *shape, double edge_length, sherd_error *error)
{
    const many_shape *many = as_many(shape);
    sherd_mesh **meshes = sherd_alloc((size_t)many->count, sizeof *meshes), *all = NULL;
    if (meshes == NULL) {
        sherd_fail_memory(error, "a surface mesh");
        return NULL;
    }
    int made = 0;
    while (made < many->count &&
           (meshes[made] = sherd_shape_faces(many->parts[made], edge_length, error)) != NULL)
        ++made;
    if (made == many->count) all = join(meshes, made, error);
    for (int k = 0; k < made; ++k)
        sherd_mesh_destroy(meshes[k]);
    sherd_free(meshes);
    return all;
}

// ---- surface for pictures

enum { MAX_GROWN = 1000 }; // parts; the grid is used for more

// By divide and conquer, so that each triangle is processed about log2(parts) times.
static sherd_mesh *display_mesh_of(const many_shape *many, int first, int count,
                                   sherd_display_mesh_build *build, sherd_error *error)
{
    if (count == 1) return sherd_display_mesh_part(many->parts[first], build, error);
    int half = count / 2;
    sherd_mesh *a = display_mesh_of(many, first, half, build, error), *b = NULL;
    if (a != NULL) b = display_mesh_of(many, first + half, count - half, build, error);
    return sherd_display_mesh_join(a, b, SHERD_BOOLEAN_UNION, error);
}

static sherd_mesh *many_display_mesh(const sherd_shape *shape, sherd_display_mesh_build *build,
                                     sherd_error *error)
{
    const many_shape *many = as_many(shape);
    return many->count <= MAX_GROWN ? display_mesh_of(many, 0, many->count, build, error) : NULL;
}

// ---- making

static const sherd_shape_kind MANY = {.name = "sherd_shape_union_of",
                                      .distance = many_distance,
                                      .distance_between = many_distance_between,
                                      .near = many_near,
                                      .support = many_support,
                                      .volume = many_volume,
                                      .surface = sherd_surface_grid,
                                      .faces = many_faces,
                                      .display_mesh = many_display_mesh,
                                      .same = many_same,
                                      .release = many_release};

static bool build_tree(many_shape *many)
{
    sherd_bounds *boxes = sherd_alloc((size_t)many->count, sizeof *boxes);
    for (int k = 0; boxes != NULL && k < many->count; ++k)
        boxes[k] = many->parts[k]->bounds;
    bool planted = boxes != NULL && sherd_bvh_init(&many->tree, boxes, many->count);
    sherd_free(boxes);
    return planted;
}

enum { MAX_PARTS = 10000 };

static bool check_parts(sherd_shape *const *parts, int count, sherd_error *error)
{
    for (int k = 0; k < count; ++k) {
        if (parts[k] != NULL && vec3_is_finite(parts[k]->bounds.low) &&
            vec3_is_finite(parts[k]->bounds.high))
            continue;
        sherd_fail(error, SHERD_ERROR_INPUT, MANY.name, "check its size and position",
                   parts[k] != NULL ? "part %d reaches beyond all numbers" : "part %d is missing",
                   k);
        return false;
    }
    if (count > 0 && count <= MAX_PARTS) return true;
    sherd_fail(error, SHERD_ERROR_INPUT, MANY.name, "put large geometry into a mesh file",
               "must have 1 to %d parts, got %d", MAX_PARTS, count);
    return false;
}

sherd_shape *sherd_shape_union_of(sherd_shape *const *parts, int count, sherd_error *error)
{
    many_shape *many = NULL;
    if (check_parts(parts, count, error)) many = sherd_shape_allocate(sizeof *many, &MANY, error);
    if (many == NULL) {
        destroy_parts(parts, count);
        return NULL;
    }
    many->parts = sherd_alloc((size_t)count, sizeof(sherd_shape *));
    if (many->parts == NULL) {
        destroy_parts(parts, count);
    } else {
        memcpy(many->parts, parts, (size_t)count * sizeof(sherd_shape *));
        many->count = count;
        many->base.concave = count > 1 || parts[0]->concave;
        for (int k = 0; k < count; ++k) {
            many->base.bounded |= parts[k]->bounded;
            many->base.blind[0] |= parts[k]->blind[0], many->base.blind[1] |= parts[k]->blind[1];
        }
        many->base.concave &= !many->base.blind[0];
        if (build_tree(many)) return sherd_shape_finish(&many->base);
    }
    sherd_fail_memory(error, "a shape");
    sherd_shape_destroy(&many->base);
    return NULL;
}
