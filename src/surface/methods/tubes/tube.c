#include "surface/methods/tubes/tube.h"

#include "geometry/mesh/mesh_access.h"
#include "surface/piece/skin.h"

static const double PI = 3.14159265358979323846;

enum { CAP_RINGS = 2, MAX_RINGS = 4 };

// Distance of rings, approximately [radii].
static const double RING_DISTANCE = 0.7;

// ---------------------------------------------------------------- size

static int rings_after(const yarns *y, int32_t k)
{
    double rings = ceil((y->along[k + 1] - y->along[k]) / (RING_DISTANCE * y->radius[k]));
    return (int)fmin(fmax(rings, 1.0), MAX_RINGS);
}

// Number of rings of the run, including those of caps.
static int32_t ring_count(const yarns *y, tube_run run)
{
    int32_t rings = 1 + 2 * CAP_RINGS;
    for (int32_t k = run.begin; k + 1 < run.end; ++k)
        rings += rings_after(y, k);
    return rings;
}

tube_size sherd_tube_size(const yarns *y, tube_run run)
{
    int32_t rings = ring_count(y, run);
    return (tube_size){rings * y->sides + 2, 2 * rings * y->sides};
}

// ---------------------------------------------------------------- writing

typedef struct writer {
    const yarns *y;
    piece *out;
    int32_t vertex, triangle; // written so far
    int32_t ring;             // first vertex of the last ring, or the tip
    bool has_ring;
    float v, former_v; // texture coordinate along the yarn
} writer;

// A cross-section of a tube: position and shape of its ring, and the elements that carry it.
typedef struct station {
    sherd_vec3 centre, tangent, side;
    double radius;
    double lean;      // of normals towards the tangent: sine of the cap's latitude, 0 on the tube
    double along;     // [m]
    int32_t from, to; // elements, and the weight of `to`
    double fraction;
} station;

static int32_t add_vertex(writer *w, sherd_vec3 x, sherd_vec3 normal, const station *s)
{
    int32_t v = w->vertex++;
    mesh_set_vertex(w->out->mesh, v, x);
    double *n = w->out->mesh->normals + 3 * (size_t)v;
    n[0] = normal.x, n[1] = normal.y, n[2] = normal.z;
    sherd_skin_to_one(w->y->first + s->from, w->out->bones + SKIN_BONES * (size_t)v,
                      w->out->weights + SKIN_BONES * (size_t)v);
    if (s->fraction > 0.0) {
        w->out->bones[SKIN_BONES * (size_t)v + 1] = w->y->first + s->to;
        w->out->weights[SKIN_BONES * (size_t)v] = (float)(1.0 - s->fraction);
        w->out->weights[SKIN_BONES * (size_t)v + 1] = (float)s->fraction;
    }
    return v;
}

static void add_triangle(writer *w, const int32_t corner[3], const float uv[6], uint8_t kind)
{
    sherd_mesh *m = w->out->mesh;
    int32_t t = w->triangle++;
    mesh_set_triangle(m, t, corner[0], corner[1], corner[2]);
    m->face_kind[t] = kind;
    for (int k = 0; k < 6; ++k)
        m->uv[6 * (size_t)t + (size_t)k] = uv[k];
}

// Texture coordinates: u once around; v scaled like u, so that the texture is not stretched.
static float texture_along(const station *s, double radius)
{
    return (float)(s->along / (2.0 * PI * radius));
}

static void add_ring(writer *w, const station *s, uint8_t kind)
{
    int sides = w->y->sides;
    int32_t former = w->ring, first = w->vertex;
    bool after_tip = w->vertex > 0 && !w->has_ring;
    sherd_vec3 across = vec3_cross(s->tangent, s->side);
    double flat = sqrt(fmax(1.0 - s->lean * s->lean, 0.0));
    for (int k = 0; k < sides; ++k) {
        double angle = 2.0 * PI * k / sides;
        sherd_vec3 out = vec3_add(vec3_scale(cos(angle), s->side), vec3_scale(sin(angle), across));
        sherd_vec3 normal = vec3_add(vec3_scale(flat, out), vec3_scale(s->lean, s->tangent));
        add_vertex(w, vec3_add_scaled(s->centre, s->radius, out), normal, s);
    }
    w->former_v = w->v;
    w->v = texture_along(s, w->y->radius[s->from]);
    for (int k = 0; k < sides; ++k) {
        int32_t a = k, b = k + 1 < sides ? k + 1 : 0;
        float u0 = (float)k / (float)sides, u1 = (float)(k + 1) / (float)sides;
        const float v0 = w->former_v, v1 = w->v;
        if (after_tip) {
            add_triangle(w, (int32_t[]){former, first + b, first + a},
                         (float[]){0.5F * (u0 + u1), v0, u1, v1, u0, v1}, kind);
            continue;
        }
        add_triangle(w, (int32_t[]){former + a, former + b, first + b},
                     (float[]){u0, v0, u1, v0, u1, v1}, kind);
        add_triangle(w, (int32_t[]){former + a, first + b, first + a},
                     (float[]){u0, v0, u1, v1, u0, v1}, kind);
    }
    w->ring = first;
    w->has_ring = true;
}

static void add_last_tip(writer *w, const station *s, uint8_t kind)
{
    int sides = w->y->sides;
    int32_t tip = add_vertex(w, s->centre, s->tangent, s);
    float v1 = texture_along(s, w->y->radius[s->from]);
    for (int k = 0; k < sides; ++k) {
        int32_t a = k, b = k + 1 < sides ? k + 1 : 0;
        float u0 = (float)k / (float)sides, u1 = (float)(k + 1) / (float)sides;
        add_triangle(w, (int32_t[]){w->ring + a, w->ring + b, tip},
                     (float[]){u0, w->v, u1, w->v, 0.5F * (u0 + u1), v1}, kind);
    }
}

static void add_first_tip(writer *w, const station *s)
{
    w->ring = add_vertex(w, s->centre, vec3_scale(-1.0, s->tangent), s);
    w->v = texture_along(s, w->y->radius[s->from]);
    w->has_ring = false;
}

static station at_element(const yarns *y, int32_t k)
{
    return (station){.centre = y->point[k],
                     .tangent = y->tangent[k],
                     .side = y->side[k],
                     .radius = y->radius[k],
                     .along = y->along[k],
                     .from = k,
                     .to = k};
}

// A Hermite curve whose tangents are as long as the chord: for elements at equal distances, the
// curve of Catmull and Rom.
static station between_elements(const yarns *y, int32_t k, double t)
{
    double chord = vec3_distance(y->point[k], y->point[k + 1]);
    double t2 = t * t, t3 = t2 * t, smooth = 3.0 * t2 - 2.0 * t3;
    sherd_vec3 m0 = vec3_scale(chord, y->tangent[k]), m1 = vec3_scale(chord, y->tangent[k + 1]);
    sherd_vec3 step = vec3_sub(y->point[k + 1], y->point[k]);
    sherd_vec3 x = vec3_add_scaled(y->point[k], smooth, step);
    x = vec3_add_scaled(vec3_add_scaled(x, t3 - 2.0 * t2 + t, m0), t3 - t2, m1);
    sherd_vec3 d = vec3_scale(6.0 * t - 6.0 * t2, step);
    d = vec3_add_scaled(vec3_add_scaled(d, 3.0 * t2 - 4.0 * t + 1.0, m0), 3.0 * t2 - 2.0 * t, m1);
    sherd_vec3 tangent = vec3_normalize(d);
    sherd_vec3 side = vec3_add(vec3_scale(1.0 - t, y->side[k]), vec3_scale(t, y->side[k + 1]));
    side = vec3_normalize(vec3_add_scaled(side, -vec3_dot(side, tangent), tangent));
    return (station){.centre = x,
                     .tangent = tangent,
                     .side = side,
                     .radius = (1.0 - t) * y->radius[k] + t * y->radius[k + 1],
                     .along = (1.0 - t) * y->along[k] + t * y->along[k + 1],
                     .from = k,
                     .to = k + 1,
                     .fraction = smooth};
}

// Distance by which a cap extends beyond its element: at most half-way to the lost neighbour.
static double cap_length(const yarns *y, int32_t k, bool broken, int step)
{
    if (!broken) return y->radius[k];
    return fmin(y->radius[k], 0.5 * fabs(y->along[k + step] - y->along[k]));
}

// Profile of caps, a superellipse of exponent 2 / CAP_POWER: round where the undeformed yarn ends,
// nearly square where it broke, so that the caps on both sides of a break fill 92 % of the gap
// between them (hemispheres: two thirds).
static const double CAP_POWER_ROUND = 1.0, CAP_POWER_BROKEN = 0.25;

// The ring on a cap at a latitude, `length` beyond element k; before it if negative.
static station on_cap(const yarns *y, int32_t k, double latitude, double length, bool broken)
{
    double power = broken ? CAP_POWER_BROKEN : CAP_POWER_ROUND;
    double ahead = length * pow(sin(latitude), power);
    station s = at_element(y, k);
    s.lean = copysign(sin(latitude), length);
    s.centre = vec3_add_scaled(s.centre, ahead, s.tangent);
    s.along += ahead;
    s.radius *= pow(fmax(cos(latitude), 0.0), power);
    return s;
}

void sherd_tube_write(const yarns *y, tube_run run, tube_size at, piece *out)
{
    writer w = {.y = y, .out = out, .vertex = at.vertices, .triangle = at.triangles};
    uint8_t before = run.broken_before ? SHERD_FACE_INNER : SHERD_FACE_OUTER;
    uint8_t after = run.broken_after ? SHERD_FACE_INNER : SHERD_FACE_OUTER;
    const double step = 0.5 * PI / (CAP_RINGS + 1);
    double length = -cap_length(y, run.begin, run.broken_before, -1);
    station tip = on_cap(y, run.begin, 0.5 * PI, length, run.broken_before);
    add_first_tip(&w, &tip);
    for (int k = CAP_RINGS; k > 0; --k) {
        station s = on_cap(y, run.begin, step * k, length, run.broken_before);
        add_ring(&w, &s, before);
    }
    for (int32_t k = run.begin; k < run.end; ++k) {
        station s = at_element(y, k);
        add_ring(&w, &s, k == run.begin ? before : SHERD_FACE_OUTER);
        int rings = k + 1 < run.end ? rings_after(y, k) : 1;
        for (int n = 1; n < rings; ++n) {
            s = between_elements(y, k, (double)n / rings);
            add_ring(&w, &s, SHERD_FACE_OUTER);
        }
    }
    length = cap_length(y, run.end - 1, run.broken_after, 1);
    for (int k = 1; k <= CAP_RINGS; ++k) {
        station s = on_cap(y, run.end - 1, step * k, length, run.broken_after);
        add_ring(&w, &s, after);
    }
    tip = on_cap(y, run.end - 1, 0.5 * PI, length, run.broken_after);
    add_last_tip(&w, &tip, after);
}
