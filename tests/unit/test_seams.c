// Parts of unions that only touch are found, others not; the warning says where.
#include <sherd/run.h>
#include <sherd/scene.h>
#include <sherd/world.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

static sherd_scene *parse(const char *shape, const char *more)
{
    char text[2048];
    snprintf(text, sizeof text,
             "sherd: 1\nname: seams\nduration: 1 ms\nunits: {length: mm}\n"
             "materials: {it: {like: plaster}}\n"
             "bodies:\n  - {name: first, material: it, position: [900, 0, 0],\n"
             "     shape: {box: [5, 5, 5]}, packing: {hcp: {radius: 2}}}\n"
             "  - name: b\n    shape: %s\n    %s\n"
             "obstacles:\n  - name: o\n    position: [0, 0, -500]\n"
             "    union: [{box: [5, 5, 5]}, {box: [5, 5, 5], position: [5, 0, 0]}]\n",
             shape, more);
    sherd_diagnostics diagnostics = {0};
    sherd_scene *scene = sherd_scene_parse(text, strlen(text), "s", NULL, &diagnostics);
    cr_assert(scene != NULL, "%s: %s: %s", shape, diagnostics.errors[0].where,
              diagnostics.errors[0].what);
    return scene;
}

static const char LATTICE[] = "material: it\n    packing: {hcp: {radius: 2}}";

static int count(const char *shape)
{
    sherd_scene *scene = parse(shape, LATTICE);
    int seams = scene->seam_count;
    for (int k = 0; k < seams; ++k)
        cr_assert(eq(int, scene->seams[k].body, 1));
    sherd_scene_destroy(scene);
    return seams;
}

// All of parts of 30 x 30 x 10 mm and other ones.
#define PLATE "{box: [30, 30, 10]}"
#define PLATE_AT(where) "{box: [30, 30, 10], position: " where "}"
#define POST_AT(where) "{box: [10, 10, 20], position: " where "}"

Test(seams, parts_that_only_touch_are_found)
{
    cr_assert(eq(int, count("{union: [" PLATE ", " POST_AT("[0, 0, 15]") "]}"), 1));
    cr_assert(eq(int, count("{union: [" PLATE ", " PLATE_AT("[30, 3, 2]") "]}"), 1));
    // Along an edge, in a point, rounded, turned together by 45 degrees.
    cr_assert(eq(int, count("{union: [" PLATE ", " PLATE_AT("[30, 30, 0]") "]}"), 1));
    cr_assert(eq(int, count("{union: [{sphere: 10}, {sphere: 10, position: [20, 0, 0]}]}"), 1));
    cr_assert(eq(int, count("{union: [" PLATE ", " POST_AT("[0, 0, 15.004]") "]}"), 1));
    cr_assert(
        eq(int,
           count("{union: [{box: [30, 30, 10], rotation: [0, 45 deg, 0]}, {box: [30, 30, 10], "
                 "position: [7.07107, 0, 7.07107], rotation: [0, 45 deg, 0]}]}"),
           1));
    // Inside others; each of two seams.
    cr_assert(eq(int,
                 count("{difference: [{union: [" PLATE ", " POST_AT("[0, 0, 15]") "]}, "
                                                                                  "{sphere: 3}]}"),
                 1));
    cr_assert(eq(
        int, count("{union: [" PLATE ", " POST_AT("[0, 0, 15]") ", " POST_AT("[0, 0, -15]") "]}"),
        2));
}

Test(seams, parts_that_are_joined_or_apart_are_none)
{
    cr_assert(eq(int, count("{union: [" PLATE ", " POST_AT("[0, 0, 14]") "]}"), 0));
    cr_assert(eq(int, count("{union: [" PLATE ", " POST_AT("[0, 0, 25]") "]}"), 0));
    cr_assert(eq(int, count("{union: [" PLATE ", " PLATE_AT("[3, 0, 0.1]") "]}"), 0));
    cr_assert(eq(int, count("{union: [" PLATE ", " PLATE "]}"), 0));
    cr_assert(eq(int, count("{union: [" PLATE ", {box: [1, 1, 300]}]}"), 0), "a thin needle");
    cr_assert(eq(int, count("{union: [" PLATE ", {sphere: 2, position: [14, 14, 6]}]}"), 0));
    // A dowel joins what only touches.
    cr_assert(eq(int,
                 count("{union: [" PLATE
                       ", " POST_AT("[0, 0, 15]") ", {cylinder: {radius: 3, height: 25}}]}"),
                 0));
    // What is cut away has no bonds.
    cr_assert(eq(int,
                 count("{difference: [" PLATE
                       ", {union: [" POST_AT("[0, 0, 0]") ", " POST_AT("[10, 0, 0]") "]}]}"),
                 0));
}

Test(seams, many_parts_are_looked_at_in_time)
{
    static char shape[2048];
    size_t used = (size_t)snprintf(shape, sizeof shape, "{union: [");
    for (int k = 0; k < 30; ++k)
        used +=
            (size_t)snprintf(shape + used, sizeof shape - used,
                             "%s{box: [5, 5, 5], position: [%d, 0, 0]}", k > 0 ? ", " : "", 5 * k);
    snprintf(shape + used, sizeof shape - used, "]}");
    cr_assert(eq(int, count(shape), 29));
}

static void note(void *context, const sherd_message *message)
{
    char *to = context;
    if (strstr(message->what, "only touches") == NULL) return;
    snprintf(to + strlen(to), 1024 - strlen(to), "%s|%s|%s;", message->where, message->what,
             message->hint);
}

static void told(const char *more, char text[1024])
{
    sherd_scene *scene = parse("{union: [" PLATE ", " POST_AT("[0, 0, 15]") "]}", more);
    sherd_scene_build build = {0};
    sherd_error error;
    sherd_world *world = sherd_scene_create_world(scene, 1, &build, &error);
    cr_assert(world != NULL, "%s", error.what);
    double limit = sherd_world_stable_time_step(world, &error);
    sherd_step_plan plan = sherd_step_plan_make(scene, limit);
    text[0] = '\0';
    sherd_scene_tell_warnings(scene, &build, &plan, note, text);
    sherd_world_destroy(world);
    sherd_scene_build_free(&build);
    sherd_scene_destroy(scene);
}

Test(seams, the_warning_says_where_and_what_to_do)
{
    char text[1024];
    told(LATTICE, text);
    cr_assert(strstr(text, "s:10:") == text, "%s", text);
    cr_assert(strstr(text, "bodies.b.shape.union.1|this part of the shape of body 'b'") != NULL,
              "%s", text);
    cr_assert(strstr(text, "only touches part 0") != NULL && strstr(text, ", 0.005) m") != NULL);
    cr_assert(strstr(text, "|let parts overlap by the radius") != NULL);
    // Tetrahedra are bonded across such faces, loose grains are not bonded anyhow.
    told("material: it\n    packing: {tetra: {size: 5}}", text);
    cr_assert(eq(str, text, (char *)""));
    told("loose: true\n    material: it\n    packing: {hcp: {radius: 2}}", text);
    cr_assert(eq(str, text, (char *)""));
}
