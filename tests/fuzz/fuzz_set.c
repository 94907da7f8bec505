// --set: each line of the input is a setting, of a scene with a variant. What is read must come back
// the same when the same settings are given again.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static const char SCENE[] =
    "sherd: 1\n"
    "name: fuzz\n"
    "duration: 2 ms\n"
    "materials:\n"
    "  clay: {density: 2000, youngs_modulus: 50 MPa, tensile_strength: 0.2 MPa, shear_strength: "
    "0.3 MPa}\n"
    "bodies:\n"
    "  - {name: slab, shape: {box: [6 mm, 6 mm, 4 mm]}, packing: {hcp: {radius: 1 mm}}, material: "
    "clay}\n"
    "obstacles:\n"
    "  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
    "variants: {fast: {duration: 1 ms, bodies.slab.velocity: [0, 0, -1]}}\n";

enum { MAX_SETTINGS = 100 };

static sherd_scene *parse(int count, const char *const *settings)
{
    sherd_diagnostics diagnostics = {0};
    sherd_scene_options options = {"fast", count, settings};
    sherd_scene *scene =
        sherd_scene_parse(SCENE, strlen(SCENE), "fuzz.yaml", &options, &diagnostics);
    if ((scene == NULL) != (diagnostics.count > 0)) abort(); // an error, or a scene
    sherd_diagnostics_free(&diagnostics);
    return scene;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1), *rest = text;
    if (text == NULL) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    const char *settings[MAX_SETTINGS];
    int count = 0;
    while (rest != NULL && count < MAX_SETTINGS)
        settings[count++] = strsep(&rest, "\n");
    sherd_scene *scene = parse(count, settings);
    if (scene != NULL) {
        sherd_scene *again = parse(scene->override_count, scene->overrides);
        if (again == NULL || again->digest != scene->digest) abort();
        sherd_scene_destroy(again);
    }
    sherd_scene_destroy(scene);
    free(text);
    return 0;
}
