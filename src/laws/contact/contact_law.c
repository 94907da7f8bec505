#define SHERD_LANES 1
#include "laws/contact/contact_law.h"

#include "base/assertion.h"
#include "laws/contact/contact_respond.h"

// -ln e of a spring and dashpot without adhesion, as a function of s: zeta = sin s below pi/2
// (underdamped), cosh(s - pi/2) above. Continuous (2 at pi/2) and increasing.
static double rebound_exponent(double s)
{
    const double quarter = 0.5 * M_PI;
    double b = s - quarter;
    if (fabs(b) < 1e-6) return 2.0;
    return b < 0.0 ? (M_PI - 2.0 * s) * tan(s) : 2.0 * b / tanh(b);
}

double sherd_contact_damping_ratio(double restitution)
{
    SHERD_ASSERT(restitution >= 0.0 && restitution <= 1.0,
                 "a rebound is not faster than the impact");
    // Below 0.01 the rebound is negligible, but the dashpot would grow without bounds.
    double wanted = -log(fmax(restitution, 0.01));
    double low = 0.0, high = 0.5 * M_PI + 3.0;
    for (int k = 0; k < 60; ++k) {
        double middle = 0.5 * (low + high);
        if (rebound_exponent(middle) < wanted)
            low = middle;
        else
            high = middle;
    }
    double s = 0.5 * (low + high), b = s - 0.5 * M_PI;
    return wanted <= 0.0 ? 0.0 : (b < 0.0 ? sin(s) : cosh(b));
}

double sherd_contact_restitution(double damping_ratio)
{
    double s =
        damping_ratio < 1.0 ? asin(fmax(damping_ratio, 0.0)) : 0.5 * M_PI + acosh(damping_ratio);
    return exp(-rebound_exponent(s));
}

static lane3 lane3_of(sherd_vec3 a)
{
    return (lane3){a.x, a.y, a.z};
}

static sherd_vec3 vec3_of(lane3 a)
{
    return vec3(a.x, a.y, a.z);
}

sherd_contact_response sherd_contact_respond(const sherd_contact_law *law,
                                             const sherd_contact_state *at,
                                             sherd_obstacle_history *history, double dt)
{
    sherd_contact_history *contact = &history->contact;
    contact_law l = {.kind = law->spring.kind,
                     .scale = law->spring.scale,
                     .width = law->spring.width,
                     .stiffness = law->stiffness,
                     .inverse_stiffness = 1.0 / law->stiffness,
                     .friction = law->friction,
                     .damping_ratio = law->damping_ratio,
                     .tangential_damping = law->tangential_damping,
                     .lags = true};
    contact_state s = {at->overlap,      lane3_of(at->normal),  lane3_of(at->velocity),
                       at->inverse_mass, at->weighted_mobility, at->ahead};
    contact_history h = {contact->rest_overlap,
                         contact->damping,
                         contact->pressing,
                         lane3_of(contact->spring),
                         lane3_of(contact->tangential),
                         history->lasting,
                         history->filled,
                         history->slides};
    contact_response r = contact_respond(&l, &s, &h, dt);
    *contact = (sherd_contact_history){h.rest_overlap, (float)h.damping, (float)h.pressing,
                                       vec3_of(h.spring), vec3_of(h.tangential)};
    history->lasting = h.lasting;
    history->filled = (float)h.filled;
    history->slides = (float)h.slides;
    return (sherd_contact_response){
        vec3_of(r.force), vec3_of(r.tangential), r.stored, r.damped, r.slid, r.onset, r.pending};
}

// The normal is considered to have jumped if it rotates by more than this angle (cosine): on a
// smooth surface it rotates far less in a step.
static const double JUMP_COSINE = 0.9;

// Half of the displacement along the normal of the last evaluation [m].
static double half_displacement(const sherd_face_motion *motion, sherd_vec3 normal, double dt)
{
    return -0.5 * dt * vec3_dot(motion->velocity, normal);
}

// Accounts for the energy of a spring whose normal has jumped, and for the first half of its
// trapezoid. The work of friction was computed with the velocity of the surfaces at the present
// contact point.
static void account_jump(const sherd_contact_law *law, const sherd_contact_state *at,
                         const sherd_face_motion *motion, const sherd_obstacle_history *last,
                         int touches, double dt, sherd_contact_response *response)
{
    const sherd_contact_history *h = &last->contact;
    sherd_vec3 arm = vec3_scale(-motion->arm, last->normal);
    sherd_vec3 v = vec3_add(motion->velocity, vec3_cross(motion->spin, arm)),
               accounted = at->velocity;
    if (touches)
        accounted = vec3_add_scaled(accounted, -vec3_dot(accounted, at->normal), at->normal);
    double rubbed = -0.5 * dt * vec3_dot(h->tangential, vec3_sub(v, accounted));
    double displacement = half_displacement(motion, last->normal, dt);
    response->onset +=
        h->pressing * (displacement + sherd_contact_spring_mean_depth(&law->spring, h->pressing));
    *(response->slid != 0.0 ? &response->slid : &response->damped) += rubbed;
}

sherd_contact_response sherd_contact_respond_to_face(const sherd_contact_law *law,
                                                     const sherd_contact_state *at,
                                                     const sherd_face_motion *motion,
                                                     sherd_obstacle_history *history, double dt)
{
    sherd_obstacle_history last = *history;
    int pushes = dt > 0.0 && !contact_history_is_empty(&last.contact);
    int jumps = pushes && vec3_dot(last.normal, at->normal) < JUMP_COSINE;
    history->contact.damping = 0.0F;
    if (jumps) history->contact.pressing = 0.0F;
    sherd_contact_response response = sherd_contact_respond(law, at, history, dt);
    history->normal = at->normal;
    // A dashpot stores no energy, so its work must be computed along its own normal.
    if (pushes)
        response.damped += last.contact.damping * half_displacement(motion, last.normal, dt);
    int touches = at->overlap > history->contact.rest_overlap;
    if (jumps) account_jump(law, at, motion, &last, touches, dt, &response);
    return response;
}

// ---------------------------------------------------------------- parameters of all combinations

// Damping ratio of sticking contacts in the tangential direction: that of the normal direction
// within these limits, so that perfectly elastic bodies come to rest too and the spins of inelastic
// ones are stable.
#define SHERD_TANGENTIAL_DAMPING_MIN 0.1
#define SHERD_TANGENTIAL_DAMPING_MAX 0.3

// Compliance of a half-space [1/Pa].
static double compliance(const sherd_contact_material *m)
{
    return (1.0 - m->poissons_ratio * m->poissons_ratio) / sherd_contact_modulus(m);
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
        .barrier_limit = a->barrier_limit,
        .modulus = 2.0 / (1.0 / sherd_contact_modulus(a) + 1.0 / sherd_contact_modulus(b)),
        .plane_modulus = 2.0 / (compliance(a) + compliance(b)),
        .friction = sqrt(a->friction * b->friction),
        .damping_ratio = zeta,
        .tangential_damping = across,
        .rolling_friction = sqrt(a->rolling_friction * b->rolling_friction),
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
    spring.limit = pairing->barrier_limit;
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
