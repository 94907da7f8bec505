// Free rigid bodies against other obstacles: points on the body's surface against the other's
// signed distance, with a spring, a dashpot and Coulomb friction regularised by viscosity.
#pragma once

#include "contact/obstacle.h"
#include "contact/pair_contact.h"

// Adds loads to both. `modulus` sets the springs' stiffness [Pa].
sherd_contact_sums sherd_body_contact(sherd_obstacle *body, sherd_obstacle *other, double modulus,
                                      double dt);
