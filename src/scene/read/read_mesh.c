// mesh: {file, scale, repair, thickness}
#include "base/assertion.h"
#include "geometry/mesh/mesh_access.h"
#include "render/texture/image.h"
#include "scene/read/sections.h"
#include "scene/scene_notes.h"

#include "base/hash.h"
#include "math/vec3.h"

#include <stdio.h>
#include <string.h>

// Edge length of a new surface, in radii of the elements that fill it: 99 % of the old one are then
// nearer than 0.3 radii.
static const double EDGE_RADII = 0.5;

// If the element size is not known, for obstacles: edge length as a fraction of the mesh's
// diagonal.
static const double EDGE_FRACTION = 0.004;

enum { REPAIR_NEVER, REPAIR_AUTO, REPAIR_WRAP }; // the numbers of false and true, and one more

typedef struct mesh_source {
    const char *file;
    double scale;
    int repair;
    double thickness; // of a sheet [m]; 0: a solid
} mesh_source;

// A mesh being read from its file.
typedef struct mesh_reading {
    sherd_scene_reader *reader;
    const sherd_node *node; // of `file`
    const mesh_source *source;
    const char *path;
} mesh_reading;

static void digest_mesh(sherd_scene_reader *reader, const sherd_mesh *mesh)
{
    const int64_t counts[] = {mesh->vertex_count, mesh->triangle_count};
    uint64_t hash = sherd_hash_bytes(reader->shape_digest, counts, sizeof counts);
    hash = sherd_hash_bytes(hash, mesh->vertices,
                            (size_t)mesh->vertex_count * 3 * sizeof *mesh->vertices);
    reader->shape_digest = sherd_hash_bytes(
        hash, mesh->triangles, (size_t)mesh->triangle_count * 3 * sizeof *mesh->triangles);
}

// The mesh reader's location (file:line) follows the scene's in the message.
static void fail_mesh(sherd_scene_reader *reader, const sherd_node *node, const sherd_error *error)
{
    sherd_error full = *error;
    if (error->where[0] != '\0')
        snprintf(full.what, sizeof full.what, "%.200s: %.300s", error->where, error->what);
    sherd_reader_fail_error(reader, node, &full);
}

// With repair switched off a mesh must be valid as it is; merging STL corners does not count as
// repair.
static bool check_unrepaired(const mesh_reading *r, const sherd_mesh_report *report)
{
    if (report->degenerate_triangles + report->duplicate_triangles + report->flipped_triangles +
            report->filled_holes ==
        0)
        return true;
    sherd_reader_fail(r->reader, r->node, "set repair: true",
                      "needs repair: %d degenerate, %d duplicate, %d flipped triangles, %d holes",
                      report->degenerate_triangles, report->duplicate_triangles,
                      report->flipped_triangles, report->filled_holes);
    return false;
}

// ---------------------------------------------------------------- a new surface

static sherd_wrap_def wrap_for(const mesh_reading *r, const sherd_mesh *mesh)
{
    const double sphere = 4.0 / 3.0 * 3.14159265358979323846;
    double radius = r->reader->element_radius;
    sherd_bounds b = sherd_mesh_bounds(mesh);
    sherd_wrap_def def = {.edge_length = EDGE_RADII * radius,
                          .thickness = r->source->thickness,
                          .least_volume = sphere * radius * radius * radius};
    if (!(radius > 0.0)) {
        def.edge_length = EDGE_FRACTION * vec3_distance(b.low, b.high);
        def.least_volume = sphere * def.edge_length * def.edge_length * def.edge_length;
    }
    // A sheet has two sides.
    if (def.thickness > 0.0) def.edge_length = fmin(def.edge_length, 0.5 * def.thickness);
    return def;
}

// `faults`: the reason for replacing the mesh.
static sherd_mesh *wrap_mesh(const mesh_reading *r, const sherd_mesh *mesh, const char *faults)
{
    sherd_error error;
    sherd_wrap_report report;
    sherd_wrap_def def = wrap_for(r, mesh);
    sherd_mesh *wrapped = sherd_mesh_wrap(mesh, r->path, &def, &report, &error);
    if (wrapped != NULL) {
        const sherd_wrap_note note = {r->source->file, faults, r->reader->element_radius, &def};
        sherd_scene_note_wrapped(r->reader, r->node, &note, &report);
        return wrapped;
    }
    if (error.status == SHERD_ERROR_INPUT && strcmp(error.what, faults) != 0) {
        sherd_error both = error;
        snprintf(both.what, sizeof both.what, "%.240s; and %.240s", faults, error.what);
        error = both;
    }
    fail_mesh(r->reader, r->node, &error);
    return NULL;
}

// Returns the mesh as a closed surface, repaired or replaced; consumes the given one.
static sherd_mesh *make_closed(const mesh_reading *r, sherd_mesh *mesh)
{
    const mesh_source *source = r->source;
    sherd_error error;
    sherd_mesh_report report;
    sherd_mesh *closed = NULL;
    if (source->thickness > 0.0) {
        closed = wrap_mesh(r, mesh, "a thickness makes it a sheet");
    } else if (source->repair == REPAIR_WRAP) {
        closed = wrap_mesh(r, mesh, "as repair: wrap asks for");
    } else if (sherd_mesh_repair(mesh, r->path, &report, &error) == SHERD_OK) {
        if (source->repair == REPAIR_NEVER && !check_unrepaired(r, &report)) {
            sherd_mesh_destroy(mesh);
            return NULL;
        }
        sherd_bounds b = sherd_mesh_bounds(mesh);
        const sherd_repair_note note = {source->file, mesh->triangle_count,
                                        vec3_distance(b.low, b.high)};
        sherd_scene_note_repaired(r->reader, r->node, &note, &report);
        return mesh;
    } else if (error.status == SHERD_ERROR_INPUT && source->repair == REPAIR_AUTO) {
        closed = wrap_mesh(r, mesh, error.what);
    } else {
        fail_mesh(r->reader, r->node, &error);
    }
    sherd_mesh_destroy(mesh);
    return closed;
}

static sherd_mesh *load_mesh(sherd_scene_reader *reader, const sherd_node *node,
                             const mesh_source *source)
{
    char *path = sherd_reader_path(reader, source->file);
    if (path == NULL) return NULL;
    sherd_error error;
    sherd_mesh *mesh = sherd_mesh_read(path, source->scale, &error);
    if (mesh == NULL) {
        fail_mesh(reader, node, &error);
        return NULL;
    }
    sherd_keep_groups(reader, node, mesh);
    const mesh_reading reading = {reader, node, source, path};
    return make_closed(&reading, mesh);
}

// ---------------------------------------------------------------- keys

// true, false or wrap
static void read_repair(sherd_scene_reader *reader, const sherd_node *node, mesh_source *source)
{
    static const char *const WORDS[] = {"false", "no", "off", "true", "yes", "on", "wrap", NULL};
    enum { FIRST_TRUE = 3, WRAP = 6 };
    const sherd_node *repair = sherd_node_find(node, "repair");
    int word = FIRST_TRUE;
    if (repair == NULL || !sherd_read_choice(reader, repair, WORDS, &word)) return;
    source->repair = word == WRAP ? REPAIR_WRAP : word < FIRST_TRUE ? REPAIR_NEVER : REPAIR_AUTO;
}

sherd_shape *sherd_read_mesh(sherd_scene_reader *reader, const sherd_node *node)
{
    static const sherd_field FIELDS[] = {
        {.key = "file",
         .type = SHERD_FIELD_TEXT,
         .flags = SHERD_FIELD_REQUIRED,
         .offset = offsetof(mesh_source, file)},
        {.key = "scale",
         .type = SHERD_FIELD_REAL,
         .offset = offsetof(mesh_source, scale),
         .quantity = SHERD_QUANTITY_LENGTH,
         .range = SHERD_POSITIVE},
        {.key = "repair"},
        {.key = "thickness",
         .type = SHERD_FIELD_REAL,
         .offset = offsetof(mesh_source, thickness),
         .quantity = SHERD_QUANTITY_LENGTH,
         .range = SHERD_POSITIVE},
    };
    mesh_source source = {.scale = 1.0, .repair = REPAIR_AUTO};
    int before = sherd_diagnostics_total(reader->diagnostics);
    SHERD_READ(reader, node, FIELDS, &source);
    read_repair(reader, node, &source);
    if (sherd_diagnostics_total(reader->diagnostics) > before || source.file == NULL) return NULL;
    const sherd_node *file = sherd_node_find(node, "file");
    sherd_mesh *mesh = load_mesh(reader, file, &source);
    if (mesh == NULL) return NULL;
    digest_mesh(reader, mesh);
    sherd_error error;
    sherd_shape *shape = sherd_shape_mesh(mesh, &error);
    sherd_mesh_destroy(mesh);
    if (shape == NULL) sherd_reader_fail_error(reader, file, &error);
    return shape;
}

// ---------------------------------------------------------------- material groups

// What a mesh's file says of its material groups.

static const sherd_texture_image *decode(sherd_scene_reader *reader, const sherd_node *node,
                                         const sherd_mesh_picture *picture)
{
    sherd_error error;
    sherd_texture_link *link = sherd_arena_alloc(reader->arena, 1, sizeof *link);
    if (link == NULL) return NULL;
    link->image = sherd_texture_image_decode(picture->name, picture->bytes, picture->size, &error);
    if (link->image == NULL) {
        sherd_scene_note(reader, node, "%.200s %.200s: the plain colour stays", picture->name,
                         error.what);
        return NULL;
    }
    link->next = reader->scene->storage->textures;
    reader->scene->storage->textures = link;
    return link->image;
}

// By their numbers in the mesh. NULL: memory is short.
static const sherd_texture_image **keep_pictures(sherd_scene_reader *reader, const sherd_node *node,
                                                 const sherd_mesh *mesh)
{
    const sherd_texture_image **kept =
        sherd_arena_alloc(reader->arena, (size_t)mesh->picture_count + 1, sizeof *kept);
    for (int32_t k = 0; kept != NULL && k < mesh->picture_count; ++k)
        kept[k] = decode(reader, node, &mesh->pictures[k]);
    return kept;
}

void sherd_keep_groups(sherd_scene_reader *reader, const sherd_node *node, const sherd_mesh *mesh)
{
    SHERD_ASSERT(mesh->group_count >= 0 && mesh->note_count >= 0, "groups can be counted");
    reader->group_count = 0;
    for (int32_t k = 0; k < mesh->note_count; ++k)
        sherd_scene_note(reader, node, "%s", sherd_mesh_note(mesh, k));
    if (mesh->materials == NULL) return;
    size_t count = (size_t)mesh->group_count;
    sherd_scene_group *groups = sherd_arena_alloc(reader->arena, count, sizeof *groups);
    const sherd_texture_image **pictures = keep_pictures(reader, node, mesh);
    if (groups == NULL || pictures == NULL) return;
    for (int32_t g = 0; g < mesh->group_count; ++g) {
        const sherd_mesh_material *from = &mesh->materials[g];
        if (from->picture >= 0) groups[g].picture = pictures[from->picture];
        groups[g].look = *from;
        groups[g].name = sherd_arena_string(reader->arena, sherd_mesh_group_name(mesh, g));
    }
    reader->groups = groups;
    reader->group_count = mesh->group_count;
}

const sherd_scene_group *sherd_take_groups(sherd_scene_reader *reader, int *count)
{
    *count = reader->group_count;
    reader->group_count = 0;
    return *count > 0 ? reader->groups : NULL;
}
