// The incident wave of a charge of TNT in free air at sea level.     [KG85]
#pragma once

#include <sherd/force_field.h>

enum { SHERD_BLAST_ROWS = 256 };

// What follows from the formulas by integration or search, for 1 kg, at distances that grow by the
// same factor.
typedef struct sherd_blast_table {
    double arrival[SHERD_BLAST_ROWS]; // [s]
    double decay[SHERD_BLAST_ROWS];   // b
} sherd_blast_table;

// At a distance, once the front is there.
typedef struct sherd_blast_wave {
    double arrival;   // after the detonation [s]
    double peak;      // overpressure [Pa]
    double reflected; // at a wall that it meets head-on [Pa]
    double duration;  // of the overpressure [s]
    double decay;     // b: p = peak (1 - t / duration) exp(-b t / duration)
} sherd_blast_wave;

void sherd_blast_table_init(sherd_blast_table *table);

// `charge` in kg, `distance` in m; within the charge, its surface's wave.
sherd_blast_wave sherd_blast_wave_at(const sherd_blast_table *table, double charge,
                                     double distance);

// Mean fraction of the peak from `time` after the detonation for dt; dt = 0: that of the moment. It
// is 0 before the front and after the duration.
double sherd_blast_wave_decay(const sherd_blast_wave *wave, double time, double dt);

// Pressure on a face, relative to the incident one's decay: `cosine` is that of the angle between
// its inward normal and the way of the wave; 0 for faces turned away.
double sherd_blast_wave_on_face(const sherd_blast_wave *wave, double cosine);
