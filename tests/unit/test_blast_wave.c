// The incident wave of a charge.
#include "bodies/blast_shelter.h"
#include "bodies/blast_wave.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

static sherd_blast_table table(void)
{
    sherd_blast_table t;
    sherd_blast_table_init(&t);
    return t;
}

// The formula at Z = 1 and 10: 9.956 and 0.09855 atmospheres, worked out apart.
Test(blast_wave, peaks_are_those_of_the_formula)
{
    sherd_blast_table t = table();
    cr_expect(epsilon_eq(dbl, sherd_blast_wave_at(&t, 1.0, 1.0).peak, 9.95598 * 101325.0, 20.0));
    cr_expect(epsilon_eq(dbl, sherd_blast_wave_at(&t, 1.0, 10.0).peak, 0.0985478 * 101325.0, 1.0));
}

// Hopkinson's scaling: 8 kg at twice the distance give the same pressure and twice the times.
Test(blast_wave, charges_scale_with_the_cube_root)
{
    sherd_blast_table t = table();
    for (double z = 0.3; z < 30.0; z *= 1.7) {
        sherd_blast_wave one = sherd_blast_wave_at(&t, 1.0, z),
                         eight = sherd_blast_wave_at(&t, 8.0, 2.0 * z);
        cr_expect(epsilon_eq(dbl, eight.peak, one.peak, 1e-9 * one.peak));
        cr_expect(epsilon_eq(dbl, eight.arrival, 2.0 * one.arrival, 1e-9 * one.arrival));
        cr_expect(epsilon_eq(dbl, eight.duration, 2.0 * one.duration, 1e-9 * one.duration));
    }
}

// A weak wave doubles at a wall, a strong one in a gas with ratio of heats 1.4 grows eightfold.
Test(blast_wave, walls_reflect_between_two_and_eight_times)
{
    sherd_blast_table t = table();
    sherd_blast_wave far = sherd_blast_wave_at(&t, 1.0, 40.0),
                     near = sherd_blast_wave_at(&t, 1.0, 0.06);
    cr_expect(epsilon_eq(dbl, far.reflected / far.peak, 2.0, 0.03));
    cr_expect(epsilon_eq(dbl, near.reflected / near.peak, 8.0, 0.2));
    cr_expect(epsilon_eq(dbl, sherd_blast_wave_on_face(&far, 1.0), far.reflected, 1e-9 * far.peak));
    cr_expect(epsilon_eq(dbl, sherd_blast_wave_on_face(&far, 1e-9), far.peak, 1e-6 * far.peak));
    cr_expect(eq(dbl, sherd_blast_wave_on_face(&far, -0.5), 0.0));
}

// The front is faster than sound, and far away as fast: the delay that it gains is bounded.
Test(blast_wave, fronts_arrive_before_sound_does)
{
    sherd_blast_table t = table();
    double gained = 0.0;
    for (double z = 0.1; z < 100.0; z *= 1.3) {
        sherd_blast_wave w = sherd_blast_wave_at(&t, 1.0, z);
        double gain = z / 340.29 - w.arrival;
        cr_expect(gain > gained, "at %g m", z);
        gained = gain;
    }
    cr_expect(gained < 0.01);
}

// Sum over 20,000 moments against the impulse's formula, 6.7 Pa s at its root, and against means over steps.
Test(blast_wave, decay_gives_the_impulse)
{
    sherd_blast_table t = table();
    for (double z = 0.2; z < 40.0; z *= 2.1) {
        sherd_blast_wave w = sherd_blast_wave_at(&t, 1.0, z);
        double impulse =
            6.7 * sqrt(1.0 + pow(z / 0.23, 4.0)) / (z * z * cbrt(1.0 + pow(z / 1.55, 3.0)));
        enum { MOMENTS = 20000 };
        double sum = 0.0, dt = w.duration / MOMENTS;
        for (int k = 0; k < MOMENTS; ++k)
            sum += dt * w.peak * sherd_blast_wave_decay(&w, w.arrival + (k + 0.5) * dt, 0.0);
        // 0.5 %: between rows of the table the decay is linear.
        cr_expect(epsilon_eq(dbl, sum, impulse, 5e-3 * impulse), "at %g m", z);
        double whole = 3.0 * w.duration * w.peak *
                       sherd_blast_wave_decay(&w, w.arrival - w.duration, 3.0 * w.duration);
        cr_expect(epsilon_eq(dbl, whole, sum, 2e-3 * sum), "at %g m", z);
    }
}

// A wall of 21 x 21 faces, and one of half its size behind it or before it.
static int count_hidden(double behind)
{
    static const sherd_face face = {.shape = SHERD_FACE_PLATE, .front = 0.01};
    static sherd_moving_face faces[441 + 121];
    static double radius[441 + 121];
    static uint8_t hidden[441 + 121];
    static float cells[SHERD_SHELTER_CELLS];
    size_t count = 0;
    for (int i = -10; i <= 10; ++i)
        for (int j = -10; j <= 10; ++j)
            faces[count++] = (sherd_moving_face){
                .face = &face, .position = {2.0, 0.1 * i, 0.1 * j}, .normal = {-1.0, 0.0, 0.0}};
    for (int i = -5; i <= 5; ++i)
        for (int j = -5; j <= 5; ++j)
            faces[count++] = (sherd_moving_face){.face = &face,
                                                 .position = {2.0 + behind, 0.1 * i, 0.1 * j},
                                                 .normal = {-1.0, 0.0, 0.0}};
    for (size_t f = 0; f < count; ++f)
        radius[f] = 0.05;
    sherd_find_sheltered((sherd_vec3){0.0, 0.0, 0.0}, faces, radius, count, cells, hidden);
    int sum = 0;
    for (size_t f = 0; f < count; ++f)
        sum += hidden[f];
    return sum;
}

// All of the small wall behind, nothing of a wall seen at grazing angles; before it the small wall, 1.1 m wide with its
// elements, hides what is within 1.1 x 2 / 1.2 m: 19 x 19 faces, or 17 x 17.
Test(blast_wave, walls_shelter_what_is_behind)
{
    cr_expect(eq(int, count_hidden(1.5), 121));
    cr_expect(ge(int, count_hidden(-0.8), 17 * 17));
    cr_expect(le(int, count_hidden(-0.8), 19 * 19));
}
