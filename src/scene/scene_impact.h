// Predicted impacts in a scene.
#pragma once

#include <sherd/scene.h>

// The first impact of a body of elements on an obstacle or another body, as predicted from straight
// flight, free fall and prescribed motions. The number of pieces depends on the stress of the
// impact over the body's strength, stress / strength; sherd_scene_impact_ratio returns measured
// values.
typedef struct sherd_scene_impact {
    int body, other;        // indices; `other` of a body or of an obstacle
    bool other_is_obstacle; //
    double time, speed;     // of the first contact [s]; closing speed [m/s]
    double stress;          // rho c v, c = sqrt(E / rho); reduced if both bodies yield [Pa]
    double strength;        // the smaller of the bonds' tensile and shear strengths [Pa]
    double pieces;          // estimated number of pieces: mostly within a factor of three
    // Parts of the body if all its weak walls break, 0: it has none; strength of the walls over the
    // body's (sherd_body_bonds).
    double cells, walls;
    double weaker; // factor by which its bonds are weaker in combination; below 1: tougher
    sherd_element_index elements; // of the body
    // The affected elements: all, or those within the width of a small striking object, across the
    // impact direction, at any time of a prescribed motion. Stresses of a small contact decay over
    // its own size (Saint-Venant).
    sherd_element_index struck;
} sherd_scene_impact;

// Lists at most `max_count` impacts, in the order of bodies, and returns their number. Bodies whose
// bonds do not break and those without contact within the scene's duration are left out.
int sherd_scene_impacts(const sherd_scene *scene, const sherd_scene_build *build,
                        sherd_scene_impact *list, int max_count);

// Returns the stress over strength at which the body would break into about that many pieces;
// INFINITY: it has too few elements.
double sherd_scene_impact_ratio(const sherd_scene_impact *impact, double pieces);
