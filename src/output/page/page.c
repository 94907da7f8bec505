#include "output/page/page.h"

#include "base/error.h"
#include "output/page/page_run.h"
#include "output/page/page_scene.h"
#include "output/page/page_sections.h"

#include <sherd/file.h>

#include <math.h>
#include <stdio.h>

// With fewer stored frames, deforming pieces would visibly jump.
enum { MIN_STORED = 8 };

// Increases the stride, about in proportion to the excess size, until the page is small enough.
static sherd_status fit(sherd_page_run *p, sherd_error *error)
{
    sherd_status status = sherd_page_moving(p, error);
    if (status == SHERD_OK) status = sherd_page_scene(p, error);
    while (status == SHERD_OK && sherd_page_file_size(&p->file) > p->job->max_size) {
        double excess = (double)sherd_page_file_size(&p->file) / (double)p->job->max_size;
        if (sherd_page_run_stored(p) <= MIN_STORED) {
            char text[SHERD_BYTES_TEXT];
            return sherd_fail(error, SHERD_ERROR_UNSUPPORTED, NULL,
                              "a larger --max-size, or fewer frames (--frames A:B)",
                              "the page takes at least %s",
                              sherd_bytes_text((double)sherd_page_file_size(&p->file), text));
        }
        p->stride = (int64_t)ceil((double)p->stride * fmin(fmax(excess, 1.2), 4.0));
        if (sherd_page_run_stored(p) < MIN_STORED)
            p->stride = (p->frame_count - 1) / (MIN_STORED - 1) + 1;
        status = sherd_page_moving(p, error);
        if (status == SHERD_OK) status = sherd_page_scene(p, error);
    }
    return status;
}

static int count_moving(const sherd_page_run *p)
{
    int count = p->point_count;
    for (int k = 0; k < p->piece_count; ++k)
        count += p->pieces[k].surface >= 0;
    return count + p->model.obstacle_count;
}

sherd_status sherd_page_write(sherd_format_job *job, sherd_error *error)
{
    sherd_page_run page;
    if (job->max_size <= 0) job->max_size = SHERD_PAGE_MAX_MEGABYTES * INT64_C(1000000);
    sherd_status status = sherd_page_run_gather(&page, job, error);
    if (status == SHERD_OK) status = sherd_page_meshes(&page, error);
    if (status == SHERD_OK) status = sherd_page_dust(&page, error);
    if (status == SHERD_OK) status = fit(&page, error);
    sherd_page_kind kind =
        job->page == SHERD_REPLAY_PAGE_SERVED ? SHERD_PAGE_SERVED : SHERD_PAGE_ALONE;
    if (status == SHERD_OK)
        status = sherd_page_file_write(&page.file, job->scene->name, kind, job->path, error);
    if (status == SHERD_OK) {
        job->result->pieces = count_moving(&page);
        job->result->size = sherd_file_size(job->path);
    }
    sherd_page_run_free(&page);
    return status;
}
