// packing: {tetra: {size, jitter, ...}} or {tetra: {mesh_file, mesh_scale}}
#include "scene/read/sections.h"
#include "scene/scene_notes.h"

#include "base/hash.h"

#include <stdio.h>
#include <string.h>

// Keys of the lattice and gmsh do not apply to an existing mesh, and vice versa.
static void check_keys(sherd_scene_reader *reader, const sherd_node *node,
                       const sherd_packing_def *def)
{
    static const char *const MADE[] = {"size",    "generator",  "jitter", "seed",
                                       "quality", "time_limit", NULL};
    static const char *const READ[] = {"mesh_scale", NULL};
    bool is_read = def->tetra.mesh_file != NULL;
    if (!is_read) sherd_require(reader, node, "size", "e.g. 2 mm");
    for (const char *const *key = is_read ? MADE : READ; *key != NULL; ++key) {
        const sherd_node *other = sherd_node_find(node, *key);
        if (other != NULL)
            sherd_reader_fail_key(reader, other, NULL,
                                  is_read ? "'%s' says how to make a mesh, but mesh_file gives one"
                                          : "'%s' belongs to mesh_file, which is not there",
                                  *key);
    }
}

void sherd_read_tetra(sherd_scene_reader *reader, const sherd_node *node, sherd_packing_def *def)
{
    check_keys(reader, node, def);
    const char *file = def->tetra.mesh_file;
    if (file == NULL) return;
    const char *path = sherd_reader_path(reader, file);
    if (path != NULL) def->tetra.mesh_file = path;
}

static uint64_t mesh_digest(uint64_t hash, const sherd_tetra_mesh *mesh)
{
    hash = sherd_hash_bytes(hash, mesh->vertices,
                            (size_t)mesh->vertex_count * 3 * sizeof *mesh->vertices);
    return sherd_hash_bytes(hash, mesh->tetras,
                            (size_t)mesh->tetra_count * 4 * sizeof *mesh->tetras);
}

// Each tetrahedron is closed, and so is their union; but if some share only an edge, more than two
// triangles of the surface share it. Repair cannot fix this, but reports the location.
static void explain_boundary(sherd_mesh *boundary, const char *file, sherd_error *error)
{
    if (error->status != SHERD_ERROR_INPUT) return;
    sherd_error found = *error;
    sherd_mesh_report report;
    bool touching = sherd_mesh_repair(boundary, file, &report, &found) != SHERD_OK &&
                    report.non_manifold_edges > 0;
    snprintf(error->where, sizeof error->where, "%.500s", file);
    snprintf(error->what, sizeof error->what, "the tetrahedra's surface is no solid's%s%.400s",
             touching ? ": " : "", touching ? found.what : "");
    snprintf(error->hint, sizeof error->hint, "%s",
             "some tetrahedra touch in an edge only: in the mesher, let the parts there overlap "
             "and unite them before meshing, or move them apart");
}

// Messages name the file.
static sherd_shape *boundary_shape(const sherd_tetra_mesh *mesh, const char *file,
                                   sherd_error *error)
{
    sherd_mesh *boundary = sherd_tetra_mesh_boundary(mesh, error);
    if (boundary == NULL) {
        snprintf(error->where, sizeof error->where, "%.500s", file);
        return NULL;
    }
    sherd_shape *shape = sherd_shape_mesh(boundary, error);
    if (shape == NULL) explain_boundary(boundary, file, error);
    sherd_mesh_destroy(boundary);
    return shape;
}

// The file's own location follows the scene's in the message.
static void fail_mesh(sherd_scene_reader *reader, const sherd_node *node, const sherd_error *error)
{
    sherd_error full = *error;
    if (error->where[0] != '\0')
        snprintf(full.what, sizeof full.what, "%.200s: %.300s", error->where, error->what);
    sherd_reader_fail_error(reader, node, &full);
}

// The neighbours of such a tetrahedron do not share a face.
static void note_flat(sherd_scene_reader *reader, const sherd_node *node, int32_t flat)
{
    if (flat > 0)
        sherd_scene_note(reader, node,
                         "%.200s: %d tetrahedr%s without volume left out; nothing is bonded across",
                         node->text, (int)flat, flat == 1 ? "on" : "a");
}

// A group without a material applies to the whole body.
static void note_groups(sherd_scene_reader *reader, const sherd_node *node,
                        const sherd_tetra_report *report)
{
    if (report->groups > 1)
        sherd_scene_note(reader, node,
                         "%.200s: its %d physical groups of volumes (%s) are passed over: all of "
                         "the body is of one material; `weakness` with a `region` makes a part of "
                         "it stiffer or softer, stronger or weaker",
                         node->text, (int)report->groups, report->group_names);
}

void sherd_read_tetra_mesh(sherd_scene_reader *reader, const sherd_node *packing,
                           sherd_scene_body *body)
{
    const sherd_packing_tetra *def = &body->packing.tetra;
    const sherd_node *node = sherd_node_find(sherd_node_find(packing, "tetra"), "mesh_file");
    sherd_error error;
    sherd_tetra_report report;
    sherd_tetra_mesh *mesh =
        sherd_tetra_mesh_read(def->mesh_file, def->mesh_scale, &report, &error);
    if (mesh == NULL) {
        fail_mesh(reader, node, &error);
        return;
    }
    note_flat(reader, node, report.flat);
    note_groups(reader, node, &report);
    body->shape_digest = mesh_digest(body->shape_digest, mesh);
    if (body->shape == NULL) {
        sherd_shape *shape = boundary_shape(mesh, def->mesh_file, &error);
        if (shape == NULL) fail_mesh(reader, node, &error);
        body->shape = sherd_adopt_shape(reader, shape);
    }
    sherd_tetra_mesh_destroy(mesh);
}
