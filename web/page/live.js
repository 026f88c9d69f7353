// The live T(N) plot: dots on logarithmic axes that grow with what comes in. It shows spans and computes nothing.

const WIDTH = 720;
const HEIGHT = 380;
const LEFT = 96;
const RIGHT = 36;
const TOP = 14;
const BOTTOM = 48;
const MOST_DOTS = 2000;
const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {{ low: number, high: number, start: number, end: number }} Axis In powers of ten, and in pixels. */

export class LivePlot {
  /** @type {{ n: number, us: number, dot: Element }[]} */
  #points = [];
  /** @type {Axis} */
  #x = { low: 0, high: 1, start: LEFT, end: WIDTH - RIGHT };
  /** @type {Axis} */
  #y = { low: 1, high: 3, start: HEIGHT - BOTTOM, end: TOP };

  /** @param {Element} svg */
  constructor(svg) {
    this.svg = svg;
    this.clear();
  }

  /** Begins a new case. */
  clear() {
    this.#points = [];
    this.#x = { ...this.#x, low: 0, high: 1 };
    this.#y = { ...this.#y, low: 1, high: 3 };
    this.#redraw();
  }

  /** @param {number} n @param {number} us */
  add(n, us) {
    if (!(n > 0 && us > 0) || this.#points.length >= MOST_DOTS) return;
    const dot = make('circle', { class: 'span', r: '2.4' });
    this.#points.push({ n, us, dot });
    if (widen(this.#x, Math.log10(n)) || widen(this.#y, Math.log10(us))) this.#redraw();
    else this.#place(n, us, dot);
  }

  /** @param {number} n @param {number} us @param {Element} dot */
  #place(n, us, dot) {
    dot.setAttribute('cx', at(this.#x, Math.log10(n)));
    dot.setAttribute('cy', at(this.#y, Math.log10(us)));
    this.svg.append(dot);
  }

  #redraw() {
    this.svg.replaceChildren();
    for (let power = this.#x.low; power <= this.#x.high; power++) {
      const x = at(this.#x, power);
      this.svg.append(make('line', { class: 'grid', x1: x, x2: x, y1: TOP, y2: HEIGHT - BOTTOM }));
      this.svg.append(make('text', { class: 'tick middle', x, y: HEIGHT - BOTTOM + 18 }, count(10 ** power)));
    }
    for (let power = this.#y.low; power <= this.#y.high; power++) {
      const y = at(this.#y, power);
      this.svg.append(make('line', { class: 'grid', x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y }));
      this.svg.append(make('text', { class: 'tick end', x: LEFT - 8, y: Number(y) + 4 }, duration(10 ** power)));
    }
    this.svg.append(make('text', { class: 'title middle', x: WIDTH / 2, y: HEIGHT - 8 }, 'N, operations in the span'));
    for (const { n, us, dot } of this.#points) this.#place(n, us, dot);
  }
}

/** @param {Axis} axis @param {number} power */
function widen(axis, power) {
  const low = Math.min(axis.low, Math.floor(power));
  const high = Math.max(axis.high, Math.ceil(power));
  const wider = low !== axis.low || high !== axis.high;
  axis.low = low;
  axis.high = high;
  return wider;
}

/** @param {Axis} axis @param {number} power */
function at(axis, power) {
  const share = (power - axis.low) / (axis.high - axis.low);
  return (axis.start + share * (axis.end - axis.start)).toFixed(1);
}

/** @param {number} value */
function count(value) {
  return value.toLocaleString('en');
}

/** @param {number} us */
function duration(us) {
  if (us >= 1e6) return `${us / 1e6} s`;
  return us >= 1e3 ? `${us / 1e3} ms` : `${us} µs`;
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {string} [text]
 */
function make(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== undefined) element.textContent = text;
  return element;
}
