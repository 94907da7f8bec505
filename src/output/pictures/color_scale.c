#include "output/pictures/color_scale.h"

#include "base/assertion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 3 };

typedef struct measure_row {
    sherd_color_measure about;
    const char *columns[MOST_COLUMNS]; // columns of frames whose mean is shown
} measure_row;

#define STRESS(its_title, signs, ...)                                                              \
    {                                                                                              \
        {.title = its_title, .unit = "Pa", .both_signs = signs, .is_stress = true},                \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
// No title: not a number.
static const measure_row ROWS[] = {
    [SHERD_SCENE_COLOR_SPEED] = {{.title = "speed", .unit = "m/s"}, {NULL}},
    [SHERD_SCENE_COLOR_STRESS_RATIO] = {{.title = "stress / strength", .unit = "", .usual = 1.0},
                                        {NULL}},
    [SHERD_SCENE_COLOR_STRESS] = STRESS("von Mises stress", false, "von_mises_pa"),
    [SHERD_SCENE_COLOR_PRINCIPAL_STRESS] =
        STRESS("largest principal stress", true, "principal_1_pa"),
    [SHERD_SCENE_COLOR_MEAN_STRESS] =
        STRESS("mean stress", true, "stress_xx_pa", "stress_yy_pa", "stress_zz_pa"),
    [SHERD_SCENE_COLOR_STRESS_XX] = STRESS("stress xx", true, "stress_xx_pa"),
    [SHERD_SCENE_COLOR_STRESS_YY] = STRESS("stress yy", true, "stress_yy_pa"),
    [SHERD_SCENE_COLOR_STRESS_ZZ] = STRESS("stress zz", true, "stress_zz_pa"),
    [SHERD_SCENE_COLOR_STRESS_XY] = STRESS("stress xy", true, "stress_xy_pa"),
    [SHERD_SCENE_COLOR_STRESS_YZ] = STRESS("stress yz", true, "stress_yz_pa"),
    [SHERD_SCENE_COLOR_STRESS_ZX] = STRESS("stress zx", true, "stress_zx_pa"),
};

const sherd_color_measure *sherd_color_measure_of(sherd_scene_color_by by)
{
    const sherd_color_measure *about = &ROWS[by].about;
    return about->title != NULL ? about : NULL;
}

// ---------------------------------------------------------------- values

static const float *find_column(const sherd_run_frame *frame, const char *name)
{
    for (int k = 0; k < frame->column_count; ++k)
        if (frame->columns[k].per == SHERD_RUN_PER_ELEMENT &&
            strcmp(frame->columns[k].name, name) == 0)
            return frame->columns[k].values;
    return NULL;
}

static bool mean_of_columns(const measure_row *row, const sherd_run_frame *frame,
                            sherd_element_index count, float *values)
{
    const float *columns[MOST_COLUMNS];
    int n = 0;
    for (; n < MOST_COLUMNS && row->columns[n] != NULL; ++n)
        if ((columns[n] = find_column(frame, row->columns[n])) == NULL) return false;
    for (sherd_element_index k = 0; k < count; ++k) {
        float sum = 0.0F;
        for (int c = 0; c < n; ++c)
            sum += columns[c][k];
        values[k] = sum / (float)n;
    }
    return true;
}

bool sherd_color_values(sherd_scene_color_by by, const sherd_run_frame *f,
                        sherd_element_index count, float *values)
{
    if (ROWS[by].about.is_stress) return mean_of_columns(&ROWS[by], f, count, values);
    for (sherd_element_index k = 0; k < count; ++k)
        values[k] =
            by == SHERD_SCENE_COLOR_SPEED
                ? (float)sqrt(f->vx[k] * f->vx[k] + f->vy[k] * f->vy[k] + f->vz[k] * f->vz[k])
                : f->stress_ratio[k];
    return true;
}

// ---------------------------------------------------------------- ranges

sherd_color_scale sherd_color_scale_begin(sherd_scene_color_by by, const sherd_scene_range *range)
{
    double usual = ROWS[by].about.usual;
    if (range->fixed) return (sherd_color_scale){by, range->low, range->high, SHERD_RANGE_FIXED};
    if (usual > 0.0) return (sherd_color_scale){by, 0.0, usual, SHERD_RANGE_FIXED};
    return (sherd_color_scale){by, 0.0, 0.0, SHERD_RANGE_OF_PICTURE};
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

void sherd_color_scale_widen(sherd_color_scale *scale, float *values, sherd_element_index count)
{
    if (scale->origin == SHERD_RANGE_FIXED) return;
    sherd_element_index finite = 0;
    for (sherd_element_index k = 0; k < count; ++k)
        if (isfinite(values[k])) values[finite++] = values[k];
    if (finite == 0) return;
    qsort(values, (size_t)finite, sizeof *values, by_value);
    sherd_element_index beyond = finite / 100;
    double most = (double)values[finite - 1 - beyond], least = (double)values[beyond];
    if (ROWS[scale->by].about.both_signs) most = fmax(fabs(most), fabs(least));
    scale->high = fmax(scale->high, most);
}

// Rounds so that quarters of the range have at most three digits.
static double round_up(double x)
{
    static const double STEPS[] = {1.0, 1.2, 1.6, 2.0, 2.4, 2.8, 3.2, 4.0, 5.0, 6.0, 8.0, 10.0};
    if (!(x >= 1e-30)) return 1.0; // invisibly small in any unit
    double power = pow(10.0, floor(log10(x)));
    int k = 0;
    while (x > STEPS[k] * power * (1.0 + 1e-6) && k < 11)
        ++k;
    return STEPS[k] * power;
}

void sherd_color_scale_finish(sherd_color_scale *scale)
{
    if (scale->origin == SHERD_RANGE_FIXED) return;
    scale->high = round_up(scale->high);
    scale->low = ROWS[scale->by].about.both_signs ? -scale->high : 0.0;
}

// ---------------------------------------------------------------- colours

sherd_color sherd_color_scale_color(const sherd_color_scale *s, double value)
{
    SHERD_ASSERT(s->low < s->high, "a finished scale has a range");
    double x = fmin(fmax(value, s->low), s->high);
    if (!ROWS[s->by].about.both_signs || s->low >= 0.0 || s->high <= 0.0)
        return sherd_color_map((x - s->low) / (s->high - s->low));
    return sherd_color_map_signed(x < 0.0 ? -x / s->low : x / s->high);
}
