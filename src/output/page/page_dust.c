#include "output/dust/dust_grains.h"
#include "output/page/page_sections.h"

#include <stdlib.h>

enum { COLUMNS = 10 };

static void put_grain(float *to, size_t count, const dust_grain *g)
{
    const sherd_vec3 x = g->launch.position, v = g->launch.velocity;
    const double values[COLUMNS] = {
        g->time, g->landing, g->launch.relaxation, g->radius, x.x, x.y, x.z, v.x, v.y, v.z};
    for (size_t c = 0; c < COLUMNS; ++c)
        to[c * count] = (float)values[c];
}

static bool put_grains(sherd_page_run *p, const dust_grain *grains, size_t count)
{
    float *columns = calloc(COLUMNS * count + 1, sizeof *columns);
    int32_t *body = calloc(count + 1, sizeof *body);
    sherd_byte_buffer all = {0};
    bool ok = columns != NULL && body != NULL;
    for (size_t k = 0; ok && k < count; ++k) {
        put_grain(columns + k, count, &grains[k]);
        body[k] = grains[k].body;
    }
    if (ok) {
        sherd_byte_buffer_append(&all, columns, COLUMNS * count * sizeof *columns);
        sherd_byte_buffer_append(&all, body, count * sizeof *body);
        ok = !all.failed;
    }
    if (ok)
        sherd_page_file_add(&p->file, "dust", all.size > 0 ? all.bytes : (const void *)"",
                            all.size);
    sherd_byte_buffer_free(&all);
    free(columns);
    free(body);
    return ok;
}

sherd_status sherd_page_dust(sherd_page_run *p, sherd_error *error)
{
    sherd_dust *dust = sherd_dust_create(p->scene, &p->model, error);
    if (dust == NULL && error->status != SHERD_OK) return error->status;
    sherd_status status = sherd_dust_catch_up(dust, p->job->run, p->job->last + 1, error);
    int64_t count;
    const dust_grain *grains = sherd_dust_list(dust, &count);
    if (status == SHERD_OK && !put_grains(p, grains, (size_t)count))
        status = sherd_page_out_of_memory(error);
    sherd_dust_destroy(dust);
    return status;
}
