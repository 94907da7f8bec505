// A free rigid body: mass properties of a shape and motion under loads.
//
// The body frame has its axes along the principal axes and its origin at the centre of mass. Stored
// are the orientation of that frame and the angular momentum in world axes, which free motion
// conserves exactly.
#pragma once

#include <sherd/error.h>
#include <sherd/mesh.h>
#include <sherd/types.h>

typedef struct sherd_mass_properties {
    double mass;        // [kg]
    sherd_vec3 centre;  // of mass, in the shape's frame [m]
    sherd_vec3 inertia; // principal moments [kg m^2]
    sherd_quat axes;    // principal frame -> shape frame
} sherd_mass_properties;

// Mass properties of the solid inside a closed, outward-oriented mesh with the given mass,
// uniformly filled. SHERD_ERROR_INPUT if it encloses no volume.
sherd_status sherd_mass_properties_of(sherd_mass_properties *out, const sherd_mesh *surface,
                                      double mass, sherd_error *error);

// Principal moments and axes of a symmetric inertia tensor about the centre [kg m^2].
void sherd_mass_properties_set_inertia(sherd_mass_properties *out, double tensor[3][3]);

typedef struct sherd_rigid_body {
    sherd_mass_properties properties;
    sherd_vec3 start;            // centre of mass at time 0 [m]
    sherd_vec3 centre;           // of mass [m]
    sherd_quat rotation;         // principal frame -> world
    sherd_vec3 velocity;         // of the centre of mass [m/s]
    sherd_vec3 angular_momentum; // about the centre of mass, world axes [kg m^2/s]
} sherd_rigid_body;

// The shape's pose at the body's state.
sherd_pose sherd_rigid_body_pose(const sherd_rigid_body *body);
sherd_vec3 sherd_rigid_body_spin(const sherd_rigid_body *body); // angular velocity, world [rad/s]
double sherd_rigid_body_kinetic_energy(const sherd_rigid_body *body);

// Initialises it with a pose of the shape, a velocity of the centre of mass and an angular
// velocity.
void sherd_rigid_body_place(sherd_rigid_body *body, sherd_pose pose, sherd_vec3 velocity,
                            sherd_vec3 angular_velocity);

// Kick: changes velocities by force and torque about the centre of mass over dt.
void sherd_rigid_body_kick(sherd_rigid_body *body, sherd_vec3 force, sherd_vec3 torque, double dt);

// Drift over dt: translation, and rotation by symmetric splitting about the principal axes
// (Dullweber, Leimkuhler, McLachlan 1997), in as many substeps as keep its error negligible.
void sherd_rigid_body_drift(sherd_rigid_body *body, double dt);

// 1 / effective mass at point x for a force along the unit vector n.             [1/kg]
double sherd_rigid_body_mobility(const sherd_rigid_body *body, sherd_vec3 x, sherd_vec3 n);
