// Warnings about materials and the models of the bodies that are made of them.
#include "laws/law_tables.h"
#include "material/strength.h"
#include "math/symmetric_eigen.h"
#include "math/vec3.h"
#include "output/run/build_messages.h"
#include "scene/scene_query.h"

#include <math.h>
#include <stdio.h>

// ---------------------------------------------------------------- keys of other models

static bool is_of_bonds(const sherd_scene_body *body)
{
    return !sherd_scene_is_of_points(body) && !sherd_scene_is_of_tetrahedra(body);
}

static bool are_all(const sherd_scene *scene, int material, bool is(const sherd_scene_body *body))
{
    int count = 0;
    for (int k = 0; k < scene->body_count; ++k) {
        if (scene->bodies[k].material != material) continue;
        if (!is(&scene->bodies[k])) return false;
        ++count;
    }
    return count > 0;
}

static void warn_key(const sherd_scene *scene, int material, const char *key, const char *why,
                     const char *hint, sherd_messages *to)
{
    char path[256], place[SHERD_SCENE_PLACE];
    snprintf(path, sizeof path, "materials.%.150s.%.60s", scene->materials[material].def.name, key);
    if (sherd_scene_gives(scene, path))
        sherd_message_send(to, SHERD_MESSAGE_WARNING, sherd_scene_place(scene, path, place), hint,
                           "`%s` has no effect: %s", key, why);
}

static void warn_keys(const sherd_scene *scene, int material, sherd_messages *to)
{
    static const char *const OF_BONDS[] = {"breakage",         "bond_law",    "central", "reach",
                                           "shear_correction", "bond_radius", "strict"};
    bool breaks = sherd_breakage_describe(scene->materials[material].def.breakage)->breaks;
    if (are_all(scene, material, sherd_scene_is_of_tetrahedra))
        for (size_t k = breaks ? 0 : 1; k < sizeof OF_BONDS / sizeof OF_BONDS[0]; ++k)
            warn_key(scene, material, OF_BONDS[k],
                     "finite elements have no bonds, and separate at nodes by a criterion of "
                     "their own",
                     "remove it, or choose `model: bonded` in the body's packing", to);
    if (are_all(scene, material, is_of_bonds))
        warn_key(scene, material, "separation_force",
                 "nodes of finite elements separate at it, and its bodies are of bonds",
                 "give tensile_strength, or `packing: {tetra: {model: fem, ...}}`", to);
}

// ---------------------------------------------------------------- the width of a phase field's cracks

// Damage falls off over some l0 on both sides of a crack: at this share of its thickness, a body has
// no undamaged solid beside a crack.
static const double WIDE = 0.25;

static void warn_wide(const sherd_scene *scene, int k, sherd_messages *to)
{
    const sherd_scene_body *body = &scene->bodies[k];
    const sherd_material_def *m = &scene->materials[body->material].def;
    if (!sherd_scene_is_of_points(body) || body->shape == NULL || !(m->damage_length > 0.0)) return;
    sherd_bounds b = sherd_shape_bounds(body->shape);
    double thin = fmin(b.high.x - b.low.x, fmin(b.high.y - b.low.y, b.high.z - b.low.z));
    if (m->damage_length <= WIDE * thin) return;
    char path[256], place[SHERD_SCENE_PLACE], length[SHERD_LENGTH_TEXT], extent[SHERD_LENGTH_TEXT],
        hint[160], spacing[SHERD_LENGTH_TEXT];
    snprintf(path, sizeof path, "materials.%.150s.damage_length", m->name);
    snprintf(hint, sizeof hint, "one to two spacings of the points, which are %s apart",
             sherd_length_text(body->packing.spacing, spacing));
    sherd_message_send(to, SHERD_MESSAGE_WARNING, sherd_scene_place(scene, path, place), hint,
                       "cracks are several times as wide as damage_length, %s, and body '%s' is %s "
                       "thick: all of it softens instead of cracking",
                       sherd_length_text(m->damage_length, length), body->name,
                       sherd_length_text(thin, extent));
}

// ---------------------------------------------------------------- stiffness of peridynamic bodies

typedef struct stiffness {
    double along;     // E along the longest extent, of the shape's section, over the material's
    double rows;      // spacings across the section, the square root of its area
    double thickness; // of the elements' centres, in spacings: one layer has none
} stiffness;

typedef struct network {
    const sherd_packing *packing;
    const sherd_material_def *material;
    double spacing, cell; // [m], [m^3] of an element of the mean radius
} network;

static sherd_vec3 centre_of(const sherd_packing *p, int32_t k)
{
    return vec3(p->x[k], p->y[k], p->z[k]);
}

// Adds an element's half of the energies of its bonds: of the strains e along the axes, e.M.e / 2.
static void add_bonds_of(const network *n, int32_t i, double M[3][3])
{
    const sherd_packing *p = n->packing;
    double reach = (sherd_material_reach(n->material) + 0.5) * n->spacing;
    double c = sherd_material_micromodulus(n->material, n->spacing);
    for (int32_t j = 0; j < p->count; ++j) {
        sherd_vec3 d = vec3_sub(centre_of(p, j), centre_of(p, i));
        double l2 = vec3_dot(d, d);
        if (j == i || l2 >= reach * reach) continue;
        double l = sqrt(l2), weight = sherd_material_horizon_weight(n->material, l / n->spacing);
        double k = 0.5 * c * n->cell * weight / l;
        const double square[3] = {d.x * d.x / l, d.y * d.y / l, d.z * d.z / l};
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                M[a][b] += k * square[a] * square[b];
    }
}

// E along an axis whose sides are free: 1 / (M^-1)_aa, or of the other two where a layer has no bonds.
static double free_modulus(double M[3][3], int a)
{
    int b = (a + 1) % 3, c = (a + 2) % 3;
    if (!(M[b][b] > 0.0)) b = c;
    if (!(M[c][c] > 0.0)) c = b;
    if (!(M[b][b] > 0.0)) return M[a][a];
    if (b == c) return M[a][a] - M[a][b] * M[a][b] / M[b][b];
    double minor = M[b][b] * M[c][c] - M[b][c] * M[b][c];
    if (!(minor > 1e-9 * M[b][b] * M[c][c])) return M[a][a] - M[a][b] * M[a][b] / M[b][b];
    return M[a][a] - (M[a][b] * (M[c][c] * M[a][b] - M[b][c] * M[a][c]) +
                      M[a][c] * (M[b][b] * M[a][c] - M[b][c] * M[a][b])) /
                         minor;
}

static double least_spread(const sherd_packing *p)
{
    sherd_vec3 mean = {0};
    for (int32_t k = 0; k < p->count; ++k)
        mean = vec3_add_scaled(mean, 1.0 / p->count, centre_of(p, k));
    double A[9] = {0}, values[3], v[9];
    for (int32_t k = 0; k < p->count; ++k) {
        sherd_vec3 d = vec3_sub(centre_of(p, k), mean);
        const double x[3] = {d.x, d.y, d.z};
        for (int a = 0; a < 9; ++a)
            A[a] += x[a / 3] * x[a % 3] / p->count;
    }
    sherd_symmetric_eigen(3, A, values, v);
    return sqrt(fmax(0.0, fmin(values[0], fmin(values[1], values[2]))));
}

// From samples: uniform strains, which the bonds that surfaces lack make softer; what the lattice leaves
// of the shape empty bears nothing. True strains are not uniform: bars of 2, 3, 4 and 8 elements across
// have 0.083, 0.21, 0.47 and 0.74 by this, and were measured to have 0.077, 0.20, 0.43 and 0.65.
static stiffness stiffness_of(const sherd_packing *p, const sherd_material_def *material)
{
    enum { SAMPLES = 300 };
    double radii = 0.0, fraction = p->solid_fraction / p->cell_volume_match, volume = 0.0;
    for (int32_t k = 0; k < p->count; ++k) {
        radii += p->radius[k] / p->count;
        volume += 4.0 / 3.0 * M_PI * pow(p->radius[k], 3.0) / (fraction * p->count);
    }
    const network n = {p, material, 2.0 * radii, volume};
    double M[3][3] = {{0.0}};
    int32_t samples = p->count < SAMPLES ? p->count : SAMPLES;
    for (int32_t s = 0; s < samples; ++s) // a step that is no multiple of rows
        add_bonds_of(&n, (int32_t)((int64_t)s * p->count / samples), M);
    for (int a = 0; a < 9; ++a)
        M[a / 3][a % 3] /= samples;
    sherd_vec3 low = centre_of(p, 0), high = low;
    for (int32_t k = 1; k < p->count; ++k) {
        sherd_vec3 x = centre_of(p, k);
        low = vec3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = vec3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    double size[3] = {high.x - low.x, high.y - low.y, high.z - low.z};
    int axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
    double area = p->count * volume / (size[axis] + n.spacing);
    double across = area / (n.spacing * n.spacing);
    bool of_layer = sherd_central_describe(material->central)->dimensions == 2;
    return (stiffness){p->cell_volume_match * free_modulus(M, axis),
                       of_layer ? across : sqrt(across), sqrt(12.0) * least_spread(p) / n.spacing};
}

static void warn_stiffness(const sherd_scene *scene, int k, const sherd_packing *p,
                           sherd_messages *to)
{
    // Bulk lattices are within 4 %. Jittered layers are thinner than half a spacing, two are 0.8.
    static const double SOFT = 0.9, ALLOWED = 0.05, LAYER = 0.6;
    const sherd_scene_body *body = &scene->bodies[k];
    const sherd_material_def *m = &scene->materials[body->material].def;
    if (!sherd_material_is_peridynamic(m) || body->loose || p->count < 2) return;
    stiffness s = stiffness_of(p, m);
    bool of_layer = sherd_central_describe(m->central)->dimensions == 2,
         is_layer = s.thickness < LAYER;
    char path[256], place[SHERD_SCENE_PLACE], hint[240];
    snprintf(path, sizeof path, "materials.%.150s.central", m->name);
    const char *where = sherd_scene_place(scene, path, place);
    if (of_layer != is_layer) {
        sherd_message_send(
            to, SHERD_MESSAGE_WARNING, where,
            of_layer ? "central: peridynamics"
                     : "more elements across it, or central: peridynamics_layer for a plate",
            "body '%s' is %s: along its length it is about %.2g times as stiff as youngs_modulus",
            body->name,
            of_layer ? "of several layers, and peridynamics_layer is for one"
                     : "one layer, and peridynamics is for solids",
            s.along);
        return;
    }
    if (s.along >= SOFT) return;
    snprintf(hint, sizeof hint,
             "%.0f across (a radius of %.3g m) are within 5 %%; or a smaller `reach`, or "
             "youngs_modulus: %.3g Pa, which makes up for it along the body, not in bending",
             ceil(s.rows * (1.0 - s.along) / ALLOWED),
             p->lattice_radius * ALLOWED / (1.0 - s.along), m->youngs_modulus / s.along);
    sherd_message_send(
        to, SHERD_MESSAGE_WARNING, body->where, hint,
        "body '%s' is about %.0f elements across, with a reach of %.3g: bonds that its "
        "surfaces lack make it softer, at most about %.2f of youngs_modulus along its "
        "length and less in bending",
        body->name, s.rows, sherd_material_reach(m), s.along);
}

void sherd_run_warn_models(const sherd_scene *scene, const sherd_scene_build *build,
                           sherd_messages *messages)
{
    for (int m = 0; m < scene->material_count; ++m)
        warn_keys(scene, m, messages);
    for (int k = 0; k < scene->body_count; ++k)
        warn_wide(scene, k, messages);
    for (int k = 0; k < build->body_count; ++k)
        if (build->packings[k] != NULL) warn_stiffness(scene, k, build->packings[k], messages);
}
