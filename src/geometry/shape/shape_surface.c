#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/shape/shape_display_mesh.h"
#include "geometry/shape/shape_kind.h"
#include "geometry/tessellate/surface_build.h"

// Area-weighted means of the triangles' normals.
static sherd_status add_normals(sherd_mesh *mesh, sherd_error *error)
{
    sherd_free(mesh->normals);
    mesh->normals = sherd_alloc(3 * (size_t)mesh->vertex_count, sizeof *mesh->normals);
    if (mesh->normals == NULL) return sherd_fail_memory(error, "a surface mesh");
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        sherd_vec3 area = mesh_area_vector(mesh, t);
        for (int k = 0; k < 3; ++k) {
            double *n = mesh->normals + 3 * (size_t)mesh->triangles[3 * (size_t)t + (size_t)k];
            n[0] += area.x, n[1] += area.y, n[2] += area.z;
        }
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        double *n = mesh->normals + 3 * (size_t)v;
        sherd_vec3 unit = vec3_normalize(vec3(n[0], n[1], n[2]));
        if (!(vec3_length(unit) > 0.0)) unit = vec3(0.0, 0.0, 1.0);
        n[0] = unit.x, n[1] = unit.y, n[2] = unit.z;
    }
    return SHERD_OK;
}

static sherd_mesh *with_normals(sherd_mesh *mesh, sherd_error *error)
{
    if (mesh != NULL && add_normals(mesh, error) != SHERD_OK) {
        sherd_mesh_destroy(mesh);
        return NULL;
    }
    return mesh;
}

static bool check(const sherd_shape *shape, double edge_length, const char *where,
                  sherd_error *error)
{
    if (shape == NULL) {
        sherd_fail(error, SHERD_ERROR_INPUT, where, NULL, "the shape is missing");
        return false;
    }
    return sherd_shape_check_length(edge_length, where, "edge_length", error);
}

sherd_mesh *sherd_shape_surface(const sherd_shape *shape, double edge_length, sherd_error *error)
{
    if (!check(shape, edge_length, "sherd_shape_surface", error)) return NULL;
    return with_normals(shape->kind->surface(shape, edge_length, error), error);
}

// Replaces a file's notes, which its reader has reported; NULL: none. Takes the mesh; NULL with
// SHERD_ERROR_MEMORY.
static sherd_mesh *with_note(sherd_mesh *mesh, const char *note, sherd_error *error)
{
    if (mesh == NULL) return NULL;
    sherd_free(mesh->notes);
    mesh->notes = sherd_string_copy(note);
    mesh->note_count = note != NULL;
    if (note == NULL || mesh->notes != NULL) return mesh;
    sherd_fail_memory(error, "a surface mesh");
    sherd_mesh_destroy(mesh);
    return NULL;
}

sherd_mesh *sherd_shape_display_mesh(const sherd_shape *shape, double edge_length,
                                     sherd_error *error)
{
    static const char *const NOTE = "its surface follows a grid, on which edges are blunt in "
                                    "places and walls thinner than elements are missing: "
                                    "the meshes of its parts pass through themselves where they "
                                    "are cut by each other, or are too many";
    sherd_error ignored;
    if (error == NULL) error = &ignored;
    if (!check(shape, edge_length, "sherd_shape_display_mesh", error)) return NULL;
    sherd_mesh *mesh = with_note(sherd_display_mesh_of(shape, edge_length, error), NULL, error);
    if (mesh == NULL && error->status == SHERD_OK)
        mesh = with_note(shape->kind->surface(shape, edge_length, error), NOTE, error);
    return with_normals(mesh, error);
}
