// The page: what is shown, and what its controls do.
import * as THREE from 'three';
import {readRun, locate, countFragments, countLabels} from './data.js';
import {RAMP, rampCss, fragmentColor} from './colors.js';
import {Stage} from './stage.js';
import {Pieces} from './pieces.js';
import {Balls} from './points.js';
import {Dust} from './dust.js';
import {Chart, listCharts, quantity} from './curves.js';
import {followServer} from './live.js';

const el = id => document.getElementById(id);
const PICKED = [1.0, 0.42, 0.1];

class Viewer {
    constructor(run, stage) {
        this.run = run;
        this.stage = stage;
        this.times = run.about.times;
        this.begin = this.times[0];
        this.end = this.times[run.frames - 1];
        this.time = this.begin;
        this.playing = false;
        this.picked = -1; // a piece
        this.colorBy = 'material';
        this.pieces = new Pieces(run, stage);
        this.balls = new Balls(run.balls.radius, stage);
        this.dust = new Dust(run, stage);
        this.objects = new THREE.Group();
        this.objects.add(this.pieces.group, this.balls.points, this.dust.points);
        stage.scene.add(this.objects);
        this.addObstacles();
        this.addDrivers();
        stage.beforePicture = now => this.advance(now);
    }

    // ------------------------------------------------------------ what stands around

    shapeMesh(thing, material) {
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute('position', new THREE.BufferAttribute(Float32Array.from(thing.positions), 3));
        geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(thing.corners), 1));
        geometry.computeVertexNormals();
        return new THREE.Mesh(geometry, material);
    }

    addObstacles() {
        this.obstacles = this.run.about.obstacles.map(o => {
            if (!o.positions) return null;
            const mesh = this.shapeMesh(o, new THREE.MeshStandardMaterial({color: new THREE.Color(...o.color), roughness: 0.5}));
            mesh.castShadow = mesh.receiveShadow = true;
            this.objects.add(mesh);
            return mesh;
        });
    }

    // The regions that drivers hold, as wire, until something moves.
    addDrivers() {
        this.drivers = new THREE.Group();
        for (const d of this.run.about.drivers) {
            if (!d.positions) continue;
            const mesh = this.shapeMesh(d, new THREE.MeshBasicMaterial({color: 0xe8a15c, wireframe: true, transparent: true, opacity: 0.22}));
            mesh.position.fromArray(d.position);
            mesh.quaternion.fromArray(d.rotation);
            this.drivers.add(mesh);
        }
        this.objects.add(this.drivers);
    }

    placeObstacles() {
        const {index, part} = locate(this.times, this.time), n = this.obstacles.length, poses = this.run.obstaclePoses;
        const a = new THREE.Quaternion(), b = new THREE.Quaternion();
        this.obstacles.forEach((mesh, k) => {
            if (!mesh) return;
            const from = 7 * (n * index + k), to = 7 * (n * Math.min(index + 1, this.run.frames - 1) + k);
            for (let c = 0; c < 3; ++c)
                mesh.position.setComponent(c, poses[from + c] * (1 - part) + poses[to + c] * part);
            a.fromArray(poses, from + 3);
            b.fromArray(poses, to + 3);
            mesh.quaternion.copy(a.slerp(b, part));
        });
        this.drivers.visible = this.time === this.begin;
    }

    // Height of the highest plane that faces up, or null.
    floor() {
        let height = null;
        this.run.about.obstacles.forEach((o, k) => {
            const [x, y, z, qx, qy] = this.run.obstaclePoses.subarray(7 * k, 7 * k + 5);
            if (o.plane && o.visible && 1 - 2 * (qx * qx + qy * qy) > 0.9) height = Math.max(height ?? -Infinity, z);
        });
        return height;
    }

    // Those that are not much larger than the bodies.
    includeObstacles(box) {
        const one = new THREE.Box3(), most = 2.5 * box.getSize(new THREE.Vector3()).length();
        for (const mesh of this.obstacles) {
            if (!mesh) continue;
            mesh.updateMatrixWorld();
            one.setFromObject(mesh);
            const both = one.union(box);
            if (both.getSize(new THREE.Vector3()).length() < most) box.copy(both);
        }
    }

    // Everything at the beginning, down to the floor where it will fall there.
    firstBox(floor) {
        const box = new THREE.Box3(), p = this.run.pieces, v = new THREE.Vector3(), q = new THREE.Quaternion();
        for (let k = 0; k < p.count; ++k) {
            q.fromArray(this.pieces.texels, 8 * k + 4);
            for (let at = p.firstVertex[k]; at < p.firstVertex[k + 1]; at += 1) {
                v.fromArray(this.run.vertices, 3 * at);
                if (!p.bends[k]) v.applyQuaternion(q);
                box.expandByPoint(v.add(new THREE.Vector3().fromArray(this.pieces.centers, 3 * k)));
            }
        }
        for (let k = 0; k < this.balls.radii.length; ++k) box.expandByPoint(v.fromArray(this.balls.positions, 3 * k));
        if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
        this.includeObstacles(box);
        const size = box.getSize(v), largest = Math.max(size.x, size.y, size.z);
        if (floor !== null && box.min.z > floor && box.min.z - floor < 3 * largest) box.min.z = floor;
        return box;
    }

    frameAll() {
        const b = this.run.about.bounds, floor = this.floor();
        const box = this.firstBox(floor);
        const all = b.includes(null) ? box.clone()
            : new THREE.Box3(new THREE.Vector3(b[0], b[1], b[2]), new THREE.Vector3(b[3], b[4], b[5]));
        this.box = all.clone().union(box);
        this.stage.frame(box, all, this.run.about.camera, floor);
    }

    // ------------------------------------------------------------ time

    frame() {
        const {index, part} = locate(this.times, this.time);
        return part > 0.999 ? Math.min(index + 1, this.run.frames - 1) : index;
    }

    show(time) {
        this.time = Math.min(Math.max(time, this.begin), this.end);
        this.pieces.place(this.time);
        this.balls.place(this.run, this.time);
        this.dust.place(this.time);
        this.placeObstacles();
        this.paint();
        this.tell();
        this.stage.touch(true);
    }

    advance(now) {
        if (!this.playing) return;
        const passed = Math.min((now - (this.last ?? now)) / 1000, 0.2);
        this.last = now;
        let next = this.time + passed * this.speed;
        if (next >= this.end) next = this.time >= this.end ? this.begin : this.end;
        this.show(next);
    }

    play(on) {
        this.playing = on;
        this.last = undefined;
        if (on && this.time >= this.end) this.time = this.begin;
        el('play').classList.toggle('playing', on);
        el('play').setAttribute('aria-label', on ? 'Pause' : 'Play');
        this.stage.touch(false);
    }

    setSpeed(power) {
        this.speed = 10 ** power;
        el('speed').value = power;
        el('speedText').textContent = this.speed >= 0.995 ? `${Number(this.speed.toPrecision(2))} × real time`
            : `1/${Number((1 / this.speed).toPrecision(2))} of real time`;
    }

    // ------------------------------------------------------------ colours

    // Numbers of 0 to 255 for sites; square roots of the share of the largest.
    levels() {
        const about = this.run.about, n = about.sites;
        const stored = this.run.storedTimes, {index, part} = locate(stored, this.time);
        const from = this.colorBy === 'speed' ? this.run.speeds : this.run.stresses;
        const at = n * (part > 0.5 ? Math.min(index + 1, stored.length - 1) : index);
        return from.subarray(at, at + n);
    }

    painter() {
        const about = this.run.about, p = this.run.pieces, labels = this.run.labels.byFrame[this.frame()];
        const picked = this.picked >= 0 ? labels[this.picked] : -1, lit = k => labels[k] === picked;
        const put = (out, at, color) => { out[at] = color[0], out[at + 1] = color[1], out[at + 2] = color[2]; };
        if (this.colorBy === 'speed' || this.colorBy === 'stress') {
            const levels = this.levels();
            return (piece, inner, site, out, at) => {
                if (lit(piece)) return put(out, at, PICKED);
                const share = (levels[site] / 255) ** 2 * this.range, c = 3 * Math.min(Math.round(255 * share), 255);
                out[at] = RAMP[c], out[at + 1] = RAMP[c + 1], out[at + 2] = RAMP[c + 2];
            };
        }
        const fixed = new Map();
        const fragment = id => fixed.get(id) ?? fixed.set(id, fragmentColor(id)).get(id);
        return (piece, inner, site, out, at) => put(out, at, lit(piece) ? PICKED
            : this.colorBy === 'fragment' ? fragment(labels[piece])
            : inner ? about.bodies[p.body[piece]].inner : about.bodies[p.body[piece]].outer);
    }

    // Materials change only where something is picked: what has been painted stays.
    paint() {
        const labels = this.run.labels.byFrame[this.frame()];
        const key = this.colorBy === 'material' ? `material ${this.picked < 0 ? '' : labels[this.picked]} ${this.picked < 0 ? '' : this.frame()}`
            : this.colorBy === 'fragment' ? `fragment ${this.picked} ${this.frame()}` : `${this.colorBy} ${this.picked} ${this.time}`;
        if (this.painted === key) return;
        this.painted = key;
        const color = this.painter();
        this.pieces.paint(color);
        const balls = this.run.balls;
        for (let k = 0; k < balls.count; ++k) color(balls.piece[k], false, k, this.balls.colors, 3 * k);
        this.balls.painted();
        this.legend();
    }

    legend() {
        const about = this.run.about, speed = this.colorBy === 'speed', shown = speed || this.colorBy === 'stress';
        el('legend').hidden = !shown;
        if (!shown) return;
        const top = (speed ? about.topSpeed : about.topStress) / this.range;
        const canvas = el('ramp'), context = canvas.getContext('2d');
        for (let k = 0; k < canvas.width; ++k) {
            context.fillStyle = rampCss(k / (canvas.width - 1));
            context.fillRect(k, 0, 1, canvas.height);
        }
        const unit = speed ? 'm/s' : about.stressUnit;
        el('low').textContent = quantity(0, unit);
        el('high').textContent = quantity(top, unit);
        el('what').textContent = speed ? 'speed' : about.stressUnit ? 'von Mises stress' : 'stress / strength';
        el('what').title = speed || about.stressUnit ? '' : 'The largest stress of an element\'s bonds as a share of their strength. '
            + 'Runs with output.stress: true have stresses in Pa.';
    }

    // Colours end where all but a few values lie below: a single peak must not make all else dark.
    chooseRange() {
        this.range = 1;
        if (this.colorBy !== 'speed' && this.colorBy !== 'stress') return;
        const values = this.colorBy === 'speed' ? this.run.speeds : this.run.stresses, counts = new Float64Array(256);
        for (const v of values) ++counts[v];
        let above = 0, level = 255;
        while (level > 32 && above + counts[level] <= 0.001 * values.length) above += counts[level--];
        this.range = (255 / level) ** 2;
    }

    setColor(word) {
        this.colorBy = word;
        this.chooseRange();
        this.painted = '';
        this.paint();
        this.legend();
        this.stage.touch(false);
    }

    // ------------------------------------------------------------ what is told

    tell() {
        const frame = this.frame(), about = this.run.about;
        el('time').textContent = quantity(this.time, 's');
        el('count').textContent = countFragments(this.run, frame).toLocaleString('en');
        el('broken').textContent = (about.broken[frame] ?? 0).toLocaleString('en');
        el('scrub').value = Math.round(10000 * (this.time - this.begin) / Math.max(this.end - this.begin, 1e-300));
        document.body.dataset.frame = frame;
        document.body.dataset.grains = this.dust.shown;
        document.body.dataset.fragments = countLabels(this.run, frame);
        if (!el('chart').hidden) this.chart.draw(this.time);
        this.tellPicked();
    }

    tellPicked() {
        el('picked').hidden = this.picked < 0;
        if (this.picked < 0) return;
        const {pieces: p, labels, about} = this.run, now = labels.byFrame[this.frame()], id = now[this.picked];
        let mass = 0, elements = 0, later = 0;
        for (let k = 0; k < p.count; ++k)
            if (now[k] === id) mass += p.mass[k], elements += p.elements[k], ++later;
        const {frame, parent} = labels.origin.get(id);
        const facts = [['mass', quantity(1000 * mass, 'g')], ['elements', elements.toLocaleString('en')],
                       ['body', about.bodies[p.body[this.picked]].name]];
        if (parent === 0) facts.push(['since', 'the start']);
        else facts.push(['broke off', `by ${quantity(this.times[frame], 's')}`], ['from', `fragment ${parent}`]);
        if (later > 1) facts.push(['will break', `into ${later}`]);
        el('pickedName').textContent = `Fragment ${id}`;
        el('pickedFacts').replaceChildren(...facts.flatMap(([name, value]) => {
            const dt = document.createElement('dt'), dd = document.createElement('dd');
            dt.textContent = name;
            dd.textContent = value;
            return [dt, dd];
        }));
    }

    pick(x, y) {
        const ray = this.stage.ray(x, y), piece = this.pieces.pick(ray, this.stage.planes);
        const ball = this.balls.pick(ray, this.stage.planes);
        this.choose(ball.distance < piece.distance ? this.run.balls.piece[ball.ball] : piece.piece);
    }

    choose(piece) {
        this.picked = piece;
        this.painted = '';
        this.paint();
        this.tellPicked();
        this.stage.touch(false);
    }

    // When bonds broke, below the slider.
    drawTicks() {
        const canvas = el('ticks'), ratio = Math.min(window.devicePixelRatio || 1, 2), context = canvas.getContext('2d');
        const width = canvas.width = canvas.clientWidth * ratio, height = canvas.height = canvas.clientHeight * ratio;
        const broken = this.run.about.broken, steps = broken.map((b, k) => (k > 0 ? b - broken[k - 1] : 0)), most = Math.max(...steps, 1);
        context.fillStyle = 'rgba(232,161,92,0.55)';
        steps.forEach((step, k) => {
            if (step <= 0) return;
            const x = 6 * ratio + (this.times[k] - this.begin) / Math.max(this.end - this.begin, 1e-300) * (width - 13 * ratio);
            const tall = Math.max(Math.sqrt(step / most) * 0.45 * height, ratio);
            context.fillRect(x - ratio, height / 2 - tall, 2 * ratio, tall);
        });
    }

    // ------------------------------------------------------------ controls

    fillHead() {
        const about = this.run.about;
        el('title').textContent = about.title + (about.variant ? `, ${about.variant}` : '');
        const file = about.file.split('/').pop();
        el('subtitle').textContent = `${file} · ${about.elements.toLocaleString('en')} elements, ${this.run.frames} frame${this.run.frames === 1 ? '' : 's'} · Sherd ${about.version}`;
        el('notes').textContent = about.notes.join(' ');
    }

    fillCurves() {
        this.charts = listCharts(this.run.about);
        this.chart = new Chart(el('curves'), el('keys'), time => this.show(time));
        el('chart').hidden = true;
        const none = new Option('none', '');
        el('curve').replaceChildren(none, ...this.charts.map((chart, k) => new Option(chart.label, k)));
        el('curve').onchange = () => {
            const chosen = this.charts[el('curve').value];
            el('chart').hidden = !chosen;
            this.chart.show(chosen, this.begin, this.end);
            if (chosen) this.chart.draw(this.time);
            this.stage.leaveBelow(el('bar').offsetHeight);
        };
    }

    cut() {
        const axis = el('axis').value === '' ? null : Number(el('axis').value);
        el('depth').hidden = axis === null;
        const low = axis === null ? 0 : this.stage.boxNow.min.getComponent(axis), high = axis === null ? 0 : this.stage.boxNow.max.getComponent(axis);
        this.stage.cutAt(axis, low + el('depth').value / 1000 * (high - low));
    }

    connect() {
        const canvas = el('view');
        el('play').onclick = () => this.play(!this.playing);
        el('scrub').oninput = () => {
            this.play(false);
            this.show(this.begin + el('scrub').value / 10000 * (this.end - this.begin));
        };
        el('speed').oninput = () => this.setSpeed(Number(el('speed').value));
        el('home').onclick = () => this.stage.home();
        el('color').onchange = () => this.setColor(el('color').value);
        el('axis').onchange = el('depth').oninput = () => this.cut();
        el('apart').oninput = () => {
            this.pieces.apart = (el('apart').value / 500) ** 1.5;
            this.show(this.time);
        };
        canvas.onclick = event => {
            if (this.stage.orbit.dragged < 5) this.pick(event.clientX, event.clientY);
        };
        window.onresize = () => {
            this.drawTicks();
            this.chart.draw(this.time);
        };
        window.onkeydown = event => this.key(event);
    }

    key(event) {
        if (event.target.closest && event.target.closest('input[type=text], select')) return;
        const step = k => this.show(this.times[Math.min(Math.max(this.frame() + k, 0), this.run.frames - 1)]);
        const keys = {' ': () => this.play(!this.playing), ArrowRight: () => step(1), ArrowLeft: () => step(-1), Home: () => this.show(this.begin),
                      End: () => this.show(this.end), h: () => this.stage.home(), Escape: () => this.choose(-1)};
        if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        keys[event.key]();
    }

    open() {
        this.fillHead();
        this.fillCurves();
        this.setColor(el('color').value);
        this.show(this.begin);
        this.frameAll();
        this.stage.boxNow = this.box;
        this.connect();
        this.drawTicks();
        const span = Math.max(this.end - this.begin, 1e-12);
        this.setSpeed(Math.min(Math.max(Math.log10(span / 6), -5), 1)); // six seconds for all of it
        el('bar').hidden = this.run.frames < 2;
        this.stage.leaveBelow(el('bar').offsetHeight);
    }

    close() {
        this.playing = false;
        this.stage.scene.remove(this.objects, this.stage.ground);
        this.pieces.dispose();
        this.stage.beforePicture = null;
    }
}

// "#frame=12&color=stress": how a page opens.
function openAsAddressed(viewer) {
    const wanted = new URLSearchParams(window.location.hash.slice(1));
    const set = (id, value) => {
        if (value === null) return;
        el(id).value = value;
        el(id).dispatchEvent(new Event('input'));
        el(id).dispatchEvent(new Event('change'));
    };
    for (const name of ['color', 'axis', 'depth', 'apart', 'curve']) set(name, wanted.get(name));
    if (wanted.has('frame')) viewer.show(viewer.times[Math.min(Number(wanted.get('frame')) || 0, viewer.run.frames - 1)]);
    if (wanted.has('pick')) viewer.choose(Number(wanted.get('pick')) || 0);
    if (wanted.has('play')) viewer.play(true);
}

async function start() {
    let stage;
    try {
        stage = new Stage(el('view'));
    } catch (error) {
        throw new Error('this browser has no WebGL 2 (' + error.message + ')');
    }
    const run = await readRun(document);
    const viewer = run ? new Viewer(run, stage) : null;
    if (viewer) {
        viewer.open();
        openAsAddressed(viewer);
    }
    if (document.body.dataset.served === '1') await followServer(stage, viewer, Viewer);
    document.body.dataset.ready = '1';
}

start().catch(error => {
    el('trouble').textContent = error.message;
    el('trouble').hidden = false;
    document.body.dataset.failed = error.message;
});
