// Yarns: checks, dispatch.
#include <sherd/yarn.h>

#include "base/error.h"
#include "packing/yarn/yarn_build.h"

#include <math.h>

sherd_status sherd_yarn_check_length(const char *where, double value, sherd_error *error)
{
    if (value > 1e-60 && value < 1e60) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, where, "lengths are in metres",
                      "must be finite and positive, got %g", value);
}

sherd_packing *sherd_yarn_create(const sherd_yarn_def *def, sherd_error *error)
{
    typedef sherd_status fill_function(sherd_yarn_build *, const sherd_yarn_def *, sherd_error *);
    static fill_function *const FILL[] = {sherd_yarn_rope, sherd_yarn_woven, sherd_yarn_knitted};
    sherd_error_clear(error);
    if (sherd_yarn_def_check(def, error) != SHERD_OK) return NULL;
    sherd_yarn_build build = {.max_elements = def->max_elements};
    if (FILL[def->kind](&build, def, error) == SHERD_OK)
        return sherd_yarn_build_finish(&build, def, error);
    sherd_yarn_build_free(&build);
    return NULL;
}
