import fc from "fast-check";
import type { FaultEffects, FaultMatch, FaultRule } from "../../../src/emulator/mod.ts";

const BODIES: readonly unknown[] = [
  undefined,
  "",
  "<html><title>Bad gateway</title></html>",
  "{",
  { message: "Too many requests" },
  { code: "INTERNAL_ERROR", details: "something broke" },
  { errors: [{ errorType: "x", message: "y" }] },
];

const body = fc.constantFrom(...BODIES);
const retryAfter = fc.constantFrom(undefined, 0, 1, 20, 90);

const effects: fc.Arbitrary<FaultEffects> = fc.oneof(
  answer({ status: fc.constant(429), acted: fc.boolean() }),
  answer({ status: fc.constantFrom(500, 502, 503, 504), acted: fc.boolean() }),
  // A refusal is a refusal: the platform does not act on what it calls malformed or forbidden.
  answer({ status: fc.constantFrom(400, 403, 404, 422), acted: fc.constant(false) }),
  // A success that holds no answer: a proxy's page, an empty body.
  answer({ status: fc.constant(200), acted: fc.boolean() }),
  // An answer that forgets the items of its batch.
  fc.boolean().map((acted): FaultEffects => ({
    response: { status: 207, acted, body: { success: [], error: [] } },
  })),
  fc.constantFrom<FaultEffects>(
    { drop: "before" },
    { drop: "after" },
    { truncate: 0 },
    { truncate: 60 },
  ),
  fc.constantFrom<FaultEffects>(
    { expireToken: true },
    { shuffleSuccess: true },
    { emptyPage: true },
    { unknownEnum: { field: "state", value: "FROZEN" } },
    { delay: 7 },
  ),
  fc.record({
    itemErrors: fc.record({
      errorType: fc.constantFrom("throttledError", "internalServerError", "otherError"),
      every: fc.integer({ min: 1, max: 4 }),
      acted: fc.boolean(),
    }),
  }),
);

const match: fc.Arbitrary<FaultMatch> = fc.constantFrom(
  {},
  { path: "/sp/*" },
  { path: "/sb/*" },
  { path: "*/list" },
  { path: "/adsApi/*" },
  { path: "*/query/*" },
  { method: "PUT" },
  { operation: "CreateSponsoredBrandsAdGroups" },
  { operation: "Create*" },
  { operation: "Update*" },
  { operation: "Delete*" },
);

/** One fault: which requests it meets, how often, and what it does to them. */
const rule: fc.Arbitrary<FaultRule> = fc.record({
  match,
  skip: fc.integer({ min: 0, max: 5 }),
  times: fc.integer({ min: 1, max: 4 }),
  every: fc.integer({ min: 1, max: 3 }),
  effects,
});

/** What goes wrong in the course of some work: up to four faults, that may meet the same request. */
export const faultSchedule: fc.Arbitrary<FaultRule[]> = fc.array(rule, { minLength: 1, maxLength: 4 });

/** Schedules that are tried whatever the seed: what goes wrong in one way, to whatever can be done twice. */
export const KNOWN_SCHEDULES: readonly FaultRule[][] = [
  { response: { status: 429, acted: true } },
  { response: { status: 500, acted: true } },
  { response: { status: 200, acted: true, body: "<html></html>" } },
  { response: { status: 207, acted: true, body: { success: [], error: [] } } },
  { drop: "after" },
  { truncate: 60 },
  { itemErrors: { errorType: "throttledError", every: 2, acted: true } },
  { itemErrors: { errorType: "internalServerError", every: 2, acted: true } },
].map((effects) => [{ match: { operation: "Create*" }, times: 2, effects } as FaultRule]);

/**
 * True when the platform says of something it did that it did not: then a verdict may be wrong, while nothing may be
 * done twice all the same.
 */
export function lies(rules: readonly FaultRule[]): boolean {
  return rules.some(({ effects: { response, itemErrors } }) =>
    itemErrors?.acted === true || (response?.acted === true && response.status === 429)
  );
}

function answer(parts: {
  status: fc.Arbitrary<number>;
  acted: fc.Arbitrary<boolean>;
}): fc.Arbitrary<FaultEffects> {
  return fc.record({ ...parts, body, retryAfter }).map((fields) => ({
    response: Object.fromEntries(
      Object.entries(fields).filter(([, value]) => value !== undefined),
    ) as unknown as NonNullable<FaultEffects["response"]>,
  }));
}
