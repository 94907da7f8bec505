#include "shell/new_scene.h"

#include <sherd/material_library.h>

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- materials

// Brittle solids are scaled, as in scenes/plate.yaml.
#define SOFTENED                                                                                   \
    "    # Softer, for longer steps; the same speeds break it. 1: real; `sherd check` says "       \
    "more.\n"
#define SCATTER                                                                                    \
    "    weibull_modulus: 10 # strengths scatter; smaller: more\n"                                 \
    "    seed: 1             # another number, other cracks\n"

static const new_material CERAMIC = {
    "ceramic", "    density: 2600\n"
               "    youngs_modulus: 62.5 GPa\n" SOFTENED "    stiffness_scale: 0.0016\n"
               "    poissons_ratio: 0.25\n"
               "    tensile_strength: 40 MPa\n"
               "    shear_strength: 50 MPa\n" SCATTER "    friction: 0.3\n"
               "    restitution: 0.5\n"
               "    color: [0.90, 0.88, 0.84]\n"};
static const new_material GLASS = {
    "glass", "    density: 2500\n"
             "    youngs_modulus: 62.5 GPa\n" SOFTENED "    stiffness_scale: 0.0016\n"
             "    poissons_ratio: 0.22\n"
             "    tensile_strength: 25 MPa\n"
             "    shear_strength: 35 MPa\n" SCATTER "    friction: 0.2\n"
             "    restitution: 0.6\n"
             "    color: [0.62, 0.80, 0.78]\n"};
static const new_material PLASTER = {
    "plaster", "    density: 1300\n"
               "    youngs_modulus: 6 GPa\n" SOFTENED "    stiffness_scale: 0.01\n"
               "    poissons_ratio: 0.2\n"
               "    tensile_strength: 4 MPa\n"
               "    shear_strength: 5 MPa\n" SCATTER "    friction: 0.5\n"
               "    restitution: 0.3\n"
               "    color: [0.92, 0.89, 0.82]\n"};
static const new_material RUBBER = {"rubber", "    density: 1000\n"
                                              "    youngs_modulus: 5 MPa\n"
                                              "    shear_modulus: 2 MPa\n"
                                              "    unbreakable: true\n"
                                              "    bond_damping: 0.1\n"
                                              "    friction: 0.6\n"
                                              "    color: [0.72, 0.20, 0.16]\n"};
static const new_material COTTON = {"cotton",
                                    "    density: 800\n"
                                    "    youngs_modulus: 10 MPa\n"
                                    "    tensile_strength: 1.2 MPa\n"
                                    "    shear_strength: 4 MPa\n"
                                    "    weibull_modulus: 6 # so that yarns snap one by one\n"
                                    "    bond_damping: 0.1\n"
                                    "    friction: 0.5 # all that holds the yarns together\n"
                                    "    restitution: 0.2\n"
                                    "    color: [0.36, 0.52, 0.70]\n"};
static const new_material WOOL = {"wool", "    density: 600\n"
                                          "    youngs_modulus: 5 MPa\n"
                                          "    tensile_strength: 0.8 MPa\n"
                                          "    shear_strength: 3 MPa\n"
                                          "    weibull_modulus: 6 # so that yarns snap one by one\n"
                                          "    bond_damping: 0.1\n"
                                          "    friction: 0.4 # all that holds the yarns together\n"
                                          "    restitution: 0.2\n"
                                          "    color: [0.70, 0.22, 0.24]\n"};
static const new_material JELLY = {"jelly", "    model: neo_hookean\n"
                                            "    density: 1000\n"
                                            "    youngs_modulus: 20 kPa\n"
                                            "    poissons_ratio: 0.4\n"
                                            "    friction: 0.3\n"
                                            "    color: [0.80, 0.16, 0.22]\n"};
static const new_material SAND = {
    "sand", "    model: sand\n"
            "    density: 1600\n"
            "    youngs_modulus: 100 kPa # softer than sand is, for longer time steps\n"
            "    poissons_ratio: 0.2\n"
            "    friction_angle: 30 deg\n"
            "    friction: 0.4\n"
            "    color: [0.80, 0.64, 0.38]\n"};
static const new_material WATER = {
    "water", "    model: fluid\n"
             "    density: 1000\n"
             "    bulk_modulus: 100 kPa # softer than water is, for longer time steps\n"
             "    color: [0.24, 0.46, 0.72]\n"};

// ---------------------------------------------------------------- kinds

#define FLOOR                                                                                      \
    "\n"                                                                                           \
    "obstacles:\n"                                                                                 \
    "  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: 0.4}\n"

static const new_kind KINDS[] = {
    {"plate",
     "A round plate falls tilted onto a hard floor.",
     {"2.2 mm", "1.6 mm", "1.1 mm"},
     {&CERAMIC, &GLASS, &PLASTER},
     true,
     false,
     "{position: [0.26, -0.32, 0.20], target: [0, 0, 0.015], fov: 26 deg}",
     "duration: 10 ms\n",
     "1 kHz",
     "  - name: plate\n"
     "    shape: {cylinder: {radius: 60 mm, height: 8 mm}}\n"
     "    packing: {hcp: {radius: @size@}} # half of it: eight times as many elements\n"
     "    material: @material@\n"
     "    # Its rim starts 2 mm above the floor, at the speed of a fall from 0.8 m.\n"
     "    position: [0, 0, 21.5 mm]\n"
     "    rotation: [15 deg, 0, 0]\n"
     "    velocity: [0, 0, -4 m/s]\n" FLOOR},
    {"ball",
     "A ball hits a hard floor.",
     {"3 mm", "2.2 mm", "1.6 mm"},
     {&GLASS, &CERAMIC, &PLASTER, &RUBBER},
     true,
     false,
     "{position: [0.20, -0.28, 0.14], target: [0, 0, 0.025], fov: 28 deg}",
     "duration: 10 ms\n",
     "1 kHz",
     "  - name: ball\n"
     "    shape: {sphere: 30 mm}\n"
     "    packing: {hcp: {radius: @size@}} # half of it: eight times as many elements\n"
     "    material: @material@\n"
     "    # It starts 1 mm above the floor, at the speed of a fall from 3 m.\n"
     "    position: [0, 0, 31 mm]\n"
     "    velocity: [0, 0, -8 m/s]\n" FLOOR},
    {"beam",
     "A beam is held at one end and twisted at the other.",
     {"1.8 mm", "1.5 mm", "1.2 mm"},
     {&CERAMIC, &GLASS, &PLASTER, &RUBBER},
     true,
     false,
     "{position: [0.10, -0.28, 0.12], target: [0, 0, -0.01], fov: 30 deg}",
     "duration: 15 ms\ngravity: [0, 0, 0]\n",
     "1 kHz",
     "  - name: beam\n"
     "    shape: {box: [120 mm, 20 mm, 20 mm]}\n"
     "    packing: {hcp: {radius: @size@}} # half of it: eight times as many elements\n"
     "    material: @material@\n"
     "\n"
     "# What lies in a region is driven.\n"
     "drivers:\n"
     "  - name: clamp\n"
     "    body: beam\n"
     "    region: {box: [20 mm, 40 mm, 40 mm], position: [-60 mm, 0, 0]}\n"
     "    hold: true\n"
     "  - name: chuck\n"
     "    body: beam\n"
     "    region: {box: [20 mm, 40 mm, 40 mm], position: [60 mm, 0, 0]}\n"
     "    motion: {angular_velocity: [40 rad/s, 0, 0], pivot: [60 mm, 0, 0]}\n"
     "\n"
     "# To see it against; nothing touches it.\n"
     "obstacles:\n"
     "  - {name: floor, plane: {point: [0, 0, -40 mm], normal: [0, 0, 1]}}\n"},
    {"cloth",
     "A strip of woven cloth is torn by pulling at its ends.",
     {"8", "12", "16"},
     {&COTTON, &WOOL},
     false,
     false,
     "{position: [28 mm, -84 mm, 66 mm], target: [0, 0, -2 mm], fov: 38 deg}",
     "duration: 50 ms\ngravity: [0, 0, 0]\n",
     "200",
     "  - name: cloth\n"
     "    # Yarns along the strip (warp) and across it (weft).\n"
     "    yarn: {woven: {radius: 0.5 mm, warp: @size@, weft: 24, warp_distance: 2.4 mm, "
     "weft_distance: 2.4 mm}}\n"
     "    material: @material@\n"
     "\n"
     "# What lies in a region is driven.\n"
     "drivers:\n"
     "  - name: left\n"
     "    body: cloth\n"
     "    region: {box: [80 mm, 8 mm, 20 mm], position: [0, -29 mm, 0]}\n"
     "    motion: {velocity: [0, -0.2 m/s, 0]}\n"
     "  - name: right\n"
     "    body: cloth\n"
     "    region: {box: [80 mm, 8 mm, 20 mm], position: [0, 29 mm, 0]}\n"
     "    motion: {velocity: [0, 0.2 m/s, 0]}\n"
     "\n"
     "# To see it against; nothing touches it.\n"
     "obstacles:\n"
     "  - {name: table, plane: {point: [0, 0, -14 mm], normal: [0, 0, 1]}}\n"},
    {"points",
     "A column of what is soft or flows, as material points, is let go on a floor.",
     {"6 mm", "4.5 mm", "3.5 mm"},
     {&SAND, &JELLY, &WATER},
     false,
     true,
     "{position: [0.30, -0.42, 0.22], target: [0, 0, 0.03], fov: 36 deg}",
     "duration: 0.4 s\n",
     "30",
     "  - name: column\n"
     "    shape: {cylinder: {radius: 5 cm, height: 6 cm}}\n"
     "    packing: {points: {spacing: @size@}} # half of it: eight times as many points\n"
     "    material: @material@\n"
     "    position: [0, 0, 3 cm]\n" FLOOR},
};

enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

const char *const NEW_DETAIL_WORDS[NEW_DETAILS] = {"coarse", "medium", "fine"};

// ---------------------------------------------------------------- names

const new_kind *new_kind_find(const char *name)
{
    for (int k = 0; k < KIND_COUNT; ++k)
        if (strcmp(KINDS[k].name, name) == 0) return &KINDS[k];
    return NULL;
}

static const new_material *own_material(const new_kind *kind, const char *name)
{
    for (int k = 0; k < NEW_MATERIALS && kind->materials[k] != NULL; ++k)
        if (strcmp(kind->materials[k]->name, name) == 0) return kind->materials[k];
    return NULL;
}

static bool suits(const new_kind *kind, const sherd_material_figures *figures)
{
    return figures->model == SHERD_SOLID_MODEL_BONDED ? kind->bonded : kind->points;
}

// For a material of the library one line suffices, `like: NAME`.
static const char LIKE[] =
    "    # Real figures of the library: sherd materials @material@ shows them.\n"
    "    # Stiff solids have short time steps; more keys go here, e.g. "
    "youngs_modulus: 1 GPa\n"
    "    like: @material@\n";

bool new_material_find(const new_kind *kind, const char *name, new_material *material)
{
    const new_material *own = own_material(kind, name);
    const sherd_material_figures *figures = sherd_material_library_find(name);
    if (own == NULL && (figures == NULL || !suits(kind, figures))) return false;
    *material = own != NULL ? *own : (new_material){figures->name, LIKE};
    return true;
}

int new_detail_find(const char *name)
{
    for (int k = 0; k < NEW_DETAILS; ++k)
        if (strcmp(NEW_DETAIL_WORDS[k], name) == 0) return k;
    return -1;
}

static void add_word(char text[NEW_WORDS], const char *word)
{
    size_t used = strlen(text);
    snprintf(text + used, NEW_WORDS - used, "%s%s", used > 0 ? ", " : "", word);
}

const char *new_kind_words(char text[NEW_WORDS])
{
    text[0] = '\0';
    for (int k = 0; k < KIND_COUNT; ++k)
        add_word(text, KINDS[k].name);
    return text;
}

const char *new_material_words(const new_kind *kind, char text[NEW_WORDS])
{
    text[0] = '\0';
    for (int k = 0; k < NEW_MATERIALS && kind->materials[k] != NULL; ++k)
        add_word(text, kind->materials[k]->name);
    for (int k = 0; k < sherd_material_library_count(); ++k) {
        const sherd_material_figures *figures = sherd_material_library_at(k);
        if (suits(kind, figures) && own_material(kind, figures->name) == NULL)
            add_word(text, figures->name);
    }
    return text;
}

// ---------------------------------------------------------------- the text

typedef struct replacement {
    const char *mark, *text;
} replacement;

// Replaces every placeholder; `replacements` ends with a NULL mark.
static bool expand(const char *source, const replacement *replacements, char text[NEW_TEXT])
{
    size_t used = 0;
    while (*source != '\0' && used + 1 < NEW_TEXT) {
        const replacement *r = replacements;
        while (r->mark != NULL && strncmp(source, r->mark, strlen(r->mark)) != 0)
            ++r;
        if (r->mark == NULL) {
            text[used++] = *source++;
            continue;
        }
        int length = snprintf(text + used, NEW_TEXT - used, "%s", r->text);
        used += (size_t)length;
        source += strlen(r->mark);
    }
    if (used >= NEW_TEXT) used = NEW_TEXT - 1;
    text[used] = '\0';
    return *source == '\0' && used + 1 < NEW_TEXT;
}

bool new_scene_text(const new_kind *kind, const new_material *material, int detail,
                    const char *name, char text[NEW_TEXT])
{
    char source[NEW_TEXT];
    int length =
        snprintf(source, sizeof source,
                 "# %s\n#\n"
                 "#     sherd check %s.yaml    elements, memory, time that it takes\n"
                 "#     sherd run %s.yaml      pictures, video, meshes and a report into out/%s\n"
                 "#     sherd view %s.yaml     in the browser\n"
                 "#\n"
                 "# Numbers without a unit are of SI. More keys and what they mean: "
                 "docs/reference/scene.md.\n"
                 "sherd: 1\nname: %s\n%s@output@\nmaterials:\n  %s:\n%s\nbodies:\n%s",
                 kind->about, name, name, name, name, name, kind->time, material->name,
                 material->keys, kind->rest);
    char output[512];
    snprintf(output, sizeof output,
             "output:\n"
             "  frame_rate: %s\n"
             "  meshes: [glb] # also usd, ply, vtk, html\n"
             "  render:\n"
             "    width: 480\n    height: 270\n"
             "    samples: 4 # of a pixel; more: finer and slower\n"
             "    camera: %s\n",
             kind->rate, kind->camera);
    const replacement replacements[] = {{"@output@", output},
                                        {"@size@", kind->sizes[detail]},
                                        {"@material@", material->name},
                                        {NULL, NULL}};
    return length > 0 && length < NEW_TEXT && expand(source, replacements, text);
}
