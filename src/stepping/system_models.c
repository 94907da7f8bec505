#include "stepping/system_models.h"

sherd_models sherd_system_models_of(sherd_system_models *models, const sherd_system *system)
{
    sherd_system *s = (sherd_system *)(uintptr_t)system;
    if (s->points != NULL) sherd_point_bodies_update_elements(s->points, &s->elements);
    models->bonded =
        (sherd_bonded){&s->elements, &s->bonds, &s->blocks, &s->adjacency, s->kernel, s->parallel};
    models->part[0] = (sherd_model_part){&sherd_model_bonded, &models->bonded};
    models->points = (sherd_mpm_model_state){s->points, &models->bonded};
    if (s->points != NULL) models->part[0] = (sherd_model_part){&sherd_model_mpm, &models->points};
    return (sherd_models){models->part, SHERD_SYSTEM_MODELS};
}
