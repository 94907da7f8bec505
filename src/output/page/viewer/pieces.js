// Fragments: all that move as rigid bodies are one mesh, whose vertices a texture of poses moves; those
// that bend are another, with vertices of each frame.
import * as THREE from 'three';
import {locate} from './data.js';
import {splitVertices, updateNormals} from './normals.js';

const TEXELS = 1024; // of a row of the texture of poses
const TURN = 1 << 16; // units of a quaternion's component, page_motion.c

const POSES = `
attribute float piece; // its number; and a quarter on faces of cracks
uniform float setBack;
uniform highp sampler2D poses;
vec4 poseTexel(int k) { return texelFetch(poses, ivec2(k % ${TEXELS}, k / ${TEXELS}), 0); }
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
`;

// Lets a material of three.js move vertices by their pieces' poses, and close what is cut open.
function followPoses(material, uniforms) {
    material.onBeforeCompile = shader => {
        Object.assign(shader.uniforms, uniforms);
        shader.vertexShader = POSES + shader.vertexShader
            .replace('#include <beginnormal_vertex>', `#include <beginnormal_vertex>
                objectNormal = turned(poseTexel(2 * int(piece + 0.5) + 1), objectNormal);`)
            .replace('#include <begin_vertex>', `#include <begin_vertex>
                transformed = turned(poseTexel(2 * int(piece + 0.5) + 1), transformed) + poseTexel(2 * int(piece + 0.5)).xyz;`);
        // Cracks that are closed stay unseen: their faces lie a little behind the surface that they end at.
        shader.vertexShader = shader.vertexShader.replace('#include <project_vertex>', `#include <project_vertex>
            if (fract(piece) > 0.1) {
                vec4 behind = projectionMatrix * (mvPosition - vec4(0.0, 0.0, setBack, 0.0));
                gl_Position.z = behind.z / behind.w * gl_Position.w;
            }`);
        // Inner sides are seen where the plane cuts: drawn as if they lay in the plane.
        shader.fragmentShader = 'uniform vec4 cutNormal;\n' + shader.fragmentShader
            .replace('#include <color_fragment>', `#include <color_fragment>
                if (cutNormal.w > 0.5 && !gl_FrontFacing) diffuseColor.rgb *= 0.8;`)
            .replace('#include <normal_fragment_maps>', `#include <normal_fragment_maps>
                if (cutNormal.w > 0.5 && !gl_FrontFacing) normal = normalize((viewMatrix * vec4(cutNormal.xyz, 0.0)).xyz);`);
    };
}

// One mesh of the pieces that `takes` chooses.
class Part {
    constructor(run, chosen, bends, opacity, stage, poses) {
        this.bends = bends;
        this.chosen = chosen; // pieces, ascending
        const p = run.pieces, sum = counts => chosen.reduce((total, k) => total + counts[k], 0);
        const vertices = new Float32Array(3 * sum(p.vertices)), owner = new Int32Array(vertices.length / 3);
        const corners = new Uint32Array(3 * sum(p.triangles)), kinds = new Uint8Array(corners.length / 3);
        const sites = new Int32Array(owner.length);
        let v = 0, t = 0;
        for (const k of chosen) {
            const shift = v - p.firstVertex[k], from = p.firstVertex[k], to = p.firstVertex[k + 1];
            vertices.set(run.vertices.subarray(3 * from, 3 * to), 3 * v);
            sites.set(run.sites.subarray(from, to), v);
            owner.fill(k, v, v += to - from);
            kinds.set(run.kinds.subarray(p.firstTriangle[k], p.firstTriangle[k + 1]), t);
            for (let c = 3 * p.firstTriangle[k]; c < 3 * p.firstTriangle[k + 1]; ++c) corners[3 * t + c - 3 * p.firstTriangle[k]] = run.triangles[c] + shift;
            t += p.triangles[k];
        }
        const split = splitVertices(vertices, corners, kinds), n = split.source.length;
        this.source = split.source;
        this.kind = split.kind;
        this.corners = split.corners;
        this.owner = Int32Array.from(split.source, from => owner[from]);
        this.site = Int32Array.from(split.source, from => sites[from]);
        this.positions = new Float32Array(3 * n);
        split.source.forEach((from, k) => {
            for (let a = 0; a < 3; ++a) this.positions[3 * k + a] = vertices[3 * from + a];
        });
        this.normals = split.normals;
        this.colors = new Float32Array(3 * n);
        this.geometry = new THREE.BufferGeometry();
        const add = (name, array, size) => this.geometry.setAttribute(name, new THREE.BufferAttribute(array, size));
        add('position', this.positions, 3);
        add('normal', this.normals, 3);
        add('color', this.colors, 3);
        add('piece', Float32Array.from(this.owner, (k, v) => k + 0.25 * this.kind[v]), 1);
        this.geometry.setIndex(new THREE.BufferAttribute(this.corners, 1));
        this.addMesh(opacity, stage, poses, 0.5 * run.about.radius);
    }

    addMesh(opacity, stage, poses, setBack) {
        const uniforms = {poses: {value: poses}, cutNormal: stage.cut.uniform, setBack: {value: setBack}};
        const clear = opacity < 0.999;
        this.material = new THREE.MeshStandardMaterial({
            vertexColors: true, roughness: clear ? 0.12 : 0.55, metalness: 0, side: THREE.DoubleSide, shadowSide: THREE.DoubleSide,
            transparent: clear, opacity: clear ? Math.max(opacity, 0.28) : 1, clippingPlanes: stage.planes, clipShadows: true,
            depthWrite: !clear,
        });
        followPoses(this.material, uniforms);
        this.mesh = new THREE.Mesh(this.geometry, this.material);
        this.mesh.customDepthMaterial = new THREE.MeshDepthMaterial({
            depthPacking: THREE.RGBADepthPacking, side: THREE.DoubleSide, clippingPlanes: stage.planes, clipShadows: true});
        followPoses(this.mesh.customDepthMaterial, uniforms);
        this.mesh.frustumCulled = false;
        this.mesh.castShadow = !clear;
        this.mesh.receiveShadow = true;
    }
}

export class Pieces {
    constructor(run, stage) {
        this.run = run;
        const n = run.pieces.count, rows = Math.max(Math.ceil(2 * n / TEXELS), 1);
        this.texels = new Float32Array(4 * TEXELS * rows);
        this.texture = new THREE.DataTexture(this.texels, TEXELS, rows, THREE.RGBAFormat, THREE.FloatType);
        this.centers = new Float32Array(3 * n); // where pieces are now, before they are drawn apart
        this.shifts = new Float32Array(3 * n);
        this.apart = 0;
        this.parts = this.makeParts(stage);
        this.group = new THREE.Group();
        for (const part of this.parts) this.group.add(part.mesh);
        this.firstBend = new Int32Array(n + 1);
        for (let k = 0; k < n; ++k)
            this.firstBend[k + 1] = this.firstBend[k] + (run.pieces.bends[k] ? run.pieces.vertices[k] : 0);
    }

    // Rigid or bending, opaque or clear: each of these a mesh, where there is any.
    makeParts(stage) {
        const p = this.run.pieces, sorts = new Map();
        for (let k = 0; k < p.count; ++k) {
            if (p.triangles[k] === 0) continue;
            const opacity = this.run.about.bodies[p.body[k]].opacity, key = `${p.bends[k]} ${opacity}`;
            if (!sorts.has(key)) sorts.set(key, {bends: p.bends[k] === 1, opacity, chosen: []});
            sorts.get(key).chosen.push(k);
        }
        return [...sorts.values()].map(s => new Part(this.run, s.chosen, s.bends, s.opacity, stage, this.texture));
    }

    dispose() {
        this.texture.dispose();
        for (const part of this.parts) {
            part.geometry.dispose();
            part.material.dispose();
            part.mesh.customDepthMaterial.dispose();
        }
    }

    place(time) {
        const times = this.run.storedTimes, {index, part} = locate(times, time), next = Math.min(index + 1, times.length - 1);
        this.placeRigid(index, next, part);
        this.placeBending(index, next, part);
        this.drawApart();
        this.texture.needsUpdate = true;
    }

    placeRigid(from, to, part) {
        const n = this.run.pieces.count, poses = this.run.poses, step = this.run.about.poseStep;
        const a = 7 * n * from, b = 7 * n * to;
        for (let k = 0; k < n; ++k) {
            if (this.run.pieces.bends[k]) continue;
            const mix = column => poses[a + column * n + k] * (1 - part) + poses[b + column * n + k] * part;
            let x = mix(3), y = mix(4), z = mix(5), w = mix(6);
            const length = Math.hypot(x, y, z, w) || TURN;
            const at = 8 * k;
            for (let c = 0; c < 3; ++c) this.centers[3 * k + c] = mix(c) * step;
            this.texels[at + 4] = x / length, this.texels[at + 5] = y / length;
            this.texels[at + 6] = z / length, this.texels[at + 7] = w / length;
            if (this.run.pieces.triangles[k] === 0) this.texels[at + 7] = 1;
        }
    }

    placeBending(from, to, part) {
        const about = this.run.about, total = about.bendVertices;
        if (total === 0) return;
        const a = 3 * total * from, b = 3 * total * to;
        if (!this.bent) this.bent = new Float32Array(3 * total);
        for (let c = 0; c < 3; ++c) {
            const low = about.bendBounds[c];
            for (let v = 0, at = c * total; v < total; ++v, ++at)
                this.bent[3 * v + c] = low + about.bendStep * (this.run.bends[a + at] * (1 - part) + this.run.bends[b + at] * part);
        }
        this.placeBentPieces();
        for (const mesh of this.parts)
            if (mesh.bends) this.placePart(mesh);
    }

    // Their vertices are in the world: the pose only draws them apart.
    placeBentPieces() {
        for (let k = 0; k < this.run.pieces.count; ++k) {
            if (!this.run.pieces.bends[k]) continue;
            const first = this.firstBend[k], count = this.firstBend[k + 1] - first, sum = [0, 0, 0];
            for (let v = first; v < first + count; ++v)
                for (let c = 0; c < 3; ++c) sum[c] += this.bent[3 * v + c];
            for (let c = 0; c < 3; ++c) this.centers[3 * k + c] = sum[c] / Math.max(count, 1);
            this.texels.set([0, 0, 0, 1], 8 * k + 4);
        }
    }

    placePart(part) {
        if (!part.from) part.from = this.bentVertices(part);
        for (let k = 0; k < part.from.length; ++k) {
            const from = 3 * part.from[k];
            part.positions[3 * k] = this.bent[from];
            part.positions[3 * k + 1] = this.bent[from + 1];
            part.positions[3 * k + 2] = this.bent[from + 2];
        }
        updateNormals(part.positions, part.corners, part.normals);
        part.geometry.attributes.position.needsUpdate = true;
        part.geometry.attributes.normal.needsUpdate = true;
    }

    // For each vertex drawn, which of those that bend it is.
    bentVertices(part) {
        const shift = new Int32Array(this.run.pieces.count);
        let first = 0;
        for (const k of part.chosen) {
            shift[k] = this.firstBend[k] - first;
            first += this.run.pieces.vertices[k];
        }
        return Uint32Array.from(part.source, (v, k) => v + shift[part.owner[k]]);
    }

    // Away from the middle of their body, all by the same factor.
    drawApart() {
        const p = this.run.pieces, bodies = this.run.about.bodies.map(() => [0, 0, 0, 0]);
        for (let k = 0; k < p.count; ++k) {
            const sum = bodies[p.body[k]];
            for (let c = 0; c < 3; ++c) sum[c] += p.mass[k] * this.centers[3 * k + c];
            sum[3] += p.mass[k];
        }
        for (let k = 0; k < p.count; ++k) {
            const sum = bodies[p.body[k]];
            for (let c = 0; c < 3; ++c) {
                const shift = this.apart * (this.centers[3 * k + c] - sum[c] / (sum[3] || 1));
                this.shifts[3 * k + c] = shift;
                this.texels[8 * k + c] = shift + (p.bends[k] ? 0 : this.centers[3 * k + c]);
            }
        }
    }

    // `colorOf(piece, isInner, site, out, at)` puts three linear numbers into out from `at` on.
    paint(colorOf) {
        for (const part of this.parts) {
            for (let k = 0; k < part.owner.length; ++k)
                colorOf(part.owner[k], part.kind[k] === 1, part.site[k], part.colors, 3 * k);
            part.geometry.attributes.color.needsUpdate = true;
        }
    }

    // {piece, distance} where a ray first meets one that the cutting plane leaves.
    pick(ray, planes) {
        const best = {piece: -1, distance: Infinity}, a = new THREE.Vector3(), b = new THREE.Vector3(), c = new THREE.Vector3();
        const hit = new THREE.Vector3(), q = new THREE.Quaternion(), p = new THREE.Vector3();
        const put = (v, part, k) => v.fromArray(part.positions, 3 * k).applyQuaternion(q).add(p);
        for (const part of this.parts) {
            let owner = -1;
            for (let t = 0; t < part.corners.length; t += 3) {
                if (part.owner[part.corners[t]] !== owner) {
                    owner = part.owner[part.corners[t]];
                    q.fromArray(this.texels, 8 * owner + 4);
                    p.fromArray(this.texels, 8 * owner);
                }
                put(a, part, part.corners[t]), put(b, part, part.corners[t + 1]), put(c, part, part.corners[t + 2]);
                if (ray.intersectTriangle(a, b, c, false, hit) === null) continue;
                const distance = hit.distanceTo(ray.origin);
                if (distance < best.distance && planes.every(plane => plane.distanceToPoint(hit) >= 0))
                    Object.assign(best, {piece: owner, distance});
            }
        }
        return best;
    }
}
