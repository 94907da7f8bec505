// Copies of a mesh: PointInstancer. Where their number changes, all columns have samples in every
// frame; ids tell which copy is which.
#include "base/error.h"
#include "base/memory.h"
#include "output/usd/usd_animation.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------- storing

sherd_status sherd_usd_add_instancer(sherd_animation *animation,
                                     const sherd_animation_instancer *instancer, sherd_error *error)
{
    sherd_usd_file *usd = animation->file;
    if (!sherd_grow((void **)&usd->instancers, &usd->instancer_capacity, usd->instancer_count + 1,
                    sizeof *usd->instancers))
        return sherd_fail_memory(error, "usd");
    sherd_usd_instancer *made = &usd->instancers[usd->instancer_count++];
    made->mesh = instancer->mesh;
    sherd_usd_identifier(instancer->name != NULL ? instancer->name : "instances", made->name);
    return SHERD_OK;
}

// Columns of a crowd, in the order in which they lie in the spool.
typedef enum column_kind {
    IDS,
    PLACES,
    VELOCITIES,
    SCALES,
    FRAGMENTS,
    ROTATIONS,
    AGES
} column_kind;

static const size_t ITEM_SIZE[] = {8, 12, 12, 4, 4, 16, 4};

static bool has_column(const sherd_usd_crowd *crowd, column_kind kind)
{
    return kind == ROTATIONS ? crowd->has_rotations : kind != AGES || crowd->has_age;
}

static int64_t column_offset(const sherd_usd_crowd *crowd, column_kind kind)
{
    int64_t offset = crowd->offset;
    for (int k = 0; k < (int)kind; ++k)
        if (has_column(crowd, (column_kind)k)) offset += crowd->count * (int64_t)ITEM_SIZE[k];
    return offset;
}

sherd_status sherd_usd_set_instances(sherd_animation *animation, int instancer, int64_t frame,
                                     const sherd_animation_instances *i, sherd_error *error)
{
    sherd_usd_file *usd = animation->file;
    if (!sherd_grow((void **)&usd->crowds, &usd->crowd_capacity, usd->crowd_count + 1,
                    sizeof *usd->crowds))
        return sherd_fail_memory(error, "usd");
    sherd_usd_crowd *crowd = &usd->crowds[usd->crowd_count++];
    *crowd = (sherd_usd_crowd){.instancer = instancer,
                               .frame = frame,
                               .offset = sherd_spool_size(&usd->spool),
                               .count = i->count,
                               .has_rotations = i->rotations != NULL,
                               .has_age = i->age != NULL};
    const void *const columns[] = {i->id,       i->positions, i->velocity, i->scale,
                                   i->fragment, i->rotations, i->age};
    for (int k = 0; k <= (int)AGES; ++k)
        if (has_column(crowd, (column_kind)k))
            sherd_spool_append(&usd->spool, columns[k], (size_t)i->count * ITEM_SIZE[k]);
    return sherd_spool_check(&usd->spool, "usd", error);
}

// ---------------------------------------------------------------- reading

typedef struct crowd_list {
    sherd_animation *animation;
    sherd_usd_file *usd;
    size_t count;                   // frames
    const sherd_usd_crowd **crowds; // NULL: none in the frame    (count)
    double *times;
    size_t most;                 // copies in a frame
    bool fixed;                  // the same copies in all frames
    char *items, *others, *made; // (most x 32 bytes)
    float box[6];
} crowd_list;

enum { LARGEST_ITEM = 32 };

static bool read_column(const crowd_list *list, size_t k, column_kind kind, char *to, size_t *count)
{
    const sherd_usd_crowd *crowd = list->crowds[k];
    *count = crowd != NULL ? (size_t)crowd->count : 0;
    if (*count > 0)
        sherd_spool_read(&list->usd->spool, column_offset(crowd, kind), to,
                         *count * ITEM_SIZE[kind]);
    return list->usd->spool.system_error == 0;
}

// Whether ids, scales and fragments are the first frame's in all frames.
static bool is_fixed(const crowd_list *list)
{
    static const column_kind SAME[] = {IDS, SCALES, FRAGMENTS};
    for (size_t k = 0; k < list->count; ++k)
        if (list->crowds[k] == NULL || list->crowds[k]->count != list->crowds[0]->count)
            return false;
    for (int c = 0; c < 3; ++c) {
        size_t count, size = ITEM_SIZE[SAME[c]];
        read_column(list, 0, SAME[c], list->items, &count);
        for (size_t k = 1; k < list->count; ++k) {
            read_column(list, k, SAME[c], list->others, &count);
            if (memcmp(list->items, list->others, count * size) != 0) return false;
        }
    }
    return true;
}

static bool make_list(crowd_list *list, sherd_animation *animation, int instancer)
{
    sherd_usd_file *usd = animation->file;
    size_t frames = (size_t)animation->frame_count;
    *list = (crowd_list){.animation = animation,
                         .usd = usd,
                         .count = frames,
                         .crowds = sherd_alloc(frames, sizeof *list->crowds),
                         .times = sherd_alloc(frames, sizeof *list->times)};
    if (list->crowds == NULL || list->times == NULL) return false;
    for (size_t k = 0; k < frames; ++k)
        list->times[k] = sherd_usd_time_code(animation, (int64_t)k);
    for (size_t k = 0; k < usd->crowd_count; ++k) {
        if (usd->crowds[k].instancer != instancer) continue;
        list->crowds[usd->crowds[k].frame] = &usd->crowds[k];
        if ((size_t)usd->crowds[k].count > list->most) list->most = (size_t)usd->crowds[k].count;
    }
    list->items = sherd_alloc(list->most, LARGEST_ITEM);
    list->others = sherd_alloc(list->most, LARGEST_ITEM);
    list->made = sherd_alloc(list->most, LARGEST_ITEM);
    if (list->items == NULL || list->others == NULL || list->made == NULL) return false;
    list->fixed = is_fixed(list);
    return true;
}

static void free_list(crowd_list *list)
{
    sherd_free(list->crowds);
    sherd_free(list->times);
    sherd_free(list->items);
    sherd_free(list->others);
    sherd_free(list->made);
}

// ---------------------------------------------------------------- samples

static bool get_column(crowd_list *list, size_t k, column_kind kind, sherd_usd_value *value)
{
    value->data = list->items;
    return read_column(list, k, kind, list->items, &value->count);
}

static bool get_ids(void *context, size_t k, sherd_usd_value *value)
{
    return get_column(context, k, IDS, value);
}

static bool get_places(void *context, size_t k, sherd_usd_value *value)
{
    return get_column(context, k, PLACES, value);
}

static bool get_fragments(void *context, size_t k, sherd_usd_value *value)
{
    return get_column(context, k, FRAGMENTS, value);
}

static bool get_ages(void *context, size_t k, sherd_usd_value *value)
{
    return get_column(context, k, AGES, value);
}

static bool get_rotations(void *context, size_t k, sherd_usd_value *value)
{
    return get_column(context, k, ROTATIONS, value);
}

// All copies are of the one prototype.
static bool get_prototypes(void *context, size_t k, sherd_usd_value *value)
{
    crowd_list *list = context;
    *value =
        (sherd_usd_value){list->crowds[k] != NULL ? (size_t)list->crowds[k]->count : 0, list->made};
    memset(list->made, 0, value->count * sizeof(int32_t));
    return true;
}

static bool get_scales(void *context, size_t k, sherd_usd_value *value)
{
    crowd_list *list = context;
    float *to = (float *)list->made;
    value->data = to;
    bool good = read_column(list, k, SCALES, list->items, &value->count);
    for (size_t n = 0; n < 3 * value->count; ++n)
        to[n] = ((const float *)list->items)[n / 3];
    return good;
}

// Per second of playback.
static bool get_velocities(void *context, size_t k, sherd_usd_value *value)
{
    crowd_list *list = context;
    float *to = (float *)list->made;
    value->data = to;
    bool good = read_column(list, k, VELOCITIES, list->items, &value->count);
    for (size_t n = 0; n < 3 * value->count; ++n)
        to[n] = (float)((double)((const float *)list->items)[n] * list->animation->slow_motion);
    return good;
}

// From rotation p to rotation q in a frame, in degrees per second of playback.
static void set_turn(float to[3], const float *p, const float *q)
{
    double along = 0.0, v[3];
    for (int c = 0; c < 4; ++c)
        along += (double)p[c] * (double)q[c];
    for (int c = 0; c < 3; ++c) { // vector part of q p^-1
        int a = (c + 1) % 3, b = (c + 2) % 3;
        v[c] = (double)p[3] * (double)q[c] - (double)q[3] * (double)p[c] -
               ((double)q[a] * (double)p[b] - (double)q[b] * (double)p[a]);
    }
    double sine = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    double angle = 2.0 * atan2(sine, fabs(along)) * (along < 0.0 ? -1.0 : 1.0);
    double factor = sine > 0.0 ? angle * 180.0 / M_PI * SHERD_USD_RATE / sine : 0.0;
    for (int c = 0; c < 3; ++c)
        to[c] = (float)(factor * v[c]);
}

static bool get_turns(void *context, size_t k, sherd_usd_value *value)
{
    crowd_list *list = context;
    size_t after = 0,
           from = k + 1 < list->count ? k
                  : k > 0             ? k - 1
                                      : k,
           to = from + 1 < list->count ? from + 1 : from;
    value->data = list->made;
    bool good = read_column(list, from, ROTATIONS, list->items, &value->count) &&
                read_column(list, to, ROTATIONS, list->others, &after);
    for (size_t n = 0; n < value->count && after == value->count; ++n)
        set_turn((float *)list->made + 3 * n, (const float *)list->items + 4 * n,
                 (const float *)list->others + 4 * n);
    return good;
}

static bool get_extent(void *context, size_t k, sherd_usd_value *value)
{
    crowd_list *list = context;
    size_t count;
    bool good = read_column(list, k, PLACES, list->items, &count) &&
                read_column(list, k, SCALES, list->others, &count);
    const float *place = (const float *)list->items, *radius = (const float *)list->others;
    for (size_t c = 0; c < 6; ++c)
        list->box[c] = count == 0 ? 0.0f : c < 3 ? INFINITY : -INFINITY;
    for (size_t n = 0; n < 3 * count; ++n) {
        list->box[n % 3] = fminf(list->box[n % 3], place[n] - radius[n / 3]);
        list->box[3 + n % 3] = fmaxf(list->box[3 + n % 3], place[n] + radius[n / 3]);
    }
    *value = (sherd_usd_value){2, list->box};
    return good;
}

// ---------------------------------------------------------------- writing

typedef struct instancer_column {
    const char *type, *name, *interpolation;
    bool (*get)(void *context, size_t k, sherd_usd_value *value);
    bool with_fixed; // one value is enough if the copies are the same in all frames
    bool of_rotations, of_age;
} instancer_column;

static const instancer_column COLUMNS[] = {
    {"int[]", "protoIndices", NULL, get_prototypes, true, false, false},
    {"int64[]", "ids", NULL, get_ids, true, false, false},
    {"point3f[]", "positions", NULL, get_places, false, false, false},
    {"quath[]", "orientations", NULL, get_rotations, false, true, false},
    {"float3[]", "scales", NULL, get_scales, true, false, false},
    {"vector3f[]", "velocities", NULL, get_velocities, false, false, false},
    {"vector3f[]", "angularVelocities", NULL, get_turns, false, true, false},
    {"float3[]", "extent", NULL, get_extent, false, false, false},
    {"int[]", "primvars:fragment", "vertex", get_fragments, true, false, false},
    {"float[]", "primvars:age", "vertex", get_ages, false, false, true},
};

static bool put_column(crowd_list *list, const instancer_column *column,
                       const sherd_usd_output *out)
{
    const sherd_usd_samples samples = {list->count, list->times, column->get, list};
    sherd_usd_attribute a = {
        .type = column->type, .name = column->name, .interpolation = column->interpolation};
    bool constant = (list->fixed && column->with_fixed) || list->count == 1, good = true;
    if (constant || column->interpolation != NULL) good = column->get(list, 0, &a.value);
    if (!constant) a.samples = &samples;
    if (good) out->encoding->attribute(out->file, &a);
    return good;
}

// The prototypes are below the instancer, which hides them. Their scope is not called as the
// relationship is: TinyUSDZ takes a prim and a property of one name for the same.
static bool put_prototype(const crowd_list *list, const sherd_usd_instancer *instancer,
                          const sherd_usd_output *out)
{
    const sherd_usd_prim scope = {.type = "Scope", .name = "Prototypes"},
                         mesh = {.type = "Mesh", .name = "sphere", .schema = "MaterialBindingAPI"};
    out->encoding->begin(out->file, &scope);
    out->encoding->begin(out->file, &mesh);
    bool good =
        sherd_usd_record_play(list->usd->meshes[instancer->mesh].record, &list->usd->spool, out);
    out->encoding->end(out->file);
    out->encoding->end(out->file);
    return good;
}

bool sherd_usd_put_instancer(sherd_animation *animation, int number, const sherd_usd_output *out)
{
    crowd_list list;
    sherd_usd_file *usd = animation->file;
    const sherd_usd_instancer *instancer = &usd->instancers[number];
    bool good = make_list(&list, animation, number), turns = false, ages = false;
    for (size_t k = 0; good && k < list.count; ++k) {
        turns = turns || (list.crowds[k] != NULL && list.crowds[k]->has_rotations);
        ages = ages || (list.crowds[k] != NULL && list.crowds[k]->has_age);
    }
    const sherd_usd_prim prim = {.type = "PointInstancer", .name = instancer->name};
    out->encoding->begin(out->file, &prim);
    for (size_t c = 0; good && c < sizeof COLUMNS / sizeof COLUMNS[0]; ++c)
        if ((turns || !COLUMNS[c].of_rotations) && (ages || !COLUMNS[c].of_age))
            good = put_column(&list, &COLUMNS[c], out);
    char target[2 * SHERD_USD_NAME];
    strcpy(target, "/run/");
    strcat(strcat(target, instancer->name), "/Prototypes/sphere");
    out->encoding->relationship(out->file, "prototypes", target);
    good = good && put_prototype(&list, instancer, out);
    out->encoding->end(out->file);
    free_list(&list);
    return good;
}
