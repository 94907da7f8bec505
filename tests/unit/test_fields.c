// Rows of definitions: every member has one, what counts for physics enters the fingerprint and nothing else
// does, and docs/reference/scene*.md say what they say.
#include "base/field.h"
#include "base/hash.h"
#include "bodies/motion_eval.h"
#include "scene/read/sections.h"
#include "scene/scene_fields.h"

#include <sherd/calibrate.h>
#include <sherd/surface.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const sherd_definition *(*const DEFINITIONS[])(void) = {
    sherd_world_def_fields,        sherd_material_def_fields,    sherd_body_def_fields,
    sherd_obstacle_def_fields,     sherd_driver_def_fields,      sherd_motion_fields,
    sherd_motion_key_fields,       sherd_packing_def_fields,     sherd_yarn_def_fields,
    sherd_scene_material_fields,   sherd_scene_body_fields,      sherd_scene_obstacle_fields,
    sherd_scene_driver_fields,     sherd_scene_output_fields,    sherd_weakness_def_fields,
    sherd_surface_def_fields,      sherd_calibration_def_fields, sherd_tetra_lattice_def_fields,
    sherd_scene_camera_key_fields, sherd_scene_lamp_fields,
};
enum { DEFINITION_COUNT = sizeof DEFINITIONS / sizeof DEFINITIONS[0] };

static char *read_text(const char *path)
{
    char full[1024];
    snprintf(full, sizeof full, "%s/%s", SHERD_SOURCE_FOLDER, path);
    FILE *file = fopen(full, "rb");
    cr_assert(file != NULL, "%s", full);
    char *text = calloc(1, 1 << 20);
    cr_assert(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

// ---------------------------------------------------------------- one row is enough

typedef struct toy_def {
    uint32_t cookie;
    double stickiness;
} toy_def;

enum { TOY_MAP = 1 };
static const sherd_field TOY_FIELDS[] = {
    SHERD_FIELD(toy_def, REAL, stickiness, .quantity = SHERD_QUANTITY_STRESS, .initial = {2e6},
                .range = SHERD_ABOVE(0.0, 1e7), .hint = "of glue", .maps = TOY_MAP,
                .doc = "how much it sticks"),
};

static const sherd_definition *toy_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(toy_def, TOY_FIELDS);
    return &DEFINITION;
}

static int read_toy(const char *text, toy_def *toy, sherd_error *first)
{
    static const sherd_scene_map MAP = {"toy", {{toy_fields, TOY_MAP, 0}}};
    sherd_diagnostics diagnostics = {0};
    sherd_arena arena = {0};
    sherd_scene_reader reader = {
        .diagnostics = &diagnostics, .arena = &arena, .units = SHERD_UNITS_SI};
    sherd_node *root = sherd_node_read(&arena, text, strlen(text), "toy", true, &diagnostics);
    cr_assert(root != NULL);
    sherd_read_map(&reader, root, &MAP, NULL, toy);
    int count = diagnostics.count;
    if (count > 0) *first = diagnostics.errors[0];
    sherd_diagnostics_free(&diagnostics);
    sherd_arena_free(&arena);
    return count;
}

Test(fields, one_row_gives_default_check_scene_key_fingerprint_and_docs)
{
    toy_def toy = {0};
    sherd_error error;
    sherd_fields_set_initial(toy_fields(), &toy);
    cr_assert(eq(dbl, toy.stickiness, 2e6));
    cr_assert(sherd_fields_check(toy_fields(), &toy, "toy", &error) == SHERD_OK);
    uint64_t before = sherd_fields_digest(toy_fields(), &toy, SHERD_HASH_START);

    cr_assert(eq(int, read_toy("stickiness: 3 MPa\n", &toy, &error), 0));
    cr_assert(eq(dbl, toy.stickiness, 3e6));
    cr_assert(ne(u64, sherd_fields_digest(toy_fields(), &toy, SHERD_HASH_START), before));
    cr_assert(eq(int, read_toy("stickiness: 30 MPa\n", &toy, &error), 1));
    cr_assert(eq(str, error.what, (char *)"must be > 0 and <= 1e7 Pa, got 30 MPa"));
    cr_assert(eq(str, error.hint, (char *)"of glue"));
    cr_assert(eq(int, read_toy("stickines: 3 MPa\n", &toy, &error), 1));
    cr_assert(eq(str, error.hint, (char *)"did you mean 'stickiness'?"));

    toy.stickiness = NAN;
    cr_assert(sherd_fields_check(toy_fields(), &toy, "toy", &error) == SHERD_ERROR_INPUT);
    cr_assert(eq(str, error.where, (char *)"toy.stickiness"));
    char row[512];
    sherd_field_markdown(&TOY_FIELDS[0], row, sizeof row);
    cr_assert(
        eq(str, row,
           (char *)"- **`stickiness`** (a stress > 0 and <= 1e7 Pa; default 2e6 Pa): how much it "
                   "sticks\n"));
}

// ---------------------------------------------------------------- every member has its row

// The public headers' text, without comments.
static char *public_headers(void)
{
    static const char *const NAMES[] = {"types",   "motion",      "material", "obstacle",
                                        "driver",  "force_field", "body",     "world_def",
                                        "world",   "packing",     "yarn",     "tetra",
                                        "surface", "scene",       "weakness", "calibrate"};
    char *all = calloc(1, 1 << 21);
    size_t used = 0;
    for (size_t n = 0; n < sizeof NAMES / sizeof NAMES[0]; ++n) {
        char path[64];
        snprintf(path, sizeof path, "include/sherd/%s.h", NAMES[n]);
        char *text = read_text(path);
        for (const char *at = text; *at != '\0'; ++at) {
            if (at[0] == '/' && at[1] == '/') at += strcspn(at, "\n");
            all[used++] = *at;
        }
        free(text);
    }
    return all;
}

enum { MOST_FIELDS = 96 };
typedef struct coverage {
    const char *headers;
    const sherd_definition *definition;
    int seen[MOST_FIELDS]; // how often each row's member was found
} coverage;

static void cover_struct(coverage *c, const char *type, const char *prefix);

// One member: a row of its own, or rows for its members.
static void cover_member(coverage *c, const char *type, const char *prefix, const char *member)
{
    char name[128];
    snprintf(name, sizeof name, "%s%s", prefix, member);
    if (strcmp(name, "cookie") == 0) return;
    bool inside = false;
    for (int k = 0; k < c->definition->count; ++k) {
        const char *row = c->definition->fields[k].name;
        if (row == NULL) continue;
        if (strcmp(row, name) == 0) {
            ++c->seen[k];
            return;
        }
        size_t length = strlen(name);
        inside = inside || (strncmp(row, name, length) == 0 && row[length] == '.');
    }
    cr_assert(inside, "%s.%s has no row", c->definition->name, name);
    strcat(name, ".");
    cover_struct(c, type, name);
}

// "const double *x, *y": the type's name before the first member, then the members.
static void cover_declaration(coverage *c, const char *prefix, char *declaration)
{
    char type[128] = "", member[128];
    char *rest = NULL;
    for (char *part = strtok_r(declaration, ",", &rest); part != NULL;
         part = strtok_r(NULL, ",", &rest)) {
        part[strcspn(part, "[")] = '\0';
        char words[4][128];
        int count = 0;
        for (char *at = part; *at != '\0';) {
            at += strspn(at, " \n*");
            size_t length = strcspn(at, " \n*");
            if (length == 0) break;
            if (count < 4) snprintf(words[count++], sizeof words[0], "%.*s", (int)length, at);
            at += length;
        }
        if (count == 0) return;
        if (count > 1) snprintf(type, sizeof type, "%s", words[count - 2]);
        snprintf(member, sizeof member, "%s", words[count - 1]);
        cover_member(c, type, prefix, member);
    }
}

static void cover_struct(coverage *c, const char *type, const char *prefix)
{
    char start[160];
    snprintf(start, sizeof start, "typedef struct %s {", type);
    const char *body = strstr(c->headers, start);
    cr_assert(body != NULL, "no struct %s", type);
    body += strlen(start);
    const char *end = strchr(body, '}');
    while (body < end) {
        char declaration[512];
        size_t length = strcspn(body, ";}");
        snprintf(declaration, sizeof declaration, "%.*s", (int)length, body);
        cover_declaration(c, prefix, declaration);
        body += length + 1;
    }
}

Test(fields, every_member_has_exactly_one_row)
{
    char *headers = public_headers();
    for (int d = 0; d < DEFINITION_COUNT; ++d) {
        coverage c = {.headers = headers, .definition = DEFINITIONS[d]()};
        cr_assert(le(int, c.definition->count, MOST_FIELDS));
        cover_struct(&c, c.definition->name, "");
        for (int k = 0; k < c.definition->count; ++k) {
            const char *name = c.definition->fields[k].name;
            cr_assert(eq(int, c.seen[k], name != NULL), "%s.%s: %d members", c.definition->name,
                      name != NULL ? name : "(a key)", c.seen[k]);
        }
    }
    free(headers);
}

// ---------------------------------------------------------------- fingerprints

// Everything that has rows, once.
static const char *const RICH =
    "sherd: 1\nname: rich\nduration: 10 ms\n"
    "materials:\n"
    "  clay: {density: 2000, youngs_modulus: 50 MPa, poissons_ratio: 0.2, calibrate: true,\n"
    "    tensile_strength: 1 MPa, shear_strength: 2 MPa}\n"
    "  wool: {density: 600, youngs_modulus: 1 MPa, unbreakable: true}\n"
    "bodies:\n"
    "  - {name: block, material: clay, shape: {box: [0.1, 0.1, 0.1]}, packing: {hcp: {radius: 1 "
    "cm}}}\n"
    "  - {name: rope, material: wool, position: [1, 0, 0],\n"
    "     yarn: {rope: {radius: 1 mm, path: [[0, 0, 0], [0, 0, 1 cm]]}}}\n"
    "obstacles:\n"
    "  - {name: ball, sphere: 1, position: [0, 0, -3], motion: {table: [{time: 0 s}, {time: 1 s,\n"
    "     translation: [0, 0, 1]}]}}\n"
    "drivers:\n"
    "  - {name: pull, body: block, force: {total: [0, 0, 1], table: [[0 s, 1], [1 s, 2]]}}\n";

static sherd_scene *rich_scene(void)
{
    sherd_diagnostics diagnostics = {0};
    sherd_scene *scene = sherd_scene_parse(RICH, strlen(RICH), "rich", NULL, &diagnostics);
    cr_assert(scene != NULL, "%s: %s", diagnostics.errors[0].where, diagnostics.errors[0].what);
    return scene;
}

static void change_real(double *value)
{
    *value = isfinite(*value) && *value != 0.0 ? 1.5 * *value : 1.0;
}

// Another value in the row's member. False: it is a pointer whose target counts, or a member without effect.
static bool change_member(const sherd_field *field, void *member)
{
    switch (field->type) {
    case SHERD_FIELD_REAL:
    case SHERD_FIELD_VECTOR:
    case SHERD_FIELD_COLOR:
    case SHERD_FIELD_ROTATION:
        change_real(member);
        return true;
    case SHERD_FIELD_INT:
    case SHERD_FIELD_CHOICE:
        *(int *)member += *(int *)member > 0 ? -1 : 1; // counts become less: lists end
        return true;
    case SHERD_FIELD_INT64:
    case SHERD_FIELD_UINT64:
        *(int64_t *)member += 1;
        return true;
    case SHERD_FIELD_BOOLEAN:
        *(bool *)member = !*(bool *)member;
        return true;
    case SHERD_FIELD_NAME:
    case SHERD_FIELD_TEXT:
        *(const char **)member = "another";
        return true;
    case SHERD_FIELD_OTHER:
        break;
    }
    return false;
}

// Something in what an OTHER row covers.
static bool change_other(const char *name, void *member)
{
    if (strcmp(name, "yarn") == 0)
        change_real(&((sherd_yarn_def *)member)->spacing);
    else if (strcmp(name, "packing") == 0)
        change_real(&((sherd_packing_def *)member)->radius);
    else if (strcmp(name, "motion") == 0)
        change_real(&((sherd_motion *)member)->velocity.x);
    else if (strcmp(name, "keys") == 0)
        change_real(&(*(sherd_motion_key **)member)[1].time);
    else if (strcmp(name, "free_axes") == 0)
        ((bool *)member)[1] = !((bool *)member)[1];
    else if (strcmp(name, "rope.path") == 0)
        change_real(&(*(sherd_vec3 **)member)[1].z);
    else if (strncmp(name, "force_", 6) == 0)
        change_real(&(*(double **)member)[1]);
    else
        return false;
    return true;
}

static bool change_def(const sherd_definition *definition, void *member)
{
    if (strcmp(definition->name, "sherd_scene_obstacle") == 0)
        change_real(&((sherd_obstacle_def *)member)->density);
    else if (strcmp(definition->name, "sherd_scene_driver") == 0)
        change_real(&((sherd_driver_def *)member)->force.x);
    else
        return false;
    return true;
}

static bool change_row(const sherd_definition *definition, const sherd_field *field, void *member)
{
    if (change_member(field, member)) return true;
    if (strcmp(field->name, "def") == 0) return change_def(definition, member);
    return change_other(field->name, member);
}

static void check_row(const sherd_definition *definition, int row, size_t offset)
{
    const sherd_field *field = &definition->fields[row];
    sherd_scene *scene = rich_scene(); // afresh: changes reach into lists
    char *bases[] = {(char *)&scene->world,
                     (char *)&scene->output,
                     (char *)scene->materials,
                     (char *)&scene->materials[0].def,
                     (char *)scene->bodies,
                     (char *)&scene->bodies[0].packing,
                     (char *)&scene->bodies[1].yarn,
                     (char *)scene->obstacles,
                     (char *)&scene->obstacles[0].def,
                     (char *)&scene->obstacles[0].def.motion,
                     (char *)(scene->obstacles[0].def.motion.keys + 1),
                     (char *)scene->drivers,
                     (char *)&scene->drivers[0].def};
    bool is_yarn =
        strcmp(definition->name, "sherd_scene_body") == 0 && strcmp(field->name, "yarn") == 0;
    char *base = is_yarn ? (char *)&scene->bodies[1] : bases[offset];
    bool physics = (field->flags & SHERD_FIELD_NOT_PHYSICS) == 0;
    bool changed = change_row(definition, field, base + field->offset);
    cr_assert(changed || !physics, "%s.%s: the test knows no other value", definition->name,
              field->name);
    bool differs = sherd_scene_physics_digest(scene) != scene->digest;
    cr_assert(eq(int, differs, changed &&physics), "%s.%s %s the digest", definition->name,
              field->name, differs ? "changes" : "does not change");
    sherd_scene_destroy(scene);
}

Test(fields, what_counts_for_physics_and_nothing_else_enters_the_digest, .timeout = 120)
{
    // In the order of `bases`.
    static const sherd_definition *(*const PARTS[])(void) = {
        sherd_world_def_fields,    sherd_scene_output_fields,   sherd_scene_material_fields,
        sherd_material_def_fields, sherd_scene_body_fields,     sherd_packing_def_fields,
        sherd_yarn_def_fields,     sherd_scene_obstacle_fields, sherd_obstacle_def_fields,
        sherd_motion_fields,       sherd_motion_key_fields,     sherd_scene_driver_fields,
        sherd_driver_def_fields,
    };
    for (size_t p = 0; p < sizeof PARTS / sizeof PARTS[0]; ++p)
        for (int k = 0; k < PARTS[p]()->count; ++k)
            if (PARTS[p]()->fields[k].name != NULL) check_row(PARTS[p](), k, p);
}

// Scenes keep the fingerprints of weaknesses, not their definitions.
Test(fields, every_value_of_a_weakness_enters_its_fingerprint)
{
    const sherd_definition *d = sherd_weakness_def_fields();
    const sherd_weakness_def usual = sherd_weakness_def_default();
    uint64_t before = sherd_fields_digest(d, &usual, SHERD_HASH_START);
    for (int k = 0; k < d->count; ++k) {
        sherd_weakness_def def = usual;
        bool changed = change_member(&d->fields[k], (char *)&def + d->fields[k].offset);
        bool differs = sherd_fields_digest(d, &def, SHERD_HASH_START) != before;
        cr_assert(eq(int, changed, d->fields[k].type != SHERD_FIELD_OTHER));
        cr_assert(eq(int, differs, changed), "%s", d->fields[k].name);
    }
}

// Runs are resumed where fingerprints are the same: rows keep their order.
Test(fields, the_fingerprint_of_a_weakness_stays_what_it_was)
{
    sherd_weakness_def def = sherd_weakness_def_default();
    def.strength = 2.0, def.stiffness = 3.0, def.size = 4.0, def.share = 5.0, def.contrast = 6.0;
    def.stretch = (sherd_vec3){7.0, 8.0, 9.0};
    def.irregularity = 10.0, def.warp = 11.0, def.wall = 12.0, def.depth = 13.0;
    def.along = (sherd_vec3){14.0, 15.0, 16.0};
    def.radius = 17.0, def.falloff = 18.0;
    def.point = (sherd_vec3){19.0, 20.0, 21.0}, def.normal = (sherd_vec3){22.0, 23.0, 24.0};
    def.kind = SHERD_WEAKNESS_REGION, def.seed = 6, def.octaves = 7;
    def.channel = SHERD_PAINT_MEAN, def.invert = true, def.cut = SHERD_CUT_POLYGON;
    def.point_count = 8;
    double numbers[23];
    for (int k = 0; k < 23; ++k)
        numbers[k] = k + 2;
    const int64_t choices[] = {5, 6, 7, 3, 1, 2, 8};
    uint64_t was = sherd_hash_bytes(SHERD_HASH_START, numbers, sizeof numbers);
    was = sherd_hash_bytes(was, choices, sizeof choices);
    cr_assert(
        eq(u64, sherd_fields_digest(sherd_weakness_def_fields(), &def, SHERD_HASH_START), was));
}

Test(fields, calibration_bonds_as_far_as_bodies_do)
{
    cr_assert(
        eq(dbl, sherd_calibration_def_default().bond_reach, sherd_body_def_default().bond_reach));
}

// ---------------------------------------------------------------- docs/reference/scene*.md

// A table of the document: rows that stand in any of the maps, but for those that stand in all of `but`.
typedef struct doc_table {
    const char *name;
    const sherd_scene_map *map;
    unsigned any, but;
} doc_table;

#define YARNS (SHERD_MAP_ROPE | SHERD_MAP_WOVEN | SHERD_MAP_KNITTED)
static const sherd_scene_map PACKING = {"packing", {{sherd_packing_def_fields, 0, 0}}};
static const sherd_scene_map YARN = {"yarn", {{sherd_yarn_def_fields, 0, 0}}};

static const doc_table TABLES[] = {
    {"scene", &sherd_map_scene, SHERD_MAP_SCENE, 0},
    {"material", &sherd_map_material, SHERD_MAP_MATERIAL, 0},
    {"grain", &sherd_map_grain, SHERD_MAP_GRAIN, 0},
    {"body", &sherd_map_body, SHERD_MAP_BODY, 0},
    {"lattices", &PACKING, SHERD_MAP_HCP | SHERD_MAP_LAYERS | SHERD_MAP_CUBIC, 0},
    {"random", &PACKING, SHERD_MAP_RANDOM, 0},
    {"points", &PACKING, SHERD_MAP_POINTS, 0},
    {"tetra", &PACKING, SHERD_MAP_TETRA, 0},
    {"rope", &YARN, SHERD_MAP_ROPE, YARNS},
    {"woven", &YARN, SHERD_MAP_WOVEN, YARNS},
    {"knitted", &YARN, SHERD_MAP_KNITTED, YARNS},
    {"yarn", &YARN, 0, 0},
    {"obstacle", &sherd_map_obstacle, SHERD_MAP_OBSTACLE, 0},
    {"free", &sherd_map_free, SHERD_MAP_FREE, 0},
    {"motion", &sherd_map_motion, SHERD_MAP_MOTION, 0},
    {"driver", &sherd_map_driver, SHERD_MAP_DRIVER, 0},
    {"wind", &sherd_map_wind, SHERD_MAP_WIND, 0},
    {"blast", &sherd_map_blast, SHERD_MAP_BLAST, 0},
    {"pressure", &sherd_map_pressure, SHERD_MAP_PRESSURE, 0},
    {"output", &sherd_map_output, SHERD_MAP_OUTPUT, 0},
    {"surface", &sherd_map_surface, SHERD_MAP_SURFACE, 0},
    {"roughness", &sherd_map_roughness, SHERD_MAP_ROUGHNESS, 0},
    {"dust", &sherd_map_dust, SHERD_MAP_DUST, 0},
    {"debris", &sherd_map_debris, SHERD_MAP_DEBRIS, 0},
    {"render", &sherd_map_render, SHERD_MAP_RENDER, 0},
    {"camera", &sherd_map_camera, SHERD_MAP_CAMERA, 0},
    {"clip", &sherd_map_clip, SHERD_MAP_CLIP, 0},
    {"camera_key", &sherd_map_camera_key, SHERD_MAP_CAMERA_KEY, 0},
    {"sky", &sherd_map_sky, SHERD_MAP_SKY, 0},
    {"lamp", &sherd_map_lamp, SHERD_MAP_LAMP, 0},
    {"appearance", &sherd_map_appearance, SHERD_MAP_APPEARANCE, 0},
    {"inner", &sherd_map_inner, SHERD_MAP_INNER, 0},
    {"solver", &sherd_map_solver, SHERD_MAP_SOLVER, 0},
};
enum { TABLE_COUNT = sizeof TABLES / sizeof TABLES[0] };

static bool is_in_table(const doc_table *table, const sherd_field *field)
{
    if (table->any == 0) return (field->maps & YARNS) == YARNS;
    return (field->maps & table->any) != 0 &&
           (table->but == 0 || (field->maps & table->but) != table->but);
}

static size_t print_table(const doc_table *table, char *to, size_t size)
{
    size_t used = 0;
    for (int p = 0; p < 2 && table->map->parts[p].definition != NULL; ++p) {
        const sherd_definition *d = table->map->parts[p].definition();
        for (int k = 0; k < d->count; ++k) {
            if (!is_in_table(table, &d->fields[k])) continue;
            cr_assert(d->fields[k].doc != NULL, "%s", sherd_field_key(&d->fields[k]));
            sherd_field_markdown(&d->fields[k], to + used, size - used);
            used += strlen(to + used);
        }
    }
    return used;
}

// The page with the lists that there are now, between <!-- table: NAME --> and <!-- end -->; counts them.
static char *with_tables(const char *text, int *found)
{
    char *out = calloc(1, 1 << 21);
    size_t used = 0, size = 1 << 21;
    for (const char *at = text; *at != '\0';) {
        char name[32];
        const char *line_end = at + strcspn(at, "\n") + 1;
        used += (size_t)snprintf(out + used, size - used, "%.*s", (int)(line_end - at), at);
        bool begins = sscanf(at, "<!-- table: %31s -->", name) == 1;
        at = line_end;
        for (int t = 0; begins && t < TABLE_COUNT; ++t) {
            if (strcmp(TABLES[t].name, name) != 0) continue;
            used += (size_t)snprintf(out + used, size - used, "\n");
            used += print_table(&TABLES[t], out + used, size - used);
            used += (size_t)snprintf(out + used, size - used, "\n");
            at = strstr(at, "<!-- end -->");
            cr_assert(at != NULL, "%s does not end", name);
            ++*found;
        }
    }
    return out;
}

Test(fields, lists_of_the_reference_are_up_to_date)
{
    static const char *const PAGES[] = {
        "scene",           "scene-materials", "scene-bodies", "scene-yarns",
        "scene-obstacles", "scene-output",    "scene-solver",
    };
    int found = 0;
    for (size_t p = 0; p < sizeof PAGES / sizeof PAGES[0]; ++p) {
        char path[256];
        snprintf(path, sizeof path, "docs/reference/%s.md", PAGES[p]);
        char *text = read_text(path), *wanted = with_tables(text, &found);
        if (getenv("SHERD_WRITE_DOCS") != NULL) {
            snprintf(path, sizeof path, SHERD_SOURCE_FOLDER "/docs/reference/%s.md", PAGES[p]);
            FILE *file = fopen(path, "wb");
            cr_assert(file != NULL && fputs(wanted, file) >= 0);
            fclose(file);
        } else {
            cr_assert(strcmp(text, wanted) == 0,
                      "%s: write the lists anew with SHERD_WRITE_DOCS=1 test_fields", path);
        }
        free(wanted);
        free(text);
    }
    cr_assert(eq(int, found, TABLE_COUNT));
}
