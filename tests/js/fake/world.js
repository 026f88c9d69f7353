// Virtual time: the clock moves when fake calls cost something, and jumps to the next event when everyone waits.

export class World {
  now_us = 0;
  /** @type {{ at_us: number, order: number, act: () => void }[]} */
  #events = [];
  #order = 0;
  #pumping = false;

  /**
   * @param {object} [options]
   * @param {number} [options.quantum_us] Step of the clock as the core sees it.
   * @param {number} [options.reading_us] Cost of reading it.
   */
  constructor({ quantum_us = 5, reading_us = 0.25 } = {}) {
    this.quantum_us = quantum_us;
    this.reading_us = reading_us;
  }

  /** The clock as the core sees it, in milliseconds. */
  now = () => {
    this.now_us += this.reading_us;
    return (Math.floor(this.now_us / this.quantum_us) * this.quantum_us) / 1000;
  };

  /** @param {number} ms @returns {Promise<void>} */
  sleep = (ms) => new Promise((resolve) => this.at(this.now_us + ms * 1000, resolve));

  /** @param {number} at_us @param {() => void} act */
  at(at_us, act) {
    const event = { at_us, order: this.#order++, act };
    let index = this.#events.length;
    while (index > 0 && before(event, this.#events[index - 1])) index--;
    this.#events.splice(index, 0, event);
    this.#pump();
  }

  #pump() {
    if (this.#pumping || this.#events.length === 0) return;
    this.#pumping = true;
    // Immediates run when no promise has work left, so nobody is busy at this moment in virtual time.
    setImmediate(() => {
      this.#pumping = false;
      const event = this.#events.pop();
      if (event) {
        this.now_us = Math.max(this.now_us, event.at_us);
        event.act();
      }
      this.#pump();
    });
  }
}

/**
 * The next event is last in the list.
 *
 * @param {{ at_us: number, order: number }} a
 * @param {{ at_us: number, order: number }} b
 */
function before(a, b) {
  return a.at_us > b.at_us || (a.at_us === b.at_us && a.order > b.order);
}
