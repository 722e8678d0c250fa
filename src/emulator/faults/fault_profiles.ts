import type { FaultRule } from "./fault_rule.ts";

/** A named set of faults: `calm` has none, `busy-day` throttles and is slow, `storm` has everything at once. */
export type FaultProfileName = "calm" | "busy-day" | "storm";

const CREATE_REPORT = { operation: "reporting:createAsyncReport" };
const FILES = { path: "/files/*" };
const HTML = "<html><body><h1>503 Service Unavailable</h1></body></html>";

const BUSY_DAY: readonly FaultRule[] = [
  { name: "busy: undocumented, changing limits", effects: { requestsPerSecond: 20 } },
  {
    name: "busy: throttled for a second",
    probability: 0.06,
    effects: { response: throttled({ retryAfter: 1 }) },
  },
  { name: "busy: slow", probability: 0.1, effects: { delay: 0.2 } },
  {
    name: "busy: single items throttled",
    match: { method: "POST" },
    probability: 0.05,
    effects: { itemErrors: { errorType: "throttledError", every: 7 } },
  },
  {
    name: "busy: suggested bids throttled hardest",
    match: { path: "/sp/targets/bid/recommendations" },
    probability: 0.3,
    effects: { response: throttled({}) },
  },
  {
    name: "busy: report creation throttled",
    match: CREATE_REPORT,
    probability: 0.2,
    effects: { response: throttled({}) },
  },
  {
    name: "busy: some reports take minutes",
    match: CREATE_REPORT,
    every: 4,
    effects: { reportSeconds: 120 },
  },
];

const STORM: readonly FaultRule[] = [
  { name: "storm: throttled, without Retry-After", probability: 0.06, effects: { response: throttled({}) } },
  {
    name: "storm: throttled for a second",
    probability: 0.04,
    effects: { response: throttled({ retryAfter: 1 }) },
  },
  {
    name: "storm: unavailable, in HTML",
    probability: 0.04,
    effects: { response: { status: 503, body: HTML } },
  },
  {
    name: "storm: internal error",
    probability: 0.03,
    effects: { response: { status: 500, body: { code: "INTERNAL_ERROR", message: "Internal error" } } },
  },
  { name: "storm: cut before acting", probability: 0.03, effects: { drop: "before" } },
  { name: "storm: cut after acting", probability: 0.03, effects: { drop: "after" } },
  {
    name: "storm: carried out, response 504",
    probability: 0.02,
    effects: { response: { status: 504, body: { message: "Endpoint request timed out" }, acted: true } },
  },
  { name: "storm: body cut short", probability: 0.02, effects: { truncate: 60 } },
  { name: "storm: tokens expire", probability: 0.01, effects: { expireToken: true } },
  {
    name: "storm: single items throttled",
    probability: 0.08,
    effects: { itemErrors: { errorType: "throttledError", every: 5 } },
  },
  {
    name: "storm: single items fail with an internal error",
    probability: 0.04,
    effects: { itemErrors: { errorType: "internalServerError", every: 9 } },
  },
  { name: "storm: an empty page", probability: 0.1, effects: { emptyPage: true } },
  {
    name: "storm: report accepted, response 429",
    match: CREATE_REPORT,
    probability: 0.2,
    effects: { acceptedBut429: true },
  },
  {
    name: "storm: report fails",
    match: CREATE_REPORT,
    probability: 0.05,
    effects: { reportOutcome: "FAILED" },
  },
  { name: "storm: report is slow", match: CREATE_REPORT, probability: 0.2, effects: { reportSeconds: 90 } },
  { name: "storm: file spoiled", match: FILES, probability: 0.1, effects: { corruptGzip: true } },
  { name: "storm: file cut short", match: FILES, probability: 0.1, effects: { truncate: 500 } },
  {
    name: "storm: file host unavailable",
    match: FILES,
    probability: 0.1,
    effects: { response: { status: 503 } },
  },
];

/**
 * The rules of each named set of faults.
 *
 * @example
 * ```ts
 * import { type Emulator, FAULT_PROFILES } from "@platform/ads/emulator";
 *
 * function worseThanStorm(emulator: Emulator): void {
 *   emulator.setFaults([...FAULT_PROFILES.storm, { probability: 0.5, effects: { response: { status: 503 } } }]);
 * }
 * ```
 */
export const FAULT_PROFILES: Readonly<Record<FaultProfileName, readonly FaultRule[]>> = {
  "calm": [],
  "busy-day": BUSY_DAY,
  "storm": STORM,
};

/** @throws {RangeError} listing the known names. */
export function faultProfile(name: string): readonly FaultRule[] {
  if (Object.hasOwn(FAULT_PROFILES, name)) return FAULT_PROFILES[name as FaultProfileName];
  const known = Object.keys(FAULT_PROFILES).join(", ");
  throw new RangeError(`Cannot find the fault profile "${name}". Expected one of ${known}`);
}

function throttled(headers: { retryAfter?: number }): NonNullable<FaultRule["effects"]["response"]> {
  return { status: 429, body: { code: "THROTTLED", message: "Too Many Requests" }, ...headers };
}
