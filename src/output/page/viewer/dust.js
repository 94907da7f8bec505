// Dust: grains that fly as they were launched (output/dust/flight.h), in the colours of broken faces.
import {Balls} from './points.js';

// Paths of velocity and of gravity after a time, with a resistance of the air that takes `tau` to stop a grain.
function paths(tau, age) {
    const s = age / tau, a = s > 0 ? -Math.expm1(-s) / s : 1;
    const b = s < 1e-3 ? 0.5 - s / 6 + s * s / 24 : (1 - a) / s;
    return [age * a, age * age * b];
}

export class Dust {
    constructor(run, stage) {
        this.grains = run.dust;
        this.gravity = run.about.gravity;
        this.bodies = run.about.bodies;
        this.balls = new Balls(new Float32Array(run.dust.count), stage);
        this.points = this.balls.points;
        this.shown = 0;
    }

    // Those that are there at a time come first, and only they are drawn.
    place(time) {
        const g = this.grains, {positions, colors, geometry} = this.balls, radii = geometry.attributes.radius.array;
        let n = 0;
        for (let k = 0; k < g.count; ++k) {
            const age = time - g.time[k];
            if (age < 0) continue;
            const [a, b] = paths(g.tau[k], Math.min(age, g.landing[k]));
            for (let c = 0; c < 3; ++c) {
                positions[3 * n + c] = g.place[c][k] + a * g.velocity[c][k] + b * this.gravity[c];
                colors[3 * n + c] = this.bodies[g.body[k]].inner[c];
            }
            radii[n++] = g.radius[k];
        }
        this.shown = n;
        geometry.setDrawRange(0, n);
        geometry.attributes.radius.needsUpdate = true;
        this.balls.moved();
        this.balls.painted();
    }
}
