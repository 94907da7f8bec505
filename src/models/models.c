#include "models/models.h"

#include "math/vec3.h"

#include <math.h>

void sherd_models_set_loads(sherd_models models, const sherd_point_advance *advance)
{
    for (int m = 0; m < models.count; ++m) {
        const sherd_model_part *part = &models.part[m];
        bool own = advance != NULL && advance->points == sherd_models_points(models, m);
        part->model->set_loads(part->state, own ? advance : NULL);
    }
}

sherd_model_measures sherd_models_measure(sherd_models models, float *ratio)
{
    sherd_model_measures total = {0};
    for (int m = 0; m < models.count; ++m) {
        sherd_model_measures of = models.part[m].model->measure(models.part[m].state, ratio);
        total.stored += of.stored;
        total.noise += of.noise;
        total.stress_ratio = fmax(total.stress_ratio, of.stress_ratio);
        if (ratio != NULL) ratio += sherd_models_points(models, m)->count;
    }
    return total;
}

void sherd_models_find_stresses(sherd_models models, sherd_stress *stress)
{
    for (int m = 0; m < models.count; stress += sherd_models_points(models, m)->count, ++m)
        models.part[m].model->find_stresses(models.part[m].state, stress);
}

void sherd_models_find_components(sherd_models models, sherd_element_index *first)
{
    sherd_element_index before = 0;
    for (int m = 0; m < models.count; ++m) {
        sherd_element_index count = sherd_models_points(models, m)->count;
        models.part[m].model->find_components(models.part[m].state, first + before);
        for (sherd_element_index k = before; k < before + count; ++k)
            first[k] += before;
        before += count;
    }
}

uint64_t sherd_models_hash(sherd_models models, uint64_t hash)
{
    for (int m = 0; m < models.count; ++m)
        hash = models.part[m].model->hash(models.part[m].state, hash);
    return hash;
}

sherd_status sherd_models_save(sherd_models models, sherd_byte_buffer *out, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int m = 0; m < models.count && status == SHERD_OK; ++m)
        status = models.part[m].model->save(models.part[m].state, out, error);
    return status;
}

sherd_status sherd_models_restore(sherd_models models, sherd_record_reader *in, sherd_error *error)
{
    sherd_status status = in->status;
    for (int m = 0; m < models.count && status == SHERD_OK; ++m)
        status = models.part[m].model->restore(models.part[m].state, in, error);
    return status;
}

// ---------------------------------------------------------------- sums over the points of models

enum { CHUNK = 4096 };

typedef struct sum_job {
    const sherd_points *points;
    sherd_vec3 gravity;
} sum_job;

static double sum_kinetic(void *context, size_t begin, size_t end)
{
    const sherd_points *p = ((const sum_job *)context)->points;
    double sum = 0.0;
    for (size_t at = begin; at < end; ++at) {
        sherd_element_index k = (sherd_element_index)at;
        sherd_vec3 v = sherd_point_velocity(p, k), w = sherd_point_spin(p, k);
        sum += 0.5 * (sherd_point_mass(p, k) * vec3_dot(v, v) +
                      sherd_point_inertia(p, k) * vec3_dot(w, w));
    }
    return sum;
}

static double sum_gravity(void *context, size_t begin, size_t end)
{
    const sum_job *job = context;
    double sum = 0.0;
    for (size_t at = begin; at < end; ++at) {
        sherd_element_index k = (sherd_element_index)at;
        sum -= sherd_point_mass(job->points, k) *
               vec3_dot(job->gravity, sherd_point_position(job->points, k));
    }
    return sum;
}

static double sum_all(sherd_models models, sherd_vec3 gravity,
                      double sum(void *context, size_t begin, size_t end),
                      const sherd_parallel *parallel)
{
    double total = 0.0;
    for (int m = 0; m < models.count; ++m) {
        sum_job job = {sherd_models_points(models, m), gravity};
        total += sherd_parallel_sum(parallel, (size_t)job.points->count, CHUNK, sum, &job);
    }
    return total;
}

double sherd_models_stored_energy(sherd_models models)
{
    double total = 0.0;
    for (int m = 0; m < models.count; ++m)
        total += models.part[m].model->stored_energy(models.part[m].state);
    return total;
}

double sherd_models_damping_power(sherd_models models)
{
    double total = 0.0;
    for (int m = 0; m < models.count; ++m)
        total += models.part[m].model->damping_power(models.part[m].state);
    return total;
}

double sherd_models_kinetic_energy(sherd_models models, const sherd_parallel *parallel)
{
    return sum_all(models, vec3(0.0, 0.0, 0.0), sum_kinetic, parallel);
}

double sherd_models_gravity(sherd_models models, sherd_vec3 gravity, const sherd_parallel *parallel)
{
    return sum_all(models, gravity, sum_gravity, parallel);
}

sherd_vec3 sherd_models_momentum(sherd_models models, sherd_vec3 sum)
{
    for (int m = 0; m < models.count; ++m) {
        const sherd_points *p = sherd_models_points(models, m);
        for (sherd_element_index k = 0; k < p->count; ++k)
            sum = vec3_add_scaled(sum, sherd_point_mass(p, k), sherd_point_velocity(p, k));
    }
    return sum;
}

sherd_vec3 sherd_models_angular_momentum(sherd_models models, sherd_vec3 sum)
{
    for (int m = 0; m < models.count; ++m) {
        const sherd_points *p = sherd_models_points(models, m);
        for (sherd_element_index k = 0; k < p->count; ++k) {
            sherd_vec3 orbit = vec3_cross(sherd_point_position(p, k), sherd_point_velocity(p, k));
            sum = vec3_add_scaled(sum, sherd_point_mass(p, k), orbit);
            sum = vec3_add_scaled(sum, sherd_point_inertia(p, k), sherd_point_spin(p, k));
        }
    }
    return sum;
}
