#include "output/diagnosis/diagnosis_time_step.h"
#include "output/run_file/run_format.h"

#include <math.h>
#include <stdlib.h>

// A symmetric matrix: xx, yy, zz, xy, xz, yz.
typedef struct stiffness {
    double c[6];
} stiffness;

// Adds the stiffness k n n^T of a bond to both ends, k = E S / l0 with the section of its ends'
// radii: [BDEM21] eq. (3).
static void add_bond(const sherd_run_model *m, const sherd_scene *scene, sherd_bond_index k,
                     stiffness *of)
{
    sherd_element_index i = m->bond_i[k], j = m->bond_j[k];
    double x = m->rest_x[j] - m->rest_x[i], y = m->rest_y[j] - m->rest_y[i],
           z = m->rest_z[j] - m->rest_z[i];
    int body = sherd_run_body_of(m, i);
    double l2 = x * x + y * y + z * z;
    if (!(l2 > 0.0)) return;
    const sherd_material_def *material = &scene->materials[scene->bodies[body].material].def;
    double r = sherd_bond_radius_between(material->bond_radius, m->radius[i], m->radius[j]);
    double over = material->youngs_modulus * M_PI * r * r / (sqrt(l2) * l2);
    const double add[6] = {x * x, y * y, z * z, x * y, x * z, y * z};
    for (int c = 0; c < 6; ++c) {
        of[i].c[c] += over * add[c];
        of[j].c[c] += over * add[c];
    }
}

// The largest eigenvalue, from the characteristic polynomial of the trace-free part.
static double largest_eigenvalue(const stiffness *s)
{
    const double *c = s->c;
    double mean = (c[0] + c[1] + c[2]) / 3.0, x = c[0] - mean, y = c[1] - mean, z = c[2] - mean;
    double off = c[3] * c[3] + c[4] * c[4] + c[5] * c[5];
    double scale = sqrt((x * x + y * y + z * z + 2.0 * off) / 6.0);
    if (!(scale > 0.0)) return mean;
    double determinant = x * (y * z - c[5] * c[5]) - c[3] * (c[3] * z - c[5] * c[4]) +
                         c[4] * (c[3] * c[5] - y * c[4]);
    double cosine = 0.5 * determinant / (scale * scale * scale);
    return mean + 2.0 * scale * cos(acos(fmin(fmax(cosine, -1.0), 1.0)) / 3.0);
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static sherd_step_limit find_limit(const stiffness *of, double *rate, double *sorted,
                                   const sherd_run_model *m)
{
    sherd_step_limit limit = {.element = -1, .gain = 1.0};
    for (sherd_element_index k = 0; k < m->element_count; ++k) {
        sorted[k] = rate[k] = largest_eigenvalue(&of[k]) / m->mass[k];
        if (rate[k] > 0.0 && (limit.element < 0 || rate[k] > rate[limit.element]))
            limit.element = k;
    }
    if (limit.element < 0) return limit;
    qsort(sorted, (size_t)m->element_count, sizeof *sorted, descending);
    limit.next = 1 + m->element_count / 1000;
    if (limit.next + 1 < m->element_count && sorted[limit.next + 1] > 0.0)
        limit.gain = sqrt(sorted[0] / sorted[limit.next + 1]);
    return limit;
}

sherd_step_limit sherd_step_limit_find(const sherd_run_model *model, const sherd_scene *scene)
{
    sherd_step_limit limit = {.element = -1, .gain = 1.0};
    size_t n = (size_t)model->element_count + 1;
    stiffness *of = calloc(n, sizeof *of);
    double *rate = calloc(n, sizeof *rate), *sorted = calloc(n, sizeof *sorted);
    if (of != NULL && rate != NULL && sorted != NULL && scene->body_count == model->body_count) {
        for (sherd_bond_index k = 0; k < model->bond_count - model->glue_count; ++k)
            add_bond(model, scene, k, of);
        limit = find_limit(of, rate, sorted, model);
    }
    free(of);
    free(rate);
    free(sorted);
    return limit;
}
