#include "laws/contact/contact_tables.h"

#include "base/assertion.h"

// Compliance of a half-space [1/Pa].
static double compliance(const sherd_contact_material *m)
{
    return (1.0 - m->poissons_ratio * m->poissons_ratio) / m->youngs_modulus;
}

sherd_contact_pairing sherd_contact_pairing_of(const sherd_contact_material *a,
                                               const sherd_contact_material *b)
{
    SHERD_ASSERT(a->youngs_modulus > 0.0 && b->youngs_modulus > 0.0,
                 "materials that touch are stiff");
    double zeta = sherd_contact_damping_ratio(sqrt(a->restitution * b->restitution));
    double across = fmin(fmax(zeta, SHERD_TANGENTIAL_DAMPING_MIN), SHERD_TANGENTIAL_DAMPING_MAX);
    return (sherd_contact_pairing){
        .potential = a->potential,
        .width = a->width,
        .walled = a->walled,
        .modulus = 2.0 / (1.0 / a->youngs_modulus + 1.0 / b->youngs_modulus),
        .plane_modulus = 2.0 / (compliance(a) + compliance(b)),
        .friction = sqrt(a->friction * b->friction),
        .damping_ratio = zeta,
        .tangential_damping = across,
    };
}

double sherd_contact_pair_stiffness(const sherd_contact_pairing *pairing, double r_i, double r_j)
{
    SHERD_ASSERT(r_i > 0.0 && r_j > 0.0, "elements have a radius");
    double r = fmin(r_i, r_j);
    return pairing->modulus * M_PI * r * r / (r_i + r_j);
}

double sherd_contact_face_stiffness(const sherd_contact_pairing *pairing, double radius)
{
    return pairing->modulus * M_PI * radius;
}

static contact_spring spring_of(const sherd_contact_pairing *pairing, double stiffness,
                                double radius)
{
    contact_spring spring =
        sherd_contact_spring_of(pairing->potential, stiffness, pairing->plane_modulus, radius);
    spring.width = pairing->width;
    spring.walled = pairing->walled;
    return spring;
}

contact_spring sherd_contact_pair_spring(const sherd_contact_pairing *pairing, double r_i,
                                         double r_j)
{
    return spring_of(pairing, sherd_contact_pair_stiffness(pairing, r_i, r_j),
                     r_i * r_j / (r_i + r_j));
}

contact_spring sherd_contact_face_spring(const sherd_contact_pairing *pairing, double radius)
{
    // With the mirror image the effective radius is half, and each side is indented by half.
    const double mirrored = 4.0 * radius;
    return spring_of(pairing, sherd_contact_face_stiffness(pairing, radius), mirrored);
}
