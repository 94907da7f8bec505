// A cohesive crack by a small calculation of its own: what a notched solid of a modulus, a tensile strength and a fracture
// energy bears at most, if its traction falls linearly with the crack's opening.
//
//            P           [######|          |           |######]    A beam on two supports, or a strip between grips. Half
//      ______v______     [ grip |          |           | grip ]    of it is a mesh of rectangles in plane stress, whose
//     |      :      |    [######|         notch        |######]    stiffness is condensed to the way U of what loads it and
//     |______|______|                                              the openings u of half of the ligament: F = K u + U r.
//      ^   notch   ^
//
// For each node that the crack's tip may be at, nodes behind it bear f_t (1 - 2u/w_c) >= 0, it bears f_t, and those ahead
// are closed: one linear system, of which U is an unknown, too. The largest P is the peak.
// [Hillerborg, Modeer and Petersson, Cement and Concrete Research 6, 1976]
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct cohesive_body {
    bool bent;                          // else pulled
    double length, depth, width, notch; // between the supports or grips, and the notch's depth [m]
    double youngs_modulus, poissons_ratio;    // [Pa], [-]
    double tensile_strength, fracture_energy; // [Pa], [J/m^2]
} cohesive_body;

enum { COHESIVE_ROWS = 24, COHESIVE_LIGAMENT = COHESIVE_ROWS + 1 };

typedef struct cohesive_mesh {
    int columns, rows, band; // cells along and across; half bandwidth
    double dx, dy;
    double *stiffness; // lower band, row by row
    int unknowns;
} cohesive_mesh;

static inline int cohesive_dof(const cohesive_mesh *m, int column, int row, int axis)
{
    return 2 * (column * (m->rows + 1) + row) + axis;
}

// Of a rectangle in plane stress with unit thickness, by 2 x 2 points of Gauss; corners anticlockwise.
static inline void cohesive_element(const cohesive_mesh *m, double E, double nu, double k[8][8])
{
    const double at = 1.0 / sqrt(3.0), c = E / (1.0 - nu * nu);
    const double d[3][3] = {{c, c * nu, 0.0}, {c * nu, c, 0.0}, {0.0, 0.0, 0.5 * c * (1.0 - nu)}};
    const double side[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    memset(k, 0, 64 * sizeof(double));
    for (int g = 0; g < 4; ++g) {
        double b[3][8] = {{0}};
        for (int n = 0; n < 4; ++n) {
            double x = 0.5 * side[n][0] * (1.0 + side[n][1] * at * side[g][1]) / m->dx;
            double y = 0.5 * side[n][1] * (1.0 + side[n][0] * at * side[g][0]) / m->dy;
            b[0][2 * n] = b[2][2 * n + 1] = x;
            b[1][2 * n + 1] = b[2][2 * n] = y;
        }
        for (int i = 0; i < 8; ++i)
            for (int j = 0; j < 8; ++j)
                for (int p = 0; p < 3; ++p)
                    for (int q = 0; q < 3; ++q)
                        k[i][j] += 0.25 * m->dx * m->dy * b[p][i] * d[p][q] * b[q][j];
    }
}

static inline double *cohesive_at(const cohesive_mesh *m, int i, int j)
{
    return &m->stiffness[(size_t)i * (size_t)(m->band + 1) + (size_t)(m->band - (i - j))];
}

static inline cohesive_mesh cohesive_assemble(const cohesive_body *b)
{
    cohesive_mesh m = {.rows = COHESIVE_ROWS, .dy = b->depth / COHESIVE_ROWS};
    m.columns = (int)round(0.5 * b->length / m.dy);
    m.dx = 0.5 * b->length / m.columns;
    m.band = 2 * (m.rows + 3);
    m.unknowns = 2 * (m.columns + 1) * (m.rows + 1);
    m.stiffness = calloc((size_t)m.unknowns * (size_t)(m.band + 1), sizeof *m.stiffness);
    double k[8][8];
    cohesive_element(&m, b->youngs_modulus * b->width, b->poissons_ratio, k);
    for (int c = 0; c < m.columns; ++c)
        for (int r = 0; r < m.rows; ++r)
            for (int i = 0; i < 8; ++i)
                for (int j = 0; j < 8; ++j) {
                    const int dc[4] = {0, 1, 1, 0}, dr[4] = {0, 0, 1, 1};
                    int p = cohesive_dof(&m, c + dc[i / 2], r + dr[i / 2], i % 2);
                    int q = cohesive_dof(&m, c + dc[j / 2], r + dr[j / 2], j % 2);
                    if (q <= p) *cohesive_at(&m, p, q) += k[i][j];
                }
    return m;
}

static inline void cohesive_factorise(const cohesive_mesh *m)
{
    for (int i = 0; i < m->unknowns; ++i)
        for (int j = i > m->band ? i - m->band : 0; j <= i; ++j) {
            double sum = *cohesive_at(m, i, j);
            for (int q = i > m->band ? i - m->band : 0; q < j; ++q)
                if (j - q <= m->band) sum -= *cohesive_at(m, i, q) * *cohesive_at(m, j, q);
            *cohesive_at(m, i, j) = i == j ? sqrt(sum) : sum / *cohesive_at(m, j, j);
        }
}

static inline void cohesive_solve(const cohesive_mesh *m, double *x)
{
    for (int i = 0; i < m->unknowns; ++i) {
        for (int j = i > m->band ? i - m->band : 0; j < i; ++j)
            x[i] -= *cohesive_at(m, i, j) * x[j];
        x[i] /= *cohesive_at(m, i, i);
    }
    for (int i = m->unknowns - 1; i >= 0; --i) {
        x[i] /= *cohesive_at(m, i, i);
        for (int j = i > m->band ? i - m->band : 0; j < i; ++j)
            x[j] -= *cohesive_at(m, i, j) * x[i];
    }
}

// Solves n linear equations, each with its right side last, by Gauss with pivots.
static inline void cohesive_eliminate(double a[][COHESIVE_LIGAMENT + 2], int n)
{
    for (int c = 0; c < n; ++c) {
        int pivot = c;
        for (int r = c + 1; r < n; ++r)
            if (fabs(a[r][c]) > fabs(a[pivot][c])) pivot = r;
        for (int k = 0; k <= n; ++k) {
            double swap = a[c][k];
            a[c][k] = a[pivot][k], a[pivot][k] = swap;
        }
        for (int r = 0; r < n; ++r) {
            double factor = r == c ? 0.0 : a[r][c] / a[c][c];
            for (int k = c; k <= n && factor != 0.0; ++k)
                a[r][k] -= factor * a[c][k];
        }
    }
    for (int r = 0; r < n; ++r)
        a[r][n] /= a[r][r];
}

typedef struct cohesive_ligament {
    int count; // nodes, from the notch's tip to the upper face
    // Of half the body: forces by openings and by the load's way, and what both make of its load.
    double k[COHESIVE_LIGAMENT][COHESIVE_LIGAMENT], r[COHESIVE_LIGAMENT];
    double load_by_opening[COHESIVE_LIGAMENT], load;
    double area[COHESIVE_LIGAMENT];
} cohesive_ligament;

// Whether a node is held in its place along an axis, or moved by the load: the punch goes downwards, grips outwards.
typedef enum cohesive_hold { COHESIVE_FREE, COHESIVE_HELD, COHESIVE_MOVED } cohesive_hold;

static inline cohesive_hold cohesive_hold_of(const cohesive_body *b, const cohesive_mesh *m,
                                             int first, int c, int r, int axis)
{
    if (axis == 0 && c == 0 && r >= first) return COHESIVE_HELD; // the ligament, closed
    if (!b->bent && c == m->columns) return axis == 0 ? COHESIVE_MOVED : COHESIVE_HELD;
    if (!b->bent || axis == 0) return COHESIVE_FREE;
    if (c == 0 && r == m->rows) return COHESIVE_MOVED;
    return c == m->columns && r == 0 ? COHESIVE_HELD : COHESIVE_FREE;
}

// One solution with openings and the way given: forces of what is held. `opened` of -1 is none.
static inline void cohesive_respond(const cohesive_body *b, const cohesive_mesh *m, double hold,
                                    int opened, cohesive_ligament *l, double *x)
{
    int first = m->rows + 1 - l->count, sign = b->bent ? -1 : 1;
    memset(x, 0, (size_t)m->unknowns * sizeof *x);
    if (opened >= 0) x[cohesive_dof(m, 0, first + opened, 0)] = hold;
    for (int c = 0; c <= m->columns && opened < 0; ++c)
        for (int k = 0; k < 2 * (m->rows + 1); ++k)
            if (cohesive_hold_of(b, m, first, c, k / 2, k % 2) == COHESIVE_MOVED)
                x[cohesive_dof(m, c, k / 2, k % 2)] = sign * hold;
    cohesive_solve(m, x);
    for (int i = 0; i < l->count; ++i) {
        double force = hold * ((i == opened ? 1.0 : 0.0) - x[cohesive_dof(m, 0, first + i, 0)]);
        *(opened >= 0 ? &l->k[i][opened] : &l->r[i]) = force;
    }
    double load = 0.0, way = opened < 0 ? 1.0 : 0.0;
    for (int c = 0; c <= m->columns; ++c)
        for (int k = 0; k < 2 * (m->rows + 1); ++k)
            if (cohesive_hold_of(b, m, first, c, k / 2, k % 2) == COHESIVE_MOVED)
                load += hold * (way - sign * x[cohesive_dof(m, c, k / 2, k % 2)]);
    *(opened >= 0 ? &l->load_by_opening[opened] : &l->load) = load;
}

// Stiff springs hold what is prescribed.
static inline cohesive_ligament cohesive_condense(const cohesive_body *b)
{
    cohesive_mesh m = cohesive_assemble(b);
    int first = (int)round(b->notch / m.dy);
    double hold = 1e8 * b->youngs_modulus * b->width;
    cohesive_ligament l = {.count = m.rows + 1 - first};
    for (int c = 0; c <= m.columns; ++c)
        for (int k = 0; k < 2 * (m.rows + 1); ++k) {
            int dof = cohesive_dof(&m, c, k / 2, k % 2);
            if (cohesive_hold_of(b, &m, first, c, k / 2, k % 2) != COHESIVE_FREE)
                *cohesive_at(&m, dof, dof) += hold;
        }
    cohesive_factorise(&m);
    double *x = calloc((size_t)m.unknowns, sizeof *x);
    for (int j = -1; j < l.count; ++j)
        cohesive_respond(b, &m, hold, j, &l, x);
    for (int i = 0; i < l.count; ++i)
        l.area[i] = b->width * m.dy * (i == 0 || i == l.count - 1 ? 0.5 : 1.0);
    free(x);
    free(m.stiffness);
    return l;
}

// Half of a beam bears half of the load, half of a strip all of it.
static inline double cohesive_whole(const cohesive_body *b)
{
    return b->bent ? 2.0 : 1.0;
}

// The load with the tip at `tip`. Nodes below `parted` bear nothing any more.
static inline double cohesive_load(const cohesive_body *b, const cohesive_ligament *l, int tip,
                                   int parted, double u[COHESIVE_LIGAMENT])
{
    double a[COHESIVE_LIGAMENT + 1][COHESIVE_LIGAMENT + 2] = {{0}};
    double f = b->tensile_strength, limit = 2.0 * b->fracture_energy / f;
    for (int i = 0; i <= tip; ++i) {
        for (int j = 0; j < tip; ++j)
            a[i][j] = l->k[i][j];
        if (i < tip && i >= parted) a[i][i] -= l->area[i] * f * 2.0 / limit;
        a[i][tip] = l->r[i];
        a[i][tip + 1] = i >= parted ? -l->area[i] * f : 0.0;
    }
    cohesive_eliminate(a, tip + 1);
    double load = l->load * a[tip][tip + 1];
    for (int i = 0; i < tip; ++i) {
        u[i] = a[i][tip + 1];
        load += l->load_by_opening[i] * u[i];
    }
    return cohesive_whole(b) * load;
}

static inline double cohesive_peak(const cohesive_body *b)
{
    cohesive_ligament l = cohesive_condense(b);
    double most = 0.0, limit = 2.0 * b->fracture_energy / b->tensile_strength;
    double u[COHESIVE_LIGAMENT];
    for (int tip = 0, parted = 0; tip < l.count - 1; ++tip) {
        double load = cohesive_load(b, &l, tip, parted, u);
        while (parted < tip && 2.0 * u[parted] > limit)
            load = cohesive_load(b, &l, tip, ++parted, u);
        most = fmax(most, load);
    }
    return most;
}
