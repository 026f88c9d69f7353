// Made by `npm run contract` from server/dispatchmark/contract; do not edit.

export type Contract =
  | SweepStart
  | RunStart
  | (EnvironmentPart | CasePart)
  | Finish
  | Submission
  | Receipt
  | Progress
  | RunReport
  | RunList
  | SweepReceipt
  | SweepReport
  | SweepList
  | Health
  | ErrorAnswer
  | Comparison
  | Attribution
  | SuiteFile;
/**
 * What executes WebGPU. The `-c` runtimes call the C API of a native library without its Python layer.
 */
export type RuntimeName =
  | 'chromium'
  | 'firefox'
  | 'webkit'
  | 'safari'
  | 'webkitgtk'
  | 'wgpu'
  | 'dawn'
  | 'wgpu-c'
  | 'dawn-c'
  | 'deno'
  | 'node-dawn';
/**
 * How the end of the submitted work was awaited; modes are never mixed in one estimate.
 */
export type WaitMode = 'done' | 'map' | 'nudged';
/**
 * Where a run stands. All but `running` are final.
 */
export type RunStatus = 'running' | 'finished' | 'partial' | 'cancelled' | 'failed' | 'unsupported' | 'unavailable';
/**
 * Who sent a run: a lab machine, or a volunteer's own browser.
 */
export type Origin = 'lab' | 'volunteer';
/**
 * How a case is measured.
 */
export type CaseKind = 'control' | 'naive' | 'ladder' | 'phases' | 'trace' | 'chunk' | 'carryover';

/**
 * Opens a sweep: runs of several runtimes on one machine, interleaved, for comparison.
 */
export interface SweepStart {
  adapter?: 'software' | 'hardware' | 'any';
  created_at: string;
  machine: Machine;
  name?: string | null;
  schema_version?: 1;
  seed: number;
  suite: SuiteRef;
  sweep_id: string;
}
/**
 * A lab machine: the owner's name for it and the stable facts that its history hangs on.
 */
export interface Machine {
  cores?: number | null;
  cpu?: string;
  facts_hash?: string | null;
  /**
   * @maxItems 64
   */
  gpus?: string[];
  memory_gib?: number | null;
  name: string;
  os?: string;
}
/**
 * The suite a run executes: its name, and the hash of the whole suite file with its kernels.
 */
export interface SuiteRef {
  hash: string;
  name: string;
}
/**
 * Opens a run. A volunteer's page leaves `runtime` out and the server reads it from the user agent.
 */
export interface RunStart {
  created_at: string;
  launch?: Launch | null;
  machine?: Machine | null;
  /**
   * Who sent a run: a lab machine, or a volunteer's own browser.
   */
  origin?: 'lab' | 'volunteer';
  /**
   * order of the run in its sweep
   */
  position?: number | null;
  run_id: string;
  runtime?: Runtime | null;
  schema_version?: 1;
  seed: number;
  suite: SuiteRef;
  sweep_id?: string | null;
}
/**
 * How a runtime's process was started. Two runs are comparable only where these agree.
 */
export interface Launch {
  channel?: string | null;
  /**
   * playwright, selenium, or process
   */
  driver?: string | null;
  driver_version?: string | null;
  executable?: string | null;
  /**
   * @maxItems 200
   */
  flags?: string[];
  headless?: boolean | null;
  preferences?: {
    [k: string]: boolean | number | string;
  };
  profile?: string;
  /**
   * endpoint of the remote browser, without credentials
   */
  remote?: string | null;
  sandbox?: boolean | null;
  /**
   * environment variables set
   */
  variables?: {
    [k: string]: string;
  };
}
/**
 * A runtime with its exact version (None where it could not be read).
 */
export interface Runtime {
  name: RuntimeName;
  version?: string | null;
}
/**
 * What the runtime says of itself once it has an adapter; the first part of a run.
 */
export interface EnvironmentPart {
  adapter?: Adapter | null;
  kind: 'environment';
  libraries?: {
    [k: string]: string;
  };
  page?: Page | null;
  runtime_version?: string | null;
  sequence: number;
}
/**
 * The GPU as the runtime names it. `software` is None where nothing tells; `masked` names fields left empty.
 */
export interface Adapter {
  architecture?: string;
  /**
   * adapter requests until one was answered
   */
  attempts?: number;
  backend?: string;
  description?: string;
  device?: string;
  driver?: string;
  fallback?: boolean | null;
  /**
   * @maxItems 200
   */
  features?: string[];
  limits?: {
    [k: string]: number;
  };
  /**
   * @maxItems 20
   */
  masked?: string[];
  software?: boolean | null;
  vendor?: string;
}
/**
 * What the page can see of its own conditions.
 */
export interface Page {
  /**
   * charging, discharging, or null where the browser does not tell
   */
  battery?: string | null;
  /**
   * hash of the page's own files
   */
  build?: string | null;
  focused?: boolean;
  hardware_concurrency?: number | null;
  isolated?: boolean;
  user_agent?: string;
  visible?: boolean;
}
/**
 * One case of a run with everything measured in it.
 *
 * `values` holds a control's readings (units in their names); `repeat` marks the carry-over repetition of the first
 * case; `verified` is the result check by reading the buffer back, None where the case has no result.
 */
export interface CasePart {
  case_id: string;
  duration_ms?: number;
  /**
   * time the page was hidden during the case
   */
  hidden_ms?: number | null;
  kind: 'case';
  reason?: string | null;
  repeat?: boolean;
  sequence: number;
  /**
   * @maxItems 64
   */
  series?: Series[];
  started_us?: number;
  status: 'measured' | 'unsupported' | 'failed' | 'cancelled';
  unfocused_ms?: number | null;
  values?: {
    [k: string]: number | boolean | string | null;
  };
  verified?: boolean | null;
}
/**
 * Samples of one quantity of a case. `label` tells its quantities apart: a phase, a chunk size, before or after.
 */
export interface Series {
  label?: string | null;
  /**
   * N at which the runner saw the line bend upward
   */
  n_bend?: number | null;
  /**
   * @maxItems 20000
   */
  samples: Sample[];
  /**
   * why the ladder ended: narrow, rounds, budget, cancelled, lost
   */
  stopped?: string | null;
}
/**
 * One timed span. Times in microseconds on the runtime's monotonic clock.
 *
 * `start_us` counts from the run's own origin; `encoded_us` runs from the start until the last operation was issued,
 * `done_us` from the start until the work was known to be done; `gpu_us` is a timestamp query's answer.
 */
export interface Sample {
  done_us: number;
  encoded_us: number;
  gpu_us?: number | null;
  /**
   * operations in the span
   */
  n: number;
  /**
   * round of the ladder, from 0
   */
  rep: number;
  /**
   * submit-trace: a time stamp after each operation, from the start
   */
  stamps_us?: number[] | null;
  start_us: number;
  wait: WaitMode;
}
/**
 * Closes a run. `parts` is the number of parts that were sent; fewer in the store make the run `partial`.
 */
export interface Finish {
  parts: number;
  reason?: string | null;
  status: RunStatus;
}
/**
 * A whole run in one document: what a native runner yields, and what a volunteer can download.
 */
export interface Submission {
  finish: Finish;
  /**
   * @maxItems 1000
   */
  parts: (EnvironmentPart | CasePart)[];
  start: RunStart;
}
/**
 * Acknowledges a stored document. `duplicate` says that it was stored before.
 */
export interface Receipt {
  duplicate?: boolean;
  run_id: string;
  sequence?: number | null;
  status: RunStatus;
}
/**
 * How far a run is: what a driver polls, cheaply, instead of asking the page.
 */
export interface Progress {
  last_case?: string | null;
  parts: number;
  run_id: string;
  seconds_since_last_part: number;
  status: RunStatus;
}
/**
 * A run's standing, verdict and estimates.
 */
export interface RunReport {
  carryover_ratio?: number | null;
  estimates?: Estimate[];
  /**
   * median of dispatch and wait, each time
   */
  naive_us?: number | null;
  reason?: string | null;
  run_id: string;
  status: RunStatus;
  verdict?: ('accepted' | 'disturbed' | 'invalid') | null;
  verdict_reasons?: string[];
  /**
   * median wait on an empty queue in the wait mode used
   */
  wait_us?: number | null;
}
/**
 * Per-operation marginal cost of one series. Times in microseconds.
 *
 * `resolved` estimates carry slope, intercept and their 95 % intervals over N in [`n_low`, `n_high`];
 * `unresolved` ones carry the reason: clock, poll, noise, too few, or bent.
 */
export interface Estimate {
  case_id: string;
  detail?: string;
  /**
   * slope of the issuing time alone: the caller's own share
   */
  encode_slope_us?: number | null;
  estimator_version?: string;
  /**
   * slope of the timestamp-query time, where valid
   */
  gpu_slope_us?: number | null;
  intercept_high_us?: number | null;
  intercept_low_us?: number | null;
  intercept_us?: number | null;
  label?: string | null;
  n_bend?: number | null;
  n_high?: number | null;
  n_low?: number | null;
  reason?: ('clock' | 'poll' | 'noise' | 'too few' | 'bent') | null;
  repeat?: boolean;
  /**
   * median absolute residual of the rungs' medians
   */
  residual_us?: number | null;
  rounds?: number;
  slope_high_us?: number | null;
  slope_low_us?: number | null;
  slope_us?: number | null;
  spans?: number;
  /**
   * the reference paper's figure: T(100) / 100
   */
  total_over_100_us?: number | null;
  verdict: 'resolved' | 'unresolved';
  wait: WaitMode;
}
/**
 * Runs, newest first. `before` asks for the next page, None when this was the last.
 */
export interface RunList {
  before?: string | null;
  runs: RunSummary[];
}
/**
 * One line of a list of runs.
 */
export interface RunSummary {
  adapter?: string | null;
  created_at: string;
  finished_at?: string | null;
  origin: Origin;
  parts?: number;
  position?: number | null;
  profile?: string | null;
  reason?: string | null;
  received_at: string;
  run_id: string;
  /**
   * None until a volunteer's environment has arrived
   */
  runtime?: Runtime | null;
  software?: boolean | null;
  status: RunStatus;
  suite: SuiteRef;
  sweep_id?: string | null;
  verdict?: ('accepted' | 'disturbed' | 'invalid') | null;
}
/**
 * Acknowledges a stored sweep.
 */
export interface SweepReceipt {
  duplicate?: boolean;
  sweep_id: string;
}
/**
 * A sweep with its runs in their order.
 */
export interface SweepReport {
  received_at: string;
  runs?: RunSummary[];
  start: SweepStart;
}
/**
 * Sweeps, newest first. `before` asks for the next page, None when this was the last.
 */
export interface SweepList {
  before?: string | null;
  sweeps: SweepLine[];
}
/**
 * One line of a list of sweeps.
 */
export interface SweepLine {
  created_at: string;
  machine: string;
  name?: string | null;
  received_at: string;
  runs: number;
  suite: SuiteRef;
  sweep_id: string;
}
/**
 * Says that the server answers, and which contract it speaks.
 */
export interface Health {
  schema_version: number;
  status?: 'ok';
  version: string;
}
/**
 * Wraps an error.
 */
export interface ErrorAnswer {
  error: ErrorBody;
}
/**
 * The one shape of all JSON errors: a stable code, a sentence, and the fields it is about.
 */
export interface ErrorBody {
  code: string;
  fields?: {
    [k: string]: string;
  }[];
  message: string;
}
/**
 * The runtimes of a sweep for one case, each against a baseline row.
 */
export interface Comparison {
  /**
   * the row chosen for all; None where each is compared with the native library of its family
   */
  baseline?: string | null;
  case_id: string;
  notes?: string[];
  rows: ComparisonRow[];
  sweep_id: string;
}
/**
 * One runtime under one launch profile on one adapter, over all its runs in the sweep. Times in microseconds.
 */
export interface ComparisonRow {
  adapter?: string;
  driver?: string;
  /**
   * stable name of the row: runtime, and profile where it is not automation
   */
  key: string;
  naive_us?: number | null;
  /**
   * why there is no ratio: the two are not comparable, or one is missing
   */
  no_ratio?: string | null;
  /**
   * runs left out of the figures, and why
   */
  notes?: string[];
  /**
   * pooled slope; run-to-run variance is in the interval
   */
  per_operation_us?: Interval | null;
  profile?: string;
  ratio?: Ratio | null;
  /**
   * why the row has no figure
   */
  reason?: string | null;
  run_ids?: string[];
  run_slopes_us?: number[];
  runtime: RuntimeName;
  software?: boolean | null;
  /**
   * runs by status
   */
  statuses?: {
    [k: string]: number;
  };
  total_over_100_us?: number | null;
  /**
   * runs by verdict
   */
  verdicts?: {
    [k: string]: number;
  };
  version?: string | null;
  wait_mode?: WaitMode | null;
  wait_us?: number | null;
}
/**
 * A value with its 95 % interval; the ends are None where there are too few runs for one.
 */
export interface Interval {
  high?: number | null;
  low?: number | null;
  value: number;
}
/**
 * A row against a baseline: Hodges-Lehmann ratio of run estimates. `percent` is the margin of `same`.
 */
export interface Ratio {
  /**
   * key of the row that this one is compared with
   */
  baseline: string;
  /**
   * what differs between the two, never silent
   */
  notes?: string[];
  percent: number;
  ratio: Interval;
  verdict: 'differs' | 'same' | 'insufficient data';
}
/**
 * All waterfalls of a sweep for one case.
 */
export interface Attribution {
  case_id: string;
  notes?: string[];
  sweep_id: string;
  waterfalls: Waterfall[];
}
/**
 * Where the microseconds go, from a native C API up to the last rung, for one implementation family.
 */
export interface Waterfall {
  family: 'dawn' | 'wgpu';
  missing?: string[];
  path: 'python' | 'javascript';
  steps: Step[];
  total_us?: number | null;
}
/**
 * One step of a waterfall: what `to` costs more than `from_`. `from_` None is the base of the waterfall.
 */
export interface Step {
  added_us: Interval;
  from_?: string | null;
  /**
   * of the last rung's cost
   */
  share: number;
  to: string;
  verdict: 'adds' | 'saves' | 'no difference seen' | 'insufficient data';
  what: string;
}
/**
 * The whole of suite.json. Raises ValueError where a case or suite names something that is not there.
 */
export interface SuiteFile {
  cases: Case[];
  kernels: {
    [k: string]: Kernel;
  };
  schema_version: 1;
  suites: {
    [k: string]: Suite;
  };
  workload: Workload;
}
/**
 * One benchmark with its parameters, identified by a stable id.
 */
export interface Case {
  bind_group?: 'reused' | 'switched' | 'created' | 'dynamic';
  buffers?: 'chained' | 'independent';
  features?: string[];
  id: string;
  indirect?: boolean;
  kernel?: string | null;
  kind: CaseKind;
  max_n?: number;
  operation?: ('submit' | 'cmdbufs' | 'passes' | 'dispatches') | null;
  summary: string;
  /**
   * measure GPU time by timestamp query where the adapter has it
   */
  timestamps?: boolean;
  uniform_written?: boolean;
}
/**
 * A WGSL file with what a caller must know of it.
 */
export interface Kernel {
  bytes_per_element: number;
  entry?: string;
  features?: string[];
  file: string;
  type: 'f32' | 'f16' | 'i32';
  uses?: 'storage' | 'uniform' | 'immediates';
}
/**
 * A named list of cases with the limits within which they are measured.
 */
export interface Suite {
  /**
   * longest span; GPU watchdogs kill work beyond seconds
   */
  batch_cap_ms: number;
  /**
   * time after which a ladder stops adding rounds
   */
  case_budget_ms: number;
  /**
   * @minItems 1
   */
  cases: string[];
  max_rounds: number;
  min_rounds: number;
  /**
   * relative half-width of the slope at which a ladder may stop
   */
  narrow: number;
  rungs: number;
  summary: string;
}
/**
 * The reference workload of every case: `elements` values, each invocation adds 1 to one of them.
 *
 * Every runner issues the same calls. `submit`: encoder, pass, set pipeline, set bind group, dispatch, end, finish
 * and submit, N times. `cmdbufs`: the same encoders, submitted `command_buffers_per_submit` at a time. `passes`: one
 * encoder of N passes. `dispatches`: one pass; pipeline and a reused bind group are set once, others per dispatch.
 * `independent` and `dynamic` cases go round a ring of `ring` buffers or offsets, `switched` ones round two.
 */
export interface Workload {
  command_buffers_per_submit?: number;
  elements: number;
  ring?: number;
  workgroup_size: number;
  workgroups: number;
}
