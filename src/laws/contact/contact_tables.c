#include "laws/contact/contact_tables.h"

sherd_contact_pairing sherd_contact_pairing_of(const sherd_contact_material *a,
                                               const sherd_contact_material *b)
{
    double zeta = sherd_contact_damping_ratio(sqrt(a->restitution * b->restitution));
    double across = fmin(fmax(zeta, SHERD_TANGENTIAL_DAMPING_MIN), SHERD_TANGENTIAL_DAMPING_MAX);
    return (sherd_contact_pairing){
        .modulus = 2.0 / (1.0 / a->youngs_modulus + 1.0 / b->youngs_modulus),
        .friction = sqrt(a->friction * b->friction),
        .damping_ratio = zeta,
        .tangential_damping = across,
    };
}
