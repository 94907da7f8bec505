// Pieces of a body of points, and the glue between them: areas, normals, crumbs, numbers.
#include "models/mpm/damage/mpm_prefracture.h"
#include "models/mpm/glue/mpm_cohesive_zone.h"
#include "models/mpm/glue/mpm_glue_law.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

// A box of points about the origin.
typedef struct points {
    double *x[3];
    size_t count;
    double step;
} points;

static points fill_box(double a, double b, double c, double step)
{
    size_t n[3] = {(size_t)llround(a / step), (size_t)llround(b / step), (size_t)llround(c / step)};
    points p = {.count = n[0] * n[1] * n[2], .step = step};
    for (int axis = 0; axis < 3; ++axis)
        p.x[axis] = malloc(p.count * sizeof(double));
    for (size_t k = 0; k < p.count; ++k) {
        size_t at[3] = {k % n[0], k / n[0] % n[1], k / n[0] / n[1]};
        for (int axis = 0; axis < 3; ++axis)
            p.x[axis][k] = step * ((double)at[axis] + 0.5 - 0.5 * (double)n[axis]);
    }
    return p;
}

static void release(points *p)
{
    for (int axis = 0; axis < 3; ++axis)
        free(p->x[axis]);
}

static sherd_weakness *make_wall(const sherd_weakness_def *def)
{
    sherd_error error = {0};
    sherd_weakness *made = sherd_weakness_create(def, &error);
    cr_assert(made != NULL, "%s", error.what);
    return made;
}

static sherd_weakness *plane(sherd_vec3 point, sherd_vec3 normal)
{
    sherd_weakness_def def = sherd_weakness_def_default();
    def.kind = SHERD_WEAKNESS_CUT, def.cut = SHERD_CUT_PLANE;
    def.point = point, def.normal = normal;
    return make_wall(&def);
}

// An open mesh over [-size, size]^2 at z = amplitude sin x, a square of triangles each 1/8 of its size.
static sherd_weakness *wavy_sheet(double size, double amplitude)
{
    enum { N = 8 };
    sherd_error error;
    sherd_mesh *mesh = sherd_mesh_create((N + 1) * (N + 1), 2 * N * N, &error);
    cr_assert(mesh != NULL);
    for (int k = 0; k < (N + 1) * (N + 1); ++k) {
        double *p = mesh->vertices + 3 * k;
        p[0] = size * (2.0 * (k % (N + 1)) / N - 1.0),
        p[1] = size * (2.0 * (k / (N + 1)) / N - 1.0);
        p[2] = amplitude * sin(p[0]);
    }
    for (int k = 0; k < N * N; ++k) {
        int a = k % N + (N + 1) * (k / N),
            corner[6] = {a, a + 1, a + N + 1, a + 1, a + N + 2, a + N + 1};
        for (int c = 0; c < 6; ++c)
            mesh->triangles[6 * k + c] = corner[c];
    }
    sherd_weakness_def def = sherd_weakness_def_default();
    def.kind = SHERD_WEAKNESS_CUT, def.cut = SHERD_CUT_SHEET, def.mesh = mesh;
    sherd_weakness *made = make_wall(&def);
    sherd_mesh_destroy(mesh);
    return made;
}

static sherd_mpm_prefracture divide(const sherd_mpm_prefracture_def *def, const points *p,
                                    int threads)
{
    sherd_mpm_prefracture f;
    sherd_error error = {0};
    sherd_parallel parallel = {threads};
    cr_assert(
        eq(int,
           (int)sherd_mpm_prefracture_make(def, p->x, p->count, p->step, &parallel, &f, &error),
           SHERD_OK),
        "%s", error.what);
    return f;
}

static sherd_mpm_prefracture divide_by(sherd_weakness *wall, const points *p)
{
    sherd_mpm_prefracture_def def = sherd_mpm_prefracture_def_default();
    const sherd_weakness *walls[1] = {wall};
    def.walls = walls, def.wall_count = 1;
    sherd_mpm_prefracture f = divide(&def, p, 2);
    sherd_weakness_destroy(wall);
    return f;
}

static double total_area(const sherd_mpm_prefracture *f)
{
    double sum = 0.0;
    for (size_t k = 0; k < f->glue_count; ++k)
        sum += f->glue[k].area;
    return sum;
}

// Planes of any direction through the middle of a box 1 x 1.2 x 0.4, tilted about z by less than its diagonal: area
// 1.2 x 0.4 / cos. Counting crossed neighbours is off by one row of each side at most: 1 in 40.
Test(mpm_fracture, areas_add_up_to_the_planes)
{
    points p = fill_box(1.0, 1.2, 0.4, 0.025);
    for (int k = 0; k < 8; ++k) {
        double tilt = 0.09 * k;
        sherd_vec3 n = {cos(tilt), sin(tilt), 0.0};
        sherd_mpm_prefracture f = divide_by(plane((sherd_vec3){0.003, 0, 0}, n), &p);
        cr_assert(eq(u32, f.pieces, 2));
        cr_assert(lt(dbl, fabs(total_area(&f) / (0.48 / cos(tilt)) - 1.0), 0.03), "%d: %g", k,
                  total_area(&f));
        for (size_t g = 0; g < f.glue_count; ++g) {
            const sherd_mpm_glue *glue = &f.glue[g];
            double along = glue->normal[0] * n.x + glue->normal[1] * n.y + glue->normal[2] * n.z;
            cr_assert(lt(dbl, fabs(along - 1.0), 1e-5)); // from the lower piece, which lies at -x
            cr_assert(lt(dbl, fabs((glue->x[0] - 0.003) * n.x + glue->x[1] * n.y), 1e-6 * p.step));
            cr_assert(eq(u32, glue->a, 0));
            cr_assert(eq(u32, glue->b, 1));
        }
        sherd_mpm_prefracture_release(&f);
    }
    release(&p);
}

// A sphere of radius 0.3 within a box: closed, its area 4 pi r^2, normals radial.
Test(mpm_fracture, a_curved_wall_has_its_area_and_normals)
{
    sherd_error error = {0};
    points p = fill_box(0.8, 0.8, 0.8, 0.025);
    sherd_weakness_def def = sherd_weakness_def_default();
    def.kind = SHERD_WEAKNESS_CUT, def.cut = SHERD_CUT_SHAPE;
    sherd_shape *sphere = sherd_shape_sphere(0.3, &error);
    def.shape = sphere;
    sherd_mpm_prefracture f = divide_by(make_wall(&def), &p);
    cr_assert(eq(u32, f.pieces, 2));
    cr_assert(lt(dbl, fabs(total_area(&f) / (4.0 * M_PI * 0.09) - 1.0), 0.02), "%g",
              total_area(&f));
    for (size_t g = 0; g < f.glue_count; ++g) {
        const double *x = f.glue[g].x, *n = f.glue[g].normal;
        double radial = -(x[0] * n[0] + x[1] * n[1] + x[2] * n[2]) / 0.3; // 0 is outside
        // Beside the place by 0.01 steps a sphere of 12 steps turns by 1/1200; grazed walls are the worst.
        cr_assert(lt(dbl, 1.0 - radial, 1e-3), "%g", radial);
    }
    sherd_shape_destroy(sphere);
    sherd_mpm_prefracture_release(&f);
    release(&p);
}

static sherd_weakness *cells(double size)
{
    sherd_weakness_def def = sherd_weakness_def_default();
    def.kind = SHERD_WEAKNESS_VORONOI, def.size = size, def.seed = 3;
    return make_wall(&def);
}

// Cells: no crumbs, pieces that hang together, an area that does not depend on the lattice.
Test(mpm_fracture, cells_become_pieces)
{
    points coarse = fill_box(0.5, 0.5, 0.5, 0.02), fine = fill_box(0.5, 0.5, 0.5, 0.0125);
    sherd_mpm_prefracture one = divide_by(cells(0.25), &coarse),
                          other = divide_by(cells(0.25), &fine);
    cr_assert(lt(dbl, fabs(total_area(&one) / total_area(&other) - 1.0), 0.04), "%g %g",
              total_area(&one), total_area(&other));
    cr_assert(lt(u32, 10, one.pieces));
    cr_assert(lt(u32, one.pieces, 80));
    int *size = calloc(one.pieces, sizeof *size);
    uint32_t next = 0;
    for (size_t k = 0; k < coarse.count; ++k) {
        cr_assert(le(u32, one.piece[k], next)); // by first points
        next += one.piece[k] == next;
        ++size[one.piece[k]];
    }
    for (uint32_t k = 0; k < one.pieces; ++k)
        cr_assert(le(int, SHERD_MPM_MIN_PIECE, size[k]));
    for (size_t g = 0; g < one.glue_count; ++g)
        cr_assert(lt(u32, one.glue[g].a, one.glue[g].b));
    free(size);
    sherd_mpm_prefracture_release(&one), sherd_mpm_prefracture_release(&other);
    release(&coarse), release(&fine);
}

Test(mpm_fracture, a_wall_that_ends_inside_parts_nothing)
{
    points p = fill_box(0.8, 0.8, 0.8, 0.04);
    sherd_weakness_def def = sherd_weakness_def_default();
    def.kind = SHERD_WEAKNESS_CUT, def.cut = SHERD_CUT_DISC;
    def.normal = (sherd_vec3){0, 0, 1}, def.radius = 0.3;
    sherd_mpm_prefracture f = divide_by(make_wall(&def), &p);
    cr_assert(eq(u32, f.pieces, 1));
    cr_assert(eq(sz, f.glue_count, 0));
    sherd_mpm_prefracture_release(&f);
    release(&p);
}

// A thin slice of one layer's corner would be three points: they stay with the rest.
Test(mpm_fracture, crumbs_stay_with_their_neighbours)
{
    points p = fill_box(0.8, 0.8, 0.8, 0.04);
    double corner = 0.38 - 0.02; // of the last points' middle
    sherd_mpm_prefracture f =
        divide_by(plane((sherd_vec3){corner, 0.38, 0.38}, (sherd_vec3){1, 1, 1}), &p);
    cr_assert(eq(u32, f.pieces, 1));
    cr_assert(eq(sz, f.glue_count, 0));
    sherd_mpm_prefracture_release(&f);
    release(&p);
}

Test(mpm_fracture, strengths_scatter_and_glue_keeps_to_its_region)
{
    sherd_error error = {0};
    points p = fill_box(0.8, 0.8, 0.8, 0.04);
    sherd_weakness *wall = plane((sherd_vec3){0, 0, 0}, (sherd_vec3){0, 0, 1});
    sherd_shape *ball = sherd_shape_sphere(0.3, &error);
    sherd_mpm_prefracture_def def = sherd_mpm_prefracture_def_default();
    const sherd_weakness *walls[1] = {wall};
    def.walls = walls, def.wall_count = 1;
    def.tensile_strength = 150.0, def.scatter = 1.0 / 15.0, def.glued = ball;
    sherd_mpm_prefracture one = divide(&def, &p, 1), other = divide(&def, &p, 3);
    double least = INFINITY, most = 0.0;
    for (size_t g = 0; g < one.glue_count; ++g) {
        cr_assert(le(dbl, hypot(one.glue[g].x[0], one.glue[g].x[1]), 0.3));
        least = fmin(least, one.glue[g].tensile), most = fmax(most, one.glue[g].tensile);
    }
    cr_assert(le(dbl, 140.0, least));
    cr_assert(lt(dbl, least, 141.0));
    cr_assert(le(dbl, most, 160.0));
    cr_assert(lt(dbl, 159.0, most));
    cr_assert(lt(dbl, fabs(total_area(&one) / (M_PI * 0.09) - 1.0), 0.03));
    cr_assert(eq(sz, one.glue_count, other.glue_count));
    cr_assert(eq(int, memcmp(one.glue, other.glue, one.glue_count * sizeof *one.glue), 0));
    sherd_mpm_prefracture_release(&one), sherd_mpm_prefracture_release(&other);
    sherd_shape_destroy(ball), sherd_weakness_destroy(wall);
    release(&p);
}

// Glue of a body that is turned and moved, behind three pieces of others.
Test(mpm_fracture, glue_is_placed_with_its_body)
{
    points p = fill_box(0.4, 0.4, 0.4, 0.04);
    sherd_mpm_prefracture f = divide_by(plane((sherd_vec3){0.01, 0, 0}, (sherd_vec3){1, 0, 0}), &p);
    sherd_mpm_glues g = {0};
    double half = sqrt(0.5);
    sherd_pose pose = {{1, 2, 3}, {0, 0, half, half}}; // x to y
    cr_assert(sherd_mpm_glues_append(&g, f.glue, f.glue_count, (sherd_mpm_offset){3, 30}, pose));
    cr_assert(sherd_mpm_glues_append(&g, f.glue, f.glue_count, (sherd_mpm_offset){5, 50}, pose));
    cr_assert(eq(sz, g.count, 2 * f.glue_count));
    cr_assert(eq(u32, g.items[0].a, 3));
    cr_assert(eq(u32, g.items[g.count - 1].b, 6));
    cr_assert(epsilon_eq(dbl, g.items[0].normal[1], 1.0, 1e-10)); // bisected
    cr_assert(epsilon_eq(dbl, g.items[0].x[1], 2.01, 1e-8));
    sherd_mpm_glues_release(&g);
    sherd_mpm_prefracture_release(&f);
    release(&p);
}

// One that goes through parts the box in two, with the sheet's area of glue; one that ends inside parts nothing.
Test(mpm_fracture, open_sheets_part_what_they_go_through)
{
    points p = fill_box(2.0, 2.0, 2.0, 0.1);
    sherd_mpm_prefracture_def def = sherd_mpm_prefracture_def_default();
    for (int through = 0; through < 2; ++through) {
        sherd_weakness *sheet = wavy_sheet(through ? 1.2 : 0.8, 0.3);
        const sherd_weakness *walls[1] = {sheet};
        def.wall_count = 1, def.walls = walls;
        sherd_mpm_prefracture f = divide(&def, &p, 2);
        cr_assert(eq(u32, f.pieces, through ? 2 : 1));
        double area = 0.0, right = 0.0;
        for (size_t k = 0; k < f.glue_count; ++k)
            area += f.glue[k].area;
        for (int k = 0; k < 100; ++k)
            right += 2.0 * 0.02 * hypot(1.0, 0.3 * cos(0.02 * (k + 0.5) - 1.0));
        if (through)
            cr_assert(lt(dbl, fabs(area - right), 0.01 * right), "%g, not %g", area, right);
        sherd_mpm_prefracture_release(&f);
        sherd_weakness_destroy(sheet);
    }
    release(&p);
}

// Glue at its strength of 10 kPa when pulled, 20 kPa when sheared, for a share of shear.
static sherd_mpm_glue glue_at_its_strength(double share)
{
    const double along[3] = {0.0, 0.6, 0.8};
    sherd_mpm_glue glue = {.normal = {1.0, 0.0, 0.0},
                           .area = 2e-4,
                           .tensile = 1e4,
                           .shear = 2e4,
                           .fracture_energy = 10.0,
                           .stiffness = 1e8};
    glue.traction[0] = 1e4 * (1.0 - share);
    for (int axis = 0; axis < 3; ++axis)
        glue.traction[axis] += 2e4 * share * along[axis];
    sherd_mpm_glue_begin(&glue);
    return glue;
}

// Opens glue by `size` along the opening that its traction began with. Returns the work [J/m^2].
static double open_by(sherd_mpm_glue *glue, double size)
{
    double before[3], opened[3], length = 0.0;
    for (int k = 0; k < 3; ++k)
        length = hypot(length, glue->shift[k]);
    for (int k = 0; k < 3; ++k) {
        before[k] = glue->traction[k], opened[k] = size * glue->shift[k] / length;
        glue->gap[k] += opened[k];
    }
    sherd_mpm_glue_open(glue, 0.0);
    return sherd_mpm_glue_add_work(glue, before, opened);
}

static const double OPENED = 1e-6; // in a step; a hundredth of d0 when pulled [m]

// Glue stores nothing as it begins to soften, then all the work done on it up to T D / 2, and takes G_f in the end.
Test(mpm_fracture, softening_glue_stores_no_more_than_was_done_on_it)
{
    for (double share = 0.0; share <= 1.0; share += 0.5) {
        sherd_mpm_glue glue = glue_at_its_strength(share);
        const sherd_mpm_glues g = {.items = &glue, .count = 1, .softening = 1};
        double work = 0.0, taken = 0.0, began = glue.start / glue.stiffness;
        cr_assert(eq(dbl, sherd_mpm_cohesion_stored(&g), 0.0));
        while (glue.damage < 1.0) {
            work += open_by(&glue, OPENED);
            if (!(glue.damage < 1.0)) break;
            double now = work - sherd_mpm_glue_stored(&glue);
            cr_assert(epsilon_eq(dbl, sherd_mpm_cohesion_stored(&g),
                                 glue.area * sherd_mpm_glue_stored(&glue), 1e-15));
            cr_assert(now > taken - 1e-6, "%g after %g", now, taken); // trapezoids
            cr_assert(glue.damage > 0.0 || fabs(now) < 1e-9);
            cr_assert(glue.most > 1.5 * began || glue.damage == 0.0);
            cr_assert(epsilon_eq(dbl, now, 10.0 * glue.damage, 1e-3));
            taken = now;
        }
        cr_assert(epsilon_eq(dbl, work, 10.0, 0.01), "%g", work);
    }
}

// Until it has dissipated something, glue that gives all of it back is rigid again, and takes G_f later on.
Test(mpm_fracture, softening_glue_that_returned_all_work_joins_again)
{
    for (double share = 0.0; share <= 1.0; share += 0.5) {
        sherd_mpm_glue glue = glue_at_its_strength(share);
        double work = 0.0, began = glue.start / glue.stiffness, lent = 0.5 * glue.start * began;
        while (glue.most < 1.5 * began)
            work += open_by(&glue, OPENED);
        cr_assert(lt(dbl, 0.5 * lent, work));
        for (int k = 0; k < 1000 && sherd_mpm_glue_softens(&glue); ++k)
            work += open_by(&glue, -OPENED);
        fprintf(stderr, "share %g work %g lent %g\n", share, work, lent);
        cr_assert(sherd_mpm_glue_joins(&glue));
        // A twentieth, and a step of 2 to 4 %.
        cr_assert(work < 0.0 && work > -0.1 * lent, "%g of %g", work, lent);
        cr_assert(eq(dbl, sherd_mpm_glue_stored(&glue), work));
        sherd_mpm_glue_begin(&glue);
        while (glue.damage < 1.0)
            work += open_by(&glue, OPENED);
        cr_assert(epsilon_eq(dbl, work, 10.0, 0.01), "%g", work);
    }
}

// Beyond, it neither joins nor heals.
Test(mpm_fracture, damaged_glue_unloads_to_the_origin)
{
    sherd_mpm_glue glue = glue_at_its_strength(0.0);
    double began = glue.start / glue.stiffness, work = 0.0;
    for (double open = 0.0; open < 3.0 * began; open += OPENED)
        work += open_by(&glue, OPENED);
    double taken = work - sherd_mpm_glue_stored(&glue), damage = glue.damage;
    for (double open = 0.0; open < 5.0 * began; open += OPENED)
        work += open_by(&glue, -OPENED);
    cr_assert(sherd_mpm_glue_softens(&glue));
    cr_assert(eq(dbl, glue.damage, damage));
    cr_assert(eq(dbl, sherd_mpm_glue_stored(&glue), 0.0));
    cr_assert(epsilon_eq(dbl, work, taken, 1e-4 * taken));
}
