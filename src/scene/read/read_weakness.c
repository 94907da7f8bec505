// weakness: [{strength, stiffness, and one of noise, voronoi, paint, curve, cut, region}, ...]
#include "scene/read/sections.h"

#include "base/field.h"
#include "base/hash.h"
#include "math/quat.h"

#include <stdio.h>
#include <string.h>

// One entry of the list while it is read.
typedef struct entry {
    const sherd_node *body; // the body that has the weakness
    const sherd_node *node;
    sherd_weakness_def def;
    bool shape_is_good; // the body's
    bool reported;      // an error elsewhere has reported what is missing
    sherd_mesh *mesh;   // owned, of def.mesh
    uint64_t digest;
} entry;

typedef void read_pattern(sherd_scene_reader *reader, const sherd_node *node, entry *e);

static void mix(entry *e, const void *bytes, size_t size)
{
    e->digest = sherd_hash_bytes(e->digest, bytes, size);
}

// ---- keys

// A key of a pattern, and the row of the definition that it fills.
typedef struct weakness_key {
    const char *key, *member;
    unsigned flags; // besides the row's
} weakness_key;

enum { REQUIRED = SHERD_FIELD_REQUIRED };

static bool read_rows(sherd_scene_reader *reader, const sherd_node *map, const weakness_key *rows,
                      int count, const char *const *more_keys, entry *e)
{
    enum { MAX_FIELDS = 8 };
    sherd_field fields[MAX_FIELDS];
    for (int k = 0; k < count; ++k) {
        fields[k] = *sherd_field_find(sherd_weakness_def_fields(), rows[k].member);
        fields[k].key = rows[k].key;
        fields[k].flags |= rows[k].flags;
    }
    const sherd_keys keys = {fields, count, 0, &e->def};
    return sherd_read_keys(reader, map, &keys, 1, more_keys);
}

#define READ_ROWS(reader, map, rows, more_keys, e)                                                 \
    read_rows(reader, map, rows, sizeof(rows) / sizeof(rows)[0], more_keys, e)

// ---- noise and cells

static void read_noise(sherd_scene_reader *reader, const sherd_node *node, entry *e)
{
    static const weakness_key ROWS[] = {{"size", "size", REQUIRED},
                                        {"octaves", "octaves", 0},
                                        {"share", "share", 0},
                                        {"contrast", "contrast", 0},
                                        {"seed", "seed", 0}};
    READ_ROWS(reader, node, ROWS, NULL, e);
}

static void read_voronoi(sherd_scene_reader *reader, const sherd_node *node, entry *e)
{
    static const weakness_key ROWS[] = {
        {"size", "size", REQUIRED}, {"stretch", "stretch", 0}, {"irregularity", "irregularity", 0},
        {"warp", "warp", 0},        {"wall", "wall", 0},       {"seed", "seed", 0}};
    READ_ROWS(reader, node, ROWS, NULL, e);
}

// ---- meshes, of paint and of cuts

typedef struct mesh_source {
    const char *file;
    double scale;
    sherd_pose pose;
} mesh_source;

#define SOURCE_ROW(kind, member, ...) SHERD_FIELD(mesh_source, kind, member, __VA_ARGS__)
#define LENGTH .quantity = SHERD_QUANTITY_LENGTH

static const sherd_field FILE_FIELDS[] = {
    SOURCE_ROW(TEXT, file, .flags = REQUIRED),
    SOURCE_ROW(REAL, scale, LENGTH, .range = SHERD_POSITIVE),
};
static const sherd_field POSE_FIELDS[] = {
    SOURCE_ROW(VECTOR, pose.position, LENGTH),
    SOURCE_ROW(ROTATION, pose.rotation, .quantity = SHERD_QUANTITY_NUMBER),
};

static void read_with(sherd_scene_reader *reader, const sherd_node *map, const sherd_field *fields,
                      int count, const char *const *more_keys, void *target)
{
    const sherd_keys keys = {fields, count, 0, target};
    sherd_read_keys(reader, map, &keys, 1, more_keys);
}

// The mesh file that the body's shape is, placed as it is. False with an error.
static bool read_entry_shape(sherd_scene_reader *reader, const sherd_node *node, entry *e,
                             mesh_source *source)
{
    static const char *const MESH_KEYS[] = {"repair", NULL};
    const sherd_node *shape = sherd_node_find(e->body, "shape"),
                     *mesh = sherd_node_find(shape, "mesh");
    if (mesh == NULL) {
        sherd_reader_fail(reader, node, "for example file: painted.ply",
                          "needs a painted mesh: the body's shape is no mesh");
        return false;
    }
    e->reported = !e->shape_is_good;
    if (e->reported) return false;
    read_with(reader, mesh, FILE_FIELDS, 2, MESH_KEYS, source);
    read_with(reader, shape, POSE_FIELDS, 2, sherd_shape_keys, source);
    return true;
}

// The mesh file that the paint names, or the body's. False with an error.
static bool read_source(sherd_scene_reader *reader, const sherd_node *node, entry *e,
                        mesh_source *source)
{
    static const char *const PLACING[] = {"scale", "position", "rotation"};
    static const char *const NOT_FILE[] = {"channel",  "invert",   "depth", "falloff",
                                           "position", "rotation", NULL};
    static const char *const NOT_POSE[] = {"channel", "invert", "depth", "falloff",
                                           "file",    "scale",  NULL};
    int before = sherd_diagnostics_total(reader->diagnostics);
    if (sherd_node_find(node, "file") != NULL) {
        read_with(reader, node, FILE_FIELDS, 2, NOT_FILE, source);
        read_with(reader, node, POSE_FIELDS, 2, NOT_POSE, source);
    } else if (!read_entry_shape(reader, node, e, source)) {
        return false;
    }
    for (int k = 0; k < 3 && sherd_node_find(node, "file") == NULL; ++k)
        if (sherd_node_find(node, PLACING[k]) != NULL)
            sherd_reader_fail_key(reader, sherd_node_find(node, PLACING[k]),
                                  "the body's own mesh is where the body's shape is",
                                  "only goes with file");
    return sherd_diagnostics_total(reader->diagnostics) == before;
}

static void transform_mesh(sherd_mesh *mesh, sherd_pose pose)
{
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        double *p = mesh->vertices + 3 * (size_t)v;
        sherd_vec3 x = vec3_add(pose.position, quat_rotate(pose.rotation, vec3(p[0], p[1], p[2])));
        p[0] = x.x, p[1] = x.y, p[2] = x.z;
    }
}

static void digest_mesh(entry *e)
{
    const sherd_mesh *m = e->mesh;
    size_t vertices = 3 * (size_t)m->vertex_count, corners = 3 * (size_t)m->triangle_count;
    mix(e, m->vertices, vertices * sizeof *m->vertices);
    mix(e, m->triangles, corners * sizeof *m->triangles);
    if (m->color != NULL) mix(e, m->color, vertices * sizeof *m->color);
}

static void load_mesh(sherd_scene_reader *reader, const sherd_node *node, const mesh_source *source,
                      entry *e)
{
    char *path = sherd_reader_path(reader, source->file);
    if (path == NULL) return;
    sherd_error error;
    e->mesh = sherd_mesh_read(path, source->scale, &error);
    if (e->mesh == NULL) {
        sherd_reader_fail(reader, node, error.hint, "%.200s: %.300s", error.where, error.what);
        return;
    }
    transform_mesh(e->mesh, source->pose);
    digest_mesh(e);
    e->def.mesh = e->mesh;
}

static void read_paint(sherd_scene_reader *reader, const sherd_node *node, entry *e)
{
    static const weakness_key ROWS[] = {{"channel", "channel", 0},
                                        {"invert", "invert", 0},
                                        {"depth", "depth", 0},
                                        {"falloff", "falloff", 0}};
    static const char *const SOURCE_KEYS[] = {"file", "scale", "position", "rotation", NULL};
    if (!sherd_require_map(reader, node)) return;
    READ_ROWS(reader, node, ROWS, SOURCE_KEYS, e);
    mesh_source source = {.scale = 1.0, .pose.rotation = SHERD_QUAT_IDENTITY};
    if (!read_source(reader, node, e, &source) || source.file == NULL) return;
    const sherd_node *file = sherd_node_find(node, "file");
    load_mesh(reader, file != NULL ? file : node, &source, e);
}

// ---- curves and cuts

// A list of at least `min_count` points, in the arena.
static void read_points(sherd_scene_reader *reader, const sherd_node *node, int min_count, entry *e)
{
    if (!sherd_require_list(reader, node)) return;
    if (node->count < min_count) {
        sherd_reader_fail(reader, node, NULL, "must have at least %d points, got %d", min_count,
                          node->count);
        return;
    }
    sherd_vec3 *points = sherd_arena_alloc(reader->arena, (size_t)node->count, sizeof *points);
    if (points == NULL) return;
    int k = 0;
    for (const sherd_node *item = node->first; item != NULL; item = item->next, ++k)
        sherd_read_vector(reader, item, SHERD_QUANTITY_LENGTH, &points[k]);
    mix(e, points, (size_t)node->count * sizeof *points);
    e->def.points = points;
    e->def.point_count = node->count;
}

static void read_curve(sherd_scene_reader *reader, const sherd_node *node, entry *e)
{
    static const weakness_key ROWS[] = {{"points", "points", REQUIRED},
                                        {"radius", "radius", REQUIRED},
                                        {"falloff", "falloff", 0},
                                        {"along", "along", 0}};
    READ_ROWS(reader, node, ROWS, NULL, e);
    const sherd_node *points = sherd_node_find(node, "points");
    if (points != NULL) read_points(reader, points, 2, e);
}

static void read_plane(sherd_scene_reader *reader, const sherd_node *node, entry *e)
{
    static const weakness_key ROWS[] = {{"point", "point", REQUIRED},
                                        {"normal", "normal", REQUIRED}};
    READ_ROWS(reader, node, ROWS, NULL, e);
}

static void read_disc(sherd_scene_reader *reader, const sherd_node *node, entry *e)
{
    static const weakness_key ROWS[] = {{"center", "point", REQUIRED},
                                        {"normal", "normal", REQUIRED},
                                        {"radius", "radius", REQUIRED}};
    READ_ROWS(reader, node, ROWS, NULL, e);
}

// A shape in the body's frame.
static void read_shape(sherd_scene_reader *reader, const sherd_node *node, entry *e)
{
    e->def.shape = sherd_read_placed_shape(reader, node);
    mix(e, &reader->shape_digest, sizeof reader->shape_digest);
}

static bool has_shape(const sherd_node *node)
{
    for (int k = 0; sherd_shape_keys[k] != NULL; ++k)
        if (sherd_node_find(node, sherd_shape_keys[k]) != NULL) return true;
    return false;
}

static void read_sheet(sherd_scene_reader *reader, const sherd_node *node, entry *e)
{
    static const char *const NOT_FILE[] = {"position", "rotation", NULL};
    static const char *const NOT_POSE[] = {"file", "scale", NULL};
    if (!sherd_require_map(reader, node)) return;
    int before = sherd_diagnostics_total(reader->diagnostics);
    mesh_source source = {.scale = 1.0, .pose.rotation = SHERD_QUAT_IDENTITY};
    read_with(reader, node, FILE_FIELDS, 2, NOT_FILE, &source);
    read_with(reader, node, POSE_FIELDS, 2, NOT_POSE, &source);
    if (sherd_diagnostics_total(reader->diagnostics) > before || source.file == NULL) return;
    load_mesh(reader, sherd_node_find(node, "file"), &source, e);
}

typedef struct cut_key {
    const char *key;
    sherd_cut_kind cut;
} cut_key;

static const cut_key CUTS[] = {{"plane", SHERD_CUT_PLANE},
                               {"disc", SHERD_CUT_DISC},
                               {"polygon", SHERD_CUT_POLYGON},
                               {"sheet", SHERD_CUT_SHEET}};
enum { CUT_COUNT = sizeof CUTS / sizeof CUTS[0] };

static void read_surface(sherd_scene_reader *reader, const sherd_node *node, entry *e)
{
    if (e->def.cut == SHERD_CUT_PLANE)
        read_plane(reader, node, e);
    else if (e->def.cut == SHERD_CUT_DISC)
        read_disc(reader, node, e);
    else if (e->def.cut == SHERD_CUT_POLYGON)
        read_points(reader, node, 3, e);
    else
        read_sheet(reader, node, e);
}

static void read_cut(sherd_scene_reader *reader, const sherd_node *node, entry *e)
{
    if (!sherd_require_map(reader, node)) return;
    const sherd_node *found = NULL;
    e->def.cut = SHERD_CUT_SHAPE;
    for (int k = 0; k < CUT_COUNT && found == NULL; ++k) {
        found = sherd_node_find(node, CUTS[k].key);
        if (found != NULL) e->def.cut = CUTS[k].cut;
    }
    if (found != NULL && node->count > 1) {
        const sherd_node *other = node->first != found ? node->first : node->last;
        sherd_reader_fail_key(reader, other, "make one entry for each cut", "does not go with '%s'",
                              found->key);
    } else if (found == NULL && !has_shape(node)) {
        sherd_reader_fail(reader, node, "one of plane, disc, polygon, sheet, or a shape",
                          "names no surface");
    } else if (found == NULL) {
        read_shape(reader, node, e);
    } else {
        read_surface(reader, found, e);
    }
}

static void read_region(sherd_scene_reader *reader, const sherd_node *node, entry *e)
{
    static const weakness_key ROWS[] = {{"shape", "shape", REQUIRED}, {"falloff", "falloff", 0}};
    READ_ROWS(reader, node, ROWS, NULL, e);
    const sherd_node *shape = sherd_node_find(node, "shape");
    if (shape != NULL) read_shape(reader, shape, e);
}

// ---- entries

typedef struct pattern_key {
    const char *key;
    read_pattern *read;
} pattern_key;

static const pattern_key PATTERNS[SHERD_WEAKNESS_KIND_COUNT] = {
    [SHERD_WEAKNESS_NOISE] = {"noise", read_noise},
    [SHERD_WEAKNESS_VORONOI] = {"voronoi", read_voronoi},
    [SHERD_WEAKNESS_PAINT] = {"paint", read_paint},
    [SHERD_WEAKNESS_CURVE] = {"curve", read_curve},
    [SHERD_WEAKNESS_CUT] = {"cut", read_cut},
    [SHERD_WEAKNESS_REGION] = {"region", read_region},
};

static const char *const PATTERN_KEYS[] = {"noise", "voronoi", "paint", "curve",
                                           "cut",   "region",  NULL};

// The one pattern of an entry. NULL with an error.
static const pattern_key *find_pattern(sherd_scene_reader *reader, const sherd_node *node)
{
    const pattern_key *found = NULL;
    for (int k = 0; k < SHERD_WEAKNESS_KIND_COUNT; ++k) {
        const sherd_node *child = sherd_node_find(node, PATTERNS[k].key);
        if (child == NULL) continue;
        if (found != NULL) {
            sherd_reader_fail_key(reader, child, "make one entry for each; their factors multiply",
                                  "is a second pattern beside '%s'", found->key);
            return NULL;
        }
        found = &PATTERNS[k];
    }
    if (found == NULL && !sherd_has_unknown_key(reader, node))
        sherd_reader_fail(reader, node, "one of noise, voronoi, paint, curve, cut, region",
                          "names no pattern");
    return found;
}

static void read_entry(sherd_scene_reader *reader, entry *e)
{
    static const weakness_key ROWS[] = {{"strength", "strength", 0}, {"stiffness", "stiffness", 0}};
    if (!READ_ROWS(reader, e->node, ROWS, PATTERN_KEYS, e)) return;
    if (sherd_key_is_missing(reader, e->node, "strength") &&
        sherd_key_is_missing(reader, e->node, "stiffness"))
        sherd_reader_fail(reader, e->node, "for example strength: 0.2",
                          "changes nothing: give a factor of strength or stiffness");
    const pattern_key *pattern = find_pattern(reader, e->node);
    if (pattern == NULL) return;
    e->def.kind = (sherd_weakness_kind)(pattern - PATTERNS);
    pattern->read(reader, sherd_node_find(e->node, pattern->key), e);
}

// The key itself, or that of a surface of a cut: cut.plane.normal.
static const sherd_node *find_within(const sherd_node *pattern, const char *key)
{
    const sherd_node *found = sherd_node_find(pattern, key);
    for (int k = 0; k < CUT_COUNT && found == NULL; ++k) {
        const sherd_node *surface = sherd_node_find(pattern, CUTS[k].key);
        bool all = surface != NULL && CUTS[k].cut == SHERD_CUT_POLYGON; // nothing but its points
        found = all ? surface : sherd_node_find(surface, key);
    }
    return found;
}

// Of a definition whose values are of the right kind, but wrong: at the key when it is there.
static void fail_made(sherd_scene_reader *reader, const entry *e, const sherd_error *error)
{
    const sherd_node *pattern = sherd_node_find(e->node, PATTERNS[e->def.kind].key),
                     *key = find_within(pattern, error->where);
    sherd_reader_fail_error(reader, key != NULL ? key : pattern, error);
}

// Makes what was read without errors, and hands it to the scene.
static sherd_weakness *make(sherd_scene_reader *reader, const entry *e)
{
    sherd_error error;
    sherd_weakness *weakness = sherd_weakness_create(&e->def, &error);
    if (weakness == NULL) {
        fail_made(reader, e, &error);
        return NULL;
    }
    sherd_scene_storage *storage = reader->scene->storage;
    sherd_weakness_link *link = sherd_arena_alloc(reader->arena, 1, sizeof *link);
    if (link == NULL) {
        sherd_weakness_destroy(weakness);
        return NULL;
    }
    *link = (sherd_weakness_link){weakness, storage->weaknesses};
    storage->weaknesses = link;
    return weakness;
}

sherd_weakness *sherd_read_wall(sherd_scene_reader *reader, const sherd_node *node,
                                uint64_t *digest)
{
    static const char *const KEYS[] = {"voronoi", "cut", NULL};
    static const sherd_weakness_kind KINDS[] = {SHERD_WEAKNESS_VORONOI, SHERD_WEAKNESS_CUT};
    int before = sherd_diagnostics_total(reader->diagnostics), found = 0;
    entry e = {.node = node, .def = sherd_weakness_def_default(), .digest = *digest};
    if (!sherd_read_keys(reader, node, NULL, 0, KEYS)) return NULL;
    for (int k = 0; k < 2; ++k) {
        const sherd_node *pattern = sherd_node_find(node, KEYS[k]);
        if (pattern == NULL || found++ > 0) continue;
        e.def.kind = KINDS[k];
        PATTERNS[KINDS[k]].read(reader, pattern, &e);
        if (e.def.wall > 0.0)
            sherd_reader_fail_key(reader, sherd_node_find(pattern, "wall"), "remove it",
                                  "has no meaning for pieces: they touch");
    }
    if (found > 1 || (found == 0 && !sherd_has_unknown_key(reader, node)))
        sherd_reader_fail(reader, node, "a list of maps with one of voronoi, cut each",
                          found == 0 ? "names nothing that cuts the body"
                                     : "has two patterns in one map");
    *digest = sherd_fields_digest(sherd_weakness_def_fields(), &e.def, e.digest);
    sherd_weakness *made =
        sherd_diagnostics_total(reader->diagnostics) == before ? make(reader, &e) : NULL;
    sherd_mesh_destroy(e.mesh);
    return made;
}

void sherd_read_weakness(sherd_scene_reader *reader, const sherd_node *body_node,
                         sherd_scene_body *body)
{
    const sherd_node *list = sherd_node_find(body_node, "weakness");
    body->weakness_digest = SHERD_HASH_START;
    if (list == NULL || !sherd_require_list(reader, list)) return;
    if (body->loose)
        sherd_reader_fail_key(reader, list, NULL, "loose granules have no bonds to weaken");
    sherd_weakness **made =
        sherd_arena_alloc(reader->arena, (size_t)list->count, sizeof(sherd_weakness *));
    if (made == NULL) return;
    int count = 0;
    for (const sherd_node *node = list->first; node != NULL; node = node->next) {
        int before = sherd_diagnostics_total(reader->diagnostics);
        entry e = {.body = body_node,
                   .node = node,
                   .shape_is_good = body->shape != NULL,
                   .def = sherd_weakness_def_default(),
                   .digest = body->weakness_digest};
        read_entry(reader, &e);
        // What it points to has been mixed in where it was read.
        body->weakness_digest = sherd_fields_digest(sherd_weakness_def_fields(), &e.def, e.digest);
        bool good = !e.reported && sherd_diagnostics_total(reader->diagnostics) == before;
        if (good) made[count] = make(reader, &e);
        if (made[count] != NULL) ++count;
        sherd_mesh_destroy(e.mesh);
    }
    body->weakness = (sherd_weakness_list){count, made};
}
