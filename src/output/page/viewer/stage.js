// The place where a run is shown: light, ground and its shadow, camera, cutting plane. Pictures are made
// only when something has changed.
import * as THREE from 'three';
import {Orbit} from './orbit.js';

// Light from all around, brighter from above; and from the side that the lamp leaves dark. An image of
// surroundings would be softer still, but takes seconds to prepare without a graphics card.
function addSoftLight(scene) {
    const sky = new THREE.HemisphereLight(0xdfe5ee, 0x77706a, 1.4), side = new THREE.DirectionalLight(0xcddcf2, 0.75);
    sky.position.set(0, 0, 1);
    side.position.set(0.8, 0.5, 0.35);
    scene.add(sky, side);
}

// Opaque in the middle, gone at the edge.
function fadingDisc() {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 256;
    const context = canvas.getContext('2d'), fade = context.createRadialGradient(128, 128, 16, 128, 128, 128);
    fade.addColorStop(0, '#fff');
    fade.addColorStop(0.45, '#999');
    fade.addColorStop(1, '#000');
    context.fillStyle = fade;
    context.fillRect(0, 0, 256, 256);
    return new THREE.CanvasTexture(canvas);
}

export class Stage {
    constructor(canvas) {
        this.renderer = new THREE.WebGLRenderer({canvas, antialias: true, alpha: true, preserveDrawingBuffer: true});
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = THREE.PCFShadowMap;
        this.renderer.shadowMap.autoUpdate = false;
        this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
        this.renderer.toneMappingExposure = 1.05;
        this.renderer.localClippingEnabled = true;
        this.scene = new THREE.Scene();
        addSoftLight(this.scene);
        this.camera = new THREE.PerspectiveCamera(32, 1, 0.1, 100);
        this.orbit = new Orbit(this.camera, canvas, () => this.touch(false));
        this.lamp = new THREE.DirectionalLight(0xfff1e0, 2.0);
        this.lamp.castShadow = true;
        this.fineShadows(true);
        this.lamp.shadow.radius = 5;
        this.scene.add(this.lamp, this.lamp.target);
        this.plane = new THREE.Plane(new THREE.Vector3(0, 0, -1), 0);
        this.planes = []; // the cutting plane, if there is one
        this.cut = {uniform: {value: new THREE.Vector4(0, 0, 0, 0)}};
        this.beforePicture = null;
        this.resize();
        window.addEventListener('resize', () => this.resize());
    }

    // Coarse ones are blurred and cost a sixteenth: what moves ten times a second has them.
    fineShadows(fine) {
        const shadow = this.lamp.shadow, pixels = fine ? 2048 : 512;
        shadow.mapSize.set(pixels, pixels);
        if (shadow.map) shadow.map.dispose();
        shadow.map = null;
    }

    // `box` holds everything at the beginning; `all` at any time.
    frame(box, all, camera, floor) {
        const center = box.getCenter(new THREE.Vector3()), radius = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1e-9);
        this.home = () => {
            const distance = radius / Math.sin(this.camera.fov * Math.PI / 360) / Math.min(1, this.camera.aspect) * 1.1;
            this.orbit.lookFrom(new THREE.Vector3(0.62, -0.68, 0.42).normalize().multiplyScalar(distance).add(center), center);
        };
        if (camera) {
            this.camera.fov = camera.fov * 180 / Math.PI;
            this.home = () => this.orbit.lookFrom(new THREE.Vector3(...camera.position), new THREE.Vector3(...camera.target));
        }
        if (!this.framed) this.home();
        this.framed = true;
        const reach = Math.min(Math.max(radius * 1.6, 1e-6), all.getSize(new THREE.Vector3()).length() + radius);
        this.lamp.target.position.copy(center);
        this.lamp.position.set(-0.45, -0.35, 1).normalize().multiplyScalar(4 * reach).add(center);
        Object.assign(this.lamp.shadow.camera, {left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * reach, far: 9 * reach});
        this.lamp.shadow.camera.updateProjectionMatrix();
        this.lamp.shadow.normalBias = reach / 250;
        this.lamp.shadow.bias = -0.0004;
        this.addGround(center, radius, floor === null ? box.min.z - 0.02 * radius : floor, floor !== null);
    }

    // What falls onto the ground darkens it; without a floor in the scene there is but the shadow.
    addGround(center, radius, height, solid) {
        const ground = new THREE.Mesh(new THREE.CircleGeometry(9 * radius, 96), solid
            ? new THREE.MeshStandardMaterial({color: 0x3c3e42, roughness: 0.95, transparent: true, alphaMap: fadingDisc()})
            : new THREE.ShadowMaterial({opacity: 0.35}));
        ground.position.set(center.x, center.y, height);
        ground.material.depthWrite = false;
        ground.renderOrder = -1;
        ground.receiveShadow = true;
        this.ground = ground;
        this.scene.add(ground);
    }

    // axis 0, 1, 2, or null for none; what lies beyond `at` is left out.
    cutAt(axis, at) {
        this.planes.length = 0;
        this.cut.uniform.value.set(0, 0, 0, 0);
        if (axis !== null) {
            const normal = new THREE.Vector3().setComponent(axis, -1);
            this.plane.set(normal, at);
            this.planes.push(this.plane);
            this.cut.uniform.value.set(-normal.x, -normal.y, -normal.z, 1);
        }
        this.touch(true);
    }

    // What covers the lower edge of the window moves the middle of the picture up. [pixels]
    leaveBelow(height) {
        this.below = height;
        this.resize();
    }

    resize() {
        this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
        this.renderer.setSize(window.innerWidth, window.innerHeight, false);
        this.camera.aspect = window.innerWidth / window.innerHeight;
        const w = window.innerWidth, h = window.innerHeight;
        this.camera.setViewOffset(w, h, 0, (this.below ?? 0) / 2, w, h);
        this.camera.updateProjectionMatrix();
        this.touch(false);
    }

    // A picture is due; shadows too, where something other than the camera has moved.
    touch(moved) {
        if (moved) this.renderer.shadowMap.needsUpdate = true;
        if (this.due) return;
        this.due = true;
        requestAnimationFrame(time => {
            this.due = false;
            if (this.beforePicture) this.beforePicture(time);
            this.renderer.render(this.scene, this.camera);
        });
    }

    // The ray below a point of the window.
    ray(x, y) {
        const caster = new THREE.Raycaster();
        caster.setFromCamera(new THREE.Vector2(2 * x / window.innerWidth - 1, 1 - 2 * y / window.innerHeight), this.camera);
        return caster.ray;
    }
}
