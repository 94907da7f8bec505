#include "models/model_sums.h"

#include "math/vec3.h"

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

double sherd_models_noise_energy(sherd_models models)
{
    double total = 0.0;
    for (int m = 0; m < models.count; ++m)
        total += models.part[m].model->noise_energy(models.part[m].state);
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
