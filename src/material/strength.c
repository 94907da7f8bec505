#include "material/strength.h"

#include "base/assertion.h"
#include "base/random.h"
#include "math/vec3.h"

// Random numbers for strengths come from their own stream of the material's seed.
static const uint64_t STRENGTH_STREAM = 1;

double sherd_material_damping_time(const sherd_material_def *material, double reduced_mass,
                                   double normal_stiffness)
{
    SHERD_ASSERT(reduced_mass > 0.0 && normal_stiffness > 0.0, "bonds have mass and stiffness");
    return 2.0 * material->bond_damping * sqrt(reduced_mass / normal_stiffness);
}

double sherd_material_grain_factor(double lambda, sherd_vec3 grain, sherd_vec3 direction)
{
    double c = vec3_dot(vec3_normalize(grain), direction);
    return 1.0 + lambda * c * c * c * c;
}

double sherd_material_strength_factor(const sherd_material_def *material, uint64_t index)
{
    SHERD_ASSERT(material->weibull_modulus >= 0.0, "a Weibull modulus is not negative");
    if (material->weibull_modulus <= 0.0) return 1.0;
    return sherd_random_weibull(material->seed, STRENGTH_STREAM, index, material->weibull_modulus);
}
