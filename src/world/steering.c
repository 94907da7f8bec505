// Motions of drivers and driven obstacles that are prescribed between steps.
#include "base/error.h"
#include "base/memory.h"
#include "bodies/motion_eval.h"
#include "contact/contact_part.h"
#include "contact/contact_system.h"
#include "stepping/regions/time_regions.h"
#include "world/world.h"

#include <sherd/world.h>

#include <math.h>

// An object with a prescribed motion: one of the world, or its copy in a region.
typedef struct steered {
    bool is_obstacle;
    int index;
} steered;

// ---------------------------------------------------------------- access to motions

static sherd_motion *motion_of(const sherd_world *world, steered at)
{
    const sherd_system *s = &world->system;
    if (!at.is_obstacle) return &s->drivers.drivers[at.index].motion;
    return &s->contacts->obstacles[at.index].motion;
}

// Its copy in a region, NULL if there is none.
static sherd_motion *image_of(const sherd_world *world, steered at, int region)
{
    const sherd_regions *regions = world->system.regions;
    if (at.is_obstacle) {
        sherd_obstacle *image =
            sherd_contacts_image(&regions->parts[region], world->system.contacts, at.index);
        return image != NULL ? &image->motion : NULL;
    }
    sherd_drivers *drivers = &regions->list[region].system.drivers;
    for (int d = 0; d < drivers->count; ++d)
        if (drivers->drivers[d].whole == at.index) return &drivers->drivers[d].motion;
    return NULL;
}

// Its definition; without keys if it is not steered or was defined without.
static sherd_motion *given_of(const sherd_world *world, steered at)
{
    return &(at.is_obstacle ? world->given_obstacles : world->given_drivers)[at.index];
}

static int count_of(const sherd_world *world, bool obstacles)
{
    return obstacles ? world->obstacle_count : world->system.drivers.count;
}

// Marks a motion in the lists as not steered, by a negative number of keys.
static const int NOT_STEERED = -1;

static bool is_steered(const sherd_world *world, steered at)
{
    const sherd_motion *list = at.is_obstacle ? world->given_obstacles : world->given_drivers;
    return list != NULL && list[at.index].key_count != NOT_STEERED;
}

static sherd_status make_list(sherd_motion **list, int count, sherd_error *error)
{
    if (*list != NULL) return SHERD_OK;
    *list = sherd_alloc((size_t)count, sizeof **list);
    if (*list == NULL) return sherd_fail_memory(error, "motions");
    for (int k = 0; k < count; ++k)
        (*list)[k].key_count = NOT_STEERED;
    return SHERD_OK;
}

void sherd_world_free_steering(sherd_world *world)
{
    for (int k = 0; k < world->system.drivers.count && world->given_drivers != NULL; ++k)
        sherd_motion_free(&world->given_drivers[k]);
    for (int k = 0; k < world->obstacle_count && world->given_obstacles != NULL; ++k)
        sherd_motion_free(&world->given_obstacles[k]);
    sherd_free(world->given_drivers);
    sherd_free(world->given_obstacles);
    world->given_drivers = world->given_obstacles = NULL;
}

// ---------------------------------------------------------------- changes

// Resets results that depend on the previous motions: expected impacts, and the time span without
// disturbance.
static void forget_predictions(sherd_system *system)
{
    system->control.danger_by = -INFINITY;
    if (system->split.next_check > 0) system->split.next_check = 0;
    system->split.parts_left = 0;
}

static sherd_status replace(sherd_motion *motion, const sherd_motion *by, sherd_error *error)
{
    sherd_motion copy;
    sherd_status status = sherd_motion_copy(&copy, by, error);
    if (status != SHERD_OK) return status;
    sherd_motion_free(motion);
    *motion = copy;
    return SHERD_OK;
}

// In the whole and in all regions. If memory is short, only some are changed, and the world must
// not be used any more.
static sherd_status replace_all(sherd_world *world, steered at, const sherd_motion *by,
                                sherd_error *error)
{
    sherd_system *s = &world->system;
    sherd_status status = replace(motion_of(world, at), by, error);
    forget_predictions(s);
    for (int r = 0; s->regions != NULL && r < s->regions->count && status == SHERD_OK; ++r) {
        sherd_motion *image = image_of(world, at, r);
        if (image == NULL) continue;
        status = replace(image, by, error);
        forget_predictions(&s->regions->list[r].system);
    }
    return status;
}

static sherd_status keep_given(sherd_world *world, steered at, sherd_error *error)
{
    sherd_motion **list = at.is_obstacle ? &world->given_obstacles : &world->given_drivers;
    sherd_status status = make_list(list, count_of(world, at.is_obstacle), error);
    if (status != SHERD_OK || is_steered(world, at)) return status;
    sherd_motion copy;
    status = sherd_motion_copy(&copy, motion_of(world, at), error);
    if (status == SHERD_OK) (*list)[at.index] = copy;
    return status;
}

static sherd_status steer(sherd_world *world, steered at, sherd_motion_key keys[2],
                          sherd_error *error)
{
    sherd_status status = keep_given(world, at, error);
    if (status != SHERD_OK) return status;
    sherd_motion motion = sherd_motion_between(motion_of(world, at), keys);
    return replace_all(world, at, &motion, error);
}

static sherd_status move(sherd_world *world, steered at, const sherd_motion_key *to,
                         const char *where, sherd_error *error)
{
    double now = sherd_world_time(world);
    if (!isfinite(to->time) || !vec3_is_finite(to->translation) || !vec3_is_finite(to->rotation))
        return sherd_fail(error, SHERD_ERROR_INPUT, where, NULL,
                          "time, translation and rotation must be finite");
    if (!(to->time > now))
        return sherd_fail(error, SHERD_ERROR_INPUT, where,
                          "give the time at which it is to be there",
                          "must be after now, %.17g s, got %.17g s", now, to->time);
    sherd_motion_key keys[2] = {sherd_motion_key_at(motion_of(world, at), now), *to};
    return steer(world, at, keys, error);
}

// ---------------------------------------------------------------- motions of a world

static bool find_driver(const sherd_world *world, sherd_driver_id id, steered *at)
{
    *at = (steered){false, id.index1 - 1};
    return id.index1 > 0 && id.index1 <= world->system.drivers.count &&
           world->system.drivers.drivers[at->index].drive == SHERD_DRIVE_MOTION;
}

static bool find_obstacle(const sherd_world *world, sherd_obstacle_id id, steered *at)
{
    *at = (steered){true, id.index1 - 1};
    return world->prepared && world->system.contacts != NULL && id.index1 > 0 &&
           id.index1 <= world->obstacle_count &&
           world->system.contacts->obstacles[at->index].kind == SHERD_OBSTACLE_DRIVEN;
}

sherd_status sherd_world_move_driver(sherd_world *world, sherd_driver_id driver,
                                     const sherd_motion_key *to, sherd_error *error)
{
    steered at;
    sherd_status status = sherd_world_prepare(world, error);
    if (status != SHERD_OK) return status;
    if (find_driver(world, driver, &at)) return move(world, at, to, "move_driver", error);
    return sherd_fail(error, SHERD_ERROR_INPUT, "move_driver",
                      "use an id from sherd_world_add_driver, of a driver with SHERD_DRIVE_MOTION",
                      "there is no driver of this world that moves its region");
}

sherd_status sherd_world_move_obstacle(sherd_world *world, sherd_obstacle_id obstacle,
                                       const sherd_motion_key *to, sherd_error *error)
{
    steered at;
    sherd_status status = sherd_world_prepare(world, error);
    if (status != SHERD_OK) return status;
    if (find_obstacle(world, obstacle, &at)) return move(world, at, to, "move_obstacle", error);
    return sherd_fail(
        error, SHERD_ERROR_INPUT, "move_obstacle",
        "use an id from sherd_world_add_obstacle, of kind SHERD_OBSTACLE_DRIVEN, in a "
        "world with contacts",
        "there is no driven obstacle of this world that bodies touch");
}

sherd_motion_key sherd_world_driver_key(const sherd_world *world, sherd_driver_id driver)
{
    steered at;
    if (!find_driver(world, driver, &at)) return (sherd_motion_key){0};
    return sherd_motion_key_at(motion_of(world, at), sherd_world_time(world));
}

sherd_motion_key sherd_world_obstacle_key(const sherd_world *world, sherd_obstacle_id obstacle)
{
    steered at;
    if (!find_obstacle(world, obstacle, &at)) return (sherd_motion_key){0};
    return sherd_motion_key_at(motion_of(world, at), sherd_world_time(world));
}

// ---------------------------------------------------------------- saving

typedef struct steering_row {
    int64_t index;
    sherd_motion_key from, to;
} steering_row;

static const sherd_row_member MEMBERS[] = {SHERD_MEMBER(steering_row, index),
                                           SHERD_MEMBER(steering_row, from.time),
                                           SHERD_MEMBER(steering_row, from.translation),
                                           SHERD_MEMBER(steering_row, from.rotation),
                                           SHERD_MEMBER(steering_row, to.time),
                                           SHERD_MEMBER(steering_row, to.translation),
                                           SHERD_MEMBER(steering_row, to.rotation)};
static const sherd_row_layout LAYOUT = SHERD_ROW_LAYOUT(steering_row, MEMBERS);
static const char *const COLUMNS[] = {"drivers", "obstacles"};

static int64_t count_steered(const sherd_world *world, bool obstacles)
{
    int64_t count = 0;
    for (int k = 0; k < count_of(world, obstacles); ++k)
        count += is_steered(world, (steered){obstacles, k});
    return count;
}

static void write_rows(const sherd_world *world, bool obstacles, sherd_byte_buffer *out)
{
    size_t count = (size_t)count_steered(world, obstacles);
    sherd_record_write_head(out, COLUMNS[obstacles], &LAYOUT, count);
    for (int k = 0; k < count_of(world, obstacles); ++k) {
        steered at = {obstacles, k};
        if (!is_steered(world, at)) continue;
        const sherd_motion_key *keys = motion_of(world, at)->keys;
        steering_row row = {k, keys[0], keys[1]};
        sherd_record_write_rows(out, &LAYOUT, &row, 1);
    }
}

void sherd_world_save_steering(const sherd_world *world, sherd_byte_buffer *out)
{
    if (count_steered(world, false) + count_steered(world, true) == 0) return;
    size_t begun = sherd_record_begin(out, "steering");
    write_rows(world, false, out);
    write_rows(world, true, out);
    sherd_record_end(out, begun);
}

static bool is_sound(const sherd_motion_key *key)
{
    return isfinite(key->time) && vec3_is_finite(key->translation) && vec3_is_finite(key->rotation);
}

static sherd_status apply_row(sherd_world *world, bool obstacles, const steering_row *row,
                              sherd_error *error)
{
    steered at;
    uint16_t index1 = (uint16_t)(row->index + 1);
    bool known = row->index >= 0 && row->index < count_of(world, obstacles);
    bool found = known && (obstacles ? find_obstacle(world, (sherd_obstacle_id){index1, 0}, &at)
                                     : find_driver(world, (sherd_driver_id){index1, 0}, &at));
    if (!found || !is_sound(&row->from) || !is_sound(&row->to) || !(row->to.time > row->from.time))
        return sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint", "start the run anew",
                          "is damaged: it has a motion that does not fit the world");
    sherd_motion_key keys[2] = {row->from, row->to};
    return steer(world, at, keys, error);
}

static sherd_status read_rows(sherd_world *world, bool obstacles, sherd_record_reader *in,
                              sherd_error *error)
{
    size_t count = sherd_record_rows(in, COLUMNS[obstacles]);
    if (in->status != SHERD_OK || count > (size_t)count_of(world, obstacles))
        count = 0; // the reader detects an invalid number of rows
    steering_row *rows = sherd_alloc(count, sizeof *rows);
    if (rows == NULL) return sherd_fail_memory(error, "motions");
    sherd_record_column column = {COLUMNS[obstacles], &LAYOUT, rows, count, 0};
    sherd_record_read(in, &column);
    sherd_status status = in->status;
    for (size_t k = 0; k < count && status == SHERD_OK; ++k)
        status = apply_row(world, obstacles, &rows[k], error);
    sherd_free(rows);
    return status;
}

static sherd_status read_back(sherd_world *world, bool obstacles, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int k = 0; k < count_of(world, obstacles) && status == SHERD_OK; ++k) {
        steered at = {obstacles, k};
        if (!is_steered(world, at)) continue;
        status = replace_all(world, at, given_of(world, at), error);
        if (status != SHERD_OK) return status;
        sherd_motion_free(given_of(world, at));
        given_of(world, at)->key_count = NOT_STEERED;
    }
    return status;
}

sherd_status sherd_world_restore_steering(sherd_world *world, sherd_record_reader *in,
                                          sherd_error *error)
{
    sherd_status status = read_back(world, false, error);
    if (status == SHERD_OK) status = read_back(world, true, error);
    if (status != SHERD_OK || !sherd_record_has(in, "steering")) return status;
    sherd_record_reader section = sherd_record_enter(in, "steering");
    for (int obstacles = 0; obstacles < 2 && section.status == SHERD_OK; ++obstacles)
        section.status = read_rows(world, obstacles != 0, &section, error);
    return sherd_record_leave(&section);
}
