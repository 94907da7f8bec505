#include "output/run/run_frame.h"
#include "base/assertion.h"
#include "output/diagnosis/energy_errors.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/pages/pages.h"
#include "output/run/frame_outputs.h"
#include "output/run/run_checkpoint.h"
#include "output/run_file/run_writer.h"
#include "output/tables/table_columns.h"
#include "output/tables/table_resume.h"
#include "world/world.h"

#include <sherd/world.h>

#include <math.h>
#include <stdlib.h>

static sherd_status update_fragments(sherd_run_loop *loop, sherd_error *error)
{
    // Material points give up memory of their steps here.
    sherd_element_index count = sherd_world_elements(loop->world).count;
    sherd_world_components(loop->world, loop->component);
    sherd_fragment_input input = {.element_count = count,
                                  .mass = loop->model.mass,
                                  .radius = loop->model.radius,
                                  .component = loop->component};
    sherd_status status = sherd_fragments_update(loop->fragments, &input, error);
    sherd_clear_pages(loop->component, (size_t)count * sizeof *loop->component);
    return status;
}

static sherd_run_stats measure(const sherd_run_loop *loop, int64_t frame,
                               const sherd_energy *energy)
{
    int64_t broken = sherd_world_broken_count(loop->world);
    sherd_solver_counts counts = sherd_world_solver_counts(loop->world);
    return (sherd_run_stats){
        .frame = frame,
        .time = sherd_world_time(loop->world),
        .steps = sherd_world_step_count(loop->world) - counts.asleep_steps,
        .time_step = sherd_world_time_step(loop->world),
        .energy = *energy,
        .elements = loop->model.element_count,
        .bonds = loop->model.bond_count - broken,
        .broken_bonds = broken,
        .fragments = sherd_fragments_view(loop->fragments).count,
        .newton_iterations = counts.newton_iterations,
        .linear_iterations = counts.linear_iterations,
        .wall = sherd_run_loop_wall(loop),
        .state_hash = sherd_world_state_hash(loop->world),
        .momentum = sherd_world_momentum(loop->world),
        .angular_momentum = sherd_world_angular_momentum(loop->world),
        .implicit_steps = counts.implicit_steps,
        .unsettled_steps = counts.unsettled_steps,
        .torn = sherd_world_torn_count(loop->world),
    };
}

// Breaks since the last frame; valid until the frame is written.
static sherd_status collect_breaks(sherd_run_loop *loop, sherd_run_frame *frame, sherd_error *error)
{
    int64_t count = sherd_world_break_count(loop->world);
    if (count > loop->broke_capacity) {
        sherd_break *broke = realloc(loop->broke, (size_t)count * sizeof *broke);
        if (broke == NULL) return sherd_fail_memory(error, "broken bonds");
        loop->broke = broke;
        loop->broke_capacity = count;
    }
    sherd_world_breaks(loop->world, loop->broke);
    frame->break_count = count;
    frame->breaks = loop->broke;
    return SHERD_OK;
}

// Collects the optional columns of the frame.
static int collect_columns(sherd_run_loop *loop)
{
    int count = 0;
    if (loop->stresses.stress != NULL) {
        sherd_stress_columns_fill(&loop->stresses, loop->world);
        for (int k = 0; k < SHERD_STRESS_COLUMNS; ++k)
            loop->columns[count++] = loop->stresses.columns[k];
    }
    if (loop->loads.loads != NULL) {
        sherd_load_columns_fill(&loop->loads, loop->world, &loop->bonds);
        for (int k = 0; k < SHERD_LOAD_COLUMNS; ++k)
            loop->columns[count++] = loop->loads.columns[k];
    }
    return count;
}

// Valid until the next frame.
static sherd_status collect_contacts(sherd_run_loop *loop, sherd_run_frame *frame,
                                     sherd_error *error)
{
    if (!loop->scene->output.contacts) return SHERD_OK;
    sherd_world_free_contact_forces(loop->contacts);
    loop->contacts = sherd_world_contact_forces(loop->world, &frame->contact_count, error);
    frame->contacts = loop->contacts;
    return loop->contacts != NULL ? SHERD_OK : error->status;
}

static sherd_run_frame describe_frame(sherd_run_loop *loop, const sherd_run_stats *stats)
{
    sherd_element_view e = sherd_world_elements(loop->world);
    sherd_run_bonds_update(&loop->bonds, loop->world);
    for (int k = 0; k < loop->model.obstacle_count; ++k)
        loop->obstacle_poses[k] = sherd_world_obstacle_pose(loop->world, k);
    return (sherd_run_frame){.index = stats->frame,
                             .time = stats->time,
                             .x = e.x,
                             .y = e.y,
                             .z = e.z,
                             .qx = e.qx,
                             .qy = e.qy,
                             .qz = e.qz,
                             .qw = e.qw,
                             .vx = e.vx,
                             .vy = e.vy,
                             .vz = e.vz,
                             .stress_ratio = loop->stress_ratio,
                             .element_fragment =
                                 sherd_fragments_view(loop->fragments).element_fragment,
                             .bond_broken = loop->bonds.broken,
                             .obstacles = loop->obstacle_poses,
                             .stats = *stats,
                             .column_count = collect_columns(loop),
                             .columns = loop->columns};
}

static sherd_status write_breaks(sherd_run_loop *loop, const sherd_run_frame *frame,
                                 sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int64_t k = 0; k < frame->break_count && status == SHERD_OK; ++k) {
        sherd_cell cells[SHERD_BREAK_COLUMN_COUNT];
        sherd_break_cells(frame->index, &frame->breaks[k], cells);
        status = sherd_table_writer_add(loop->breaks, cells, error);
    }
    if (status == SHERD_OK) status = sherd_table_writer_flush(loop->breaks, error);
    if (status == SHERD_OK) sherd_world_forget_breaks(loop->world);
    return status;
}

static sherd_status write_rows(sherd_run_loop *loop, const sherd_run_frame *frame,
                               sherd_error *error)
{
    sherd_status status = write_breaks(loop, frame, error);
    for (int64_t k = 0; k < loop->row_count && status == SHERD_OK; ++k) {
        sherd_cell cells[SHERD_PROBE_COLUMN_COUNT];
        sherd_probe_cells(&loop->rows[k], cells);
        status = sherd_table_writer_add(loop->probes, cells, error);
    }
    if (status == SHERD_OK) status = sherd_table_writer_flush(loop->probes, error);
    if (status != SHERD_OK) return status;
    loop->row_count = 0;
    sherd_cell cells[SHERD_STATS_COLUMN_COUNT];
    sherd_stats_cells(&frame->stats, cells);
    return sherd_table_writer_row(loop->stats, cells, error);
}

// All that was spent in this session.
static sherd_run_timings spent(const sherd_run_loop *loop)
{
    sherd_run_timings t = {
        .packing = loop->build.packing_wall,
        .calibration = loop->build.calibration_wall,
        .building = loop->building_wall,
        .steps = sherd_run_loop_totals(loop).times,
        .files = loop->files_wall,
        .waiting = loop->waited_wall,
    };
    sherd_frame_outputs_walls(loop->outputs, &t.surfaces, &t.pictures);
    t.wall = sherd_clock_seconds() - loop->start_clock;
    // Regions that are stepped at the same time add up to more.
    double parts =
               t.steps.bonds + t.steps.contact + t.steps.search + t.steps.points + t.steps.implicit,
           share = parts > loop->steps_wall ? loop->steps_wall / parts : 1.0;
    t.steps =
        (sherd_step_times){share * t.steps.bonds, share * t.steps.contact, share * t.steps.search,
                           share * t.steps.points, share * t.steps.implicit};
    t.other_steps = loop->steps_wall - share * parts;
    return t;
}

sherd_status sherd_run_write_timings(sherd_run_loop *loop, const char *stage, sherd_error *error)
{
    sherd_run_timings now = spent(loop), row = sherd_timings_since(&now, &loop->told);
    sherd_cell cells[SHERD_TIMING_COLUMN_COUNT];
    sherd_timing_cells(loop->frame, stage, &row, cells);
    loop->told = now;
    return sherd_table_writer_row(loop->timings, cells, error);
}

sherd_status sherd_run_finish_frame(sherd_run_loop *loop, int64_t index, sherd_error *error)
{
    SHERD_ASSERT(index > loop->frame, "frames of a run advance");
    sherd_status status = update_fragments(loop, error);
    sherd_energy energy;
    if (status == SHERD_OK)
        status = sherd_world_measure(loop->world, &energy, loop->stress_ratio, error);
    if (status != SHERD_OK) return status;
    sherd_run_stats stats = measure(loop, index, &energy);
    sherd_run_frame frame = describe_frame(loop, &stats);
    double before = sherd_clock_seconds();
    status = collect_breaks(loop, &frame, error);
    if (status == SHERD_OK) status = collect_contacts(loop, &frame, error);
    if (status == SHERD_OK) status = sherd_run_writer_frame(loop->writer, &frame, error);
    if (status == SHERD_OK) status = write_rows(loop, &frame, error);
    if (status != SHERD_OK) return status;
    loop->frame = index;
    loop->last_stats = stats;
    loop->largest_store = fmax(loop->largest_store, sherd_largest_store(&stats.energy));
    loop->files_wall += sherd_clock_seconds() - before;
    status = sherd_frame_outputs_add(loop->outputs, index, error);
    if (status != SHERD_OK) return status;
    return sherd_run_write_timings(loop, index > 0 ? "frame" : "start", error);
}

sherd_status sherd_run_read_probes(sherd_run_loop *loop, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int k = 0; k < loop->scene->probe_count && status == SHERD_OK; ++k) {
        const sherd_scene_probe *p = &loop->scene->probes[k];
        sherd_probe_reading reading =
            p->on_obstacle
                ? sherd_world_probe_obstacle(loop->world, loop->build.obstacle_ids[p->index])
                : sherd_world_probe_driver(loop->world, loop->build.driver_ids[p->index]);
        status = sherd_run_add_reading(loop, k, loop->frame + 1, sherd_world_time(loop->world),
                                       reading, error);
    }
    sherd_world_reset_probes(loop->world);
    return status;
}
