// Runs the core on a fake GPU and prints its parts and its finish as one JSON document, for tests in Python.
// The scenario and the case ids come as JSON on stdin.
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fakeHost, paramsOf, simulate } from '../js/fake/host.js';

const { scenario, cases } = JSON.parse(await text(process.stdin));
const params = paramsOf(cases, { limits: { case_budget_ms: 100, min_rounds: 2, max_rounds: 4 } });
const { parts, finish } = await simulate(fakeHost(scenario), params, { repeat: true });
process.stdout.write(JSON.stringify({ parts, finish }));
