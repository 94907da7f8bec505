#include "calibration/cache.h"

#include "base/cpu.h"
#include "base/file_writer.h"
#include "base/hash.h"
#include "base/memory.h"

#include <sherd/file.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct field {
    const char *name;
    size_t offset;
} field;

#define FIELD(name)                                                                                \
    {                                                                                              \
#name, offsetof(sherd_calibration, name)                                                   \
    }
static const field FIELDS[] = {
    FIELD(full.youngs_modulus),    FIELD(full.shear_modulus),     FIELD(full.tensile_strength),
    FIELD(full.shear_strength),    FIELD(bar_stiffness),          FIELD(bar.youngs_modulus),
    FIELD(bar.shear_modulus),      FIELD(bar.tensile_strength),   FIELD(bar.shear_strength),
    FIELD(guess.youngs_modulus),   FIELD(guess.shear_modulus),    FIELD(guess.tensile_strength),
    FIELD(guess.shear_strength),   FIELD(youngs_modulus),         FIELD(poissons_ratio),
    FIELD(tensile_strength),       FIELD(shear_strength),         FIELD(guess_youngs_modulus),
    FIELD(guess_poissons_ratio),   FIELD(axis_modulus[0]),        FIELD(axis_modulus[1]),
    FIELD(axis_poissons_ratio[0]), FIELD(axis_poissons_ratio[1]), FIELD(axis_strength[0]),
    FIELD(axis_strength[1]),       FIELD(poissons_low),           FIELD(poissons_high),
    FIELD(full.yield_stress),      FIELD(full.hardening_modulus), FIELD(bar.yield_stress),
    FIELD(bar.hardening_modulus),  FIELD(guess.yield_stress),     FIELD(guess.hardening_modulus),
    FIELD(yield_stress),           FIELD(hardening_modulus),      FIELD(full.fracture_energy),
    FIELD(bar.fracture_energy),    FIELD(guess.fracture_energy),  FIELD(fracture_energy),
    FIELD(guess_fracture_energy),  FIELD(fracture_radius),        FIELD(strength_radius),
    FIELD(stretched_strength),     FIELD(pressed_strength),
};
enum { FIELD_COUNT = sizeof FIELDS / sizeof FIELDS[0] };

static uint64_t mesh_hash(const sherd_tetra_mesh *mesh)
{
    uint64_t hash = sherd_hash_bytes(SHERD_HASH_START, mesh->vertices,
                                     3 * (size_t)mesh->vertex_count * sizeof *mesh->vertices);
    return sherd_hash_bytes(hash, mesh->tetras,
                            4 * (size_t)mesh->tetra_count * sizeof *mesh->tetras);
}

// The packing: only the members that its kind uses.
static void packing_text(const sherd_calibration_def *def, char text[192])
{
    const sherd_packing_def *p = &def->packing;
    if (def->body != NULL)
        snprintf(text, 192, "own mesh=%016llx", (unsigned long long)mesh_hash(def->body->tetra));
    else if (p->kind == SHERD_PACKING_RANDOM)
        snprintf(text, 192, "random low=%.17g high=%.17g sizes=%d range=%.17g", p->size_low,
                 p->size_high, (int)p->sizes, p->bond_range);
    else if (p->kind == SHERD_PACKING_TETRA)
        snprintf(text, 192, "tetra jitter=%.17g quality=%.17g", p->tetra.jitter, p->tetra.quality);
    else
        snprintf(text, 192, "lattice=%d layers=%d jitter=%.17g reach=%.17g", (int)p->kind,
                 def->layers, p->jitter, def->bond_reach);
}

// Properties of bonds that differ from the defaults.
static void bonds_text(const sherd_calibration_def *def, char text[96])
{
    sherd_material_def usual = sherd_material_def_default();
    char law[32] = "", correction[48] = "";
    if (def->law != usual.law) snprintf(law, sizeof law, " law=%s", sherd_bond_law_words[def->law]);
    if (def->shear_correction != usual.shear_correction)
        snprintf(correction, sizeof correction, " kappa=%.17g", def->shear_correction);
    snprintf(text, 96, "%s%s%s", law, correction,
             def->bond_radius == usual.bond_radius ? "" : " radius=minimum");
}

sherd_calibration_key sherd_calibration_key_of(const sherd_calibration_def *def)
{
    sherd_calibration_key key;
    char packing[192], bonds[96], yields[48] = "", softens[48] = "";
    packing_text(def, packing);
    bonds_text(def, bonds);
    if (isfinite(def->yield_stress))
        snprintf(yields, sizeof yields, " hardening=%.17g", def->hardening_modulus);
    if (def->fracture_energy > 0.0)
        snprintf(softens, sizeof softens, " softens=%.17g", def->fracture_energy);
    snprintf(key.text, sizeof key.text,
             "version=%d %s nu=%.17g breakage=%d weibull=%.17g tensile=%.17g shear=%.17g "
             "width=%.17g%s%s%s%s",
             SHERD_CALIBRATION_VERSION, packing, def->poissons_ratio, (int)def->breakage,
             def->weibull_modulus, def->tensile_strength, def->shear_strength, def->bar_width,
             bonds, yields, softens,
             // Its rounding differs.
             sherd_cpu_level() == SHERD_SIMD_BASELINE ? " baseline" : "");
    key.hash = sherd_hash_bytes(SHERD_HASH_START, key.text, strlen(key.text));
    return key;
}

// ---------------------------------------------------------------- where

// Writes "FOLDER/calibration-HASH.txt". Returns false if there is no folder to use.
static bool file_path(const char *folder, const sherd_calibration_key *key, char path[1024])
{
    char user[900];
    if (folder == NULL) {
        const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
        int length = -1;
        if (cache != NULL && cache[0] == '/')
            length = snprintf(user, sizeof user, "%s/sherd", cache);
        else if (home != NULL && home[0] == '/')
            length = snprintf(user, sizeof user, "%s/.cache/sherd", home);
        if (length < 0 || length >= (int)sizeof user) return false;
        folder = user;
    }
    if (folder[0] == '\0') return false;
    char name[64];
    snprintf(name, sizeof name, "calibration-%016llx.txt", (unsigned long long)key->hash);
    return sherd_path_join(path, 1024, folder, name);
}

static void cut_folder(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash != NULL) *slash = '\0';
}

// ---------------------------------------------------------------- text

// The content of a file: a line for the key, one for each number, and the fingerprint of all that.
enum { TEXT_SIZE = 8192 };

static size_t compose(const sherd_calibration_key *key, const sherd_calibration *result,
                      char text[TEXT_SIZE])
{
    size_t used = (size_t)snprintf(text, TEXT_SIZE,
                                   "sherd calibration\n%s\nelements %x\nown_bars %x\n"
                                   "poissons_ratio_reached %x\ntensile_strength_reached %x\n"
                                   "shear_strength_reached %x\nhardening_reached %x\n",
                                   key->text, result->elements, result->own_bars,
                                   result->poissons_ratio_reached, result->tensile_strength_reached,
                                   result->shear_strength_reached, result->hardening_reached);
    for (int k = 0; k < FIELD_COUNT; ++k) {
        uint64_t bits; // exact, and the same in every locale
        memcpy(&bits, (const char *)result + FIELDS[k].offset, sizeof bits);
        used += (size_t)snprintf(text + used, TEXT_SIZE - used, "%s %016llx\n", FIELDS[k].name,
                                 (unsigned long long)bits);
    }
    uint64_t check = sherd_hash_bytes(SHERD_HASH_START, text, used);
    return used + (size_t)snprintf(text + used, TEXT_SIZE - used, "end %016llx\n",
                                   (unsigned long long)check);
}

// Reads the value of the line "NAME value" at *at, and advances *at.
static bool take(const char **at, const char *name, uint64_t *value)
{
    size_t length = strlen(name);
    if (strncmp(*at, name, length) != 0 || (*at)[length] != ' ') return false;
    char *end;
    *value = strtoull(*at + length + 1, &end, 16);
    if (*end != '\n') return false;
    *at = end + 1;
    return true;
}

static bool parse(const char *text, const sherd_calibration_key *key, sherd_calibration *out)
{
    char head[SHERD_CALIBRATION_KEY_SIZE + 32];
    int length = snprintf(head, sizeof head, "sherd calibration\n%s\n", key->text);
    if (strncmp(text, head, (size_t)length) != 0) return false;
    const char *at = text + length;
    uint64_t elements, own, nu, tension, shear, hardening;
    if (!take(&at, "elements", &elements) || !take(&at, "own_bars", &own) ||
        !take(&at, "poissons_ratio_reached", &nu) ||
        !take(&at, "tensile_strength_reached", &tension) ||
        !take(&at, "shear_strength_reached", &shear) || !take(&at, "hardening_reached", &hardening))
        return false;
    sherd_calibration read = {.elements = (int)elements,
                              .own_bars = own != 0,
                              .poissons_ratio_reached = nu != 0,
                              .tensile_strength_reached = tension != 0,
                              .shear_strength_reached = shear != 0,
                              .hardening_reached = hardening != 0};
    for (int k = 0; k < FIELD_COUNT; ++k) {
        uint64_t bits;
        if (!take(&at, FIELDS[k].name, &bits)) return false;
        memcpy((char *)&read + FIELDS[k].offset, &bits, sizeof bits);
    }
    *out = read;
    return true;
}

// Whether the file is complete and unchanged, and has this key: its text must equal that written
// for its numbers.
static bool intact(const char *text, const sherd_calibration_key *key,
                   const sherd_calibration *read)
{
    char again[TEXT_SIZE];
    compose(key, read, again);
    return strcmp(text, again) == 0;
}

bool sherd_calibration_cache_read(const char *folder, const sherd_calibration_key *key,
                                  sherd_calibration *out)
{
    char path[1024];
    unsigned char *bytes = NULL;
    size_t size;
    if (!file_path(folder, key, path) || !sherd_file_exists(path) ||
        sherd_file_size(path) >= TEXT_SIZE)
        return false;
    if (sherd_file_read(path, &bytes, &size, NULL) != SHERD_OK) return false;
    sherd_calibration read;
    bool good = strlen((const char *)bytes) == size && parse((const char *)bytes, key, &read) &&
                intact((const char *)bytes, key, &read);
    sherd_free(bytes);
    if (good) *out = read;
    return good;
}

void sherd_calibration_cache_write(const char *folder, const sherd_calibration_key *key,
                                   const sherd_calibration *result)
{
    char path[1024], parent[1024], text[TEXT_SIZE];
    if (!file_path(folder, key, path)) return;
    memcpy(parent, path, sizeof parent);
    cut_folder(parent);
    if (sherd_folder_create(parent, NULL) != SHERD_OK) return;
    size_t size = compose(key, result, text);
    // a failure only means that the result is computed again
    (void)sherd_file_write(path, text, size, NULL);
}
