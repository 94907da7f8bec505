// How deep surfaces lay in each other, from the contacts that a run recorded (`output.contacts`).
#include "paper/paper_measure.h"

#include "message.h"

#include <sherd/run_file.h>

#include <math.h>

static double mean_radius(const sherd_run_model *model)
{
    double sum = 0.0;
    for (sherd_element_index k = 0; k < model->element_count; ++k)
        sum += model->radius[k] / (double)model->element_count;
    return sum;
}

static bool is_obstacle(const sherd_contact_force *c)
{
    return c->i_obstacle >= 0 || c->j_obstacle >= 0;
}

// The deepest contact that presses in one of the frames.
static double deepest(sherd_run *run, bool in_obstacles)
{
    double depth = NAN;
    for (int64_t k = 0; k < sherd_run_frame_count(run); ++k) {
        sherd_error ignored = {0}; // a damaged frame has no contacts
        sherd_run_frame *frame = sherd_run_read_frame(run, k, &ignored);
        for (int64_t c = 0; frame != NULL && c < frame->contact_count; ++c) {
            const sherd_contact_force *force = &frame->contacts[c];
            if (is_obstacle(force) == in_obstacles && force->normal_force > 0.0)
                depth = fmax(depth, force->overlap); // fmax leaves out NAN
        }
        sherd_run_frame_destroy(frame);
    }
    return depth;
}

static double measure(const char *folder, bool in_obstacles)
{
    char path[MESSAGE_PATH];
    sherd_error ignored = {0};
    message_path(folder, "run.sherd", path);
    sherd_run *run = sherd_run_open(path, &ignored);
    if (run == NULL) return NAN;
    sherd_run_model model = sherd_run_get_model(run);
    double depth = deepest(run, in_obstacles) / mean_radius(&model);
    sherd_run_close(run);
    return depth;
}

double paper_depth_in_obstacles(const char *folder, const paper_column *column)
{
    (void)column;
    return measure(folder, true);
}

double paper_depth_of_pairs(const char *folder, const paper_column *column)
{
    (void)column;
    return measure(folder, false);
}
