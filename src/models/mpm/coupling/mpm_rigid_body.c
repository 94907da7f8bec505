#include "models/mpm/coupling/mpm_rigid_body.h"

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k) {
        int next = (k + 1) % 3, last = (k + 2) % 3;
        out[k] = a[next] * b[last] - a[last] * b[next];
    }
}

static void find_arm(const sherd_mpm_rigid_body *rigid, const double x[3], double arm[3])
{
    for (int k = 0; k < 3; ++k)
        arm[k] = x[k] - rigid->centre[k];
}

void sherd_mpm_rigid_body_velocity(const sherd_mpm_rigid_body *rigid, const double x[3],
                                   double v[4])
{
    double arm[3], turning[3];
    find_arm(rigid, x, arm);
    cross(rigid->w, arm, turning);
    for (int k = 0; k < 3; ++k)
        v[k] = rigid->v[k] + turning[k];
}

double sherd_mpm_rigid_body_compliance(const sherd_mpm_rigid_body *rigid, const double x[3],
                                       const double normal[3])
{
    double arm[3], moment[3], sum = rigid->give;
    find_arm(rigid, x, arm);
    cross(arm, normal, moment);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            sum += moment[i] * rigid->inverse_inertia[i][k] * moment[k];
    return sum;
}

void sherd_mpm_rigid_body_push(sherd_mpm_rigid_body *rigid, const double x[3],
                               const double impulse[3])
{
    double arm[3], moment[3];
    find_arm(rigid, x, arm);
    cross(arm, impulse, moment);
    for (int i = 0; i < 3; ++i) {
        rigid->v[i] += rigid->give * impulse[i];
        rigid->impulse[i] += impulse[i], rigid->angular_impulse[i] += moment[i];
        for (int k = 0; k < 3; ++k)
            rigid->w[i] += rigid->inverse_inertia[i][k] * moment[k];
    }
}
