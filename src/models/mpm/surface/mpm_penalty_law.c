#include "models/mpm/surface/mpm_penalty_law.h"

#include "models/mpm/grid/mpm_axes.h"

#include <math.h>
#include <string.h>

enum { AXES = 3 };

// Tangential stiffness over normal stiffness.
static const double ALONG = 0.5;

// Energy of a spring, 1/2 k e^2 and the same along the face.
double sherd_mpm_penalty_stored(const sherd_mpm_contact_point *contact)
{
    double overlap = fmax(contact->overlap, 0.0);
    return 0.5 * contact->stiffness *
           (overlap * overlap + ALONG * sherd_axes_dot(contact->slip, contact->slip));
}

void sherd_mpm_penalty_force(const sherd_mpm_contact_point *contact, double force[AXES])
{
    double overlap = fmax(contact->overlap, 0.0);
    for (int k = 0; k < AXES; ++k)
        force[k] = contact->stiffness * (overlap * contact->normal[k] - ALONG * contact->slip[k]);
}

// press and drag advance the spring and add the dissipated energy.

// Normal direction: adds the approach to the overlap.
static void press(sherd_mpm_contact_point *contact, double approach)
{
    double before = fmax(contact->overlap, 0.0);
    if (contact->overlap > 0.0 || contact->coupled >= 0)
        contact->overlap += approach;
    else
        contact->overlap = approach - fmax(0.0, contact->gap);
    double after = fmax(contact->overlap, 0.0);
    if (!(before > 0.0 || after > 0.0)) return;
    double work = 0.5 * contact->stiffness * (before + after) * approach;
    contact->lost[0] += work - 0.5 * contact->stiffness * (after * after - before * before);
}

// Tangential direction: adds the displacement to the slip and projects it onto Coulomb's cone.
static void drag(sherd_mpm_contact_point *contact, const double way[AXES])
{
    double stiffness = ALONG * contact->stiffness, before[AXES], work = 0.0;
    memcpy(before, contact->slip, sizeof before);
    for (int k = 0; k < AXES; ++k)
        contact->slip[k] += way[k];
    double size = ALONG * sqrt(sherd_axes_dot(contact->slip, contact->slip)),
           most = contact->friction * fmax(contact->overlap, 0.0),
           share = size > most ? most / size : 1.0;
    for (int k = 0; k < AXES; ++k) {
        contact->slip[k] *= share;
        work += 0.5 * stiffness * (before[k] + contact->slip[k]) * way[k];
    }
    contact->lost[1] +=
        work - 0.5 * stiffness *
                   (sherd_axes_dot(contact->slip, contact->slip) - sherd_axes_dot(before, before));
}

// Advances the spring by displacements of the sample's body relative to the partner: `along` for
// the normal direction, `across` for the tangential one.
void sherd_mpm_penalty_follow(sherd_mpm_contact_point *contact, const double along[AXES],
                              const double across[AXES])
{
    double way[AXES], normal = sherd_axes_dot(across, contact->normal);
    for (int k = 0; k < AXES; ++k)
        way[k] = across[k] - normal * contact->normal[k];
    press(contact, -sherd_axes_dot(along, contact->normal));
    drag(contact, way);
}

// Work of a force along displacements: its normal part at the point inside, its tangential part on
// the surface.
double sherd_mpm_penalty_power(const sherd_mpm_contact_point *contact, const double force[AXES],
                               const double inside[AXES], const double along[AXES])
{
    double normal = sherd_axes_dot(force, contact->normal), sum = 0.0;
    for (int k = 0; k < AXES; ++k) {
        double pressed = normal * contact->normal[k];
        sum += pressed * inside[k] + (force[k] - pressed) * along[k];
    }
    return sum;
}
