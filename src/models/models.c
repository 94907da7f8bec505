#include "models/models.h"

#include <math.h>

void sherd_models_set_loads(sherd_models models, const sherd_point_advance *advance)
{
    for (int m = 0; m < models.count; ++m) {
        const sherd_model_part *part = &models.part[m];
        bool own = advance != NULL && advance->points == sherd_models_points(models, m);
        part->model->set_loads(part->state, own ? advance : NULL);
    }
}

double sherd_models_largest_stress_ratio(sherd_models models)
{
    double largest = 0.0;
    for (int m = 0; m < models.count; ++m)
        largest = fmax(largest, models.part[m].model->largest_stress_ratio(models.part[m].state));
    return largest;
}

void sherd_models_find_stress_ratios(sherd_models models, float *ratio)
{
    for (int m = 0; m < models.count; ratio += sherd_models_points(models, m)->count, ++m)
        models.part[m].model->find_stress_ratios(models.part[m].state, ratio);
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
