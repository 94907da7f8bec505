// Forces that act on the surface of bodies: wind, blast, pressure. A driver (driver.h) applies one
// of them to the elements of its region.
#pragma once

#include <sherd/types.h>

// Air that flows past bodies and drags them along. A face of area A whose outward normal n points
// against the flow gets, with the velocity u of the air relative to it,
//
//   F = drag density / 2 (u.n)^2 A  along -n
//
// An element of a yarn is a cylinder across the flow, one without bonds a ball; their areas are
// those that the flow sees. Bodies do not shelter each other.
typedef struct sherd_wind {
    sherd_vec3 velocity; // of the air far from vortices and without gusts [m/s]
    double drag;         // coefficient, >= 0 [-]
    double density;      // of the air, > 0 [kg/m^3]
    // Gusts: root of the mean square of their speed, >= 0 [m/s], and their size, > 0 [m]. They are
    // carried along by `velocity` and are free of divergence.
    double gust, gust_size;
    int gust_seed; // another number gives other gusts
    // A vortex: speed around the axis at the distance `vortex_radius`, where it is largest [m/s];
    // 0 (default): none. With s = r / vortex_radius it is vortex s exp((1 - s^2) / 2).
    double vortex;
    double vortex_radius;     // [m], > 0
    sherd_vec3 vortex_center; // a point of its axis [m]
    sherd_vec3 vortex_axis;   // any length > 0
} sherd_wind;

// The air blast of a charge of TNT that detonates in free air: arrival, peak, duration and impulse
// of the incident wave by Kinney and Graham, Explosive Shocks in Air (1985), with Friedlander's
// decay. Faces that see the charge get the reflected pressure by their angle, others none; elements
// of the region that lie behind others are shielded. There is no suction.
typedef struct sherd_blast {
    sherd_vec3 position; // of the charge [m]
    double charge;       // mass of TNT, > 0 [kg]
    double time;         // of the detonation, >= 0 [s]
} sherd_blast;

// A pressure on faces, along their inward normals: crack faces included, once they are open to it.
typedef struct sherd_pressure {
    double value; // [Pa]
    // Only on faces that see this point, as those around a cavity see its middle, and only within
    // `reach` of it [m]; not-a-number (default): on all faces.
    sherd_vec3 source;
    double reach; // > 0 [m], INFINITY (default): no limit
} sherd_pressure;
