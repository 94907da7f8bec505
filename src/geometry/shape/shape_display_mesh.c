#include "geometry/shape/shape_display_mesh.h"

#include "base/error.h"
#include "base/memory.h"
#include "geometry/boolean/boolean.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/self_intersection.h"
#include "geometry/shape/shape_kind.h"

#include <math.h>

// NUDGE: relative to the shape's size. TURN: displacement of a part's ends by rotation, relative to
// the nudge, so that faces stay separate; less than 1 / sqrt(3), by which a box's faces are moved.
static const double NUDGE = 1e-6, TURN = 0.2;
enum { ATTEMPTS = 6, LAYERS = 64 }; // LAYERS: of nudges

// Moves vertices along the normals of adjacent faces, weighted by angles.
static bool inflate(sherd_mesh *mesh, double by)
{
    sherd_vec3 *normal = sherd_alloc((size_t)mesh->vertex_count, sizeof *normal);
    if (normal == NULL) return false;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        sherd_vec3 n = vec3_normalize(mesh_area_vector(mesh, t));
        for (int k = 0; k < 3; ++k) {
            int32_t v = mesh->triangles[3 * (size_t)t + (size_t)k];
            normal[v] = vec3_add_scaled(normal[v], mesh_corner_angle(mesh, t, k), n);
        }
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        mesh_set_vertex(mesh, v,
                        vec3_add_scaled(mesh_vertex(mesh, v), by, vec3_normalize(normal[v])));
    sherd_free(normal);
    return true;
}

// Rotates about the centre; directions unrelated to those of other parts and attempts.
static void rotate_slightly(sherd_mesh *mesh, const sherd_display_mesh_build *build)
{
    sherd_bounds box = sherd_mesh_bounds(mesh);
    sherd_vec3 centre = vec3_scale(0.5, vec3_add(box.low, box.high));
    double size = vec3_length(vec3_sub(box.high, box.low));
    double k = build->parts + 100.0 * build->attempt;
    sherd_vec3 axis =
        vec3_normalize(vec3(sin(1.7 * k + 0.4), sin(2.9 * k + 1.1), sin(4.3 * k + 2.3)));
    sherd_vec3 rotation = vec3_scale(TURN * build->nudge / size, axis);
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        sherd_vec3 p = mesh_vertex(mesh, v);
        mesh_set_vertex(mesh, v, vec3_add(p, vec3_cross(rotation, vec3_sub(p, centre))));
    }
}

sherd_mesh *sherd_display_mesh_part(const sherd_shape *shape, sherd_display_mesh_build *build,
                                    sherd_error *error)
{
    if (shape->kind->display_mesh != NULL) return shape->kind->display_mesh(shape, build, error);
    sherd_mesh *mesh = shape->kind->surface(shape, build->edge_length, error);
    int before = build->parts++;
    if (mesh == NULL || before == 0 || mesh->vertex_count == 0) return mesh;
    if (inflate(mesh, (1 + (before - 1) % LAYERS) * build->nudge)) {
        rotate_slightly(mesh, build);
        return mesh;
    }
    sherd_fail_memory(error, "a surface mesh");
    sherd_mesh_destroy(mesh);
    return NULL;
}

sherd_mesh *sherd_display_mesh_join(sherd_mesh *a, sherd_mesh *b, sherd_boolean_kind kind,
                                    sherd_error *error)
{
    sherd_mesh *mesh = a != NULL && b != NULL ? sherd_mesh_boolean(a, b, kind, error) : NULL;
    sherd_mesh_destroy(a);
    sherd_mesh_destroy(b);
    return mesh;
}

// Returns whether the mesh has no self-intersections, if parts' meshes were cut. A part's own mesh
// is not tested.
static bool is_free_of_cuts(const sherd_mesh *mesh, const sherd_display_mesh_build *build,
                            sherd_error *error)
{
    if (build->parts < 2 || mesh->triangle_count == 0) return true;
    sherd_mesh_tree tree = {0};
    sherd_self_intersections found = {0};
    bool searched =
        sherd_mesh_tree_init(&tree, mesh) && sherd_mesh_self_intersections(mesh, &tree, 1, &found);
    if (!searched) sherd_fail_memory(error, "a surface mesh");
    sherd_mesh_tree_release(&tree);
    return searched && found.count == 0 && !found.exhausted;
}

sherd_mesh *sherd_display_mesh_of(const sherd_shape *shape, double edge_length, sherd_error *error)
{
    sherd_vec3 size = vec3_sub(shape->bounds.high, shape->bounds.low);
    *error = (sherd_error){.status = SHERD_OK};
    for (int k = 0; k < ATTEMPTS && error->status == SHERD_OK; ++k) {
        sherd_display_mesh_build build = {edge_length, NUDGE * vec3_length(size), 0, k};
        sherd_mesh *mesh = sherd_display_mesh_part(shape, &build, error);
        if (mesh != NULL && is_free_of_cuts(mesh, &build, error)) return mesh;
        sherd_mesh_destroy(mesh);
    }
    return NULL;
}
