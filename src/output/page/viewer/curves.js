// Curves over time, with a line at the time that is shown.

export const INKS = ['#e8a15c', '#7fb6d6', '#9cc58a', '#d98aa0', '#c9b8e8', '#e6d38a', '#8fd0c4', '#cf8f6b', '#a7a7b5', '#b7c7e6', '#e0b0d0'];

// "1.24 kJ": three digits and the prefix that suits them.
export function quantity(value, unit) {
    if (value === null || !Number.isFinite(value)) return '–';
    if (value === 0) return `0 ${unit}`.trim();
    if (unit === '') return Number(value.toPrecision(3)).toString();
    const prefixes = ['p', 'n', 'µ', 'm', '', 'k', 'M', 'G', 'T'], size = Math.floor(Math.log10(Math.abs(value)) / 3);
    const step = Math.min(Math.max(size, -4), 4);
    return `${Number((value / 1000 ** step).toPrecision(3))} ${prefixes[step + 4]}${unit}`;
}

// "force_x_n" is "force x" in newtons.
const UNITS = {n: 'N', nm: 'N m', m: 'm', rad: 'rad'};
function describeColumn(name) {
    const words = name.split('_'), unit = words.pop();
    return {name: words.join(' '), unit: UNITS[unit] || ''};
}

// "force_x_n" has its least value since the row before in "force_x_least_n".
function rangeOf(name, end) {
    return name.replace(/_([^_]+)$/, `_${end}_$1`);
}

const READINGS = ['force', 'torque', 'displacement', 'rotation'];

// What can be drawn: {label, unit, time, curves: [{name, values}]}.
export function listCharts(about) {
    const charts = [], {time, ...energies} = about.energy;
    const largest = Math.max(...Object.values(energies).flat().map(v => Math.abs(v ?? 0)));
    const curves = Object.entries(energies).map(([name, values]) => ({name, values}))
        .filter(c => c.values.some(v => Math.abs(v ?? 0) > 1e-4 * largest));
    charts.push({label: 'energy', unit: 'J', time, curves});
    charts.push({label: 'fragments', unit: '', time: about.times, curves: [{name: 'fragments', values: about.fragments}]});
    for (const probe of about.probes || []) {
        const columns = Object.keys(probe).filter(name => READINGS.some(word => name.startsWith(word)) && !/_(least|largest)_/.test(name));
        for (const word of READINGS) {
            const chosen = columns.filter(name => name.startsWith(word));
            if (!chosen.some(name => probe[name].some(v => v))) continue;
            charts.push({label: `${word} of ${probe.name}`, unit: describeColumn(chosen[0]).unit, time: probe.time,
                         curves: chosen.map(name => ({name: describeColumn(name).name, values: probe[name], low: probe[rangeOf(name, 'least')], high: probe[rangeOf(name, 'largest')]}))});
        }
    }
    return charts;
}

export class Chart {
    constructor(canvas, keys, onTime) {
        this.canvas = canvas;
        this.keys = keys;
        const seek = event => {
            if (!this.chart) return;
            const box = canvas.getBoundingClientRect(), part = (event.clientX - box.left - this.left) / (box.width - this.left - 6);
            onTime(this.begin + Math.min(Math.max(part, 0), 1) * (this.end - this.begin));
        };
        canvas.addEventListener('pointerdown', event => {
            canvas.setPointerCapture(event.pointerId);
            seek(event);
        });
        canvas.addEventListener('pointermove', event => {
            if (event.buttons & 1) seek(event);
        });
        this.left = 62;
    }

    show(chart, begin, end) {
        this.chart = chart;
        Object.assign(this, {begin, end: Math.max(end, begin + 1e-30)});
        this.keys.replaceChildren();
        if (!chart) return;
        this.values = chart.curves.map((curve, k) => {
            const key = document.createElement('span'), ink = document.createElement('i'), text = document.createElement('span');
            ink.style.background = INKS[k % INKS.length];
            key.append(ink, text);
            this.keys.append(key);
            return text;
        });
    }

    draw(time) {
        if (!this.chart) return;
        const ratio = Math.min(window.devicePixelRatio || 1, 2), width = this.canvas.clientWidth, height = this.canvas.clientHeight;
        this.canvas.width = width * ratio;
        this.canvas.height = height * ratio;
        const c = this.canvas.getContext('2d'), all = this.chart.curves.flatMap(curve => [curve.values, curve.low || [], curve.high || []].flat()).filter(Number.isFinite);
        c.scale(ratio, ratio);
        const low = Math.min(0, ...minMax(all)), high = Math.max(...minMax(all), low + 1e-30);
        const x = t => this.left + (t - this.begin) / (this.end - this.begin) * (width - this.left - 6);
        const y = v => height - 16 - (v - low) / (high - low) * (height - 26);
        this.drawAxes(c, x, y, low, high, width, height);
        this.chart.curves.forEach((curve, k) => this.drawBand(c, curve, INKS[k % INKS.length], x, y));
        this.chart.curves.forEach((curve, k) => this.drawCurve(c, curve.values, INKS[k % INKS.length], x, y));
        c.strokeStyle = 'rgba(255,255,255,0.75)';
        c.beginPath();
        c.moveTo(x(time), 4);
        c.lineTo(x(time), height - 16);
        c.stroke();
        this.drawValues(time);
    }

    drawAxes(c, x, y, low, high, width, height) {
        c.strokeStyle = 'rgba(255,255,255,0.14)';
        c.fillStyle = '#a09f9b';
        c.font = '11px system-ui, sans-serif';
        c.lineWidth = 1;
        for (const value of new Set([low, 0, high / 2, high])) {
            c.beginPath();
            c.moveTo(this.left, y(value));
            c.lineTo(width - 6, y(value));
            c.stroke();
            if (value === low && low < 0 && y(low) - y(0) < 12) continue;
            c.textAlign = 'right';
            c.fillText(quantity(value, this.chart.unit), this.left - 7, y(value) + 4);
        }
        c.textAlign = 'left';
        c.fillText(quantity(this.begin, 's'), this.left, height - 2);
        c.textAlign = 'right';
        c.fillText(quantity(this.end, 's'), width - 6, height - 2);
    }

    // Between the least and the largest value of steps.
    drawBand(c, curve, ink, x, y) {
        if (!curve.low || !curve.high) return;
        const there = curve.high.map((value, k) => [this.chart.time[k], value]), back = curve.low.map((value, k) => [this.chart.time[k], value]).reverse();
        c.fillStyle = ink;
        c.globalAlpha = 0.2;
        c.beginPath();
        for (const [time, value] of [...there, ...back])
            if (Number.isFinite(value)) c.lineTo(x(time), y(value));
        c.fill();
        c.globalAlpha = 1;
    }

    drawCurve(c, values, ink, x, y) {
        c.strokeStyle = ink;
        c.lineWidth = 1.6;
        c.lineJoin = 'round';
        c.beginPath();
        let down = false;
        values.forEach((value, k) => {
            if (!Number.isFinite(value)) return;
            if (down) c.lineTo(x(this.chart.time[k]), y(value)); else c.moveTo(x(this.chart.time[k]), y(value));
            down = true;
        });
        c.stroke();
    }

    drawValues(time) {
        let at = this.chart.time.findIndex(t => t > time * (1 + 1e-12));
        at = at < 0 ? this.chart.time.length - 1 : Math.max(at - 1, 0);
        this.chart.curves.forEach((curve, k) => {
            this.values[k].textContent = `${curve.name} ${quantity(curve.values[at], this.chart.unit)}`;
        });
    }
}

function minMax(values) {
    let low = Infinity, high = -Infinity;
    for (const v of values) low = Math.min(low, v), high = Math.max(high, v);
    return values.length > 0 ? [low, high] : [0, 1];
}
