#define SHERD_LANES 1
#include "laws/contact/rolling_law.h"

#include "base/assertion.h"
#include "laws/contact/contact_respond.h"

static sherd_rolling_law law_of(const sherd_contact_pairing *pairing, double stiffness,
                                double lever)
{
    double k_t = SHERD_CONTACT_TANGENTIAL_RATIO * stiffness;
    return (sherd_rolling_law){.stiffness = k_t * lever * lever,
                               .arm = pairing->rolling_friction * lever,
                               .damping_ratio = pairing->tangential_damping};
}

sherd_rolling_law sherd_rolling_pair_law(const sherd_contact_pairing *pairing, double r_i,
                                         double r_j)
{
    return law_of(pairing, sherd_contact_pair_stiffness(pairing, r_i, r_j),
                  r_i * r_j / (r_i + r_j));
}

sherd_rolling_law sherd_rolling_face_law(const sherd_contact_pairing *pairing, double radius)
{
    return law_of(pairing, sherd_contact_face_stiffness(pairing, radius), radius);
}

// Cosine of the angle beyond which a normal has jumped.
static const double JUMP_COSINE = 0.9;

// With c = a.b and k = a x b the shortest rotation from a to b is  v -> c v + k x v + k (k.v) / (1 + c). That about
// b is by 2 atan(angle / 2), which is the angle to third order.
sherd_vec3 sherd_rolling_carried(sherd_vec3 v, sherd_vec3 from, sherd_vec3 to, double angle)
{
    const sherd_vec3 none = {0.0, 0.0, 0.0};
    double c = vec3_dot(from, to);
    if (!(c >= JUMP_COSINE)) return none;
    sherd_vec3 k = vec3_cross(from, to);
    sherd_vec3 turned =
        vec3_add_scaled(vec3_add_scaled(vec3_cross(k, v), c, v), vec3_dot(k, v) / (1.0 + c), k);
    sherd_vec3 about = vec3_cross(to, turned);
    double t = 0.5 * angle, scale = 1.0 / (1.0 + t * t);
    turned = vec3_add_scaled(vec3_scale(scale * (1.0 - t * t), turned), scale * angle, about);
    return vec3_add_scaled(turned, -vec3_dot(turned, to), to);
}

double sherd_rolling_loss(double stiffness, const sherd_rolling_history *history, sherd_vec3 spin,
                          double dt)
{
    return sherd_rolling_energy(stiffness, history->spring) -
           0.5 * dt * vec3_dot(history->torque, spin);
}

// Limits the couple; a spring that is longer than the limit's is shortened to it. True: it rolls.
static bool limit(double most, double stiffness, sherd_vec3 *torque, sherd_vec3 *spring)
{
    double size = vec3_length(*torque), reach = most / stiffness;
    if (!(size > most)) return false;
    *torque = vec3_scale(most / size, *torque);
    if (vec3_dot(*spring, *spring) > reach * reach) *spring = vec3_scale(-1.0 / stiffness, *torque);
    return true;
}

sherd_rolling_response sherd_rolling_respond(const sherd_rolling_law *law,
                                             const sherd_rolling_state *at,
                                             sherd_rolling_history *history, double dt)
{
    SHERD_ASSERT(law->stiffness > 0.0 && law->arm >= 0.0, "the couple has a spring");
    double k = law->stiffness, before = sherd_rolling_energy(k, history->spring);
    sherd_vec3 n = at->normal, rolls = vec3_add_scaled(at->spin, -vec3_dot(at->spin, n), n);
    sherd_vec3 spring =
        sherd_rolling_carried(history->spring, history->normal, n, dt * vec3_dot(at->twist, n));
    spring = vec3_add_scaled(spring, dt, rolls);
    // Friction's dashpot damps the same rotations. It may stop them in a step, this one half of them, so
    // that both never add to what they turn round.
    double c = contact_dashpot(law->damping_ratio, k, sqrt(k * at->inverse_inertia),
                               2.0 * k * at->weighted_inverse, dt);
    sherd_vec3 torque = vec3_add_scaled(vec3_scale(-k, spring), -c, rolls);
    bool slides = limit(law->arm * fmax(at->force, 0.0), k, &torque, &spring);
    double after = sherd_rolling_energy(k, spring);
    double lost = before - after - 0.5 * dt * vec3_dot(vec3_add(history->torque, torque), at->spin);
    *history = (sherd_rolling_history){n, spring, torque};
    return (sherd_rolling_response){torque, after, slides ? 0.0 : lost, slides ? lost : 0.0};
}
