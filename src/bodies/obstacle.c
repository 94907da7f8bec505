#include "bodies/obstacle.h"

#include "base/error.h"
#include "base/memory.h"
#include "bodies/motion_eval.h"
#include "bodies/obstacle_def.h"
#include "bodies/thickness.h"
#include "geometry/shape/shape_kind.h"
#include "math/quat.h"

#include <string.h>

// Spacing of surface points of a free body, as a fraction of its size.
static const double POINT_SPACING = 1.0 / 24.0;

// Radius of its shape about the frame's origin: distance of the farthest corner of the bounds.
static double shape_radius(const sherd_shape *shape)
{
    sherd_bounds b = sherd_shape_bounds(shape);
    sherd_vec3 far = vec3(fmax(fabs(b.low.x), fabs(b.high.x)), fmax(fabs(b.low.y), fabs(b.high.y)),
                          fmax(fabs(b.low.z), fabs(b.high.z)));
    return vec3_length(far);
}

sherd_status sherd_obstacle_measure_thickness(sherd_obstacle *o, sherd_error *error)
{
    if (o->thickness > 0.0) return SHERD_OK;
    o->thickness = INFINITY;
    if (o->shape == NULL) return SHERD_OK;
    sherd_bounds b = sherd_shape_bounds(o->shape);
    return sherd_shape_thickness(o->shape, POINT_SPACING * vec3_distance(b.low, b.high),
                                 &o->thickness, error);
}

// Points on the surface, and mass properties of the solid inside it.
static sherd_status sample_body(sherd_obstacle *o, const sherd_obstacle_def *def,
                                sherd_error *error)
{
    sherd_bounds b = sherd_shape_bounds(def->shape);
    o->surface_spacing = POINT_SPACING * vec3_distance(b.low, b.high);
    sherd_mesh *surface = sherd_shape_surface(def->shape, o->surface_spacing, error);
    if (surface == NULL) return error != NULL ? error->status : SHERD_ERROR_MEMORY;
    double mass = def->mass > 0.0 ? def->mass : def->density * sherd_shape_volume(def->shape);
    sherd_status status = sherd_mass_properties_of(&o->body.properties, surface, mass, error);
    size_t numbers = 3 * (size_t)surface->vertex_count;
    o->point_count = surface->vertex_count;
    o->points = sherd_alloc(numbers, sizeof *o->points);
    if (o->points != NULL) memcpy(o->points, surface->vertices, numbers * sizeof *o->points);
    sherd_mesh_destroy(surface);
    if (status == SHERD_OK && o->points == NULL) return sherd_fail_memory(error, "a free body");
    return status;
}

// Contact parameters with each material: its own friction and restitution if given.
static sherd_status pair_materials(sherd_obstacle *o, const sherd_contact_material *materials,
                                   int count, sherd_error *error)
{
    o->pairings = sherd_alloc((size_t)count, sizeof *o->pairings);
    if (o->pairings == NULL) return sherd_fail_memory(error, "an obstacle");
    for (int m = 0; m < count; ++m) {
        sherd_contact_material own = materials[m];
        if (!isnan(o->friction)) own.friction = o->friction;
        if (!isnan(o->restitution)) own.restitution = o->restitution;
        o->pairings[m] = sherd_contact_pairing_of(&own, &materials[m]);
    }
    return SHERD_OK;
}

sherd_status sherd_obstacle_init(sherd_obstacle *o, const sherd_obstacle_def *def,
                                 const sherd_contact_material *materials, int material_count,
                                 sherd_error *error)
{
    *o = (sherd_obstacle){
        .kind = def->kind,
        .shape = def->is_plane ? NULL : def->shape,
        .friction = def->friction,
        .restitution = def->restitution,
        .sticky = def->sticky,
        .radius = def->is_plane ? INFINITY : shape_radius(def->shape),
        .location_count = def->is_plane ? 1 : sherd_shape_max_near(def->shape),
        .start = {def->pose.position, quat_normalize(def->pose.rotation)},
        .name = sherd_string_copy(def->name != NULL ? def->name : "obstacle"),
    };
    o->pose = o->reference = o->start;
    sherd_status status = o->name != NULL ? SHERD_OK : sherd_fail_memory(error, "an obstacle");
    if (status == SHERD_OK) status = pair_materials(o, materials, material_count, error);
    if (status == SHERD_OK && o->kind == SHERD_OBSTACLE_DRIVEN) {
        status = sherd_motion_copy(&o->motion, &def->motion, error);
        if (status == SHERD_OK) sherd_obstacle_move(o, 0.0, 0.0, vec3(0.0, 0.0, 0.0));
    }
    if (status == SHERD_OK && o->kind == SHERD_OBSTACLE_FREE) {
        status = sample_body(o, def, error);
        if (status == SHERD_OK) {
            sherd_rigid_body_place(&o->body, o->start, def->velocity, def->angular_velocity);
            o->spin = sherd_rigid_body_spin(&o->body);
            o->velocity = vec3_add(def->velocity,
                                   vec3_cross(o->spin, vec3_sub(o->pose.position, o->body.centre)));
        }
    }
    if (status != SHERD_OK) sherd_obstacle_free(o);
    return status;
}

void sherd_obstacle_free(sherd_obstacle *o)
{
    sherd_free(o->name);
    sherd_motion_free(&o->motion);
    sherd_free(o->points);
    sherd_free(o->pairings);
    sherd_free(o->watch.element);
    sherd_free(o->watch.slack);
    sherd_obstacle_contacts_free(&o->contacts);
    *o = (sherd_obstacle){0};
}

static double load_work(const sherd_obstacle *o)
{
    return -0.5 * (vec3_dot(o->force, o->shift) + vec3_dot(o->torque, o->rotation));
}

static void set_pose(sherd_obstacle *o, sherd_pose pose)
{
    o->shift = vec3_sub(pose.position, o->pose.position);
    o->rotation =
        quat_to_rotation_vector(quat_multiply(pose.rotation, quat_conjugate(o->pose.rotation)));
    o->pose = pose;
}

// During force evaluation the surface velocity is the step's displacement over dt, so that friction
// and work agree; without a step, that of the motion.
static double move_driven(sherd_obstacle *o, double time, double dt)
{
    sherd_pose moved = sherd_motion_pose(&o->motion, time);
    set_pose(o, sherd_motion_apply_pose(&o->motion, moved, o->start));
    if (dt > 0.0) {
        o->velocity = vec3_scale(1.0 / dt, o->shift);
        o->spin = vec3_scale(1.0 / dt, o->rotation);
        return load_work(o);
    }
    sherd_motion_rate rate = sherd_motion_velocity(&o->motion, time);
    sherd_vec3 pivot = vec3_add(o->motion.pivot, moved.position);
    o->spin = rate.angular;
    o->velocity =
        vec3_add(rate.linear, vec3_cross(rate.angular, vec3_sub(o->pose.position, pivot)));
    return 0.0;
}

static void kick_body(sherd_obstacle *o, double dt, sherd_vec3 gravity)
{
    sherd_vec3 arm = vec3_sub(o->pose.position, o->body.centre);
    sherd_vec3 torque = vec3_add(o->torque, vec3_cross(arm, o->force));
    sherd_vec3 force = vec3_add_scaled(o->force, o->body.properties.mass, gravity);
    sherd_rigid_body_kick(&o->body, force, torque, dt);
}

double sherd_obstacle_kick_energy(const sherd_obstacle *o, double dt, sherd_vec3 gravity)
{
    if (o->kind != SHERD_OBSTACLE_FREE) return 0.0;
    sherd_obstacle at_rest = *o;
    at_rest.body.velocity = at_rest.body.angular_momentum = vec3(0.0, 0.0, 0.0);
    kick_body(&at_rest, 0.5 * dt, gravity);
    return sherd_rigid_body_kinetic_energy(&at_rest.body);
}

static void move_free(sherd_obstacle *o, double dt, sherd_vec3 gravity)
{
    kick_body(o, 0.5 * dt, gravity);
    sherd_rigid_body_drift(&o->body, dt);
    set_pose(o, sherd_rigid_body_pose(&o->body));
    o->spin = sherd_rigid_body_spin(&o->body);
    o->velocity =
        vec3_add(o->body.velocity, vec3_cross(o->spin, vec3_sub(o->pose.position, o->body.centre)));
}

double sherd_obstacle_move(sherd_obstacle *o, double time, double dt, sherd_vec3 gravity)
{
    if (o->kind == SHERD_OBSTACLE_DRIVEN) return move_driven(o, time, dt);
    if (o->kind == SHERD_OBSTACLE_FREE) move_free(o, dt, gravity);
    return 0.0;
}

double sherd_obstacle_finish(sherd_obstacle *o, double dt, sherd_vec3 gravity)
{
    if (dt <= 0.0) return 0.0;
    if (o->kind == SHERD_OBSTACLE_FREE) kick_body(o, 0.5 * dt, gravity);
    return o->kind == SHERD_OBSTACLE_DRIVEN ? load_work(o) : 0.0;
}

double sherd_obstacle_distance(const sherd_obstacle *o, sherd_vec3 point)
{
    sherd_vec3 local = pose_apply_inverse(o->pose, point);
    return o->shape != NULL ? sherd_shape_distance(o->shape, local) : local.z;
}

sherd_vec3 sherd_obstacle_normal(const sherd_obstacle *o, sherd_vec3 point)
{
    sherd_vec3 local = pose_apply_inverse(o->pose, point);
    sherd_vec3 n = o->shape != NULL ? sherd_shape_normal(o->shape, local) : vec3(0.0, 0.0, 1.0);
    return quat_rotate(o->pose.rotation, n);
}

double sherd_obstacle_distance_and_normal(const sherd_obstacle *o, sherd_vec3 point,
                                          sherd_vec3 *normal)
{
    sherd_vec3 local = pose_apply_inverse(o->pose, point), n = {0.0, 0.0, 1.0};
    double distance =
        o->shape != NULL ? sherd_shape_distance_and_normal(o->shape, local, &n) : local.z;
    *normal = quat_rotate(o->pose.rotation, n);
    return distance;
}

static const double AHEAD = 1.1; // [radii]

// The shape is queried again when the ball has moved; sooner if it is not smooth.
static bool is_smooth(const sherd_shape *shape, sherd_vec3 local, double radius,
                      sherd_smooth_patch *patch)
{
    static const double AROUND = 0.4, UNTIL_AGAIN = 0.2; // [radii]
    if (patch == NULL) return false;
    if (vec3_distance(local, patch->at) < patch->within) return patch->smooth;
    patch->at = local;
    patch->smooth = sherd_shape_is_smooth(shape, local, AHEAD * radius, AROUND * radius);
    patch->within = (patch->smooth ? AROUND : UNTIL_AGAIN) * radius;
    return patch->smooth;
}

int sherd_obstacle_near(const sherd_obstacle *o, sherd_vec3 centre, double radius,
                        sherd_smooth_patch *patch, sherd_near_point places[SHERD_MAX_NEAR])
{
    sherd_vec3 local = pose_apply_inverse(o->pose, centre);
    places[0] = (sherd_near_point){local.z, vec3(0.0, 0.0, 1.0)};
    int count = 1;
    if (o->shape != NULL && (o->location_count == 1 || is_smooth(o->shape, local, radius, patch)))
        places[0].distance = sherd_shape_distance_and_normal(o->shape, local, &places[0].normal);
    else if (o->shape != NULL)
        count = sherd_shape_near(o->shape, local, AHEAD * radius, places);
    for (int k = 0; k < count; ++k)
        places[k].normal = quat_rotate(o->pose.rotation, places[k].normal);
    return count;
}

sherd_vec3 sherd_obstacle_velocity(const sherd_obstacle *o, sherd_vec3 point)
{
    return vec3_add(o->velocity, vec3_cross(o->spin, vec3_sub(point, o->pose.position)));
}

double sherd_obstacle_mobility(const sherd_obstacle *o, sherd_vec3 point, sherd_vec3 n)
{
    return o->kind == SHERD_OBSTACLE_FREE ? sherd_rigid_body_mobility(&o->body, point, n) : 0.0;
}

void sherd_obstacle_add_load(sherd_obstacle *o, sherd_vec3 point, sherd_vec3 force)
{
    sherd_vec3 arm = vec3_sub(point, o->pose.position);
    o->force = vec3_add(o->force, force);
    o->torque = vec3_add(o->torque, vec3_cross(arm, force));
}
