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
    FIELD(CHOICE, kind, .choices = KINDS, .doc = "which"),
    FIELD(REAL, radius, LENGTH, .range = SHERD_POSITIVE, .maps = SPHERES,
          FLAG(REQUIRED) | SHERD_FIELD_UNSET,
          .doc =
              "of an element. `random`: or the unit of `size_ratio`; all radii differ from it by "
              "up to 2 %, so that they jam (with fewer than 30 elements, up to 8 % smaller). "
              "`shell`: half the distance of elements"),
    FIELD(REAL, spacing, LENGTH, .range = SHERD_POSITIVE, .maps = SHERD_MAP_POINTS,
          FLAG(REQUIRED) | SHERD_FIELD_UNSET,
          .doc = "`points`: of the lattice on which they lie. Nodes of the grid are two spacings "
                 "apart: thinner walls and gaps are not resolved. One for all bodies of a scene"),
    FIELD(REAL, radius_tolerance, .initial = {0.1}, HALF, .maps = FITTED,
          .doc = "how far the radius may change to fit the shape's thickness, as a share"),
    FIELD(INT, layers, .key = "count", .range = SHERD_BETWEEN(1.0, 1000000.0),
          .maps = SHERD_MAP_LAYERS | SHERD_MAP_SHELL, FLAG(UNSET),
          .usual = "as many as fit; of a shell 1", .doc = "`layers`, `shell`: how many layers"),
    FIELD(CHOICE, orientation, .choices = ORIENTATIONS, .maps = FITTED,
          .doc =
              "`auto`: layers across the thinnest extent, `axes`: layers perpendicular to z, rows "
              "along x. Where that leaves more than 0.3 radii free below a flat face, `sherd "
              "check` and `sherd run` note how much: what presses on that face meets no element "
              "before"),
    FIELD(REAL, angle, .quantity = SHERD_QUANTITY_ANGLE, .range = SHERD_BETWEEN(-M_PI, M_PI),
          .maps = FITTED, .hint = "15 deg is between two directions of rows",
          .doc =
              "turns the rows of the layers about their normal; rows go along the longest extent "
              "otherwise, or along x, and in two directions 60 degrees from that. Cracks follow "
              "rows: where they are to find their way take `random`, or compare angles"),
    FIELD(REAL, jitter, HALF, .maps = LATTICES,
          .doc = "random shift of centres as a share of the radius"),
    FIELD(UINT64, seed, .maps = SPHERES | SHERD_MAP_TETRA,
          .doc = "of random numbers: each seed gives another packing"),
    FIELD(REAL, size_low, .initial = {1.0},
          .range = SHERD_BETWEEN(SHERD_PACKING_SIZE_LEAST, SHERD_PACKING_SIZE_MOST),
          .hint = "they are multiples of radius", .doc = "least size, in radii"),
    FIELD(REAL, size_high, .initial = {1.0},
          .range = SHERD_BETWEEN(SHERD_PACKING_SIZE_LEAST, SHERD_PACKING_SIZE_MOST),
          .hint = "they are multiples of radius", .doc = "largest size, in radii"),
    {.key = "size_ratio",
     .maps = SHERD_MAP_RANDOM,
     .values = "two of 0.05 to 20, at most 1:10",
     .usual = "`[1, 1]`",
     .doc = "`[least, largest]` size as multiples of `radius`; [BDEM21] Fig. 18 has `[0.9, 4.0]`"},
    FIELD(CHOICE, sizes, .key = "distribution", .choices = SIZES, .maps = SHERD_MAP_RANDOM,
          .doc = "quantity that is uniform between the two: `radius`, or `volume` of the elements"),
    FIELD(REAL, bond_range, .initial = {1.1},
          .range = SHERD_BETWEEN(1.0, SHERD_PACKING_BOND_RANGE_MOST), .hint = "1.1 is usual",
          .maps = SHERD_MAP_RANDOM,
          .doc = "elements are bonded when their centres are no farther apart than this many times "
                 "the sum of their radii: δ0 of [RBDEM] 4.1. Takes the place of `bond_reach`"),
    FIELD(REAL, tetra.size, LENGTH, .range = SHERD_POSITIVE, TETRA, FLAG(UNSET),
          .usual = "**required** without `mesh_file`", .doc = "mean edge length"),
    FIELD(CHOICE, tetra.generator, .choices = GENERATORS, TETRA,
          .doc = "`lattice`: our own, follows the surface and keeps sharp edges; `gmsh`: the gmsh "
                 "program, when it is installed"),
    FIELD(REAL, tetra.jitter, .initial = {0.3}, HALF, TETRA,
          .doc =
              "`lattice`: random displacement of vertices as a share of `size`; without it cracks "
              "show the lattice's planes"),
    FIELD(REAL, tetra.quality, .initial = {0.25}, HALF, TETRA,
          .doc =
              "`lattice`: least quality that jitter may leave (6 sqrt2 V / l_rms^3: 1 is regular, "
              "0 flat)"),
    FIELD(REAL, tetra.time_limit, .quantity = SHERD_QUANTITY_TIME, .initial = {10.0},
          .range = SHERD_POSITIVE, TETRA, NOT_PHYSICS,
          .doc = "`gmsh`: it is stopped after this time"),
    FIELD(TEXT, tetra.mesh_file, TETRA, .values = "a file", NOT_PHYSICS,
          .doc =
              "a Gmsh .msh file (2.2 or 4.1, text or binary), relative to the scene's folder, "
              "instead of all above. The body then needs no `shape`: it has the mesh's surface. "
              "Tetrahedra without volume are left out and physical groups passed over, and `sherd "
              "check` says so"),
    FIELD(REAL, tetra.mesh_scale, .initial = {1.0}, .range = SHERD_POSITIVE, TETRA, NOT_PHYSICS,
          .doc = "`mesh_file`: metres per unit"),
    FIELD(INT64, max_elements, .initial = {5e7}, .range = SHERD_AT_LEAST(1.0), .maps = ALL,
          NOT_PHYSICS, .doc = "refuse beyond"),
    FIELD(INT, threads, .range = SHERD_AT_LEAST(0.0), .hint = "0 uses all", NOT_PHYSICS,
          .doc = "processors to use; results do not depend on it"),
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
