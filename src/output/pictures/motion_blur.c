#include "output/pictures/motion_blur.h"

#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Rigid motion of a fragment.
typedef struct body_motion {
    double mass;
    sherd_vec3 middle, velocity, spin; // [m], [m/s], [rad/s]
    double inertia[6];                 // about the centre: xx yy zz xy yz zx [kg m^2]
} body_motion;

static sherd_vec3 position_of(const sherd_run_frame *f, sherd_element_index k)
{
    return (sherd_vec3){f->x[k], f->y[k], f->z[k]};
}

static sherd_vec3 velocity_of(const sherd_run_frame *f, sherd_element_index k)
{
    return (sherd_vec3){f->vx[k], f->vy[k], f->vz[k]};
}

static void add_inertia(body_motion *b, double mass, sherd_vec3 r)
{
    double *i = b->inertia;
    i[0] += mass * (r.y * r.y + r.z * r.z), i[1] += mass * (r.z * r.z + r.x * r.x);
    i[2] += mass * (r.x * r.x + r.y * r.y);
    i[3] -= mass * r.x * r.y, i[4] -= mass * r.y * r.z, i[5] -= mass * r.z * r.x;
}

// Angular velocity for an angular momentum; 0 if the inertia is singular (single elements and
// straight rows).
static sherd_vec3 solve_spin(const double i[6], sherd_vec3 l)
{
    const double flattest = 1e-9;
    sherd_vec3 x = {i[0], i[3], i[5]}, y = {i[3], i[1], i[4]}, z = {i[5], i[4], i[2]};
    sherd_vec3 yz = vec3_cross(y, z), zx = vec3_cross(z, x), xy = vec3_cross(x, y);
    double trace = i[0] + i[1] + i[2];
    double determinant = x.x * yz.x + x.y * yz.y + x.z * yz.z;
    if (!(determinant > flattest * trace * trace * trace)) return (sherd_vec3){0.0, 0.0, 0.0};
    double s = 1.0 / determinant; // symmetric: columns are rows
    return (sherd_vec3){s * (yz.x * l.x + zx.x * l.y + xy.x * l.z),
                        s * (yz.y * l.x + zx.y * l.y + xy.y * l.z),
                        s * (yz.z * l.x + zx.z * l.y + xy.z * l.z)};
}

static void find_motions(const sherd_run_model *model, const sherd_run_frame *f,
                         const sherd_fragment_view *fragments, body_motion *bodies)
{
    for (sherd_element_index k = 0; k < model->element_count; ++k) {
        body_motion *b = &bodies[fragments->element_slot[k]];
        b->mass += model->mass[k];
        b->middle = vec3_add_scaled(b->middle, model->mass[k], position_of(f, k));
        b->velocity = vec3_add_scaled(b->velocity, model->mass[k], velocity_of(f, k));
    }
    for (int32_t s = 0; s < fragments->count; ++s) {
        double fraction = bodies[s].mass > 0.0 ? 1.0 / bodies[s].mass : 0.0;
        bodies[s].middle = vec3_scale(fraction, bodies[s].middle);
        bodies[s].velocity = vec3_scale(fraction, bodies[s].velocity);
    }
    for (sherd_element_index k = 0; k < model->element_count; ++k) {
        body_motion *b = &bodies[fragments->element_slot[k]];
        sherd_vec3 r = vec3_sub(position_of(f, k), b->middle);
        sherd_vec3 v = vec3_sub(velocity_of(f, k), b->velocity);
        b->spin = vec3_add_scaled(b->spin, model->mass[k],
                                  vec3_cross(r, v)); // accumulates angular momentum
        add_inertia(b, model->mass[k], r);
    }
    for (int32_t s = 0; s < fragments->count; ++s)
        bodies[s].spin = solve_spin(bodies[s].inertia, bodies[s].spin);
}

static void move_element(const sherd_run_frame *f, const body_motion *b, double later,
                         sherd_element_index k, sherd_element_index count, double *out)
{
    sherd_vec3 r = vec3_sub(position_of(f, k), b->middle);
    sherd_quat turn = quat_from_rotation_vector(vec3_scale(later, b->spin));
    sherd_vec3 rest =
        vec3_add_scaled(vec3_sub(velocity_of(f, k), b->velocity), -1.0, vec3_cross(b->spin, r));
    sherd_vec3 p =
        vec3_add_scaled(vec3_add_scaled(b->middle, later, b->velocity), 1.0, quat_rotate(turn, r));
    p = vec3_add_scaled(p, later, quat_rotate(turn, rest));
    sherd_quat q = quat_multiply(turn, (sherd_quat){f->qx[k], f->qy[k], f->qz[k], f->qw[k]});
    const double all[7] = {p.x, p.y, p.z, q.x, q.y, q.z, q.w};
    for (sherd_element_index n = 0; n < 7; ++n)
        out[(size_t)n * (size_t)count + (size_t)k] = all[n];
}

sherd_status sherd_moved_elements_make(sherd_moved_elements *moved, const sherd_run_model *model,
                                       const sherd_run_frame *frame,
                                       const sherd_fragment_view *fragments, double later,
                                       sherd_error *error)
{
    size_t n = (size_t)model->element_count;
    body_motion *bodies = calloc((size_t)fragments->count + 1, sizeof *bodies);
    double *all = malloc((7 * n + 1) * sizeof *all);
    moved->numbers = all;
    if (bodies == NULL || all == NULL) {
        free(bodies);
        *error = (sherd_error){.status = SHERD_ERROR_MEMORY,
                               .what = "not enough memory for the motion in a picture"};
        return SHERD_ERROR_MEMORY;
    }
    find_motions(model, frame, fragments, bodies);
    for (sherd_element_index k = 0; k < model->element_count; ++k)
        move_element(frame, &bodies[fragments->element_slot[k]], later, k, model->element_count,
                     all);
    free(bodies);
    moved->pose = (sherd_surface_pose){all,         all + n,     all + 2 * n, all + 3 * n,
                                       all + 4 * n, all + 5 * n, all + 6 * n};
    return SHERD_OK;
}

void sherd_moved_elements_release(sherd_moved_elements *moved)
{
    free(moved->numbers);
    *moved = (sherd_moved_elements){0};
}
