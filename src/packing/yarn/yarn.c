// Yarns: definition, checks, dispatch.
#include <sherd/yarn.h>

#include "base/error.h"
#include "packing/yarn/yarn_build.h"

#include <math.h>

static const uint32_t COOKIE = 0x7961726e; // "yarn"

sherd_yarn_def sherd_yarn_def_default(void)
{
    return (sherd_yarn_def){.cookie = COOKIE,
                            .rope = {.strands = 3, .plies = 1},
                            .woven = {.warp = 2, .weft = 2, .crimp = 0.5},
                            .knitted = {.rows = 1, .columns = 1},
                            .spacing = 1.0,
                            .fiber_share = 1.0,
                            .max_elements = 50 * 1000 * 1000};
}

sherd_status sherd_yarn_check_length(const char *where, double value, sherd_error *error)
{
    if (value > 1e-60 && value < 1e60) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, where, "lengths are in metres",
                      "must be finite and positive, got %g", value);
}

static sherd_status check(const sherd_yarn_def *def, sherd_error *error)
{
    if (def->cookie != COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_yarn_create",
                          "start from sherd_yarn_def_default()", "definition not initialised");
    if (!(def->spacing >= 0.6 && def->spacing <= 1.2))
        return sherd_fail(error, SHERD_ERROR_INPUT, "yarn.spacing",
                          "it is in diameters of the yarn", "must be within 0.6 .. 1.2, got %g",
                          def->spacing);
    if (!(def->fiber_share > 0.0 && def->fiber_share <= 1.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "yarn.fiber_share", NULL,
                          "must be within (0, 1], got %g", def->fiber_share);
    if ((unsigned)def->glue > SHERD_YARN_GLUE_ALL)
        return sherd_fail(error, SHERD_ERROR_INPUT, "yarn.glue", NULL,
                          "not one of sherd_yarn_glue");
    if (def->max_elements <= 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, "yarn.max_elements", NULL,
                          "must be > 0, got %lld", (long long)def->max_elements);
    return SHERD_OK;
}

sherd_packing *sherd_yarn_create(const sherd_yarn_def *def, sherd_error *error)
{
    typedef sherd_status fill_function(sherd_yarn_build *, const sherd_yarn_def *, sherd_error *);
    static fill_function *const FILL[] = {sherd_yarn_rope, sherd_yarn_woven, sherd_yarn_knitted};
    sherd_error_clear(error);
    if (check(def, error) != SHERD_OK) return NULL;
    if ((unsigned)def->kind > SHERD_YARN_KNITTED) {
        sherd_fail(error, SHERD_ERROR_INPUT, "yarn.kind", NULL, "not one of sherd_yarn_kind");
        return NULL;
    }
    sherd_yarn_build build = {.max_elements = def->max_elements};
    if (FILL[def->kind](&build, def, error) == SHERD_OK)
        return sherd_yarn_build_finish(&build, def, error);
    sherd_yarn_build_free(&build);
    return NULL;
}
