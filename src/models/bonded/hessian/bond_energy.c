// V is a function of few things that are simple functions of the ends:
//
//   stretch and shear of r = (b, s), seven numbers linear in (x_i, x_j);
//   bending and twisting of t, three numbers bilinear in q_i and q_j.
//
// The shear angle enters as e = |n - d|^2 = 2 (1 - c), c = cos(theta) = n.d, which is accurate at small
// angles where c is not. With A(b) the symmetric matrix of the form b.R(q) d0 = q.A(b) q / |q|^2,
//
//   c = s.A(n) s / |s|^2,    a Rayleigh quotient in s.
#include "models/bonded/hessian/bond_energy.h"

#include "math/quat.h"
#include "models/bonded/hessian/nullspace.h"

#include <string.h>

enum { RELATIVE = 7 }; // b, s

static const double PI = 3.14159265358979323846;

typedef struct relative {
    double b[3], n[3], l;
    double s[4], s2;          // s2 = |s|^2
    double d0[3], d[3], c, e; // e = |n - d|^2
    double qi[4], qj[4];      // qj with the sign that makes q_i.q_j >= 0
    double sign;              // which it was
    double t[3], moment[3];   // t, K t
} relative;

sherd_ref_bond sherd_ref_bond_of(const sherd_bonds *bonds, const sherd_elements *elements,
                                 int64_t bond)
{
    sherd_bond_constants rest = sherd_bond_stiffness_of(bonds, elements, bond);
    double r2 = rest.r0 * rest.r0, S = PI * r2;
    return (sherd_ref_bond){
        .i = bonds->i[bond],
        .j = bonds->j[bond],
        .d0 = rest.d0,
        .l0 = rest.l0,
        .stretch = rest.moduli.stretch * S / rest.l0,
        .shear = rest.moduli.shear * S * rest.l0,
        .bend = rest.moduli.bend * (S * r2 / 4.0) / rest.l0,
        .twist = rest.moduli.twist * (S * r2 / 2.0) / rest.l0,
    };
}

// ---------------------------------------------------------------- strains

static double dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int k = 0; k < n; ++k)
        sum += a[k] * b[k];
    return sum;
}

// K v
static void section(const sherd_ref_bond *bond, const double v[3], double out[3])
{
    const double d0[3] = {bond->d0.x, bond->d0.y, bond->d0.z};
    double along = dot(3, d0, v);
    for (int k = 0; k < 3; ++k)
        out[k] = bond->bend * v[k] + (bond->twist - bond->bend) * along * d0[k];
}

static relative relative_of(const sherd_ref_bond *bond, const double *x_i, const double *x_j)
{
    relative r;
    r.sign = dot(4, x_i + 3, x_j + 3) < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; ++k)
        r.b[k] = x_j[k] - x_i[k];
    for (int k = 0; k < 4; ++k) {
        r.qi[k] = x_i[3 + k];
        r.qj[k] = r.sign * x_j[3 + k];
        r.s[k] = r.qi[k] + r.qj[k];
    }
    r.l = sqrt(dot(3, r.b, r.b));
    r.s2 = dot(4, r.s, r.s);
    sherd_quat q_c = quat_normalize(quat(r.s[0], r.s[1], r.s[2], r.s[3]));
    sherd_vec3 d = quat_rotate(q_c, bond->d0);
    r.d0[0] = bond->d0.x, r.d0[1] = bond->d0.y, r.d0[2] = bond->d0.z;
    r.d[0] = d.x, r.d[1] = d.y, r.d[2] = d.z;
    r.e = 0.0;
    for (int k = 0; k < 3; ++k) {
        r.n[k] = r.b[k] / r.l;
        r.e += (r.n[k] - r.d[k]) * (r.n[k] - r.d[k]);
    }
    r.c = 1.0 - 0.5 * r.e;
    double g[3][4];
    sherd_ref_left_nullspace(r.qj, g);
    for (int k = 0; k < 3; ++k)
        r.t[k] = 2.0 * dot(4, g[k], r.qi);
    section(bond, r.t, r.moment);
    return r;
}

// theta^2 as a function of e: theta = 2 asin(sqrt(e)/2), with its first and second derivatives. Below
// e = 1e-3 by its series, whose first omitted terms are below 1e-15.
typedef struct angle {
    double square, first, second;
} angle;

static angle angle_of(double e)
{
    if (e < 1e-3)
        return (angle){
            .square = e * (1.0 + e * (1.0 / 12.0 + e * (1.0 / 90.0 + e / 560.0))),
            .first = 1.0 + e * (1.0 / 6.0 + e * (1.0 / 30.0 + e * (1.0 / 140.0 + e / 630.0))),
            .second = 1.0 / 6.0 + e * (1.0 / 15.0 + e * (3.0 / 140.0 + e * (2.0 / 315.0))),
        };
    double theta = 2.0 * asin(fmin(0.5 * sqrt(e), 1.0));
    double s = sin(theta), c = cos(theta);
    return (angle){theta * theta, theta / s, (s - theta * c) / (2.0 * s * s * s)};
}

// f = theta / sqrt(e) and df/de.
typedef struct chord_ratio {
    double value, slope;
} chord_ratio;

static chord_ratio chord_ratio_of(double e)
{
    if (e < 1e-3)
        return (chord_ratio){1.0 + e * (1.0 / 24.0 + e * (3.0 / 640.0 + e * (5.0 / 7168.0))),
                             1.0 / 24.0 + e * (3.0 / 320.0 + e * (15.0 / 7168.0))};
    double f = 2.0 * asin(fmin(0.5 * sqrt(e), 1.0)) / sqrt(e);
    return (chord_ratio){f, (1.0 / sqrt(1.0 - 0.25 * e) - f) / (2.0 * e)};
}

double sherd_ref_bond_energy(const sherd_ref_bond *bond, const double *x_i, const double *x_j)
{
    relative r = relative_of(bond, x_i, x_j);
    double stretch = r.l - bond->l0;
    return 0.5 * (bond->stretch * stretch * stretch + bond->shear * angle_of(r.e).square +
                  dot(3, r.t, r.moment));
}

// ---------------------------------------------------------------- shear's cosine

// Of u.R(q) v = q.A q for unit q: linear in u and in v. A(b) has v = d0.
static void form_of(const double u[3], const double v[3], double a[4][4])
{
    double along = dot(3, u, v);
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c)
            a[r][c] = v[r] * u[c] + u[r] * v[c] - (r == c ? along : 0.0);
        int r1 = (r + 1) % 3, r2 = (r + 2) % 3;
        a[r][3] = a[3][r] = v[r1] * u[r2] - v[r2] * u[r1];
    }
    a[3][3] = along;
}

// dc/d(b, s), with d - c n = (d - n) + (1 - c) n: small numbers stay accurate.
static void cosine_gradient(const relative *r, const double a[4][4], double g[RELATIVE])
{
    for (int k = 0; k < 3; ++k)
        g[k] = (r->d[k] - r->n[k] + 0.5 * r->e * r->n[k]) / r->l;
    for (int k = 0; k < 4; ++k)
        g[3 + k] = 2.0 * (dot(4, a[k], r->s) - r->c * r->s[k]) / r->s2;
}

// w[k] = A(e_k) s: half the derivative of |s|^2 d with respect to s, its rows.
static void form_rows(const relative *r, double w[3][4])
{
    for (int k = 0; k < 3; ++k) {
        const double unit[3] = {k == 0, k == 1, k == 2};
        double a[4][4];
        form_of(unit, r->d0, a);
        for (int m = 0; m < 4; ++m)
            w[k][m] = dot(4, a[m], r->s);
    }
}

// d2c/d(b, s)2
static void cosine_hessian(const relative *r, const double a[4][4], const double g[RELATIVE],
                           double h[RELATIVE][RELATIVE])
{
    for (int x = 0; x < 3; ++x)
        for (int y = 0; y < 3; ++y)
            h[x][y] = (3.0 * r->c * r->n[x] * r->n[y] - r->d[x] * r->n[y] - r->n[x] * r->d[y] -
                       (x == y ? r->c : 0.0)) /
                      (r->l * r->l);
    for (int x = 0; x < 4; ++x)
        for (int y = 0; y < 4; ++y)
            h[3 + x][3 + y] =
                2.0 * (a[x][y] - (x == y ? r->c : 0.0) - r->s[x] * g[3 + y] - g[3 + x] * r->s[y]) /
                r->s2;
    double w[3][4];
    form_rows(r, w);
    for (int x = 0; x < 4; ++x) {
        double along = w[0][x] * r->n[0] + w[1][x] * r->n[1] + w[2][x] * r->n[2];
        for (int y = 0; y < 3; ++y)
            h[3 + x][y] = h[y][3 + x] =
                2.0 * ((w[y][x] - along * r->n[y]) / r->l - r->s[x] * g[y]) / r->s2;
    }
}

// ---------------------------------------------------------------- stretch and shear

static void relative_gradient(const sherd_ref_bond *bond, const relative *r, double g[RELATIVE])
{
    double a[4][4];
    form_of(r->n, r->d0, a);
    cosine_gradient(r, a, g);
    double slope = -bond->shear * angle_of(r->e).first; // d(1/2 ks theta^2)/dc
    for (int k = 0; k < RELATIVE; ++k)
        g[k] *= slope;
    for (int k = 0; k < 3; ++k)
        g[k] += bond->stretch * (r->l - bond->l0) * r->n[k];
}

static void relative_hessian(const sherd_ref_bond *bond, const relative *r,
                             double h[RELATIVE][RELATIVE])
{
    double a[4][4], g[RELATIVE];
    form_of(r->n, r->d0, a);
    cosine_gradient(r, a, g);
    cosine_hessian(r, a, g, h);
    angle theta = angle_of(r->e);
    for (int x = 0; x < RELATIVE; ++x)
        for (int y = 0; y < RELATIVE; ++y)
            h[x][y] = bond->shear * (2.0 * theta.second * g[x] * g[y] - theta.first * h[x][y]);
    double slack = bond->l0 / r->l; // stretch: kn (n n' + (1 - l0/l) (1 - n n'))
    for (int x = 0; x < 3; ++x)
        for (int y = 0; y < 3; ++y)
            h[x][y] += bond->stretch * ((x == y ? 1.0 - slack : 0.0) + slack * r->n[x] * r->n[y]);
}

// The shear strain as a vector of length theta, f (R(q_c)' n - d0): in the bond's frame, so that it
// does not change when everything turns. Its derivative with respect to (b, s).
static void shear_jacobian(const relative *r, double jacobian[3][RELATIVE])
{
    sherd_quat q_c = quat_normalize(quat(r->s[0], r->s[1], r->s[2], r->s[3]));
    double de[RELATIVE] = {0.0}, shear_vector[3];
    for (int k = 0; k < 3; ++k) {
        const double unit[3] = {k == 0, k == 1, k == 2};
        double a[4][4]; // of component k of R' n
        form_of(r->n, unit, a);
        sherd_vec3 axis = quat_rotate(q_c, vec3(unit[0], unit[1], unit[2]));
        const double e_k[3] = {axis.x, axis.y, axis.z};
        double value = dot(3, e_k, r->n);
        for (int m = 0; m < 3; ++m)
            jacobian[k][m] = (e_k[m] - value * r->n[m]) / r->l;
        for (int m = 0; m < 4; ++m)
            jacobian[k][3 + m] = 2.0 * (dot(4, a[m], r->s) - value * r->s[m]) / r->s2;
        shear_vector[k] = value - r->d0[k];
        for (int m = 0; m < RELATIVE; ++m)
            de[m] += 2.0 * shear_vector[k] * jacobian[k][m];
    }
    chord_ratio f = chord_ratio_of(r->e);
    for (int k = 0; k < 3; ++k)
        for (int m = 0; m < RELATIVE; ++m)
            jacobian[k][m] = f.value * jacobian[k][m] + f.slope * de[m] * shear_vector[k];
}

static void relative_gauss_newton(const sherd_ref_bond *bond, const relative *r,
                                  double h[RELATIVE][RELATIVE])
{
    double jacobian[3][RELATIVE];
    shear_jacobian(r, jacobian);
    for (int x = 0; x < RELATIVE; ++x)
        for (int y = 0; y < RELATIVE; ++y) {
            h[x][y] = 0.0;
            for (int k = 0; k < 3; ++k)
                h[x][y] += bond->shear * jacobian[k][x] * jacobian[k][y];
            if (x < 3 && y < 3) h[x][y] += bond->stretch * r->n[x] * r->n[y];
        }
}

// ---------------------------------------------------------------- bending and twisting

// dt/d(q_i, q_j) = 2 (G_l(q_j), -G_l(q_i)), for t is also -2 G_l(q_i) q_j.
static void turn_jacobian(const relative *r, double jacobian[3][8])
{
    double g_i[3][4], g_j[3][4];
    sherd_ref_left_nullspace(r->qi, g_i);
    sherd_ref_left_nullspace(r->qj, g_j);
    for (int k = 0; k < 3; ++k)
        for (int m = 0; m < 4; ++m) {
            jacobian[k][m] = 2.0 * g_j[k][m];
            jacobian[k][4 + m] = -2.0 * g_i[k][m];
        }
}

// J' K J
static void turn_gauss_newton(const sherd_ref_bond *bond, const relative *r, double h[8][8])
{
    double jacobian[3][8], column[3], loaded[3];
    turn_jacobian(r, jacobian);
    for (int y = 0; y < 8; ++y) {
        for (int k = 0; k < 3; ++k)
            column[k] = jacobian[k][y];
        section(bond, column, loaded);
        for (int x = 0; x < 8; ++x)
            h[x][y] = jacobian[0][x] * loaded[0] + jacobian[1][x] * loaded[1] +
                      jacobian[2][x] * loaded[2];
    }
}

// dV/dq_i = 2 G_l(q_j)' m = 2 q_j m with m = K t: its derivative with respect to q_j at fixed m is
// 2 Q_r(m), (42).
static void add_turn_geometric(const relative *r, double h[8][8])
{
    const double *m = r->moment;
    const double q_r[4][4] = {{0.0, m[2], -m[1], m[0]},
                              {-m[2], 0.0, m[0], m[1]},
                              {m[1], -m[0], 0.0, m[2]},
                              {-m[0], -m[1], -m[2], 0.0}};
    for (int x = 0; x < 4; ++x)
        for (int y = 0; y < 4; ++y) {
            h[x][4 + y] += 2.0 * q_r[x][y];
            h[4 + y][x] += 2.0 * q_r[x][y];
        }
}

// ---------------------------------------------------------------- of both ends

// r = (b, s) = C (x_i, x_j): the one entry of C per end and component.
static void coefficients(const relative *r, double c[SHERD_REF_PAIR])
{
    for (int k = 0; k < SHERD_REF_END; ++k) {
        c[k] = k < 3 ? -1.0 : 1.0;
        c[SHERD_REF_END + k] = k < 3 ? 1.0 : r->sign;
    }
}

// Place of a quaternion component of (q_i, q_j) among the 14, and the sign of q_j.
static int turn_place(int k)
{
    return k < 4 ? 3 + k : SHERD_REF_END + k - 1;
}

void sherd_ref_bond_gradient(const sherd_ref_bond *bond, const double *x_i, const double *x_j,
                             double gradient[SHERD_REF_PAIR])
{
    relative r = relative_of(bond, x_i, x_j);
    double g[RELATIVE], c[SHERD_REF_PAIR], jacobian[3][8];
    relative_gradient(bond, &r, g);
    coefficients(&r, c);
    for (int k = 0; k < SHERD_REF_PAIR; ++k)
        gradient[k] = c[k] * g[k % SHERD_REF_END];
    turn_jacobian(&r, jacobian);
    for (int k = 0; k < 8; ++k)
        gradient[turn_place(k)] +=
            (k < 4 ? 1.0 : r.sign) * (jacobian[0][k] * r.moment[0] + jacobian[1][k] * r.moment[1] +
                                      jacobian[2][k] * r.moment[2]);
}

void sherd_ref_bond_hessian(const sherd_ref_bond *bond, const double *x_i, const double *x_j,
                            sherd_ref_hessian kind, double hessian[SHERD_REF_PAIR][SHERD_REF_PAIR])
{
    relative r = relative_of(bond, x_i, x_j);
    double h[RELATIVE][RELATIVE], turn[8][8], c[SHERD_REF_PAIR];
    turn_gauss_newton(bond, &r, turn);
    if (kind == SHERD_REF_FULL) {
        relative_hessian(bond, &r, h);
        add_turn_geometric(&r, turn);
    } else {
        relative_gauss_newton(bond, &r, h);
    }
    coefficients(&r, c);
    for (int x = 0; x < SHERD_REF_PAIR; ++x)
        for (int y = 0; y < SHERD_REF_PAIR; ++y)
            hessian[x][y] = c[x] * c[y] * h[x % SHERD_REF_END][y % SHERD_REF_END];
    for (int x = 0; x < 8; ++x)
        for (int y = 0; y < 8; ++y)
            hessian[turn_place(x)][turn_place(y)] +=
                ((x < 4) == (y < 4) ? 1.0 : r.sign) * turn[x][y];
}
