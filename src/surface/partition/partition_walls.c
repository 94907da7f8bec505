// Which fragment owns which point of a body that was cut along walls: that of the nearest element which no wall hides
// from the point. Fragments so meet on the walls themselves, whose corners are as sharp as the grid is fine.
#include "surface/partition/partition.h"

#include "math/vec3.h"

static bool is_parted(const partition *p, sherd_vec3 a, sherd_vec3 b)
{
    for (int k = 0; k < p->wall_count; ++k)
        if (sherd_weakness_amount(p->walls[k], a, b) >= 0.5) return true;
    return false;
}

sherd_fragment_id sherd_partition_in_sight(const partition *p, sherd_vec3 x)
{
    double best = p->reach * p->reach;
    sherd_fragment_id label = 0;
    int32_t begin, end;
    sherd_bin_rows rows = sherd_point_bins_ball(&p->elements, x, p->reach);
    while (sherd_point_bins_next(&p->elements, &rows, &begin, &end))
        for (int32_t k = begin; k < end; ++k) {
            sherd_vec3 arm = vec3_sub(x, p->elements.point[k]);
            double distance2 = vec3_dot(arm, arm);
            if (distance2 >= best || is_parted(p, p->elements.point[k], x)) continue;
            best = distance2;
            label = p->label[k];
        }
    return label;
}

double sherd_partition_wall_share(const partition *p, sherd_vec3 from, sherd_vec3 to)
{
    enum { BISECTIONS = 24 }; // what a float tells apart
    double low = 0.0, high = 1.0;
    sherd_vec3 way = vec3_sub(to, from);
    if (!is_parted(p, from, to)) return 0.5;
    for (int k = 0; k < BISECTIONS; ++k) {
        double middle = 0.5 * (low + high);
        if (is_parted(p, from, vec3_add_scaled(from, middle, way)))
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}
