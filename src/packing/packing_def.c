// The fields of a packing definition, one row for each.
#include "packing/packing_def.h"

#include "base/error.h"
#include "base/field.h"

#include <math.h>
#include <stddef.h>

static const uint32_t COOKIE = 0x5041434b; // "PACK"

static const char *const KINDS[] = {"hcp",   "layers", "cubic",  "random",
                                    "tetra", "shell",  "points", NULL};
static const char *const ORIENTATIONS[] = {"auto", "axes", NULL};
static const char *const SIZES[] = {"radius", "volume", NULL};
static const char *const MODELS[] = {"bonded", "fem", NULL};
static const char *const GENERATORS[] = {"lattice", "gmsh", NULL};

const char *sherd_packing_kind_name(sherd_packing_kind kind)
{
    return (unsigned)kind <= SHERD_PACKING_POINTS ? KINDS[kind] : "unknown";
}

#define FIELD(kind, member, ...) SHERD_FIELD(sherd_packing_def, kind, member, __VA_ARGS__)
#define NOT_PHYSICS .flags = SHERD_FIELD_NOT_PHYSICS
#define FLAG(name) .flags = SHERD_FIELD_##name
#define LENGTH .quantity = SHERD_QUANTITY_LENGTH
#define HALF .range = SHERD_BETWEEN(0.0, 0.5)
#define TETRA .maps = SHERD_MAP_TETRA
enum {
    FITTED = SHERD_MAP_HCP | SHERD_MAP_LAYERS,
    LATTICES = FITTED | SHERD_MAP_CUBIC,
    SPHERES = LATTICES | SHERD_MAP_RANDOM | SHERD_MAP_SHELL,
    ALL = SPHERES | SHERD_MAP_TETRA | SHERD_MAP_POINTS,
};

static const sherd_field FIELDS[] = {
    FIELD(CHOICE, kind, .choices = KINDS, .doc = "kind of packing"),
    FIELD(REAL, radius, LENGTH, .range = SHERD_POSITIVE, .maps = SPHERES,
          FLAG(REQUIRED) | SHERD_FIELD_UNSET,
          .doc =
              "radius of an element. `random`: unit of `size_ratio`; radii vary by up to 2 %, so "
              "that the packing jams (8 % smaller at most with fewer than 30 elements). `shell`: "
              "half the distance of neighbouring elements"),
    FIELD(REAL, spacing, LENGTH, .range = SHERD_POSITIVE, .maps = SHERD_MAP_POINTS,
          FLAG(REQUIRED) | SHERD_FIELD_UNSET,
          .doc =
              "`points`: distance of neighbouring points, the same in all bodies of a scene. Grid"
              " nodes are two spacings apart; thinner walls and gaps are not resolved"),
    FIELD(REAL, radius_tolerance, .initial = {0.1}, HALF, .maps = FITTED,
          .doc = "largest relative change of the radius to fit the shape's thickness"),
    FIELD(INT, layers, .key = "count", .range = SHERD_BETWEEN(1.0, 1000000.0),
          .maps = SHERD_MAP_LAYERS | SHERD_MAP_SHELL, FLAG(UNSET),
          .usual = "as many as fit; of a shell 1", .doc = "`layers`, `shell`: number of layers"),
    FIELD(CHOICE, orientation, .choices = ORIENTATIONS, .maps = FITTED,
          .doc =
              "`auto`: layers across the thinnest extent; `axes`: layers perpendicular to z, rows"
              " along x. `sherd check` and `sherd run` report gaps of more than 0.3 radii below a"
              " flat face: a load on that face meets no element before it has closed the gap"),
    FIELD(REAL, angle, .quantity = SHERD_QUANTITY_ANGLE, .range = SHERD_BETWEEN(-M_PI, M_PI),
          .maps = FITTED, .hint = "15 deg is between two directions of rows",
          .doc = "rotation of the layers' rows about the layers' normal. At 0, rows follow the "
                 "longest extent, or x, and two directions at 60 degrees to it. Cracks tend to "
                 "follow rows: for free crack paths use `random`, or compare angles"),
    FIELD(REAL, jitter, HALF, .maps = LATTICES | SHERD_MAP_POINTS,
          .doc = "largest random displacement of centres as a fraction of the radius; of `points` "
                 "along each axis, as a fraction of `spacing`; rows of points move as one, which "
                 "keeps the density"),
    FIELD(UINT64, seed, .maps = ALL, .doc = "random seed: each gives another packing"),
    FIELD(REAL, size_low, .initial = {1.0},
          .range = SHERD_BETWEEN(SHERD_PACKING_SIZE_LEAST, SHERD_PACKING_SIZE_MOST),
          .hint = "they are multiples of radius", .doc = "smallest size, in radii"),
    FIELD(REAL, size_high, .initial = {1.0},
          .range = SHERD_BETWEEN(SHERD_PACKING_SIZE_LEAST, SHERD_PACKING_SIZE_MOST),
          .hint = "they are multiples of radius", .doc = "largest size, in radii"),
    {.key = "size_ratio",
     .maps = SHERD_MAP_RANDOM,
     .values = "two of 0.05 to 20, at most 1:10",
     .usual = "`[1, 1]`",
     .doc = "`[smallest, largest]` size as multiples of `radius`; [BDEM21] Fig. 18 uses `[0.9, "
            "4.0]`"},
    FIELD(CHOICE, sizes, .key = "distribution", .choices = SIZES, .maps = SHERD_MAP_RANDOM,
          .doc =
              "quantity distributed uniformly between the two sizes: `radius`, or `volume` of the"
              " elements"),
    FIELD(REAL, bond_range, .initial = {1.1},
          .range = SHERD_BETWEEN(1.0, SHERD_PACKING_BOND_RANGE_MOST), .hint = "1.1 is usual",
          .maps = SHERD_MAP_RANDOM,
          .doc =
              "largest distance of the centres of bonded elements over the sum of their radii: δ0"
              " of [RBDEM] 4.1. Replaces `bond_reach`"),
    FIELD(REAL, tetra.size, LENGTH, .range = SHERD_POSITIVE, TETRA, FLAG(UNSET),
          .usual = "**required** without `mesh_file`", .doc = "mean edge length of tetrahedra"),
    FIELD(CHOICE, tetra.model, .choices = MODELS, TETRA,
          .doc = "`bonded`: elements, bonded across faces; `fem`: linear finite elements that "
                 "separate at nodes, for comparison ([finite elements](../papers/fem.md))"),
    FIELD(CHOICE, tetra.generator, .choices = GENERATORS, TETRA,
          .doc = "`lattice`: built in, follows the surface and keeps sharp edges; `gmsh`: the gmsh "
                 "program, if installed"),
    FIELD(REAL, tetra.jitter, .initial = {0.3}, HALF, TETRA,
          .doc = "`lattice`: random displacement of vertices as a fraction of `size`; without it "
                 "cracks show the lattice's planes"),
    FIELD(REAL, tetra.quality, .initial = {0.25}, HALF, TETRA,
          .doc =
              "`lattice`: lower bound on the quality of tetrahedra that jitter keeps (6 sqrt2 V /"
              " l_rms^3: 1 is regular, 0 flat)"),
    FIELD(REAL, tetra.time_limit, .quantity = SHERD_QUANTITY_TIME, .initial = {10.0},
          .range = SHERD_POSITIVE, TETRA, NOT_PHYSICS,
          .doc = "`gmsh`: time after which it is stopped"),
    FIELD(TEXT, tetra.mesh_file, TETRA, .values = "a file", NOT_PHYSICS,
          .doc = "a Gmsh .msh file (2.2 or 4.1, text or binary), relative to the scene's folder, "
                 "instead of the keys above. The body then needs no `shape`: its surface is the "
                 "mesh's. Tetrahedra without volume and physical groups are ignored, and `sherd "
                 "check` says so"),
    FIELD(REAL, tetra.mesh_scale, .initial = {1.0}, .range = SHERD_POSITIVE, TETRA, NOT_PHYSICS,
          .doc = "`mesh_file`: metres per unit of the file"),
    FIELD(INT64, max_elements, .initial = {5e7}, .range = SHERD_AT_LEAST(1.0), .maps = ALL,
          NOT_PHYSICS, .doc = "largest number of elements; more are an error"),
    FIELD(INT, threads, .range = SHERD_AT_LEAST(0.0), .hint = "0 uses all", NOT_PHYSICS,
          .doc = "number of threads, 0: all; results do not depend on it"),
};

const sherd_definition *sherd_packing_def_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(sherd_packing_def, FIELDS);
    return &DEFINITION;
}

sherd_packing_def sherd_packing_def_default(void)
{
    sherd_packing_def def = {.cookie = COOKIE};
    sherd_fields_set_initial(sherd_packing_def_fields(), &def);
    return def;
}

static sherd_status refuse(sherd_error *error, const char *where, const char *hint, double value)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, where, hint, "got %g", value);
}

// Required members of each kind.
static sherd_status check_kind(const sherd_packing_def *def, sherd_error *error)
{
    bool counted = def->kind == SHERD_PACKING_HEX_LAYERS || def->kind == SHERD_PACKING_SHELL;
    if (def->layers > 0 && !counted && def->kind != SHERD_PACKING_TETRA)
        return refuse(error, "packing.layers", "only layers and shells can be counted out; use 0",
                      def->layers);
    if (def->kind == SHERD_PACKING_TETRA && def->tetra.mesh_file == NULL && def->tetra.size == 0.0)
        return refuse(error, "packing.tetra.size", "must be > 0", def->tetra.size);
    if (def->kind == SHERD_PACKING_POINTS && def->spacing == 0.0)
        return refuse(error, "packing.spacing", "must be a positive length in metres", 0.0);
    bool has_radius = def->kind != SHERD_PACKING_TETRA && def->kind != SHERD_PACKING_POINTS;
    if (has_radius && def->radius == 0.0)
        return refuse(error, "packing.radius", "must be a positive length in metres", def->radius);
    if (def->size_low > def->size_high)
        return refuse(error, "packing.size_low", "must be at most size_high", def->size_low);
    if (def->size_high > SHERD_PACKING_SIZE_SPREAD * def->size_low)
        return refuse(error, "packing.size_high", "must be at most 10 times size_low",
                      def->size_high);
    return SHERD_OK;
}

sherd_status sherd_packing_def_check(const sherd_packing_def *def, sherd_error *error)
{
    if (def == NULL || def->cookie != COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "packing",
                          "start from sherd_packing_def_default()", "definition not initialised");
    sherd_status status = sherd_fields_check(sherd_packing_def_fields(), def, "packing", error);
    return status == SHERD_OK ? check_kind(def, error) : status;
}
