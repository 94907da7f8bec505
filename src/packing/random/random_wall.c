#include "packing/random/random_wall.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "geometry/shape/shape_kind.h"
#include "math/vec3.h"

// Planes are valid while a ball has moved less than this [radii].
static const double STILL_GOOD = 0.03;

// Depth of a point below plane k.
static double depth_below(const sherd_rcp_wall *w, int k, sherd_vec3 p)
{
    return w->depth[k] - vec3_dot(w->normal[k], vec3_sub(p, vec3(w->x, w->y, w->z)));
}

// Adds the plane nearest to q, unless it is similar to an existing one. Where the solid is concave,
// planes found from other positions would exclude positions of p: depth there is a convex function
// and any tangent is below it.
static void add_plane(const sherd_shape *shape, sherd_rcp_wall *w, sherd_vec3 p, sherd_vec3 q,
                      double r)
{
    const double alike = 0.9; // 26 degrees
    if (w->planes == SHERD_RCP_PLANES) return;
    sherd_vec3 normal;
    double distance = sherd_shape_distance_and_normal(shape, q, &normal);
    for (int k = 0; k < w->planes; ++k)
        if (vec3_dot(w->normal[k], normal) > alike) return;
    double depth = -distance + vec3_dot(normal, vec3_sub(q, p));
    if (depth < w->depth[0] - 1e-3 * r) return;
    w->depth[w->planes] = depth;
    w->normal[w->planes++] = normal;
}

// Near an edge of the solid other faces are found from displaced positions.
static void find_faces_aside(const sherd_shape *shape, sherd_rcp_wall *w, sherd_vec3 p, double r)
{
    enum { SIDES = 6 };
    const double aside = 0.7, pi = 3.14159265358979323846;
    sherd_vec3 u = vec3_perpendicular(w->normal[0]), v = vec3_cross(w->normal[0], u);
    for (int k = 0; k < SIDES; ++k) {
        double angle = 2.0 * pi * k / SIDES;
        sherd_vec3 way = vec3_add(vec3_scale(cos(angle), u), vec3_scale(sin(angle), v));
        add_plane(shape, w, p, vec3_add_scaled(p, aside * r, way), r);
    }
}

static void find_planes(const sherd_rcp *rcp, size_t n, sherd_rcp_wall *w)
{
    sherd_vec3 p = sherd_rcp_centre(&rcp->ball[n]);
    w->x = p.x, w->y = p.y, w->z = p.z;
    w->depth[0] = -sherd_shape_distance_and_normal(rcp->shape, p, &w->normal[0]);
    w->planes = 1;
    if (rcp->edges) find_faces_aside(rcp->shape, w, p, rcp->scale * rcp->ball[n].r);
}

// ---------------------------------------------------------------- who is near

typedef struct wall_job {
    sherd_rcp *rcp;
    double skin;
} wall_job;

static double near_depth(const sherd_rcp *rcp, size_t n, double skin)
{
    return rcp->scale * rcp->ball[n].r + SHERD_RCP_PULL_REACH * rcp->mean_radius + skin;
}

// Marks the balls near the surface with a 0 in wall_of.
static void mark_near(void *context, size_t begin, size_t end)
{
    const wall_job *job = context;
    sherd_rcp *rcp = job->rcp;
    for (size_t n = begin; n < end; ++n) {
        sherd_vec3 p = sherd_rcp_centre(&rcp->ball[n]);
        double limit = near_depth(rcp, n, job->skin);
        if (rcp->list.made != NULL)
            rcp->deep[n] -= vec3_distance(p, sherd_rcp_centre(&rcp->list.made[n]));
        if (rcp->deep[n] < limit) rcp->deep[n] = -sherd_shape_distance(rcp->shape, p);
        rcp->wall_of[n] = rcp->deep[n] < limit ? 0 : -1;
    }
}

static void find_all_planes(void *context, size_t begin, size_t end)
{
    const wall_job *job = context;
    sherd_rcp *rcp = job->rcp;
    for (size_t n = begin; n < end; ++n)
        if (rcp->wall_of[n] >= 0) find_planes(rcp, n, &rcp->wall[rcp->wall_of[n]]);
}

bool sherd_rcp_walls_make(sherd_rcp *rcp, double skin)
{
    wall_job job = {rcp, skin};
    if (rcp->deep == NULL) {
        rcp->deep = sherd_alloc(rcp->count, sizeof *rcp->deep);
        rcp->wall_of = sherd_alloc(rcp->count, sizeof *rcp->wall_of);
        if (rcp->deep == NULL || rcp->wall_of == NULL) return false;
    }
    sherd_parallel_for(&rcp->parallel, rcp->count, SHERD_RCP_CHUNK, mark_near, &job);
    rcp->wall_count = 0;
    for (size_t n = 0; n < rcp->count; ++n)
        if (rcp->wall_of[n] >= 0) rcp->wall_of[n] = (int32_t)rcp->wall_count++;
    if (!sherd_grow((void **)&rcp->wall, &rcp->wall_capacity, rcp->wall_count + 1,
                    sizeof *rcp->wall))
        return false;
    sherd_parallel_for(&rcp->parallel, rcp->count, SHERD_RCP_CHUNK, find_all_planes, &job);
    return true;
}

void sherd_rcp_walls_free(sherd_rcp *rcp)
{
    sherd_free(rcp->deep);
    sherd_free(rcp->wall_of);
    sherd_free(rcp->wall);
    rcp->deep = NULL, rcp->wall_of = NULL, rcp->wall = NULL;
    rcp->wall_count = rcp->wall_capacity = 0;
}

// ---------------------------------------------------------------- force

// Fraction of the attraction at this gap: continuous at contact, so that balls keep touching, and
// zero at the reach.
static double pull_share(double gap, double reach)
{
    const double rise = 0.02;
    if (!(gap > 0.0 && gap < reach)) return 0.0;
    return fmin(gap / (rise * reach), 1.0) * (1.0 - gap / reach);
}

sherd_rcp_push sherd_rcp_wall_push(sherd_rcp *rcp, size_t n)
{
    SHERD_ASSERT(n < rcp->count && rcp->wall_of != NULL, "balls near walls were listed");
    sherd_rcp_wall *w = &rcp->wall[rcp->wall_of[n]];
    sherd_vec3 p = sherd_rcp_centre(&rcp->ball[n]);
    double r = rcp->scale * rcp->ball[n].r;
    if (vec3_distance(p, vec3(w->x, w->y, w->z)) > STILL_GOOD * r) find_planes(rcp, n, w);
    sherd_rcp_push push = {.overlap = 0.0};
    for (int k = 0; k < w->planes; ++k) {
        double overlap = r - depth_below(w, k, p);
        if (overlap > 0.0) {
            // As strong as the ball's mirror image in the surface.
            push.force = vec3_add_scaled(push.force, -2.0 * overlap, w->normal[k]);
            push.overlap = fmax(push.overlap, overlap);
        } else if (k == 0 && rcp->pull > 0.0) {
            double share = pull_share(-overlap, SHERD_RCP_PULL_REACH * rcp->mean_radius);
            push.force = vec3_add_scaled(push.force, share * rcp->pull, w->normal[k]);
        }
    }
    return push;
}
