// A scene from a mesh file, for `sherd new NAME --mesh FILE`: what it consists of, its text, and
// how its numbers are found by measuring the mesh and by short trial runs.
#pragma once

#include <sherd/material_library.h>
#include <sherd/scene.h>

#include <stdbool.h>
#include <stddef.h>

// What happens to the body.
typedef enum mesh_action {
    MESH_DROP = 0, // falls onto the floor
    MESH_HIT,      // is struck by a ball
    MESH_PRESS,    // is pressed against the floor
    MESH_TEAR,     // is pulled apart by its ends
} mesh_action;

enum { MESH_TEXT = 16384, MESH_NOTE = 200 };

// All lengths are those of the scene, in which the mesh stands on the floor with z up, centred.
typedef struct mesh_scene {
    const char *name; // the scene's
    const char *file; // the mesh's, as the scene names it
    const sherd_material_figures *material;
    // what happens
    mesh_action action;
    double speed;  // of the impact, the press or each end [m/s]
    double height; // of the fall [m]; 0: not given
    int pieces;    // wanted
    int elements;  // wanted
    // the mesh
    double unit;                // length of one of its units [m]
    bool y_up;                  // turned from y up to z up
    sherd_vec3 low, high;       // of the turned mesh, where its file places it [m]
    double area, volume;        // of its triangles [m^2]; of its elements [m^3], once filled
    double thickness;           // of a sheet [m]; 0: a solid
    char unit_note[MESH_NOTE];  // why this unit, in a sentence
    char shape_note[MESH_NOTE]; // what is done to an open mesh, in a sentence; may be empty
    // what was found
    double radius;          // of elements [m]
    double sound;           // speed of sound with the scaled stiffness [m/s]
    double cell;            // size of Voronoi cells [m]
    double walls;           // strength of their walls over that of the material
    sherd_vec3 aim;         // HIT: where the ball strikes, of the placed body [m]
    double duration;        // [s]
    sherd_vec3 eye, target; // the camera [m]
    double expected;        // number of pieces by the trial runs
} mesh_scene;

// Vertical opening of the camera [rad].
#define MESH_FOV 0.5235987755982988

// The speed to which stresses and durations refer [m/s]: that of the action, or of a fall by half
// the height, if that is larger.
double mesh_scene_pace(const mesh_scene *m);
// Stress of an impact of that speed, rho c v with the scaled stiffness [Pa].
double mesh_scene_stress(const mesh_scene *m);
// Strength of the material over that stress.
double mesh_scene_grain_strength(const mesh_scene *m);
sherd_vec3 mesh_scene_size(const mesh_scene *m);
double mesh_scene_extent(const mesh_scene *m); // the largest of it
double mesh_scene_gap(const mesh_scene *m);    // between floor and body at the start [m]
// Time until the action reaches the body [s], and until it is over [s].
double mesh_scene_contact_time(const mesh_scene *m);
double mesh_scene_action_time(const mesh_scene *m);

// Writes the scene's text; false if it is too long.
bool mesh_scene_text(const mesh_scene *m, char text[MESH_TEXT]);

// Fills in the radius, stiffness, cells, strength and camera. `path` is the scene's file. Tells on
// standard error what takes time. Returns an exit status, after printing an error.
int mesh_scene_find(mesh_scene *m, const char *path, int threads);
