/** A case that cannot be measured here, with the reason. */
export class Unsupported extends Error {}

/** A case that went wrong, with the reason. */
export class Failure extends Error {}

/** The user or the driver ended the run. */
export class Cancelled extends Error {
  constructor() {
    super('cancelled');
  }
}

/**
 * What can end a case from outside while it waits for the GPU: a lost device, a hang, a cancellation. A promise of the
 * GPU may never settle, so every wait is guarded by this one.
 */
export class Interrupt {
  /** @type {Error | null} */
  reason = null;
  /** @type {(error: Error) => void} */
  #reject = () => {};
  /** @type {Promise<never>} */
  #raised;

  constructor() {
    this.#raised = new Promise((_, reject) => {
      this.#reject = reject;
    });
    // An interrupt that nobody waits for is no unhandled rejection.
    this.#raised.catch(() => {});
  }

  /** @param {Error} error The first one counts. */
  raise(error) {
    this.reason ??= error;
    this.#reject(error);
  }

  /** Throws what was raised, for code that does not wait. */
  check() {
    if (this.reason) throw this.reason;
  }

  /**
   * @template T
   * @param {Promise<T>} promise
   * @returns {Promise<T>} Settles as `promise` does, or rejects with what is raised first.
   */
  guard(promise) {
    return Promise.race([promise, this.#raised]);
  }
}
