// Elements as balls: squares that face the camera, shaded as spheres. Takes hundreds of thousands.
import * as THREE from 'three';
import {locate} from './data.js';

const MOST_SHADOWS = 60000; // more take too long without a graphics card, and soon with one

const VERTEX = `
attribute float radius;
attribute vec3 color;
uniform float height; // of the picture [pixels]
varying vec3 vColor, vCenter;
varying float vRadius;
#include <clipping_planes_pars_vertex>
void main() {
    vColor = color;
    vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
    vCenter = mvPosition.xyz;
    vRadius = radius;
    #include <clipping_planes_vertex>
    gl_Position = projectionMatrix * mvPosition;
    gl_PointSize = max(height * projectionMatrix[1][1] * radius / gl_Position.w, 1.0);
}`;

const FRAGMENT = `
uniform mat4 projectionMatrix;
uniform vec3 lamp; // towards it, in the camera's axes
varying vec3 vColor, vCenter;
varying float vRadius;
#include <common>
#include <clipping_planes_pars_fragment>
void main() {
    #include <clipping_planes_fragment>
    vec2 at = 2.0 * gl_PointCoord - 1.0;
    float inside = 1.0 - dot(at, at);
    if (inside < 0.0) discard;
    vec3 normal = vec3(at.x, -at.y, sqrt(inside));
    vec4 place = projectionMatrix * vec4(vCenter + vRadius * normal, 1.0);
    gl_FragDepth = 0.5 * place.z / place.w + 0.5;
    float light = 0.26 + 0.2 * normal.z + 0.62 * max(dot(normal, lamp), 0.0);
    gl_FragColor = vec4(vColor * light, 1.0);
    #include <tonemapping_fragment>
    #include <colorspace_fragment>
}`;

// Seen from the lamp, whose camera is parallel: discs.
const SHADOW_VERTEX = `
attribute float radius;
uniform float height;
#include <clipping_planes_pars_vertex>
void main() {
    vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
    #include <clipping_planes_vertex>
    gl_Position = projectionMatrix * mvPosition;
    gl_PointSize = max(height * projectionMatrix[1][1] * radius, 1.0);
}`;

const SHADOW_FRAGMENT = `
#include <packing>
#include <clipping_planes_pars_fragment>
void main() {
    #include <clipping_planes_fragment>
    vec2 at = 2.0 * gl_PointCoord - 1.0;
    if (dot(at, at) > 1.0) discard;
    gl_FragColor = packDepthToRGBA(gl_FragCoord.z);
}`;

export class Balls {
    constructor(radii, stage) {
        this.stage = stage;
        const n = radii.length;
        this.positions = new Float32Array(3 * n);
        this.colors = new Float32Array(3 * n).fill(0.6);
        this.radii = radii;
        this.geometry = new THREE.BufferGeometry();
        this.geometry.setAttribute('position', new THREE.BufferAttribute(this.positions, 3));
        this.geometry.setAttribute('color', new THREE.BufferAttribute(this.colors, 3));
        this.geometry.setAttribute('radius', new THREE.BufferAttribute(Float32Array.from(radii), 1));
        this.material = new THREE.ShaderMaterial({
            vertexShader: VERTEX, fragmentShader: FRAGMENT.replace('uniform mat4 projectionMatrix;', 'uniform mat4 projection;')
                .replace('projectionMatrix * vec4(vCenter', 'projection * vec4(vCenter'),
            clipping: true, clippingPlanes: stage.planes,
            uniforms: {height: {value: 1}, lamp: {value: new THREE.Vector3()}, projection: {value: new THREE.Matrix4()}},
        });
        this.points = new THREE.Points(this.geometry, this.material);
        this.points.frustumCulled = false;
        this.points.castShadow = n <= MOST_SHADOWS;
        this.points.customDepthMaterial = new THREE.ShaderMaterial({
            vertexShader: SHADOW_VERTEX, fragmentShader: SHADOW_FRAGMENT, clipping: true, clippingPlanes: stage.planes,
            uniforms: {height: {value: stage.lamp.shadow.mapSize.y}}});
        this.points.onBeforeRender = (renderer, scene, camera) => {
            const u = this.material.uniforms;
            u.height.value = renderer.getDrawingBufferSize(new THREE.Vector2()).y;
            u.projection.value.copy(camera.projectionMatrix);
            u.lamp.value.copy(stage.lamp.position).sub(stage.lamp.target.position).normalize().transformDirection(camera.matrixWorldInverse);
        };
    }

    moved() {
        this.geometry.attributes.position.needsUpdate = true;
    }

    painted() {
        this.geometry.attributes.color.needsUpdate = true;
    }

    // Places of a run's stored frames.
    place(run, time) {
        const about = run.about, n = about.points;
        const {index, part} = locate(run.storedTimes, time);
        const a = 3 * n * index, b = 3 * n * Math.min(index + 1, about.stored.length - 1);
        for (let c = 0; c < 3; ++c)
            for (let k = 0, at = c * n; k < n; ++k, ++at)
                this.positions[3 * k + c] = about.pointBounds[c]
                    + about.pointStep * (run.points[a + at] * (1 - part) + run.points[b + at] * part);
        this.moved();
    }

    // {ball, distance} of the first one that a ray meets.
    pick(ray, planes) {
        const best = {ball: -1, distance: Infinity}, center = new THREE.Vector3(), hit = new THREE.Vector3();
        const sphere = new THREE.Sphere();
        for (let k = 0; k < this.radii.length; ++k) {
            sphere.set(center.fromArray(this.positions, 3 * k), this.radii[k]);
            if (ray.intersectSphere(sphere, hit) === null) continue;
            const distance = hit.distanceTo(ray.origin);
            if (distance < best.distance && planes.every(plane => plane.distanceToPoint(center) >= 0))
                Object.assign(best, {ball: k, distance});
        }
        return best;
    }
}
