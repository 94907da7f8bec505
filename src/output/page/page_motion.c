#include "output/page/page_sections.h"

#include "output/files/readable_frame.h"

#include <math.h>

typedef struct moving {
    sherd_page_run *page;
    size_t bend_count; // number of vertices of deforming pieces
    sherd_page_track poses, bends, points, speeds, stresses;
} moving;

// Resolution of positions, finer than visible; a finer one would store noise. [mean radii]
static const double STEP = 0.02;

double sherd_page_place_step(const sherd_page_run *p, const sherd_bounds *b)
{
    double extent = fmax(b->high.x - b->low.x, fmax(b->high.y - b->low.y, b->high.z - b->low.z));
    double step = fmax(STEP * p->radius, extent / 65535.0);
    return step > 0.0 && isfinite(step) ? step : 1.0;
}

static uint16_t units(double length, double step)
{
    return (uint16_t)lround(fmin(fmax(length / step, 0.0), 65535.0));
}

static void put_place(uint16_t *to, size_t stride, const double x[3], const sherd_bounds *b,
                      double step)
{
    to[0] = units(x[0] - b->low.x, step);
    to[stride] = units(x[1] - b->low.y, step);
    to[2 * stride] = units(x[2] - b->low.z, step);
}

// Square roots resolve small values better.
static uint8_t level(double value, double top)
{
    double part = top > 0.0 && isfinite(value) ? value / top : 0.0;
    return (uint8_t)lround(255.0 * sqrt(fmin(fmax(part, 0.0), 1.0)));
}

static void put_bends(moving *m, uint16_t *to)
{
    const sherd_page_run *p = m->page;
    double step = sherd_page_place_step(p, &p->bend_bounds);
    for (int k = 0; k < p->piece_count; ++k) {
        if (!p->pieces[k].bends) continue;
        int surface = p->pieces[k].surface;
        int32_t count = sherd_surface_get_piece(p->last.surface, surface).mesh->vertex_count;
        for (int32_t v = 0; v < count; ++v)
            put_place(to++, m->bend_count, p->posed[surface] + 3 * (size_t)v, &p->bend_bounds,
                      step);
    }
}

static void put_points(const sherd_page_run *p, const sherd_run_frame *f, uint16_t *to)
{
    double step = sherd_page_place_step(p, &p->point_bounds);
    for (sherd_element_index k = 0; k < p->point_count; ++k) {
        sherd_element_index e = p->points[k];
        const double x[3] = {f->x[e], f->y[e], f->z[e]};
        put_place(to++, (size_t)p->point_count, x, &p->point_bounds, step);
    }
}

static void put_values(const sherd_page_run *p, const sherd_run_frame *f, uint8_t *speed,
                       uint8_t *stress)
{
    const float *from = sherd_page_run_stress(p, f);
    for (int32_t k = 0; k < p->site_count; ++k) {
        sherd_element_index e = p->sites[k];
        speed[k] = level(hypot(hypot(f->vx[e], f->vy[e]), f->vz[e]), p->top_speed);
        stress[k] = from != NULL ? level((double)from[e], p->top_stress) : 0;
    }
}

static sherd_status add_frame(moving *m, const sherd_run_frame *f, sherd_error *error)
{
    sherd_page_run *p = m->page;
    uint16_t *bends = sherd_page_track_frame(&m->bends);
    uint16_t *points = sherd_page_track_frame(&m->points);
    uint8_t *speeds = sherd_page_track_frame(&m->speeds);
    uint8_t *stresses = sherd_page_track_frame(&m->stresses);
    size_t frame = (size_t)(f->index - p->job->first);
    if (!sherd_page_track_copy(&m->poses, &p->poses, frame) || bends == NULL || points == NULL ||
        speeds == NULL || stresses == NULL)
        return sherd_page_out_of_memory(error);
    sherd_status status = m->bend_count > 0 ? sherd_page_run_pose(p, f, error) : SHERD_OK;
    if (status != SHERD_OK) return status;
    if (m->bend_count > 0) put_bends(m, bends);
    put_points(p, f, points);
    put_values(p, f, speeds, stresses);
    return SHERD_OK;
}

static sherd_status add_frames(moving *m, sherd_error *error)
{
    const sherd_format_job *job = m->page->job;
    sherd_status status = SHERD_OK;
    for (int64_t k = 0; k < sherd_page_run_stored(m->page) && status == SHERD_OK; ++k) {
        int64_t index = job->first + sherd_page_run_stored_frame(m->page, k);
        sherd_run_frame *frame =
            sherd_readable_frame(job->run, index, job->first, job->last, error);
        if (frame == NULL) return error->status;
        status = add_frame(m, frame, error);
        sherd_run_frame_destroy(frame);
    }
    return status;
}

sherd_status sherd_page_moving(sherd_page_run *p, sherd_error *error)
{
    moving m = {.page = p};
    for (int k = 0; k < p->piece_count; ++k)
        if (p->pieces[k].bends)
            m.bend_count += (size_t)sherd_surface_get_piece(p->last.surface, p->pieces[k].surface)
                                .mesh->vertex_count;
    size_t sites = (size_t)p->site_count;
    m.poses = (sherd_page_track){.width = p->poses.width, .count = p->poses.count};
    m.bends = (sherd_page_track){.width = 2, .count = 3 * m.bend_count};
    m.points = (sherd_page_track){.width = 2, .count = 3 * (size_t)p->point_count};
    m.speeds = (sherd_page_track){.width = 1, .count = sites};
    m.stresses = (sherd_page_track){.width = 1, .count = sites};
    sherd_status status = add_frames(&m, error);
    if (status == SHERD_OK) {
        sherd_page_file_add_track(&p->file, "poses", &m.poses);
        sherd_page_file_add_track(&p->file, "bends", &m.bends);
        sherd_page_file_add_track(&p->file, "points", &m.points);
        sherd_page_file_add_track(&p->file, "speeds", &m.speeds);
        sherd_page_file_add_track(&p->file, "stresses", &m.stresses);
    }
    sherd_page_track_free(&m.poses);
    sherd_page_track_free(&m.bends), sherd_page_track_free(&m.points);
    sherd_page_track_free(&m.speeds), sherd_page_track_free(&m.stresses);
    return status == SHERD_OK && p->file.failed ? sherd_page_out_of_memory(error) : status;
}
