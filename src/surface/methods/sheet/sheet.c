#include "surface/methods/sheet/sheet.h"

#include "base/memory.h"
#include "math/quat.h"

static const double PI = 3.14159265358979323846;

enum { WALL_FACE = 8, SURE_FACE = 4, MAX_STEPS = 200 };

// Search distance for the rim from a bond or an element, in radii, and the distance assumed if no
// rim is found.
static const double RIM_REACH = 2.0, RIM_DEFAULT = 0.7;
// Minimum half thickness of a wall, in radii.
static const double MIN_HALF_THICKNESS = 1e-3;
// Bonds span a plane if the sines of the angles between them sum to more than this.
static const double MIN_SPREAD = 0.3;
// A normal more than 45 degrees from that of the bonds' plane belongs to another surface.
static const double MAX_TILT = 0.7;

typedef struct builder {
    sheet *s;
    const maker_source *source;
} builder;

static double radius_of(const builder *b, int32_t k)
{
    return b->source->def->radius[b->source->body->first + k];
}

// ---------------------------------------------------------------- half-bonds

static bool is_own(const maker_source *src, sherd_bond_index b)
{
    return src->def->bond_i[b] >= src->body->first &&
           src->def->bond_i[b] < src->body->first + src->body->count;
}

static bool allocate(sheet *s, const maker_source *src)
{
    size_t n = (size_t)src->body->count, h = 0;
    for (sherd_bond_index b = 0; b < src->def->bond_count; ++b)
        h += is_own(src, b) ? 2 : 0;
    // Corner indices go up to five times as many, plus elements.
    if (h > INT32_MAX / 8) return false;
    *s = (sheet){.first = src->body->first,
                 .count = src->body->count,
                 .centre = sherd_alloc(n, sizeof *s->centre),
                 .half_count = (int32_t)h,
                 .start = sherd_alloc(n + 2, sizeof *s->start),
                 .from = sherd_alloc(h, sizeof *s->from),
                 .other = sherd_alloc(h, sizeof *s->other),
                 .bond = sherd_alloc(h, sizeof *s->bond),
                 .next = sherd_alloc(h, sizeof *s->next),
                 .is_rim = sherd_alloc(h, 1),
                 .is_double = sherd_alloc(h, 1),
                 .corner = sherd_alloc(h, sizeof *s->corner),
                 .rim = sherd_alloc(h, sizeof *s->rim)};
    return s->centre != NULL && s->start != NULL && s->from != NULL && s->other != NULL &&
           s->bond != NULL && s->next != NULL && s->is_rim != NULL && s->is_double != NULL &&
           s->corner != NULL && s->rim != NULL;
}

void sherd_sheet_release(sheet *s)
{
    sherd_free(s->centre);
    sherd_free(s->start);
    sherd_free(s->from);
    sherd_free(s->other);
    sherd_free(s->bond);
    sherd_free(s->next);
    sherd_free(s->is_rim);
    sherd_free(s->is_double);
    sherd_free(s->corner);
    sherd_free(s->rim);
    *s = (sheet){0};
}

// Counting sort by element; `other` of a half-bond is the sorted index of its bond's other half.
static void list_half_bonds(const builder *b)
{
    sheet *s = b->s;
    const maker_source *src = b->source;
    for (sherd_bond_index k = 0; k < src->def->bond_count; ++k) {
        if (!is_own(src, k)) continue;
        ++s->start[src->def->bond_i[k] - src->body->first + 2];
        ++s->start[src->def->bond_j[k] - src->body->first + 2];
    }
    for (int32_t k = 1; k <= s->count; ++k)
        s->start[k + 1] += s->start[k];
    for (sherd_bond_index k = 0; k < src->def->bond_count; ++k) {
        if (!is_own(src, k)) continue;
        int32_t i = src->def->bond_i[k] - src->body->first,
                j = src->def->bond_j[k] - src->body->first;
        int32_t a = s->start[i + 1]++, c = s->start[j + 1]++;
        s->from[a] = i, s->from[c] = j;
        s->other[a] = c, s->other[c] = a;
        s->bond[a] = s->bond[c] = k;
    }
}

static sherd_vec3 direction_of(const sheet *s, int32_t h)
{
    return vec3_sub(s->centre[s->from[s->other[h]]].point, s->centre[s->from[h]].point);
}

// ---------------------------------------------------------------- normals

// Either side of the wall may be nearer: choose the same side for all connected elements.
static bool agree_on_sides(const builder *b)
{
    sheet *s = b->s;
    int32_t *queue = sherd_alloc((size_t)s->count, sizeof *queue);
    uint8_t *done = sherd_alloc((size_t)s->count, 1);
    bool good = queue != NULL && done != NULL;
    for (int32_t seed = 0; seed < s->count && good; ++seed) {
        int32_t head = 0, tail = 0;
        if (!done[seed]) queue[tail++] = seed;
        done[seed] = 1;
        while (head < tail) {
            int32_t i = queue[head++];
            for (int32_t h = s->start[i]; h < s->start[i + 1]; ++h) {
                int32_t j = s->from[s->other[h]];
                if (done[j]) continue;
                done[j] = 1;
                queue[tail++] = j;
                sherd_vec3 *n = &s->centre[j].normal;
                if (vec3_dot(s->centre[i].normal, *n) < 0.0) *n = vec3_scale(-1.0, *n);
            }
        }
    }
    sherd_free(queue);
    sherd_free(done);
    return good;
}

static void set_centres(const builder *b)
{
    const maker_source *src = b->source;
    for (int32_t k = 0; k < b->s->count; ++k) {
        sherd_element_index e = src->body->first + k;
        sherd_vec3 p = vec3(src->def->rest_x[e], src->def->rest_y[e], src->def->rest_z[e]);
        double depth = -sherd_shape_distance(src->body->shape, p);
        b->s->centre[k] = (sheet_corner){p, sherd_shape_normal(src->body->shape, p),
                                         fmax(depth, MIN_HALF_THICKNESS * radius_of(b, k))};
    }
}

// --- Elements nearer to the rim than to both sides

// Returns the normal of the plane through an element's bonds; zero if they are collinear.
static sherd_vec3 plane_of_bonds(const sheet *s, int32_t k)
{
    sherd_vec3 sum = vec3(0.0, 0.0, 0.0);
    for (int32_t a = s->start[k]; a < s->start[k + 1]; ++a)
        for (int32_t b = a + 1; b < s->start[k + 1]; ++b) {
            sherd_vec3 c =
                vec3_cross(vec3_normalize(direction_of(s, a)), vec3_normalize(direction_of(s, b)));
            sum = vec3_add_scaled(sum, vec3_dot(sum, c) < 0.0 ? -1.0 : 1.0, c);
        }
    return vec3_length(sum) > MIN_SPREAD ? vec3_normalize(sum) : vec3(0.0, 0.0, 0.0);
}

static double distance_to_surface(const sherd_shape *shape, sherd_vec3 p, sherd_vec3 direction,
                                  double radius)
{
    double distance = 0.0;
    for (int k = 0; k < MAX_STEPS; ++k) {
        double inside = -sherd_shape_distance(shape, vec3_add_scaled(p, distance, direction));
        if (inside < 1e-4 * radius) break;
        distance += inside;
    }
    return distance;
}

static void set_normal(const builder *b, int32_t k, sherd_vec3 normal)
{
    sheet_corner *c = &b->s->centre[k];
    const sherd_shape *shape = b->source->body->shape;
    double r = radius_of(b, k);
    double up = distance_to_surface(shape, c->point, normal, r);
    double down = distance_to_surface(shape, c->point, vec3_scale(-1.0, normal), r);
    c->normal = normal;
    c->half = fmax(0.5 * (up + down), MIN_HALF_THICKNESS * r);
}

// If an element is as far from the wall's edge as the wall is thick, the nearest surface is the
// rim, whose normal lies in the wall: use the plane of the bonds, or for collinear bonds a
// neighbour's normal.
static bool correct_normals(const builder *b)
{
    sheet *s = b->s;
    sherd_vec3 *plane = sherd_alloc((size_t)s->count, sizeof *plane);
    for (int32_t k = 0; plane != NULL && k < s->count; ++k)
        plane[k] = plane_of_bonds(s, k);
    for (int32_t k = 0; plane != NULL && k < s->count; ++k) {
        sherd_vec3 n = plane[k];
        for (int32_t h = s->start[k]; h < s->start[k + 1] && !(vec3_length(n) > 0.0); ++h)
            n = plane[s->from[s->other[h]]];
        if (vec3_length(n) > 0.0 && fabs(vec3_dot(n, s->centre[k].normal)) < MAX_TILT)
            set_normal(b, k, n);
    }
    sherd_free(plane);
    return plane != NULL;
}

// ---------------------------------------------------------------- turning around elements

// A number that increases with the angle about the normal, measured from `u`.
static double angle_of(sherd_vec3 distance, sherd_vec3 u, sherd_vec3 normal)
{
    double angle = atan2(vec3_dot(distance, vec3_cross(normal, u)), vec3_dot(distance, u));
    return angle < 0.0 ? angle + 2.0 * PI : angle;
}

static void swap_half_bonds(sheet *s, int32_t a, int32_t b)
{
    int32_t other_a = s->other[a], other_b = s->other[b];
    sherd_bond_index bond = s->bond[a];
    s->other[a] = other_b, s->other[b] = other_a;
    s->bond[a] = s->bond[b], s->bond[b] = bond;
    s->other[other_a] = b, s->other[other_b] = a;
}

// Insertion sort: an element has about six bonds.
static void sort_by_angle(sheet *s)
{
    for (int32_t k = 0; k < s->count; ++k) {
        sherd_vec3 n = s->centre[k].normal, u = vec3_perpendicular(n);
        for (int32_t a = s->start[k] + 1; a < s->start[k + 1]; ++a)
            for (int32_t b = a; b > s->start[k] && angle_of(direction_of(s, b - 1), u, n) >
                                                       angle_of(direction_of(s, b), u, n);
                 --b)
                swap_half_bonds(s, b - 1, b);
    }
}

static int32_t turn_left(const sheet *s, int32_t h)
{
    int32_t k = s->from[h];
    return h + 1 < s->start[k + 1] ? h + 1 : s->start[k];
}

static int32_t turn_right(const sheet *s, int32_t h)
{
    int32_t k = s->from[h];
    return h > s->start[k] ? h - 1 : s->start[k + 1] - 1;
}

// ---------------------------------------------------------------- corners

static sheet_corner face_corner(const sheet *s, int32_t h)
{
    sheet_corner c = {0};
    int count = 0;
    for (int32_t k = h;; k = s->next[k], ++count) {
        const sheet_corner *e = &s->centre[s->from[k]];
        c.point = vec3_add(c.point, e->point);
        c.normal = vec3_add(c.normal, e->normal);
        c.half += e->half;
        if (s->next[k] == h) break;
    }
    ++count;
    c.point = vec3_scale(1.0 / count, c.point);
    c.half /= count;
    // A curved wall bulges above the face: half the distance between its centre and its elements'
    // tangent planes.
    double lift = 0.0;
    for (int32_t k = h, n = 0; n < count; k = s->next[k], ++n) {
        const sheet_corner *e = &s->centre[s->from[k]];
        lift += vec3_dot(vec3_sub(e->point, c.point), e->normal) / count;
    }
    c.normal = vec3_normalize(c.normal);
    c.point = vec3_add_scaled(c.point, 0.5 * lift, c.normal);
    return c;
}

// Distinguishes a face of the wall from the region beyond a rim: reversed orientation, large, or a
// hole.
static bool is_wall(const builder *b, int32_t h)
{
    const sheet *s = b->s;
    int count = 0;
    double area = 0.0;
    sherd_vec3 at = s->centre[s->from[h]].point, sum = at;
    for (int32_t k = s->next[h]; k != h; k = s->next[k], ++count) {
        sherd_vec3 p = s->centre[s->from[k]].point;
        sum = vec3_add(sum, p);
        area +=
            vec3_dot(vec3_cross(vec3_sub(p, at), direction_of(s, k)), s->centre[s->from[k]].normal);
        if (count > WALL_FACE) return false;
    }
    ++count;
    if (count < 3 || count > WALL_FACE || !(area > 0.0)) return false;
    if (count <= SURE_FACE) return true;
    return sherd_shape_distance(b->source->body->shape, vec3_scale(1.0 / count, sum)) < 0.0;
}

// Moves from p along the wall to its edge.
static sherd_vec3 to_rim(const builder *b, sherd_vec3 p, sherd_vec3 direction, double radius)
{
    double distance = 0.0;
    for (int k = 0; k < MAX_STEPS && distance < RIM_REACH * radius; ++k) {
        double inside =
            -sherd_shape_distance(b->source->body->shape, vec3_add_scaled(p, distance, direction));
        if (inside < 1e-4 * radius)
            return vec3_add_scaled(p, k > 0 ? distance + fmax(inside, 0.0) : RIM_DEFAULT * radius,
                                   direction);
        distance += inside;
    }
    return vec3_add_scaled(p, RIM_DEFAULT * radius, direction);
}

static sheet_corner rim_beside_bond(const builder *b, int32_t h)
{
    sheet_corner c = sheet_middle(b->s, h);
    sherd_vec3 left = vec3_normalize(vec3_cross(c.normal, direction_of(b->s, h)));
    c.point = to_rim(b, c.point, left, radius_of(b, b->s->from[h]));
    return c;
}

// Half-way from this half-bond to the next one to the left.
static sheet_corner rim_before_element(const builder *b, int32_t h)
{
    const sheet *s = b->s;
    sheet_corner c = s->centre[s->from[h]];
    sherd_vec3 distance = direction_of(s, h);
    distance = vec3_normalize(vec3_add_scaled(distance, -vec3_dot(distance, c.normal), c.normal));
    double sector_angle = angle_of(direction_of(s, turn_left(s, h)), distance, c.normal);
    if (turn_left(s, h) == h || !(sector_angle > 0.0)) sector_angle = 2.0 * PI;
    sherd_vec3 direction =
        quat_rotate(quat_from_rotation_vector(vec3_scale(0.5 * sector_angle, c.normal)), distance);
    c.point = to_rim(b, c.point, direction, radius_of(b, s->from[h]));
    return c;
}

// Gives one result per face, as the sign of its area may depend on the half-bond from which it is
// computed.
static bool find_rims(const builder *b)
{
    sheet *s = b->s;
    uint8_t *known = sherd_alloc((size_t)s->half_count, 1);
    for (int32_t h = 0; known != NULL && h < s->half_count; ++h) {
        if (known[h]) continue;
        bool rim = !is_wall(b, h);
        for (int32_t k = h; !known[k]; k = s->next[k])
            known[k] = 1, s->is_rim[k] = rim;
    }
    sherd_free(known);
    return known != NULL;
}

// `face`: the lowest half-bond around each face.
static bool is_double(const sheet *s, const int32_t *face, int32_t h)
{
    int32_t beyond = face[s->other[h]];
    if (s->is_rim[h] || s->is_rim[s->other[h]] || beyond == face[h]) return false;
    for (int32_t k = s->next[h]; k != h; k = s->next[k])
        if (face[s->other[k]] == beyond) return true;
    return false;
}

static bool find_doubles(const builder *b)
{
    sheet *s = b->s;
    int32_t *face = sherd_alloc((size_t)s->half_count, sizeof *face);
    if (face == NULL) return false;
    for (int32_t h = 0; h < s->half_count; ++h)
        face[h] = -1;
    for (int32_t h = 0; h < s->half_count; ++h)
        for (int32_t k = h; face[k] < 0; k = s->next[k])
            face[k] = h;
    for (int32_t h = 0; h < s->half_count; ++h)
        s->is_double[h] = is_double(s, face, h);
    sherd_free(face);
    return true;
}

static bool find_corners(const builder *b)
{
    sheet *s = b->s;
    for (int32_t h = 0; h < s->half_count; ++h)
        s->next[h] = turn_right(s, s->other[h]);
    if (!find_rims(b) || !find_doubles(b)) return false;
    for (int32_t h = 0; h < s->half_count; ++h) {
        s->corner[h] = s->is_rim[h] ? rim_beside_bond(b, h) : face_corner(s, h);
        if (s->is_rim[h]) s->rim[h] = rim_before_element(b, h);
    }
    return true;
}

bool sherd_sheet_create(sheet *s, const maker_source *source)
{
    builder b = {s, source};
    if (!allocate(s, source)) return false;
    list_half_bonds(&b);
    set_centres(&b);
    if (!correct_normals(&b) || !agree_on_sides(&b)) return false;
    sort_by_angle(s);
    return find_corners(&b);
}
