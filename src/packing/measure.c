#include "packing/measure.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/shape/shape_range.h"
#include "math/vec3.h"

enum { CHUNK = 2048, NEAR = 64 };

typedef struct gap_job {
    const sherd_shape *shape;
    const sherd_point_grid *grid;
    double r;
    double *gap;        // by element, -1 unless outermost [m]
    sherd_vec3 *normal; // of the surface nearest to it
} gap_job;

// Whether another element, of the next outer layer, is within 53 degrees of the normal and close
// enough (a gap of 0.4 r). In close packing that layer is at 35 degrees.
static bool is_covered(const gap_job *job, size_t n, sherd_vec3 normal)
{
    const double towards = 0.6;
    int32_t near[NEAR];
    double reach = fmin(2.4 * job->r, job->grid->cell);
    sherd_vec3 at = job->grid->point[n].at;
    int found = sherd_point_grid_near(job->grid, at, reach, near, NEAR);
    for (int k = 0; k < found; ++k) {
        sherd_vec3 way = vec3_sub(job->grid->point[near[k]].at, at);
        if (vec3_dot(way, normal) > towards * vec3_length(way) && (size_t)near[k] != n) return true;
    }
    return false;
}

static void element_gaps(void *context, size_t begin, size_t end)
{
    gap_job *job = context;
    for (size_t n = begin; n < end; ++n) {
        sherd_vec3 at = job->grid->point[n].at;
        // Below 4 r there is always room for another element further out.
        sherd_distance_range range = {0.0, 4.0 * job->r * (1.0 + 1e-6)};
        sherd_known_side inside = {at, SHERD_SIDE_INSIDE}; // as all elements are
        sherd_vec3 normal;
        double depth = -sherd_shape_distance_between(job->shape, at, range, &inside, &normal);
        job->gap[n] = -1.0;
        job->normal[n] = normal;
        if (depth > 4.0 * job->r || is_covered(job, n, normal)) continue;
        job->gap[n] = fmax(depth - job->r, 0.0);
    }
}

// ---------------------------------------------------------------- flat faces

// Elements at surfaces with one normal, and the smallest of their gaps.
typedef struct face {
    sherd_vec3 normal;
    size_t count;
    double gap; // [m]
} face;

enum { FACES = 64 }; // distinct faces; with more, the surface is curved

static void add_to_faces(face *faces, int *count, sherd_vec3 normal, double gap)
{
    const double same = 0.9998; // 1.1 degrees
    int k = 0;
    while (k < *count && vec3_dot(faces[k].normal, normal) < same)
        ++k;
    if (k == FACES) return;
    if (k == *count) faces[(*count)++] = (face){normal, 0, gap};
    ++faces[k].count;
    faces[k].gap = fmin(faces[k].gap, gap);
}

// Only faces with a significant fraction of the outermost elements count.
static void find_farthest_face(const gap_job *job, size_t elements, sherd_surface_gap *gap)
{
    const double share = 0.08;
    face faces[FACES];
    int count = 0;
    for (size_t n = 0; n < elements; ++n)
        if (job->gap[n] >= 0.0) add_to_faces(faces, &count, job->normal[n], job->gap[n]);
    for (int k = 0; k < count; ++k) {
        if ((double)faces[k].count < share * (double)gap->count || faces[k].gap <= gap->face)
            continue;
        gap->face = faces[k].gap;
        gap->face_normal = faces[k].normal;
    }
}

bool sherd_measure_surface_gap(const sherd_shape *shape, const sherd_point_grid *grid, double r,
                               int threads, sherd_surface_gap *gap)
{
    *gap = (sherd_surface_gap){0};
    gap_job job = {.shape = shape, .grid = grid, .r = r};
    job.gap = sherd_alloc(grid->count, sizeof *job.gap);
    job.normal = sherd_alloc(grid->count, sizeof *job.normal);
    bool done = job.gap != NULL && job.normal != NULL;
    if (done)
        sherd_parallel_for(&(sherd_parallel){threads}, grid->count, CHUNK, element_gaps, &job);
    for (size_t n = 0; done && n < grid->count; ++n) {
        if (job.gap[n] < 0.0) continue;
        ++gap->count;
        gap->mean += job.gap[n];
        gap->max = fmax(gap->max, job.gap[n]);
    }
    if (gap->count > 0) gap->mean /= (double)gap->count;
    if (done) find_farthest_face(&job, grid->count, gap);
    sherd_free(job.gap);
    sherd_free(job.normal);
    return done;
}
