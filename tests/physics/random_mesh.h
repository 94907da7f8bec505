// Delaunay meshes of random points in a box, as meshes from elsewhere: slivers and all.
//
// Points on faces lie in planes, which is degenerate. So the mesh is made of a box whose sides bulge a
// little, and what lies flat in a side once they are straight again is left out.
#pragma once

#include "base/random.h"

#include <sherd/types.h>

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct random_mesh_def {
    sherd_vec3 size; // of the box [m]
    double spacing;  // of points [m]
    double apart;    // points are no nearer than this share of it, 0 to 0.8
    uint64_t seed;
} random_mesh_def;

typedef struct mesh_tetra {
    int corner[4];
    long double centre[3], radius2; // of the circumsphere: many are large and flat
} mesh_tetra;

typedef struct mesh_face {
    int corner[3]; // in order
    bool inner;    // between two tetrahedra that go
} mesh_face;

// The first CORNERS points are those of a tetrahedron around everything.
enum { CORNERS = 4, MAX_POINTS = 4000, MAX_TETRAS = 40000, MAX_FACES = 4000 };

typedef struct random_mesh {
    double half[3];
    int points, tetras;
    double at[MAX_POINTS][3], bulged[MAX_POINTS][3];
    mesh_tetra tetra[MAX_TETRAS];
    mesh_face hole[MAX_FACES];
    uint64_t seed, draws;
} random_mesh;

// ---------------------------------------------------------------- points

static inline void add_point(random_mesh *m, const double at[3])
{
    cr_assert(m->points < MAX_POINTS);
    for (int a = 0; a < 3; ++a) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        double s = at[b] / m->half[b], t = at[c] / m->half[c];
        m->at[m->points][a] = at[a];
        double tie = 1e-8 * sherd_random_uniform(m->seed, 6, m->draws++); // corners lie on a sphere
        m->bulged[m->points][a] = at[a] * (1.0 + tie + 1e-4 * (3.0 - s * s - t * t));
    }
    ++m->points;
}

static inline bool is_apart(const random_mesh *m, const double at[3], double least)
{
    for (int k = CORNERS; k < m->points; ++k) {
        double square = 0.0;
        for (int a = 0; a < 3; ++a)
            square += (at[a] - m->at[k][a]) * (at[a] - m->at[k][a]);
        if (square < least * least) return false;
    }
    return true;
}

// On the side, edge or corner on which the coordinates that `fixed` has bits of are at their ends,
// the upper ones where `ends` has bits too; within the box for 0.
static inline void add_points(random_mesh *m, int fixed, int ends, int count, double least)
{
    for (int left = count, trials = 40 * count; left > 0 && trials > 0; --trials) {
        double at[3];
        for (int a = 0; a < 3; ++a) {
            double share = 2.0 * sherd_random_uniform(m->seed, 5, m->draws++) - 1.0;
            if (fixed >> a & 1) share = ends >> a & 1 ? 1.0 : -1.0;
            at[a] = share * m->half[a];
        }
        if (!is_apart(m, at, least)) continue;
        add_point(m, at);
        --left;
    }
}

static inline void scatter_points(random_mesh *m, const random_mesh_def *def)
{
    const double size[3] = {def->size.x, def->size.y, def->size.z};
    double h = def->spacing, least = def->apart * h;
    for (int ends = 0; ends < 8; ++ends)
        add_points(m, 7, ends, 1, 0.0);
    for (int a = 0; a < 3; ++a)
        for (int ends = 0; ends < 8; ++ends)
            if (!(ends >> a & 1)) add_points(m, 7 & ~(1 << a), ends, (int)(size[a] / h) - 1, least);
    for (int a = 0; a < 3; ++a) {
        double area = size[(a + 1) % 3] * size[(a + 2) % 3];
        for (int end = 0; end < 2; ++end)
            add_points(m, 1 << a, end << a, (int)(area / (h * h)), least);
    }
    // Half of the cell of a point on a side is within.
    int sides = m->points - CORNERS;
    add_points(m, 0, 0, (int)(size[0] * size[1] * size[2] / (h * h * h)) - sides / 2, least);
}

// ---------------------------------------------------------------- Bowyer and Watson

static inline long double mixed(const long double a[3], const long double b[3], int axis)
{
    int j = (axis + 1) % 3, k = (axis + 2) % 3;
    return a[j] * b[k] - a[k] * b[j]; // of their cross product
}

static inline void find_circumsphere(const random_mesh *m, mesh_tetra *t)
{
    long double e[3][3], square[3] = {0}, volume = 0, u[3] = {0};
    const double *o = m->bulged[t->corner[0]];
    for (int k = 0; k < 3; ++k)
        for (int a = 0; a < 3; ++a) {
            e[k][a] = (long double)m->bulged[t->corner[k + 1]][a] - o[a];
            square[k] += e[k][a] * e[k][a];
        }
    for (int a = 0; a < 3; ++a) {
        volume += e[0][a] * mixed(e[1], e[2], a);
        for (int k = 0; k < 3; ++k)
            u[a] += square[k] * mixed(e[(k + 1) % 3], e[(k + 2) % 3], a);
    }
    t->radius2 = 0;
    for (int a = 0; a < 3; ++a) {
        t->centre[a] = o[a] + u[a] / (2 * volume);
        t->radius2 += (u[a] / (2 * volume)) * (u[a] / (2 * volume));
    }
}

static inline mesh_face face_of(const mesh_tetra *t, int opposite)
{
    mesh_face f = {.inner = false};
    for (int k = 0; k < 3; ++k) {
        int at = k, corner = t->corner[(opposite + 1 + k) % 4];
        for (; at > 0 && f.corner[at - 1] > corner; --at)
            f.corner[at] = f.corner[at - 1];
        f.corner[at] = corner;
    }
    return f;
}

static inline bool encloses(const mesh_tetra *t, const double p[3])
{
    long double square = 0;
    for (int a = 0; a < 3; ++a)
        square += (p[a] - t->centre[a]) * (p[a] - t->centre[a]);
    return square < t->radius2;
}

// Takes out the tetrahedra whose circumspheres enclose the point. Returns how many faces these had.
static inline int take_out(random_mesh *m, int point)
{
    mesh_face *hole = m->hole;
    int faces = 0, kept = 0;
    for (int t = 0; t < m->tetras; ++t) {
        if (!encloses(&m->tetra[t], m->bulged[point])) {
            m->tetra[kept++] = m->tetra[t];
            continue;
        }
        for (int k = 0; k < 4; ++k) {
            mesh_face f = face_of(&m->tetra[t], k);
            for (int other = 0; other < faces; ++other)
                if (memcmp(hole[other].corner, f.corner, sizeof f.corner) == 0)
                    hole[other].inner = f.inner = true;
            cr_assert(faces < MAX_FACES);
            hole[faces++] = f;
        }
    }
    m->tetras = kept;
    return faces;
}

static inline void insert_point(random_mesh *m, int point)
{
    const mesh_face *hole = m->hole;
    int faces = take_out(m, point);
    for (int k = 0; k < faces; ++k) {
        if (hole[k].inner) continue;
        cr_assert(m->tetras < MAX_TETRAS);
        mesh_tetra *t = &m->tetra[m->tetras++];
        t->corner[0] = point;
        memcpy(t->corner + 1, hole[k].corner, sizeof hole[k].corner);
        find_circumsphere(m, t);
    }
}

// ---------------------------------------------------------------- the mesh

static inline bool is_outside_or_flat(const random_mesh *m, const mesh_tetra *t)
{
    int flat[6] = {0};
    for (int k = 0; k < 4; ++k) {
        if (t->corner[k] < CORNERS) return true;
        const double *p = m->at[t->corner[k]];
        for (int a = 0; a < 3; ++a)
            flat[2 * a] += p[a] == -m->half[a], flat[2 * a + 1] += p[a] == m->half[a];
    }
    for (int side = 0; side < 6; ++side)
        if (flat[side] == 4) return true;
    return false;
}

static inline void write_tetras(const random_mesh *m, FILE *file)
{
    int count = 0;
    for (int t = 0; t < m->tetras; ++t)
        count += !is_outside_or_flat(m, &m->tetra[t]);
    fprintf(file, "$Elements\n%d\n", count);
    count = 0;
    for (int t = 0; t < m->tetras; ++t) {
        if (is_outside_or_flat(m, &m->tetra[t])) continue;
        fprintf(file, "%d 4 0", ++count);
        for (int k = 0; k < 4; ++k)
            fprintf(file, " %d", m->tetra[t].corner[k] - CORNERS + 1);
        fprintf(file, "\n");
    }
    fprintf(file, "$EndElements\n");
}

static inline void write_mesh(const random_mesh *m, const char *path)
{
    FILE *file = fopen(path, "w");
    cr_assert(file != NULL);
    fprintf(file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", m->points - CORNERS);
    for (int k = CORNERS; k < m->points; ++k)
        fprintf(file, "%d %.17g %.17g %.17g\n", k - CORNERS + 1, m->at[k][0], m->at[k][1],
                m->at[k][2]);
    fprintf(file, "$EndNodes\n");
    write_tetras(m, file);
    fclose(file);
}

// Writes a .msh file.
static inline void write_random_mesh(const random_mesh_def *def, const char *path)
{
    random_mesh *m = calloc(1, sizeof *m);
    cr_assert(m != NULL);
    const double size[3] = {def->size.x, def->size.y, def->size.z};
    double far = 1e4 * (size[0] + size[1] + size[2]);
    for (int a = 0; a < 3; ++a) {
        m->half[a] = 0.5 * size[a];
        for (int k = 0; k < CORNERS; ++k)
            m->bulged[k][a] = k == a + 1 ? 3.0 * far : -far;
    }
    m->points = CORNERS;
    m->seed = def->seed;
    scatter_points(m, def);
    m->tetra[0] = (mesh_tetra){.corner = {0, 1, 2, 3}};
    m->tetras = 1;
    find_circumsphere(m, &m->tetra[0]);
    for (int k = CORNERS; k < m->points; ++k)
        insert_point(m, k);
    write_mesh(m, path);
    free(m);
}
