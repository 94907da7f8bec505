#include "models/mpm/glue/mpm_glue_law.h"

#include "base/assertion.h"
#include "models/mpm/grid/mpm_axes.h"

#include <math.h>

enum { AXES = 3 };

static const double STIFFEST = 0.5;      // of a cell's stiffness
static const double MIN_SOFTENING = 4.0; // of the opening that it begins with
// Of t0 d0 / 2, left to a particle while glue beside it still joins the nodes of both: their motion
// opens and closes it by a little.
static const double MAX_DEBT = 0.05;
static const double MOST_DAMAGED = 1.0 - 1e-12; // of what is not broken

double sherd_mpm_glue_pull(const sherd_mpm_glue *glue)
{
    const double *t = glue->traction, *n = glue->normal;
    return t[0] * n[0] + t[1] * n[1] + t[2] * n[2];
}

double sherd_mpm_glue_slide(const sherd_mpm_glue *glue)
{
    double squares = 0.0, pull = sherd_mpm_glue_pull(glue);
    for (int k = 0; k < 3; ++k) {
        double along = glue->traction[k] - pull * glue->normal[k];
        squares += along * along;
    }
    return sqrt(squares);
}

bool sherd_mpm_glue_breaks(const sherd_mpm_glue *glue)
{
    if (glue->criterion == SHERD_MPM_GLUE_FORCE) return isfinite(glue->threshold);
    return isfinite(glue->tensile) || isfinite(glue->shear);
}

static double shear_ratio(const sherd_mpm_glue *glue)
{
    return glue->shear / glue->tensile;
}

double sherd_mpm_glue_stiffness(const sherd_mpm_glue *glue, double modulus, double spacing)
{
    double b = shear_ratio(glue);
    return STIFFEST * modulus / spacing / fmax(1.0, b * b);
}

double sherd_mpm_glue_modulus(const sherd_mpm_glue *glue, double spacing)
{
    double b = shear_ratio(glue);
    return glue->stiffness * spacing / STIFFEST * fmax(1.0, b * b);
}

double sherd_mpm_glue_least_energy(const sherd_mpm_glue *glue, double modulus, double spacing)
{
    double t = glue->tensile;
    if (!isfinite(t) || !isfinite(glue->shear) || !(t > 0.0)) return 0.0;
    return 0.5 * MIN_SOFTENING * t * t / sherd_mpm_glue_stiffness(glue, modulus, spacing);
}

// Its parts across the wall, not below 0, and along it.
static double part(const sherd_mpm_glue *glue, const double v[AXES], double along[AXES])
{
    double across = sherd_axes_dot(v, glue->normal);
    for (int k = 0; k < AXES; ++k)
        along[k] = v[k] - across * glue->normal[k];
    return fmax(across, 0.0);
}

void sherd_mpm_glue_begin(sherd_mpm_glue *glue)
{
    double along[AXES], b = shear_ratio(glue), across = part(glue, glue->traction, along);
    glue->start = sqrt(across * across + sherd_axes_dot(along, along) / (b * b));
    glue->most = glue->start / glue->stiffness;
    glue->debt = fmax(0.0, -glue->work);
    for (int k = 0; k < AXES; ++k) {
        glue->gap[k] = 0.0;
        glue->shift[k] = (across * glue->normal[k] + along[k] / (b * b)) / glue->stiffness;
        glue->traction[k] = across * glue->normal[k] + along[k];
    }
}

void sherd_mpm_glue_open(sherd_mpm_glue *glue, double time)
{
    double w[AXES], along[AXES], b = shear_ratio(glue);
    for (int k = 0; k < AXES; ++k)
        w[k] = glue->gap[k] + glue->shift[k];
    double across = part(glue, w, along), first = glue->start / glue->stiffness,
           last = first + 2.0 * (glue->fracture_energy + glue->debt) / glue->start;
    SHERD_ASSERT(glue->start > 0.0 && glue->stiffness > 0.0, "glue that opens softens");
    SHERD_ASSERT(glue->damage < 1.0, "broken glue does not open");
    glue->most = fmax(glue->most, sqrt(across * across + b * b * sherd_axes_dot(along, along)));
    if (glue->most >= last) {
        glue->damage = 1.0, glue->broken_at = time;
        return;
    }
    double secant = glue->start * (last - glue->most) / ((last - first) * glue->most);
    // Work done so far, less T D / 2.
    double spent = 0.5 * glue->start *
                       (glue->most - 2.0 * first + first * (glue->most - first) / (last - first)) -
                   glue->debt;
    glue->damage = fmin(fmax(0.0, spent / glue->fracture_energy), MOST_DAMAGED);
    for (int k = 0; k < AXES; ++k)
        glue->traction[k] = secant * (across * glue->normal[k] + b * b * along[k]);
}

double sherd_mpm_glue_stored(const sherd_mpm_glue *glue)
{
    if (!(glue->damage < 1.0)) return 0.0;
    if (sherd_mpm_glue_may_join(glue)) return glue->work;
    return 0.5 * (sherd_axes_dot(glue->traction, glue->gap) +
                  sherd_axes_dot(glue->traction, glue->shift));
}

double sherd_mpm_glue_add_work(sherd_mpm_glue *glue, const double before[AXES],
                               const double opened[AXES])
{
    double half = 0.5 * sherd_axes_dot(before, opened), work = half;
    if (glue->damage < 1.0) work += 0.5 * sherd_axes_dot(glue->traction, opened);
    double least = -glue->debt - 0.5 * MAX_DEBT * glue->start * glue->start / glue->stiffness;
    if (sherd_mpm_glue_may_join(glue) && work < 0.0 && glue->work + work < least) {
        work = half; // it no longer pulls
        glue->start = glue->most = 0.0;
        for (int k = 0; k < AXES; ++k)
            glue->gap[k] = glue->shift[k] = 0.0;
    }
    glue->work += work;
    return work;
}
