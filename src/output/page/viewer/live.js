// Of a page that `sherd view` serves: follows what it simulates, and steers it.
import {readRun} from './data.js';
import {RAMP, fragmentColor} from './colors.js';
import {Balls} from './points.js';
import {quantity} from './curves.js';

const el = id => document.getElementById(id);
const PHASES = {preview: 'packed, not simulated yet', running: 'simulating', paused: 'paused', stopped: 'stopped',
                finished: 'finished', failed: 'failed', elsewhere: 'simulated by another process'};

// "5 ms" in seconds; null where it is none.
export function seconds(text) {
    const match = /^\s*([0-9]*\.?[0-9]+(?:e[-+]?[0-9]+)?)\s*(s|ms|us|µs|min)?\s*$/i.exec(text);
    if (!match) return null;
    const value = Number(match[1]) * {s: 1, ms: 1e-3, us: 1e-6, 'µs': 1e-6, min: 60}[match[2] || 's'];
    return value > 0 ? value : null;
}

class Live {
    constructor(stage, viewer, Viewer) {
        Object.assign(this, {stage, viewer, Viewer, balls: null, updates: 0, shown: 0, known: new Map()});
        el('controls').hidden = false;
        el('longer').value = quantity(viewer.end > viewer.begin ? viewer.end - viewer.begin : 0.001, 's');
        for (const [id, what] of [['start', 'start'], ['stop', 'stop']]) el(id).onclick = () => this.ask(what);
        el('pause').onclick = () => this.ask(this.state.phase === 'paused' ? 'resume' : 'pause');
        el('goOn').onclick = () => {
            const by = seconds(el('longer').value);
            el('longer').setAttribute('aria-invalid', by === null);
            if (by !== null) this.ask(`longer?by=${by}`);
        };
        el('color').addEventListener('change', () => this.paint());
    }

    async ask(what) {
        const answer = await fetch(what, {method: 'POST'});
        if (!answer.ok) el('state').textContent = await answer.text();
    }

    // The first page that is asked for is the one that is shown.
    follow() {
        const events = new EventSource('events');
        events.onmessage = event => this.tell(JSON.parse(event.data));
        events.onerror = () => {
            el('state').textContent = 'sherd view has ended; what is here stays';
            document.body.dataset.phase = 'gone';
        };
    }

    tell(state) {
        this.page ??= state.page;
        this.state = state;
        document.body.dataset.phase = state.phase;
        this.showControls(state);
        this.next ??= this.update().finally(() => {
            this.next = null;
            if (this.state.sequence !== this.shown && this.moves()) this.tell(this.state);
            else if (this.state.page !== this.page) this.tell(this.state);
        });
    }

    moves() {
        return ['running', 'paused', 'elsewhere'].includes(this.state.phase);
    }

    // What has come, one thing after the other: a new page, or new places of elements.
    async update() {
        const state = this.state;
        if (state.page !== this.page) {
            this.page = state.page;
            await this.replace();
        }
        if (this.moves() && state.sequence > 0 && state.sequence !== this.shown) {
            this.shown = state.sequence;
            await this.showPlaces(state);
        }
    }

    showControls(state) {
        const phase = state.phase, runs = phase === 'running' || phase === 'paused', ended = phase === 'stopped' || phase === 'finished';
        el('start').hidden = !['preview', 'stopped', 'failed'].includes(phase);
        el('start').textContent = phase === 'stopped' ? 'Go on' : phase === 'failed' ? 'Try again' : 'Simulate';
        el('pause').hidden = el('stop').hidden = !runs;
        el('pause').textContent = phase === 'paused' ? 'Resume' : 'Pause';
        el('goOn').hidden = el('longerBox').hidden = !ended;
        const parts = [PHASES[phase] + (state.message ? ': ' + state.message : '')];
        if (this.moves() && state.end > 0) parts.push(`${quantity(state.time, 's')} of ${quantity(state.end, 's')}`);
        if (phase === 'running' && state.left > 0) parts.push(`${quantity(state.left, 's')} left`);
        el('state').textContent = parts.join(' · ');
    }

    // The run as it is now, read from a page that is fetched but not shown.
    async replace() {
        const answer = await fetch('./');
        if (!answer.ok) return;
        const run = await readRun(new DOMParser().parseFromString(await answer.text(), 'text/html'));
        if (this.balls) this.stage.scene.remove(this.balls.points);
        this.balls = null;
        this.stage.fineShadows(true);
        this.viewer.close();
        this.viewer = new this.Viewer(run, this.stage);
        this.viewer.open();
        this.viewer.show(this.viewer.end);
        el('longer').value = quantity(this.viewer.end - this.viewer.begin || 0.001, 's');
        document.body.dataset.page = this.page;
    }

    async begin() {
        const answer = await fetch('elements');
        if (!answer.ok) return false;
        const bytes = await answer.arrayBuffer(), n = bytes.byteLength / 8;
        this.body = new Int32Array(bytes, 4 * n, n);
        this.stage.fineShadows(false);
        this.balls = new Balls(new Float32Array(bytes, 0, n), this.stage);
        this.painted = '';
        this.stage.scene.add(this.balls.points);
        this.viewer.play(false);
        this.viewer.pieces.group.visible = this.viewer.balls.points.visible = false;
        this.viewer.dust.points.visible = this.viewer.drivers.visible = false;
        el('bar').hidden = true;
        return true;
    }

    async showPlaces(state) {
        if (!this.balls && !await this.begin()) return;
        const answer = await fetch('places');
        if (!answer.ok) return;
        const bytes = await answer.arrayBuffer(), n = new Int32Array(bytes, 8, 1)[0];
        this.place = new Float32Array(bytes, 16, 4 * n);
        this.fragment = new Int32Array(bytes, 16 + 16 * n, n);
        for (let k = 0; k < n; ++k)
            for (let c = 0; c < 3; ++c) this.balls.positions[3 * k + c] = this.place[c * n + k];
        this.balls.moved();
        this.paint();
        this.showNumbers(state);
        state.obstacles.forEach((pose, k) => {
            const mesh = this.viewer.obstacles[k];
            if (!mesh) return;
            mesh.position.fromArray(pose);
            mesh.quaternion.fromArray(pose, 3);
        });
        this.stage.touch(true);
        document.body.dataset.updates = ++this.updates;
    }

    showNumbers(state) {
        el('time').textContent = quantity(state.time, 's');
        el('count').textContent = state.fragments.toLocaleString('en');
        el('broken').textContent = state.broken.toLocaleString('en');
    }

    fragmentColor(id) {
        let color = this.known.get(id);
        if (!color) this.known.set(id, color = fragmentColor(id));
        return color;
    }

    // Stresses are not sent while it runs: speeds are shown then.
    paint() {
        if (!this.balls || !this.place) return;
        const by = el('color').value, n = this.body.length, out = this.balls.colors, bodies = this.viewer.run.about.bodies;
        if (by === 'material' && this.painted === by) return; // they stay
        this.painted = by;
        let top = 1e-30;
        for (let k = 0; k < n; ++k) top = Math.max(top, this.place[3 * n + k]);
        if (by === 'speed' || by === 'stress') { // what the colours mean now, whatever was asked for
            el('low').textContent = '0 m/s';
            el('what').textContent = 'speed';
            el('what').title = '';
            el('high').textContent = quantity(top, 'm/s');
        }
        for (let k = 0; k < n; ++k) {
            let color = bodies[this.body[k]].outer;
            if (by === 'fragment') color = this.fragmentColor(this.fragment[k]);
            if (by === 'speed' || by === 'stress') {
                const c = 3 * Math.round(255 * this.place[3 * n + k] / top);
                out[3 * k] = RAMP[c], out[3 * k + 1] = RAMP[c + 1], out[3 * k + 2] = RAMP[c + 2];
                continue;
            }
            out[3 * k] = color[0], out[3 * k + 1] = color[1], out[3 * k + 2] = color[2];
        }
        this.balls.painted();
        this.stage.touch(false);
    }
}

export async function followServer(stage, viewer, Viewer) {
    new Live(stage, viewer, Viewer).follow();
}
