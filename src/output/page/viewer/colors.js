// Colours of values and of fragments, linear.

export function linear(c) {
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

function srgb(c) {
    return c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055;
}

// From dark blue over teal and sand to light yellow: lightness rises evenly, also without colours.
const STOPS = [[38, 44, 92], [46, 89, 140], [45, 134, 150], [98, 172, 133], [186, 198, 116], [246, 216, 130],
               [255, 244, 214]];

function stop(t) {
    const at = Math.min(Math.max(t, 0), 1) * (STOPS.length - 1), k = Math.min(Math.floor(at), STOPS.length - 2);
    return [0, 1, 2].map(c => (STOPS[k][c] + (at - k) * (STOPS[k + 1][c] - STOPS[k][c])) / 255);
}

export function rampCss(t) {
    return `rgb(${stop(t).map(c => Math.round(255 * c)).join(',')})`;
}

// 256 linear colours, three numbers each.
export const RAMP = new Float32Array(768);
for (let k = 0; k < 256; ++k) RAMP.set(stop(k / 255).map(linear), 3 * k);

// Of a fragment: hues of neighbouring numbers lie far apart, all are about as light and quiet.
export function fragmentColor(id) {
    const hue = (id * 0.6180339887) % 1, light = 0.62 + 0.1 * ((id * 0.7548776662) % 1);
    const a = 0.34, channel = n => {
        const k = (n + hue * 12) % 12;
        return light - a * Math.min(light, 1 - light) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    };
    return [channel(0), channel(8), channel(4)].map(linear);
}

export function css(color) {
    return `rgb(${color.map(c => Math.round(255 * srgb(c))).join(',')})`;
}
