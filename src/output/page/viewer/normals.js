// Vertices for drawing: where an edge is sharp, or the outer surface meets a crack, both sides get a
// vertex of their own.

const SHARP = Math.cos(35 * Math.PI / 180);

function faceNormals(vertices, triangles) {
    const count = triangles.length / 3, normals = new Float32Array(3 * count);
    for (let t = 0; t < count; ++t) {
        const a = 3 * triangles[3 * t], b = 3 * triangles[3 * t + 1], c = 3 * triangles[3 * t + 2];
        const ux = vertices[b] - vertices[a], uy = vertices[b + 1] - vertices[a + 1], uz = vertices[b + 2] - vertices[a + 2];
        const vx = vertices[c] - vertices[a], vy = vertices[c + 1] - vertices[a + 1], vz = vertices[c + 2] - vertices[a + 2];
        normals[3 * t] = uy * vz - uz * vy; // twice the area long
        normals[3 * t + 1] = uz * vx - ux * vz;
        normals[3 * t + 2] = ux * vy - uy * vx;
    }
    return normals;
}

// The corners of each vertex: of vertex v those from first[v] on.
function cornersOf(vertexCount, triangles) {
    const first = new Int32Array(vertexCount + 1), corners = new Int32Array(triangles.length);
    for (const v of triangles) ++first[v + 1];
    for (let v = 0; v < vertexCount; ++v) first[v + 1] += first[v];
    const next = first.slice();
    for (let c = 0; c < triangles.length; ++c) corners[next[triangles[c]]++] = c;
    return {first, corners};
}

// {source, corners, normals}: from which vertex each new one comes, triangles of new ones, their normals.
export function splitVertices(vertices, triangles, kinds) {
    const vertexCount = vertices.length / 3, faces = faceNormals(vertices, triangles);
    const {first, corners} = cornersOf(vertexCount, triangles);
    const most = triangles.length, out = new Uint32Array(most); // at most a vertex for each corner
    const source = new Uint32Array(most), normals = new Float32Array(3 * most), kind = new Uint8Array(most);
    let count = 0;
    for (let v = 0; v < vertexCount; ++v) {
        const begin = count;
        for (let k = first[v]; k < first[v + 1]; ++k) {
            const t = Math.floor(corners[k] / 3), x = faces[3 * t], y = faces[3 * t + 1], z = faces[3 * t + 2];
            const length = Math.hypot(x, y, z);
            let group = begin;
            for (; group < count; ++group) {
                const nx = normals[3 * group], ny = normals[3 * group + 1], nz = normals[3 * group + 2];
                const along = x * nx + y * ny + z * nz;
                if (kind[group] === kinds[t] && along >= SHARP * length * Math.hypot(nx, ny, nz)) break;
            }
            if (group === count) {
                source[group] = v;
                kind[group] = kinds[t];
                ++count;
            }
            normals[3 * group] += x;
            normals[3 * group + 1] += y;
            normals[3 * group + 2] += z;
            out[corners[k]] = group;
        }
    }
    return {source: source.slice(0, count), corners: out, kind: kind.slice(0, count),
            normals: unitNormals(normals.slice(0, 3 * count))};
}

function unitNormals(normals) {
    for (let k = 0; k < normals.length; k += 3) {
        const length = Math.hypot(normals[k], normals[k + 1], normals[k + 2]) || 1;
        normals[k] /= length;
        normals[k + 1] /= length;
        normals[k + 2] /= length;
    }
    return normals;
}

// Normals of vertices that have moved, into `normals`.
export function updateNormals(positions, corners, normals) {
    normals.fill(0);
    for (let t = 0; t < corners.length; t += 3) {
        const a = 3 * corners[t], b = 3 * corners[t + 1], c = 3 * corners[t + 2];
        const ux = positions[b] - positions[a], uy = positions[b + 1] - positions[a + 1], uz = positions[b + 2] - positions[a + 2];
        const vx = positions[c] - positions[a], vy = positions[c + 1] - positions[a + 1], vz = positions[c + 2] - positions[a + 2];
        const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
        normals[a] += x, normals[a + 1] += y, normals[a + 2] += z;
        normals[b] += x, normals[b + 1] += y, normals[b + 2] += z;
        normals[c] += x, normals[c + 1] += y, normals[c + 2] += z;
    }
    unitNormals(normals);
}
