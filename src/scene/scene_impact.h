// Impacts that a scene leads to.
#pragma once

#include <sherd/scene.h>

// The first impact of a body of elements, on an obstacle or another body, as far as straight flight, falls and
// prescribed motions tell beforehand. Into how many pieces a body breaks hangs on the stress of the impact over its
// strength, stress / strength; sherd_scene_impact_ratio has what was measured.
typedef struct sherd_scene_impact {
    int body, other;        // indices; `other` of a body or of an obstacle
    bool other_is_obstacle; //
    double time, speed;     // of the first touch [s], towards each other [m/s]
    double stress;   // rho c v, c = sqrt(E / rho); of two bodies less by how much both yield [Pa]
    double strength; // of its bonds: the smaller one, of tension and shear [Pa]
    double pieces;   // about how many the body breaks into: mostly within a factor of three
    double weaker;   // how much weaker its bonds are together than each, below 1: tougher
    sherd_element_index elements; // of the body
    // Of them those that feel it: all, or those as near to a small thing that strikes as its width across the blow, at
    // any time of a prescribed motion. Stresses of a small contact fade over its own size (Saint-Venant).
    sherd_element_index struck;
} sherd_scene_impact;

// Fills a list of at most `most` of them, in the order of bodies, and returns how many there are. Left out are bodies
// whose bonds don't break and those that touch nothing within the scene's duration.
int sherd_scene_impacts(const sherd_scene *scene, const sherd_scene_build *build,
                        sherd_scene_impact *list, int most);

// Stress over strength at which the body would break into about that many pieces; INFINITY: it has too few elements.
double sherd_scene_impact_ratio(const sherd_scene_impact *impact, double pieces);
