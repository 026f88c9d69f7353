import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Wire, WireError } from '../../web/page/wire.js';

/**
 * A wire to a server that answers as told, in virtual time.
 *
 * @param {(attempt: number) => [number, unknown] | Error} answer
 */
function wireTo(answer) {
  let time_ms = 0;
  /** @type {{ path: string, body: any }[]} */
  const seen = [];
  const wire = new Wire('ab', {
    fetch: /** @type {any} */ (
      async (/** @type {string} */ path, /** @type {{ body: string }} */ { body }) => {
        seen.push({ path, body: JSON.parse(body) });
        const given = answer(seen.length);
        if (given instanceof Error) throw given;
        return new Response(JSON.stringify(given[1]), { status: given[0] });
      }
    ),
    sleep: async (ms) => {
      time_ms += ms;
    },
    now: () => time_ms,
  });
  return { wire, seen, elapsed: () => time_ms };
}

const PART = /** @type {any} */ ({ kind: 'case', sequence: 3 });

test('a part is sent once and its receipt returned', async () => {
  const { wire, seen } = wireTo(() => [201, { sequence: 3 }]);
  assert.deepEqual(await wire.part(PART), { sequence: 3 });
  assert.deepEqual(seen, [{ path: '/api/runs/ab/parts', body: PART }]);
});

test('a server that is restarted loses nothing: the same part is sent again', async () => {
  const { wire, seen } = wireTo((attempt) => {
    if (attempt <= 3) return new TypeError('refused');
    return attempt <= 6 ? [503, {}] : [201, { ok: true }];
  });
  assert.deepEqual(await wire.part(PART), { ok: true });
  assert.equal(seen.length, 7);
  assert.ok(seen.every(({ body }) => body.sequence === 3));
});

test('pauses grow to a limit', async () => {
  const { wire, seen, elapsed } = wireTo((attempt) => (attempt < 20 ? [500, {}] : [200, {}]));
  await wire.finish(/** @type {any} */ ({}));
  assert.equal(seen.length, 20);
  assert.ok(elapsed() > 60_000 && elapsed() < 95_000, String(elapsed()));
});

test('after some minutes it gives up, with the last reason', async () => {
  const { wire, elapsed } = wireTo(() => new TypeError('refused'));
  await assert.rejects(wire.part(PART), (error) => error instanceof WireError && /refused/.test(error.message));
  assert.ok(elapsed() >= 5 * 60_000 && elapsed() < 6 * 60_000);
});

test('a refusal is not sent again', async () => {
  for (const status of [409, 413, 422, 404]) {
    const { wire, seen } = wireTo(() => [status, { error: { code: 'no' } }]);
    await assert.rejects(wire.part(PART), new RegExp(String(status)));
    assert.equal(seen.length, 1);
  }
});

test('too many requests are tried again later', async () => {
  const { wire, seen } = wireTo((attempt) => (attempt === 1 ? [429, {}] : [200, {}]));
  await wire.part(PART);
  assert.equal(seen.length, 2);
});
