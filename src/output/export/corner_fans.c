#include "output/export/corner_fans.h"

#include "base/memory.h"

#include <math.h>

static const double CREASE_COSINE = 0.81915204428899; // cos 35 deg, as pictures have it
// Around a corner shared by more faces than this, faces stay flat: the search is quadratic.
enum { LARGEST_FAN = 512 };

static void find_area(const sherd_fan_mesh *mesh, int32_t triangle, double n[3])
{
    const double *p[3];
    double u[3], v[3];
    for (int k = 0; k < 3; ++k)
        p[k] = mesh->vertices + 3 * (size_t)mesh->triangles[3 * (size_t)triangle + (size_t)k];
    for (int a = 0; a < 3; ++a)
        u[a] = p[1][a] - p[0][a], v[a] = p[2][a] - p[0][a];
    n[0] = u[1] * v[2] - u[2] * v[1];
    n[1] = u[2] * v[0] - u[0] * v[2];
    n[2] = u[0] * v[1] - u[1] * v[0];
}

bool sherd_corner_fans_init(sherd_corner_fans *f, const sherd_fan_mesh *mesh)
{
    size_t n = (size_t)mesh->vertex_count, m = (size_t)mesh->triangle_count;
    *f = (sherd_corner_fans){.mesh = *mesh,
                             .area = sherd_alloc(m, sizeof *f->area),
                             .start = sherd_alloc(n + 2, sizeof *f->start),
                             .triangle = sherd_alloc(3 * m, sizeof *f->triangle)};
    if (f->area == NULL || f->start == NULL || f->triangle == NULL) return false;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        find_area(mesh, t, f->area[t]);
    // Counting sort; start[v + 1] runs from the start to the end of row v while filling.
    for (size_t c = 0; c < 3 * m; ++c)
        f->start[mesh->triangles[c] + 2]++;
    for (size_t v = 2; v <= n; ++v)
        f->start[v + 1] += f->start[v];
    for (size_t c = 0; c < 3 * m; ++c)
        f->triangle[f->start[mesh->triangles[c] + 1]++] = (int32_t)(c / 3);
    return true;
}

void sherd_corner_fans_release(sherd_corner_fans *f)
{
    sherd_free(f->area);
    sherd_free(f->start);
    sherd_free(f->triangle);
    *f = (sherd_corner_fans){0};
}

static bool same_kind(const sherd_corner_fans *f, int32_t a, int32_t b)
{
    return f->mesh.face_kind == NULL || f->mesh.face_kind[a] == f->mesh.face_kind[b];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void sherd_corner_normal(const sherd_corner_fans *f, int32_t triangle, int corner, double n[3])
{
    int32_t v = f->mesh.triangles[3 * (size_t)triangle + (size_t)corner];
    const double *own = f->area[triangle];
    double length = sqrt(dot(own, own));
    n[0] = n[1] = n[2] = 0.0;
    bool large = f->start[v + 1] - f->start[v] > LARGEST_FAN;
    for (int32_t k = f->start[v]; k < f->start[v + 1] && !large; ++k) {
        const double *other = f->area[f->triangle[k]];
        bool smooth = dot(own, other) >= CREASE_COSINE * length * sqrt(dot(other, other));
        if (!smooth || !same_kind(f, triangle, f->triangle[k])) continue;
        for (int a = 0; a < 3; ++a)
            n[a] += other[a];
    }
    if (!(dot(n, n) > 0.0))
        for (int a = 0; a < 3; ++a)
            n[a] = own[a];
}
