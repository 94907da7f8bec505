// Elements and free rigid bodies as guests of the grid (models/mpm/mpm_guests.h): what they are filled with, and what
// they get from nodes: momentum, and its moment about their centres.
#pragma once

#include "models/mpm/mpm_guests.h"
#include "stepping/system.h"

// Radii that are cut into cubes, in cells of the grid: sherd_world_prepare refuses larger ones.
enum { SHERD_GUEST_LARGEST_BODY = 64, SHERD_GUEST_LARGEST_ELEMENT = 16 };

// Where a free body is, cut into cubes: centres in the frame of its principal axes.
typedef struct sherd_guest_cloud {
    int obstacle; // of the system, and of the part where that has free bodies
    uint32_t body;
    size_t count, capacity;
    sherd_vec3 *at; // [m]
    double *volume; // [m^3]
} sherd_guest_cloud;

// One that is near points, and what contact gave it in the last step.
typedef struct sherd_guest {
    int cloud;                   // that it is, -1: an element
    int rigid;                   // its number among free bodies that are near, -1: an element
    sherd_element_index element; // of the part
    sherd_vec3 push, twist;      // impulse, and its moment about the centre [N s], [N m s]
} sherd_guest;

struct sherd_grid_guests {
    sherd_mpm_guests samples;
    int32_t *owner;  // of each sample, in `list`
    sherd_vec3 *arm; // from its centre [m]
    size_t room;     // of both
    sherd_guest *list;
    size_t count, capacity;
    bool listed;
    // Of elements of the system: volume of the solid that one stands for; without bonds its own, as fluids get in between [m^3].
    double *bulk;
    sherd_vec3 *gained; // by element of the part, in a step: scratch of grid_trend.h [m/s]
    size_t gained_room;
    double dt; // of the step [s]
    sherd_guest_cloud *clouds;
    sherd_mpm_rigid *rigids; // room for all clouds
    int cloud_count;
    sherd_mpm_guest_block *blocks; // where any may be until points are sorted again
    size_t block_count, block_capacity;
};

void sherd_grid_guests_destroy(sherd_grid_guests *guests); // NULL is fine
// Those that are near are listed anew in the next step.
void sherd_grid_guests_forget(sherd_system *system);

// For a system that has a part (grid_part.h).
sherd_status sherd_grid_guests_make(sherd_system *system, sherd_error *error);

// Sorts points if that is due, with room for guests, and fills system->points->m.guests for the next step, over dt.
sherd_status sherd_grid_guests_begin(sherd_system *system, double dt, sherd_error *error);

// Without the axes along which a driver holds an element.
sherd_vec3 sherd_guest_without_held(uint8_t held, sherd_vec3 push);

// What contact gives in a step of the grid acts evenly in the guests' own steps, as a force would: half of a step's share
// before and half after it. What lies on points then rests in each of them, and no wave runs through it.
void sherd_grid_guests_take(sherd_system *system);               // from nodes
void sherd_grid_guests_kick(sherd_system *system, double share); // of all
void sherd_grid_guests_done(sherd_system *system);               // books what nodes had
// Gives the system's free bodies the motion that kicks have left, and adds what they got in a step to the mean loads
// that probes read.
void sherd_grid_guests_load(sherd_system *system, double dt);

// The largest speed of any element or free body [m/s].
double sherd_grid_guests_speed(const sherd_system *system);
