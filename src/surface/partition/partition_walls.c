// Owners of points in a body that was cut along walls: a point belongs to the fragment of the
// nearest element that no wall hides. Fragments thus border each other on the walls, whose corners
// are as sharp as the grid is fine.
#include "surface/partition/partition.h"

#include "base/memory.h"
#include "math/vec3.h"

bool sherd_partition_is_parted(const partition *p, sherd_vec3 a, sherd_vec3 b)
{
    for (int k = 0; k < p->wall_count; ++k)
        if (sherd_weakness_amount(p->walls[k], a, b) >= 0.5) return true;
    return false;
}

bool sherd_partition_use_walls(partition *p, const sherd_weakness *const *walls, int count)
{
    size_t n = (size_t)p->elements.count;
    p->pattern_point = sherd_alloc((size_t)count * n, sizeof *p->pattern_point);
    if (p->pattern_point == NULL) return false;
    p->walls = walls;
    p->wall_count = count;
    for (size_t w = 0; w < (size_t)count; ++w)
        for (size_t k = 0; k < n; ++k)
            p->pattern_point[w * n + k] = sherd_pattern_point_at(walls[w], p->elements.point[k]);
    return true;
}

// A point's evaluation by the first walls' patterns, cached on first use; further walls are
// evaluated each time.
enum { MAX_VIEWS = 4 };
typedef struct viewed {
    sherd_vec3 x;
    int known;
    sherd_pattern_point view[MAX_VIEWS];
} viewed;

static sherd_pattern_point view_of(const partition *p, int wall, viewed *v)
{
    if (wall >= MAX_VIEWS) return sherd_pattern_point_at(p->walls[wall], v->x);
    for (; v->known <= wall; ++v->known)
        v->view[v->known] = sherd_pattern_point_at(p->walls[v->known], v->x);
    return v->view[wall];
}

static bool is_hidden(const partition *p, int32_t element, viewed *from)
{
    for (int w = 0; w < p->wall_count; ++w) {
        const sherd_pattern_point *there =
            &p->pattern_point[(size_t)w * (size_t)p->elements.count + (size_t)element];
        sherd_pattern_point here = view_of(p, w, from);
        if (sherd_pattern_amount(p->walls[w], there, &here) >= 0.5) return true;
    }
    return false;
}

static bool is_beyond(const partition *p, viewed *from, sherd_vec3 x)
{
    for (int w = 0; w < p->wall_count; ++w) {
        sherd_pattern_point here = view_of(p, w, from);
        sherd_pattern_point there = sherd_pattern_point_at(p->walls[w], x);
        if (sherd_pattern_amount(p->walls[w], &here, &there) >= 0.5) return true;
    }
    return false;
}

// Elements around a point, nearest first. Those beyond the capacity are ignored.
enum { MAX_AROUND = 256 };
typedef struct around {
    int count;
    int32_t element[MAX_AROUND]; // bin order
    double squared[MAX_AROUND];  // distance
} around;

static void add_around(around *a, int32_t element, double squared)
{
    int at = a->count < MAX_AROUND ? a->count++ : MAX_AROUND;
    for (; at > 0 && a->squared[at - 1] > squared; --at) {
        if (at == MAX_AROUND) continue;
        a->element[at] = a->element[at - 1];
        a->squared[at] = a->squared[at - 1];
    }
    if (at == MAX_AROUND) return;
    a->element[at] = element;
    a->squared[at] = squared;
}

// Returns an element in bin order, of a fragment (0: of any); -1: none.
static int32_t nearest_visible(const partition *p, sherd_fragment_id label, sherd_vec3 x,
                               double within)
{
    around a;
    a.count = 0;
    int32_t begin, end;
    sherd_bin_rows rows = sherd_point_bins_ball(&p->elements, x, within);
    while (sherd_point_bins_next(&p->elements, &rows, &begin, &end))
        for (int32_t k = begin; k < end; ++k) {
            sherd_vec3 arm = vec3_sub(x, p->elements.point[k]);
            double squared = vec3_dot(arm, arm);
            if (squared < within * within && (label == 0 || p->label[k] == label))
                add_around(&a, k, squared);
        }
    viewed from = {.x = x};
    for (int k = 0; k < a.count; ++k)
        if (!is_hidden(p, a.element[k], &from)) return a.element[k];
    return -1;
}

// A visible element is nearly always among the nearest few.
int32_t sherd_partition_anchor(const partition *p, sherd_fragment_id label, sherd_vec3 x)
{
    const double NEAR = 0.4; // of the reach
    int32_t element = nearest_visible(p, label, x, NEAR * p->reach);
    return element >= 0 ? element : nearest_visible(p, label, x, p->reach);
}

sherd_fragment_id sherd_partition_visible(const partition *p, sherd_vec3 x)
{
    int32_t element = sherd_partition_anchor(p, 0, x);
    return element >= 0 ? p->label[element] : 0;
}

double sherd_partition_wall_fraction(const partition *p, sherd_vec3 from, sherd_vec3 to)
{
    enum { BISECTIONS = 12 }; // resolution: 1 / 4096 of the way
    double low = 0.0, high = 1.0;
    sherd_vec3 segment = vec3_sub(to, from);
    viewed start = {.x = from};
    if (!is_beyond(p, &start, to)) return 0.5;
    for (int k = 0; k < BISECTIONS; ++k) {
        double middle = 0.5 * (low + high);
        if (is_beyond(p, &start, vec3_add_scaled(from, middle, segment)))
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}
