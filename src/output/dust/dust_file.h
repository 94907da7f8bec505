// Files of the dust in one frame: a row per grain with position, velocity, size, age, mass, body
// and the fragment it came from. A grain has the same row in the files of all frames.
#pragma once

#include "output/dust/dust.h"

// Points with radius_m, velocity_m_s, age_s, mass_kg, fragment and body, for ParaView.
sherd_status sherd_dust_write_vtp(const char *path, double time, const sherd_dust_view *view,
                                  sherd_error *error);
// body,fragment,x_m,y_m,z_m,radius_m,mass_kg,age_s,vx_m_s,vy_m_s,vz_m_s
sherd_status sherd_dust_write_csv(const char *path, const sherd_dust_view *view,
                                  sherd_error *error);
// Extended XYZ: species (dust), pos, radius, mass, velo, age, fragment, body.
sherd_status sherd_dust_write_xyz(const char *path, double time, const sherd_dust_view *view,
                                  sherd_error *error);
// Vertices with x, y, z, radius, vx, vy, vz, age, mass as floats, fragment and body as integers.
sherd_status sherd_dust_write_ply(const char *path, const sherd_dust_view *view,
                                  sherd_error *error);
