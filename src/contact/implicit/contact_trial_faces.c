// Pairs that touch across a crack by their faces (contact/crack_faces.h).
//
// The potential is a function of positions and orientations of both elements:
//
//   V = w(|rho|^2) U(b - h),   n = (m_j - m_i) / L,   L = |m_j - m_i|,   b = L (a_i + a_j)/2,   h = d.n
//   F_i = w U' n + kappa U rho                         kappa = -2 dw/d|rho|^2
//   T_i = -w U' m_i/L x (rho - b n) + kappa U h m_i/L x rho,   T_j = w U' m_j/L x (rho - b n) - kappa U h m_j/L x rho
//
// U contains spring, barrier and dashpot. Whether two elements touch by faces is decided from their
// state at the start of the step.
#include "contact/implicit/contact_trial_state.h"
#include "math/quat.h"

static sherd_crack_end end_at(const sherd_trial_poses *poses, const sherd_points *points,
                              sherd_element_index k)
{
    return (sherd_crack_end){vec3(poses->px[k], poses->py[k], poses->pz[k]),
                             quat(poses->qx[k], poses->qy[k], poses->qz[k], poses->qw[k]),
                             sherd_point_radius(points, k)};
}

sherd_crack_contact sherd_trial_crack(const sherd_crack_pair *pair, const sherd_trial_poses *poses,
                                      const sherd_points *points, sherd_element_index i,
                                      sherd_element_index j)
{
    sherd_crack_end a = end_at(poses, points, i), b = end_at(poses, points, j);
    return sherd_crack_contact_of(pair, &a, &b);
}

static bool both_are_bonded(const sherd_contact_trial *t, sherd_element_index i,
                            sherd_element_index j)
{
    const sherd_bond_adjacency *bonds = t->bonded ? &t->bonds : NULL;
    return sherd_crack_side_is_bonded(bonds, i) && sherd_crack_side_is_bonded(bonds, j);
}

bool sherd_trial_slides(const sherd_contact_trial *t, const sherd_points *points,
                        sherd_element_index i, sherd_element_index j, sherd_touch before,
                        sherd_crack_pair *pair, sherd_crack_contact *start)
{
    sherd_crack_pairs pairs = sherd_crack_pairs_of(t->contacts->faces, points, i, j);
    if (pairs.count == 0) return false;
    sherd_trial_poses poses = sherd_trial_start(t);
    sherd_crack_end a = end_at(&poses, points, i), b = end_at(&poses, points, j);
    int chosen;
    *start = sherd_crack_widest(&pairs, &a, &b, &chosen);
    *pair = pairs.list[chosen];
    return sherd_crack_takes(start, fmin(a.radius, b.radius), before) && both_are_bonded(t, i, j);
}

void sherd_trial_choose_faces(const sherd_contact_trial *t, const sherd_points *points,
                              sherd_trial_record *r)
{
    double smaller = fmin(sherd_point_radius(points, r->i), sherd_point_radius(points, r->j));
    r->slides = sherd_trial_slides(t, points, r->i, r->j, r->before, &r->pair, &r->crack);
    bool is_at_rest = r->slides ? sherd_crack_begins_at_rest(&r->crack, smaller, 0.0, r->before)
                                : r->before == SHERD_TOUCH_FACES;
    if (!is_at_rest) return;
    r->law.rest_overlap = INFINITY; // all its overlap
    r->spring = vec3(0.0, 0.0, 0.0);
    r->normal_force = 0.0;
}

sherd_trial_geometry sherd_trial_face_geometry(const sherd_trial_poses *poses,
                                               const sherd_points *points, sherd_trial_record *r)
{
    r->crack = sherd_trial_crack(&r->pair, poses, points, r->i, r->j);
    return (sherd_trial_geometry){r->crack.overlap, r->crack.normal,
                                  vec3_scale(-0.5, r->crack.between),
                                  vec3_scale(0.5, r->crack.between)};
}

void sherd_trial_push_faces(sherd_trial_record *r)
{
    const sherd_crack_contact *c = &r->crack;
    double energy = r->potential.energy, height = vec3_dot(c->between, c->normal);
    r->potential.energy *= c->weight;
    r->potential.force *= c->weight;
    r->potential.tangent *= c->weight;
    double spread = c->spread * energy, slant = spread * height, potential = r->potential.force;
    r->force = vec3_add_scaled(vec3_scale(potential, c->normal), spread, c->across);
    r->torque_i = vec3_add_scaled(vec3_scale(-potential, c->rotation_i), slant,
                                  vec3_cross(c->side_i, c->across));
    r->torque_j = vec3_add_scaled(vec3_scale(potential, c->rotation_j), -slant,
                                  vec3_cross(c->side_j, c->across));
}
