// skin, pose: bodies that bend, twist and stretch show no lattice; rigid motions are exact.
#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"
#include "math/quat.h"
#include "surface/piece/pose.h"
#include "surface/piece/skin.h"

#include <sherd/packing.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>

static const double RADIUS = 0.01, LENGTH = 0.6, HEIGHT = 0.08;

// A beam of close-packed elements along x, with a grid of points on its upper side, away from edges.
typedef struct beam {
    sherd_packing *packing;
    partition elements;
    piece piece;
    double *pose[7];
    sherd_surface_pose now;
    double *x, *normals; // as posed
} beam;

static void make_points(piece *p)
{
    enum { ALONG = 121, ACROSS = 31 };
    p->mesh = sherd_mesh_create(ALONG * ACROSS, 0, NULL);
    p->mesh->normals = sherd_alloc(3 * ALONG * ACROSS, sizeof(double));
    p->bones = sherd_alloc(SKIN_BONES * ALONG * ACROSS, sizeof *p->bones);
    p->weights = sherd_alloc(SKIN_BONES * ALONG * ACROSS, sizeof *p->weights);
    for (int32_t v = 0; v < ALONG * ACROSS; ++v) {
        double along = (double)(v % ALONG) / (ALONG - 1) - 0.5;
        double across = (double)v / ALONG / (ACROSS - 1) - 0.5;
        mesh_set_vertex(p->mesh, v, vec3(0.4 * along, 0.04 * across, 0.5 * HEIGHT));
        p->mesh->normals[3 * v + 2] = 1.0;
    }
}

static beam make_beam(void)
{
    beam b = {0};
    sherd_shape *shape = sherd_shape_box((sherd_vec3){LENGTH, HEIGHT, HEIGHT}, NULL);
    sherd_packing_def def = sherd_packing_def_default();
    def.radius = RADIUS;
    b.packing = sherd_packing_create(shape, &def, NULL);
    sherd_shape_destroy(shape);
    size_t n = (size_t)b.packing->count;
    sherd_vec3 *centre = calloc(n, sizeof *centre);
    sherd_fragment_id *label = calloc(n, sizeof *label);
    for (size_t e = 0; e < n; ++e) {
        centre[e] = vec3(b.packing->x[e], b.packing->y[e], b.packing->z[e]);
        label[e] = 1;
    }
    cr_assert(sherd_partition_create(&b.elements, centre, b.packing->radius, (int32_t)n, 1.5));
    cr_assert(sherd_partition_update(&b.elements, label, NULL));
    free(centre);
    free(label);
    make_points(&b.piece);
    skin_search search = {.partition = &b.elements, .label = 1};
    for (int32_t v = 0; v < b.piece.mesh->vertex_count; ++v)
        cr_assert(sherd_skin_vertex(&search, mesh_vertex(b.piece.mesh, v), 0,
                                    b.piece.bones + SKIN_BONES * v,
                                    b.piece.weights + SKIN_BONES * v));
    sherd_skin_search_release(&search);
    for (int k = 0; k < 7; ++k)
        b.pose[k] = calloc(n, sizeof(double));
    b.now = (sherd_surface_pose){b.pose[0], b.pose[1], b.pose[2], b.pose[3],
                                 b.pose[4], b.pose[5], b.pose[6]};
    b.x = calloc(3 * (size_t)b.piece.mesh->vertex_count, sizeof(double));
    b.normals = calloc(3 * (size_t)b.piece.mesh->vertex_count, sizeof(double));
    return b;
}

static void free_beam(beam *b)
{
    sherd_packing_destroy(b->packing);
    sherd_partition_release(&b->elements);
    sherd_piece_release(&b->piece);
    for (int k = 0; k < 7; ++k)
        free(b->pose[k]);
    free(b->x);
    free(b->normals);
}

typedef struct motion {
    double curvature; // about y [1/m]
    double twist;     // about x [rad/m]
    double stretch;   // along x, contracting by 0.4 of it across
} motion;

// Where a point of the beam goes and how it turns there.
static sherd_pose move(const motion *m, sherd_vec3 X)
{
    double s = X.x * (1.0 + m->stretch), thinner = 1.0 - 0.4 * m->stretch;
    double angle = m->curvature * s;
    sherd_quat twisted = quat_from_rotation_vector(vec3(m->twist * X.x, 0.0, 0.0));
    sherd_quat bent = quat_from_rotation_vector(vec3(0.0, -angle, 0.0));
    sherd_vec3 arm = quat_rotate(twisted, vec3(0.0, thinner * X.y, thinner * X.z));
    sherd_vec3 axis = vec3(s, 0.0, 0.0);
    if (m->curvature != 0.0)
        axis = vec3(sin(angle) / m->curvature, 0.0, (1.0 - cos(angle)) / m->curvature);
    return (sherd_pose){vec3_add(axis, quat_rotate(bent, arm)), quat_multiply(bent, twisted)};
}

static void pose_beam(beam *b, const motion *m)
{
    for (int32_t e = 0; e < b->packing->count; ++e) {
        sherd_pose p = move(m, vec3(b->packing->x[e], b->packing->y[e], b->packing->z[e]));
        const double all[7] = {p.position.x, p.position.y, p.position.z, p.rotation.x,
                               p.rotation.y, p.rotation.z, p.rotation.w};
        for (int k = 0; k < 7; ++k)
            b->pose[k][e] = all[k];
    }
    pose_source source = {b->packing->x, b->packing->y, b->packing->z, &b->now};
    sherd_pose_vertices(&b->piece, &source, 0, (size_t)b->piece.mesh->vertex_count, b->x,
                        b->normals);
}

// What it was before: four nearest elements, each carrying the point rigidly, weights that vanish at
// the fifth.
static sherd_vec3 carried_rigidly(const beam *b, sherd_vec3 X, sherd_vec3 *normal)
{
    enum { NEAR = 5 };
    double d2[NEAR] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY}, sum = 0.0;
    int32_t element[NEAR] = {0};
    for (int32_t e = 0; e < b->packing->count; ++e) {
        double dx = X.x - b->packing->x[e], dy = X.y - b->packing->y[e],
               dz = X.z - b->packing->z[e];
        double d = dx * dx + dy * dy + dz * dz;
        int k = NEAR;
        for (; k > 0 && d2[k - 1] > d; --k)
            if (k < NEAR) d2[k] = d2[k - 1], element[k] = element[k - 1];
        if (k < NEAR) d2[k] = d, element[k] = e;
    }
    sherd_vec3 x = vec3(0, 0, 0), n = vec3(0, 0, 0);
    for (int k = 0; k < NEAR - 1; ++k) {
        double u = 1.0 - d2[k] / d2[NEAR - 1], w = u * u;
        int32_t e = element[k];
        sherd_quat q = quat(b->pose[3][e], b->pose[4][e], b->pose[5][e], b->pose[6][e]);
        sherd_vec3 arm = vec3_sub(X, vec3(b->packing->x[e], b->packing->y[e], b->packing->z[e]));
        sherd_vec3 p = vec3(b->pose[0][e], b->pose[1][e], b->pose[2][e]);
        x = vec3_add_scaled(x, w, vec3_add(p, quat_rotate(q, arm)));
        n = vec3_add_scaled(n, w, quat_rotate(q, vec3(0.0, 0.0, 1.0)));
        sum += w;
    }
    *normal = vec3_normalize(n);
    return vec3_scale(1.0 / sum, x);
}

// How rough the posed side is: root mean squares of the distance to the exact surface, without its
// mean, in radii, and of the angle to the exact normal [rad].
typedef struct unevenness {
    double bump, angle;
} unevenness;

static unevenness measure(const beam *b, const motion *m, bool rigidly)
{
    double sum = 0.0, sum2 = 0.0, angle2 = 0.0;
    int32_t count = b->piece.mesh->vertex_count;
    for (int32_t v = 0; v < count; ++v) {
        sherd_vec3 X = mesh_vertex(b->piece.mesh, v), up = vec3(0.0, 0.0, 1.0), normal;
        sherd_vec3 x = vec3(b->x[3 * v], b->x[3 * v + 1], b->x[3 * v + 2]);
        normal = vec3(b->normals[3 * v], b->normals[3 * v + 1], b->normals[3 * v + 2]);
        if (rigidly) x = carried_rigidly(b, X, &normal);
        sherd_pose exact = move(m, X);
        up = quat_rotate(exact.rotation, up);
        double height = vec3_dot(vec3_sub(x, exact.position), up) / RADIUS;
        sum += height, sum2 += height * height;
        sherd_vec3 off = vec3_cross(up, normal);
        angle2 += vec3_dot(off, off);
    }
    double mean = sum / count;
    return (unevenness){sqrt(fmax(sum2 / count - mean * mean, 0.0)), sqrt(angle2 / count)};
}

// Bent to a radius of 50 elements: bumps of 1.7e-3 radii are 1.2e-4 now, normals that swayed by
// 8.8e-4 rad do so by 1.1e-4.
Test(skin, a_bent_beam_shows_no_lattice)
{
    beam b = make_beam();
    const motion bent = {.curvature = 2.0};
    pose_beam(&b, &bent);
    unevenness before = measure(&b, &bent, true), now = measure(&b, &bent, false);
    cr_log_info("bumps %.2e -> %.2e radii, normals %.2e -> %.2e rad", before.bump, now.bump,
                before.angle, now.angle);
    cr_assert(lt(dbl, 1.5e-3, before.bump));
    cr_assert(lt(dbl, now.bump, 1.5e-4));
    cr_assert(lt(dbl, now.angle, 2e-4));
    free_beam(&b);
}

// Twisted by 0.12 rad from one element to the next, sheared by a quarter at the side: normals tell
// light, and sway 8 times less than before.
Test(skin, a_twisted_beam_is_shaded_smoothly)
{
    beam b = make_beam();
    const motion twisted = {.twist = 6.0};
    pose_beam(&b, &twisted);
    unevenness before = measure(&b, &twisted, true), now = measure(&b, &twisted, false);
    cr_log_info("bumps %.2e -> %.2e radii, normals %.2e -> %.2e rad", before.bump, now.bump,
                before.angle, now.angle);
    cr_assert(lt(dbl, now.bump, 2.5e-3));
    cr_assert(lt(dbl, 5.0 * now.angle, before.angle));
    free_beam(&b);
}

// A strain of 5 %, where elements do not stretch: a thousandth of a radius.
Test(skin, a_stretched_beam_stays_flat)
{
    beam b = make_beam();
    const motion stretched = {.stretch = 0.05};
    pose_beam(&b, &stretched);
    cr_assert(lt(dbl, measure(&b, &stretched, false).bump, 1.5e-3));
    free_beam(&b);
}

Test(skin, no_motion_and_rigid_motion_are_exact)
{
    beam b = make_beam();
    const motion still = {0};
    pose_beam(&b, &still);
    for (int32_t v = 0; v < 3 * b.piece.mesh->vertex_count; ++v) {
        // Rounding of coordinates of 0.3.
        cr_assert(epsilon_eq(dbl, b.x[v], b.piece.mesh->vertices[v], 1e-15));
        cr_assert(epsilon_eq(dbl, b.normals[v], b.piece.mesh->normals[v], 1e-15));
    }
    free_beam(&b);
}

// Earlier queries make no difference.
Test(skin, any_order_of_vertices_gives_the_same_bits)
{
    beam b = make_beam();
    skin_search one = {.partition = &b.elements, .label = 1};
    for (int32_t v = b.piece.mesh->vertex_count - 1; v >= 0; --v) {
        skin_search fresh = {.partition = &b.elements, .label = 1};
        int32_t bone[2][SKIN_BONES];
        float weight[2][SKIN_BONES];
        sherd_vec3 x = mesh_vertex(b.piece.mesh, v);
        cr_assert(sherd_skin_vertex(&one, x, 0, bone[0], weight[0]));
        cr_assert(sherd_skin_vertex(&fresh, x, 0, bone[1], weight[1]));
        cr_assert_eq(memcmp(bone[0], bone[1], sizeof bone[0]), 0);
        cr_assert_eq(memcmp(weight[0], weight[1], sizeof weight[0]), 0);
        sherd_skin_search_release(&fresh);
    }
    sherd_skin_search_release(&one);
    free_beam(&b);
}

// Fragments of one, two, three and four elements: nothing to fit, elements carry what they can.
Test(skin, few_elements)
{
    const sherd_vec3 centre[4] = {
        {0.0, 0.0, 0.0}, {0.02, 0.0, 0.0}, {0.0, 0.02, 0.0}, {0.0, 0.0, 0.02}};
    const double radius[4] = {0.01, 0.01, 0.01, 0.01};
    const sherd_fragment_id label[4] = {1, 1, 1, 1};
    for (int32_t count = 1; count <= 4; ++count) {
        partition p;
        cr_assert(sherd_partition_create(&p, centre, radius, count, 1.5));
        cr_assert(sherd_partition_update(&p, label, NULL));
        const sherd_vec3 at[3] = {{0.0, 0.0, 0.0}, {0.01, 0.01, 0.0}, {-0.012, 0.004, 0.3}};
        skin_search search = {.partition = &p, .label = 1};
        for (int k = 0; k < 3; ++k) {
            int32_t bone[SKIN_BONES];
            float weight[SKIN_BONES];
            double sum = 0.0;
            cr_assert(sherd_skin_vertex(&search, at[k], 0, bone, weight));
            for (int j = 0; j < SKIN_BONES; ++j) {
                cr_assert(bone[j] >= 0 && bone[j] < count);
                cr_assert(isfinite(weight[j]) && fabs((double)weight[j]) <= 2.0);
                sum += (double)weight[j];
            }
            cr_assert(epsilon_eq(dbl, sum, 1.0, 2e-6)); // twelve roundings to float
        }
        sherd_skin_search_release(&search);
        sherd_partition_release(&p);
    }
}
