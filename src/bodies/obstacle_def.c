// Defaults and validation of obstacle definitions.
#include "bodies/obstacle_def.h"

#include "base/error.h"
#include "bodies/motion_eval.h"
#include "math/quat.h"

#include <stdio.h>

enum { OBSTACLE_COOKIE = 0x0b57ac1e };

sherd_obstacle_def sherd_obstacle_def_default(void)
{
    return (sherd_obstacle_def){
        .cookie = OBSTACLE_COOKIE,
        .pose.rotation = SHERD_QUAT_IDENTITY,
        .friction = NAN,
        .restitution = NAN,
    };
}

// "NAME.field", or "obstacle.field" without a name.
static void field_name(char *where, size_t size, const sherd_obstacle_def *def, const char *field)
{
    snprintf(where, size, "%s.%s", def->name != NULL ? def->name : "obstacle", field);
}

static sherd_status fail_field(sherd_error *error, const sherd_obstacle_def *def, const char *field,
                               const char *hint, const char *what)
{
    char where[SHERD_ERROR_TEXT_SIZE];
    field_name(where, sizeof where, def, field);
    return sherd_fail(error, SHERD_ERROR_INPUT, where, hint, "%s", what);
}

static sherd_status check_pose(const sherd_obstacle_def *def, sherd_error *error)
{
    if (!vec3_is_finite(def->pose.position))
        return fail_field(error, def, "pose.position", NULL, "must be finite");
    sherd_quat q = def->pose.rotation;
    double length = sqrt(quat_dot(q, q));
    // One per mille forgives rotations typed with a few digits; they are normalised.
    if (!(fabs(length - 1.0) < 1e-3)) {
        char what[96];
        snprintf(what, sizeof what, "must be a unit quaternion, its length is %g", length);
        return fail_field(error, def, "pose.rotation", "no rotation is (0, 0, 0, 1)", what);
    }
    return SHERD_OK;
}

static sherd_status check_shape(const sherd_obstacle_def *def, sherd_error *error)
{
    if (!def->is_plane && def->shape == NULL)
        return fail_field(error, def, "shape", "give a shape, or set is_plane", "is missing");
    if (def->is_plane && def->shape != NULL)
        return fail_field(error, def, "shape", "choose one of them",
                          "an obstacle is either a plane or a shape, got both");
    return SHERD_OK;
}

static sherd_status check_free(const sherd_obstacle_def *def, sherd_error *error)
{
    if (def->is_plane)
        return fail_field(error, def, "kind", "use a box, or a fixed or driven plane",
                          "a half-space has infinite mass and can't be free");
    if (!isfinite(def->mass) || !isfinite(def->density) || def->mass < 0.0 || def->density < 0.0 ||
        (def->mass == 0.0 && def->density == 0.0)) {
        char what[128];
        snprintf(what, sizeof what,
                 "a free body needs mass > 0 or density > 0, got %g kg, %g kg/m^3", def->mass,
                 def->density);
        return fail_field(error, def, "density", NULL, what);
    }
    if (!vec3_is_finite(def->velocity) || !vec3_is_finite(def->angular_velocity))
        return fail_field(error, def, "velocity", NULL,
                          "velocity and angular velocity must be finite");
    return SHERD_OK;
}

static sherd_status check_surface(const sherd_obstacle_def *def, sherd_error *error)
{
    char what[96];
    if (!isnan(def->friction) && !(def->friction >= 0.0 && isfinite(def->friction))) {
        snprintf(what, sizeof what, "must be >= 0, got %g", def->friction);
        return fail_field(error, def, "friction", "leave NAN to use the material's", what);
    }
    if (!isnan(def->restitution) && !(def->restitution > 0.0 && def->restitution <= 1.0)) {
        snprintf(what, sizeof what, "must be in (0, 1], got %g", def->restitution);
        return fail_field(error, def, "restitution", "leave NAN to use the material's", what);
    }
    return SHERD_OK;
}

sherd_status sherd_obstacle_def_check(const sherd_obstacle_def *def, sherd_error *error)
{
    if (def->cookie != OBSTACLE_COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "obstacle",
                          "begin with sherd_obstacle_def_default()",
                          "the definition was not initialised");
    if (def->kind != SHERD_OBSTACLE_FIXED && def->kind != SHERD_OBSTACLE_DRIVEN &&
        def->kind != SHERD_OBSTACLE_FREE)
        return fail_field(error, def, "kind", "fixed, driven or free", "is none that exists");
    sherd_status status = check_shape(def, error);
    if (status == SHERD_OK) status = check_pose(def, error);
    if (status == SHERD_OK) status = check_surface(def, error);
    if (status == SHERD_OK && def->kind == SHERD_OBSTACLE_FREE) status = check_free(def, error);
    if (status == SHERD_OK && def->kind == SHERD_OBSTACLE_DRIVEN) {
        char where[SHERD_ERROR_TEXT_SIZE];
        field_name(where, sizeof where, def, "motion");
        status = sherd_motion_check(&def->motion, where, error);
    }
    return status;
}
