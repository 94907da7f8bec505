// Reads what the page holds: sections of deflated bytes (page_file.c), integers over time (page_delta_encoding.c).

async function inflate(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

function fromBase64(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const raw = atob(text), bytes = new Uint8Array(raw.length);
    for (let k = 0; k < raw.length; ++k) bytes[k] = raw.charCodeAt(k);
    return bytes;
}

// Sections by name, taken out of the document: texts of this size need not be kept twice.
async function readSections(root) {
    const found = new Map();
    for (const element of root.querySelectorAll('script[data-section]')) {
        found.set(element.dataset.section, await inflate(fromBase64(element.textContent)));
        element.remove();
    }
    return found;
}

const ARRAYS = {1: Uint8Array, 2: Uint16Array, 4: Int32Array};

// As sherd_page_track_encode writes them: frames x count numbers.
export function readTrack(bytes, width, count, frames) {
    const all = frames * count, out = new ARRAYS[width](all);
    for (let k = 0; k < all; ++k) {
        let folded = 0;
        for (let b = 0; b < width; ++b) folded |= bytes[b * all + k] << (8 * b);
        const difference = folded & 1 ? ~(folded >>> 1) : folded >>> 1;
        let before = 0;
        if (k < count) before = k > 0 ? out[k - 1] : 0;
        else if (k < 2 * count) before = out[k - count];
        else before = 2 * out[k - count] - out[k - 2 * count];
        out[k] = before + difference; // wraps around, as it did when it was written
    }
    return out;
}

function view(bytes, Type, first = 0, count = undefined) {
    const size = Type.BYTES_PER_ELEMENT;
    const length = count === undefined ? Math.floor(bytes.length / size) - first : count;
    return new Type(bytes.buffer, bytes.byteOffset + first * size, length);
}

// Columns of page_meshes.c, put_pieces.
function readPieces(bytes, n) {
    const column = k => view(bytes, Int32Array, k * n, n);
    const pieces = {
        count: n, id: column(0), parent: column(1), elements: column(2), body: column(3),
        vertices: column(4), triangles: column(5), bends: column(6),
        mass: view(bytes, Float32Array, 7 * n, n),
        firstVertex: new Int32Array(n + 1), firstTriangle: new Int32Array(n + 1),
    };
    for (let k = 0; k < n; ++k) {
        pieces.firstVertex[k + 1] = pieces.firstVertex[k] + pieces.vertices[k];
        pieces.firstTriangle[k + 1] = pieces.firstTriangle[k] + pieces.triangles[k];
    }
    return pieces;
}

// Which fragment each piece is part of, frame by frame, and what each fragment broke off from.
function readLabels(bytes, pieces, frames) {
    const changes = view(bytes, Int32Array), byFrame = [], origin = new Map();
    let labels = new Int32Array(pieces);
    for (let frame = 0, at = 0; frame < frames; ++frame) {
        const before = labels;
        if (at < changes.length && changes[at] === frame) {
            labels = labels.slice();
            for (; at < changes.length && changes[at] === frame; at += 3) {
                const piece = changes[at + 1], label = changes[at + 2];
                if (!origin.has(label)) origin.set(label, {frame, parent: before[piece]});
                labels[piece] = label;
            }
        }
        byFrame.push(labels); // shared by frames between breaks
    }
    return {byFrame, origin};
}

function readVertices(bytes, about) {
    const n = about.vertices, whole = readTrack(bytes, 2, 3 * n, 1), out = new Float32Array(3 * n);
    for (let k = 0; k < n; ++k)
        for (let a = 0; a < 3; ++a)
            out[3 * k + a] = (whole[a * n + k] / 32767.5 - 1) * about.offset;
    return out;
}

function readShape(thing, bytes, at) {
    if (!thing.vertices) return at;
    thing.positions = view(bytes, Float32Array, at / 4, 3 * thing.vertices);
    thing.corners = view(bytes, Uint32Array, at / 4 + 3 * thing.vertices, 3 * thing.triangles);
    return at + 12 * (thing.vertices + thing.triangles);
}

function readBalls(bytes, n) {
    return {count: n, radius: view(bytes, Float32Array, 0, n), body: view(bytes, Int32Array, n, n),
            piece: view(bytes, Int32Array, 2 * n, n)};
}

// Columns of page_motion.c.
function readDust(bytes) {
    const n = bytes.length / 44, column = k => view(bytes, Float32Array, k * n, n);
    return {count: n, time: column(0), landing: column(1), tau: column(2), radius: column(3),
            place: [4, 5, 6].map(column), velocity: [7, 8, 9].map(column), body: view(bytes, Int32Array, 10 * n, n)};
}

// All of a run; the document, or another one that was fetched, has it in its sections.
export async function readRun(root) {
    const sections = await readSections(root);
    if (!sections.has('about')) return null;
    const about = JSON.parse(new TextDecoder().decode(sections.get('about')));
    const frames = about.times.length, stored = about.stored.length;
    const track = (name, width, count, n) => readTrack(sections.get(name), width, count, n);
    const run = {
        about, frames,
        pieces: readPieces(sections.get('pieces'), about.pieces),
        labels: readLabels(sections.get('labels'), about.pieces, frames),
        poses: track('poses', 4, 7 * about.pieces, stored),
        storedTimes: about.stored.map(k => about.times[k]),
        vertices: readVertices(sections.get('vertices'), about),
        sites: track('sites', 4, about.vertices, 1),
        triangles: track('triangles', 4, 3 * about.triangles, 1),
        kinds: sections.get('kinds'),
        balls: readBalls(sections.get('balls'), about.points),
        dust: readDust(sections.get('dust')),
        bends: track('bends', 2, 3 * about.bendVertices, stored),
        points: track('points', 2, 3 * about.points, stored),
        speeds: track('speeds', 1, about.sites, stored),
        stresses: track('stresses', 1, about.sites, stored),
        obstaclePoses: view(sections.get('obstacles'), Float32Array),
    };
    let at = 0;
    for (const thing of [...about.obstacles, ...about.drivers])
        at = readShape(thing, sections.get('shapes'), at);
    return run;
}

// Where a time lies in an ascending list: the item before it, and how far it is to the next one.
export function locate(list, value) {
    let low = 0, high = list.length - 1;
    while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (list[middle] <= value) low = middle; else high = middle;
    }
    if (high <= low) return {index: 0, part: 0};
    const part = (value - list[low]) / (list[high] - list[low]);
    return {index: low, part: Math.min(Math.max(part, 0), 1)};
}

// How many fragments there are in a frame, as the run counted them.
export function countFragments(run, frame) {
    return run.about.fragments[frame];
}

// The same from the pieces themselves.
export function countLabels(run, frame) {
    return new Set(run.labels.byFrame[frame]).size;
}
