// The public handle: a body, its state, and one step at a time by any of the methods.
#include "material/material.h"
#include "research/optimizers.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "math/quat.h"
#include "research/methods.h"

#include <math.h>
#include <string.h>

static const uint32_t COOKIE = 0x4f50544d; // "OPTM"
static const double PI = 3.14159265358979323846;

enum {
    MAX_ELEMENTS = 1000000,
    DESCENT_ITERATIONS = 100, // of descent for one of Newton's
};

struct sherd_optimizer {
    sherd_elements elements; // rest positions, present state
    sherd_bonds bonds;
    sherd_ref_bond *bond; // (bonds.count)
    uint8_t *held;        // (n)
    sherd_element_index *order;
    double *target, *former, *solution; // (7 n)
    double *spin, *next_spin;           // before and after the last solve (3 n)
    double penalty;
    double time_step; // of the last solve [s]; 0: none yet
    sherd_vec3 gravity;
    sherd_ref_floor floor;
    sherd_search_limits limits;
    sherd_parallel parallel;
    sherd_search_history history;
};

const char *sherd_optimizer_method_name(sherd_optimizer_method method)
{
    if ((unsigned)method >= SHERD_OPTIMIZER_METHOD_COUNT) return NULL;
    return sherd_search_methods[method]->name;
}

// ---------------------------------------------------------------- definition

sherd_optimizer_def sherd_optimizer_def_default(void)
{
    return (sherd_optimizer_def){
        .cookie = COOKIE,
        .material = sherd_material_def_default(),
        .bond_reach = 0.15,
        .floor_height = -INFINITY,
        .tolerance = 1e-9,
        .penalty = 1e4,
        .max_iterations = 200,
        .max_seconds = 60.0,
    };
}

static sherd_status refuse(sherd_error *error, const char *where, const char *hint, double value)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, where, hint, "got %g", value);
}

static sherd_status check_limits(const sherd_optimizer_def *def, sherd_error *error)
{
    if (!(def->bond_reach >= 0.0 && def->bond_reach <= 10.0))
        return refuse(error, "optimizer.bond_reach", "must be within [0, 10]", def->bond_reach);
    if (!(def->tolerance > 0.0 && def->tolerance < 1.0))
        return refuse(error, "optimizer.tolerance", "must be within (0, 1)", def->tolerance);
    if (def->max_iterations < 1 || def->max_iterations > 1000000)
        return refuse(error, "optimizer.max_iterations", "must be within [1, 1e6]",
                      def->max_iterations);
    if (!(def->penalty > 0.0 && isfinite(def->penalty)))
        return refuse(error, "optimizer.penalty", "must be > 0", def->penalty);
    if (!(def->max_seconds > 0.0))
        return refuse(error, "optimizer.max_seconds", "must be > 0", def->max_seconds);
    if (def->threads < 0)
        return refuse(error, "optimizer.threads", "must be >= 0; 0 uses all", def->threads);
    if (!vec3_is_finite(def->gravity))
        return refuse(error, "optimizer.gravity", "must be finite", def->gravity.z);
    if (isnan(def->floor_height) || def->floor_height == INFINITY)
        return refuse(error, "optimizer.floor_height", "must be finite, or -INFINITY for no floor",
                      def->floor_height);
    if (!(def->floor_stiffness >= 0.0 && isfinite(def->floor_stiffness)))
        return refuse(error, "optimizer.floor_stiffness", "must be >= 0", def->floor_stiffness);
    return SHERD_OK;
}

static sherd_status check_elements(const sherd_optimizer_def *def, sherd_error *error)
{
    if (def->count < 1 || def->count > MAX_ELEMENTS)
        return refuse(error, "optimizer.count", "must be within [1, 1000000]", def->count);
    if (def->x == NULL || def->y == NULL || def->z == NULL || def->radius == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, "optimizer",
                          "set x, y, z and radius to arrays of `count` numbers",
                          "elements without positions or radii");
    for (int32_t k = 0; k < def->count; ++k)
        if (!vec3_is_finite(vec3(def->x[k], def->y[k], def->z[k])) || !(def->radius[k] > 0.0) ||
            !isfinite(def->radius[k]))
            return sherd_fail(error, SHERD_ERROR_INPUT, "optimizer",
                              "positions are finite and radii positive",
                              "element %d is at (%g, %g, %g) with radius %g", (int)k, def->x[k],
                              def->y[k], def->z[k], def->radius[k]);
    return SHERD_OK;
}

static sherd_status check_def(const sherd_optimizer_def *def, sherd_error *error)
{
    if (def == NULL || def->cookie != COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "optimizer",
                          "start from sherd_optimizer_def_default()", "definition not initialised");
    sherd_status status = check_limits(def, error);
    if (status == SHERD_OK) status = check_elements(def, error);
    if (status == SHERD_OK) status = sherd_material_def_check(&def->material, error);
    if (status == SHERD_OK && def->material.law != SHERD_REF_BOND_LAW)
        return sherd_fail(error, SHERD_ERROR_INPUT, "optimizer.material.law",
                          "use SHERD_BOND_LAW_QUATERNION",
                          "the papers' minimisers have no energy of law %s",
                          sherd_bond_law_describe(def->material.law)->word);
    return status;
}

// ---------------------------------------------------------------- life

static void put_pose(sherd_elements *e, int32_t k, sherd_pose pose)
{
    sherd_quat q = quat_normalize(pose.rotation);
    e->px[k] = pose.position.x, e->py[k] = pose.position.y, e->pz[k] = pose.position.z;
    e->qx[k] = q.x, e->qy[k] = q.y, e->qz[k] = q.z, e->qw[k] = q.w;
}

static sherd_status add_elements(sherd_optimizer *o, const sherd_optimizer_def *def,
                                 sherd_error *error)
{
    sherd_elements *e = &o->elements;
    sherd_status status = sherd_elements_resize(e, def->count, error);
    if (status != SHERD_OK) return status;
    for (int32_t k = 0; k < def->count; ++k) {
        double r = def->radius[k];
        e->rx[k] = def->x[k], e->ry[k] = def->y[k], e->rz[k] = def->z[k];
        e->radius[k] = r;
        e->mass[k] = 4.0 / 3.0 * PI * r * r * r * def->material.density;
        put_pose(e, k, (sherd_pose){{def->x[k], def->y[k], def->z[k]}, SHERD_QUAT_IDENTITY});
    }
    status = sherd_bonds_add_near(&o->bonds, e, &def->material, 0, def->count, def->bond_reach,
                                  &o->parallel, error);
    if (status != SHERD_OK) return status;
    o->bond = sherd_alloc((size_t)o->bonds.count, sizeof *o->bond);
    if (o->bond == NULL) return sherd_fail_memory(error, "bonds");
    for (int64_t b = 0; b < o->bonds.count; ++b)
        o->bond[b] = sherd_ref_bond_of(&o->bonds, e, b);
    return SHERD_OK;
}

// Along the body's longest axis: bonds join near numbers, envelopes stay narrow.
static sherd_status find_order(sherd_optimizer *o, sherd_error *error)
{
    const sherd_elements *e = &o->elements;
    const double *axes[3] = {e->rx, e->ry, e->rz};
    size_t n = (size_t)e->count;
    double low = 0.0, length = -1.0;
    int longest = 0;
    for (int a = 0; a < 3; ++a) {
        double least = INFINITY, most = -INFINITY;
        for (size_t k = 0; k < n; ++k) {
            least = fmin(least, axes[a][k]);
            most = fmax(most, axes[a][k]);
        }
        if (most - least <= length) continue;
        low = least, length = most - least, longest = a;
    }
    sherd_sort_pair *pairs = sherd_alloc(n, sizeof *pairs);
    bool sorted = pairs != NULL;
    for (size_t k = 0; sorted && k < n; ++k) {
        double share = length > 0.0 ? (axes[longest][k] - low) / length : 0.0;
        pairs[k] = (sherd_sort_pair){(uint64_t)(share * 1e15), (uint32_t)k};
    }
    sorted = sorted && sherd_sort_pairs(pairs, n);
    for (size_t k = 0; sorted && k < n; ++k)
        o->order[k] = (sherd_element_index)pairs[k].value;
    sherd_free(pairs);
    return sorted ? SHERD_OK : sherd_fail_memory(error, "an order of elements");
}

static void set_floor(sherd_optimizer *o, const sherd_optimizer_def *def)
{
    if (def->floor_height == -INFINITY) return;
    double largest = 0.0;
    for (int32_t k = 0; k < def->count; ++k)
        largest = fmax(largest, def->radius[k]);
    o->floor = (sherd_ref_floor){
        .normal = {0.0, 0.0, 1.0},
        .offset = def->floor_height,
        .stiffness = def->floor_stiffness > 0.0 ? def->floor_stiffness
                                                : def->material.youngs_modulus * largest,
    };
}

static sherd_status fill(sherd_optimizer *o, const sherd_optimizer_def *def, sherd_error *error)
{
    size_t n = (size_t)def->count;
    o->held = sherd_alloc(n, sizeof *o->held);
    o->order = sherd_alloc(n, sizeof *o->order);
    o->target = sherd_alloc(n * SHERD_REF_END, sizeof *o->target);
    o->former = sherd_alloc(n * SHERD_REF_END, sizeof *o->former);
    o->solution = sherd_alloc(n * SHERD_REF_END, sizeof *o->solution);
    o->spin = sherd_alloc(n * 3, sizeof *o->spin);
    o->next_spin = sherd_alloc(n * 3, sizeof *o->next_spin);
    if (o->held == NULL || o->order == NULL || o->target == NULL || o->former == NULL ||
        o->solution == NULL || o->spin == NULL || o->next_spin == NULL)
        return sherd_fail_memory(error, "elements");
    if (def->held != NULL) memcpy(o->held, def->held, n);
    sherd_status status = add_elements(o, def, error);
    if (status == SHERD_OK) status = find_order(o, error);
    return status;
}

sherd_optimizer *sherd_optimizer_create(const sherd_optimizer_def *def, sherd_error *error)
{
    if (check_def(def, error) != SHERD_OK) return NULL;
    sherd_optimizer *o = sherd_alloc(1, sizeof *o);
    if (o == NULL) {
        sherd_fail_memory(error, "an optimizer");
        return NULL;
    }
    o->gravity = def->gravity;
    o->penalty = def->penalty;
    o->limits = (sherd_search_limits){def->tolerance, def->max_seconds, def->max_iterations};
    o->parallel = (sherd_parallel){def->threads};
    set_floor(o, def);
    if (fill(o, def, error) == SHERD_OK) return o;
    sherd_optimizer_destroy(o);
    return NULL;
}

void sherd_optimizer_destroy(sherd_optimizer *optimizer)
{
    if (optimizer == NULL) return;
    sherd_elements_free(&optimizer->elements);
    sherd_bonds_free(&optimizer->bonds);
    sherd_free(optimizer->bond);
    sherd_free(optimizer->held);
    sherd_free(optimizer->order);
    sherd_free(optimizer->target);
    sherd_free(optimizer->former);
    sherd_free(optimizer->solution);
    sherd_free(optimizer->spin);
    sherd_free(optimizer->next_spin);
    sherd_free(optimizer->history.entry);
    sherd_free(optimizer);
}

// ---------------------------------------------------------------- state

int64_t sherd_optimizer_bond_count(const sherd_optimizer *optimizer)
{
    return optimizer->bonds.count;
}

double sherd_optimizer_period(const sherd_optimizer *optimizer)
{
    double stiffness = 0.0, mass = 0.0;
    for (int64_t b = 0; b < optimizer->bonds.count; ++b)
        stiffness += optimizer->bond[b].stretch / (double)optimizer->bonds.count;
    for (int32_t k = 0; k < optimizer->elements.count; ++k)
        mass += optimizer->elements.mass[k] / (double)optimizer->elements.count;
    return 2.0 / sqrt(16.0 * stiffness / mass);
}

static bool is_element(const sherd_optimizer *o, int32_t k)
{
    return k >= 0 && k < o->elements.count;
}

void sherd_optimizer_set_velocity(sherd_optimizer *optimizer, int32_t element, sherd_vec3 v,
                                  sherd_vec3 w)
{
    sherd_elements *e = &optimizer->elements;
    if (!is_element(optimizer, element)) return;
    e->vx[element] = v.x, e->vy[element] = v.y, e->vz[element] = v.z;
    e->wx[element] = w.x, e->wy[element] = w.y, e->wz[element] = w.z;
}

void sherd_optimizer_velocity(const sherd_optimizer *optimizer, int32_t element, sherd_vec3 *v,
                              sherd_vec3 *w)
{
    *v = *w = vec3(0.0, 0.0, 0.0);
    if (!is_element(optimizer, element)) return;
    *v = sherd_element_velocity(&optimizer->elements, element);
    *w = sherd_element_spin(&optimizer->elements, element);
}

void sherd_optimizer_set_pose(sherd_optimizer *optimizer, int32_t element, sherd_pose pose)
{
    if (is_element(optimizer, element)) put_pose(&optimizer->elements, element, pose);
}

sherd_pose sherd_optimizer_pose(const sherd_optimizer *optimizer, int32_t element)
{
    if (!is_element(optimizer, element)) return (sherd_pose){{0.0, 0.0, 0.0}, SHERD_QUAT_IDENTITY};
    return (sherd_pose){sherd_element_position(&optimizer->elements, element),
                        sherd_element_orientation(&optimizer->elements, element)};
}

sherd_pose sherd_optimizer_solution(const sherd_optimizer *optimizer, int32_t element)
{
    if (!is_element(optimizer, element) || optimizer->time_step == 0.0)
        return sherd_optimizer_pose(optimizer, element);
    const double *x = optimizer->solution + (size_t)element * SHERD_REF_END;
    return (sherd_pose){{x[0], x[1], x[2]}, {x[3], x[4], x[5], x[6]}};
}

// ---------------------------------------------------------------- steps

// x^ = p + dt v, exp(dt w / 2) q. False where something is not finite.
static bool predict(sherd_optimizer *o, double dt)
{
    const sherd_elements *e = &o->elements;
    for (int32_t k = 0; k < e->count; ++k) {
        double *x = o->target + (size_t)k * SHERD_REF_END;
        sherd_vec3 v = sherd_element_velocity(e, k), w = sherd_element_spin(e, k);
        sherd_vec3 p = vec3_add_scaled(sherd_element_position(e, k), dt, v);
        sherd_quat turn = quat_from_rotation_vector(vec3_scale(dt, w));
        sherd_quat q = quat_normalize(quat_multiply(turn, sherd_element_orientation(e, k)));
        const double values[SHERD_REF_END] = {p.x, p.y, p.z, q.x, q.y, q.z, q.w};
        memcpy(x, values, sizeof values);
        const double from[SHERD_REF_END] = {e->px[k], e->py[k], e->pz[k], e->qx[k],
                                            e->qy[k], e->qz[k], e->qw[k]};
        memcpy(o->former + (size_t)k * SHERD_REF_END, from, sizeof from);
        o->spin[3 * k] = w.x, o->spin[3 * k + 1] = w.y, o->spin[3 * k + 2] = w.z;
        if (!vec3_is_finite(p) || !isfinite(quat_dot(q, q))) return false;
    }
    return true;
}

static sherd_status check_solve(sherd_optimizer *o, sherd_optimizer_method method, double time_step,
                                sherd_error *error)
{
    if ((unsigned)method >= SHERD_OPTIMIZER_METHOD_COUNT)
        return refuse(error, "optimizer.method", "not one of sherd_optimizer_method", method);
    if (!(time_step > 0.0) || !isfinite(1.0 / (time_step * time_step)))
        return refuse(error, "optimizer.time_step", "must be a positive time in seconds",
                      time_step);
    if (!predict(o, time_step))
        return sherd_fail(error, SHERD_ERROR_INPUT, "optimizer", "give finite poses and velocities",
                          "a position or velocity is not finite");
    return SHERD_OK;
}

// Spins after the step: those that the method has itself, or along geodesics.
static void find_spins(sherd_optimizer *o, const sherd_ref_step *step,
                       const sherd_search_method *method)
{
    for (size_t k = 0; k < (size_t)step->count; ++k) {
        const double *x = o->solution + k * SHERD_REF_END, *from = o->former + k * SHERD_REF_END;
        double *w = o->next_spin + 3 * k;
        if (method->spin != NULL && (o->held[k] & SHERD_HOLD_ROTATION) == 0) {
            method->spin(step, k, x, w);
            continue;
        }
        sherd_quat turn = quat_multiply(quat(x[3], x[4], x[5], x[6]),
                                        quat_conjugate(quat(from[3], from[4], from[5], from[6])));
        sherd_vec3 spin = vec3_scale(1.0 / o->time_step, quat_to_rotation_vector(turn));
        w[0] = spin.x, w[1] = spin.y, w[2] = spin.z;
    }
}

static sherd_status search_solution(sherd_optimizer *o, const sherd_ref_step *step,
                                    const sherd_search_method *method, double *unbalanced,
                                    sherd_error *error)
{
    sherd_search search;
    sherd_search_limits limits = o->limits;
    if (method->pair_width == 0) limits.iterations *= DESCENT_ITERATIONS;
    sherd_status status =
        sherd_search_begin(&search, step, method, o->held, o->order,
                           method == &sherd_method_penalty_fixed ? o->penalty : 0.0, error);
    if (status == SHERD_OK) status = sherd_search_run(&search, &limits, &o->history, error);
    if (status == SHERD_OK)
        memcpy(o->solution, search.now.x, sizeof(double) * (size_t)step->count * SHERD_REF_END);
    *unbalanced = search.unbalanced;
    sherd_search_end(&search);
    return status;
}

sherd_status sherd_optimizer_solve(sherd_optimizer *optimizer, sherd_optimizer_method method,
                                   double time_step, sherd_optimizer_report *report,
                                   sherd_error *error)
{
    sherd_optimizer *o = optimizer;
    sherd_status status = check_solve(o, method, time_step, error);
    if (status != SHERD_OK) return status;
    sherd_ref_step step = {
        .count = o->elements.count,
        .mass = o->elements.mass,
        .radius = o->elements.radius,
        .bond_count = o->bonds.count,
        .bonds = o->bond,
        .inertia = 1.0 / (time_step * time_step),
        .target = o->target,
        .former = o->former,
        .spin = o->spin,
        .gravity = o->gravity,
        .floor = o->floor,
        .parallel = o->parallel,
    };
    double unbalanced;
    status = search_solution(o, &step, sherd_search_methods[method], &unbalanced, error);
    if (status != SHERD_OK) return status;
    o->time_step = time_step;
    find_spins(o, &step, sherd_search_methods[method]);
    const sherd_search_history *h = &o->history;
    *report = (sherd_optimizer_report){
        .method = method,
        .converged = h->converged,
        .iterations = (int)h->count - 1,
        .evaluations = h->evaluations,
        .seconds = h->entry[h->count - 1].seconds,
        .unbalanced = unbalanced,
        .history = h->entry,
        .ended = h->ended,
    };
    return SHERD_OK;
}

void sherd_optimizer_advance(sherd_optimizer *optimizer)
{
    double dt = optimizer->time_step;
    if (dt == 0.0) return;
    for (int32_t k = 0; k < optimizer->elements.count; ++k) {
        sherd_pose from = sherd_optimizer_pose(optimizer, k);
        sherd_pose to = sherd_optimizer_solution(optimizer, k);
        sherd_vec3 moved = vec3_sub(to.position, from.position);
        const double *w = optimizer->next_spin + 3 * (size_t)k;
        sherd_optimizer_set_velocity(optimizer, k, vec3_scale(1.0 / dt, moved),
                                     vec3(w[0], w[1], w[2]));
        put_pose(&optimizer->elements, k, to);
    }
}
