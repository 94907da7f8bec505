// The camera on a sphere about what it looks at: drag to turn, right button or shift to move, wheel to
// come nearer; z is up. Two fingers turn the page's distance and place.
import * as THREE from 'three';

export class Orbit {
    constructor(camera, element, changed) {
        this.camera = camera;
        this.changed = changed;
        this.target = new THREE.Vector3();
        this.distance = 1;
        this.azimuth = -0.9;
        this.height = 0.5;
        this.pointers = new Map();
        element.addEventListener('pointerdown', event => this.down(event, element));
        element.addEventListener('pointermove', event => this.move(event));
        for (const name of ['pointerup', 'pointercancel'])
            element.addEventListener(name, event => this.pointers.delete(event.pointerId));
        element.addEventListener('wheel', event => {
            event.preventDefault();
            this.zoom(Math.exp(Math.min(Math.max(event.deltaY, -200), 200) * 0.0015));
        }, {passive: false});
        element.addEventListener('contextmenu', event => event.preventDefault());
    }

    lookFrom(position, target) {
        const offset = new THREE.Vector3().subVectors(position, target);
        this.target.copy(target);
        this.distance = Math.max(offset.length(), 1e-9);
        this.azimuth = Math.atan2(offset.y, offset.x);
        this.height = Math.asin(Math.min(Math.max(offset.z / this.distance, -0.9999), 0.9999));
        this.place();
    }

    place() {
        const flat = Math.cos(this.height) * this.distance;
        this.camera.position.set(this.target.x + flat * Math.cos(this.azimuth), this.target.y + flat * Math.sin(this.azimuth),
                                 this.target.z + Math.sin(this.height) * this.distance);
        this.camera.near = this.distance / 200;
        this.camera.far = this.distance * 60;
        this.camera.up.set(0, 0, 1);
        this.camera.lookAt(this.target);
        this.camera.updateProjectionMatrix();
        this.changed();
    }

    zoom(factor) {
        this.distance *= factor;
        this.place();
    }

    down(event, element) {
        this.pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
        element.setPointerCapture(event.pointerId);
        this.dragged = 0;
    }

    spread() {
        const [a, b] = [...this.pointers.values()];
        return Math.hypot(a.x - b.x, a.y - b.y);
    }

    move(event) {
        const last = this.pointers.get(event.pointerId);
        if (!last) return;
        const dx = event.clientX - last.x, dy = event.clientY - last.y, two = this.pointers.size === 2;
        const before = two ? this.spread() : 0;
        last.x = event.clientX;
        last.y = event.clientY;
        this.dragged += Math.abs(dx) + Math.abs(dy);
        if (two) this.distance *= before / Math.max(this.spread(), 1);
        if (two || event.buttons & 2 || event.shiftKey) this.pan(two ? dx / 2 : dx, two ? dy / 2 : dy);
        else this.turn(dx, dy);
        this.place();
    }

    turn(dx, dy) {
        this.azimuth -= dx * 0.006;
        this.height = Math.min(Math.max(this.height + dy * 0.006, -1.55), 1.55);
    }

    pan(dx, dy) {
        const scale = 2 * this.distance * Math.tan(this.camera.fov * Math.PI / 360) / window.innerHeight;
        const right = new THREE.Vector3().setFromMatrixColumn(this.camera.matrix, 0);
        const up = new THREE.Vector3().setFromMatrixColumn(this.camera.matrix, 1);
        this.target.addScaledVector(right, -dx * scale).addScaledVector(up, dy * scale);
    }
}
