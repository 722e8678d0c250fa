import { ChangePlan } from "../change_plan/change_plan.ts";
import { highestLevel } from "../model/finding.ts";
import type { EntityFields } from "../model/change.ts";
import { familyOf, type PriorState } from "../model/prior_state.ts";
import { ConfigurationError } from "../../errors.ts";
import { NO_TOTALS } from "../state/day_totals.ts";
import { parseCases } from "./parse_policy.ts";
import type { Policy } from "./policy.ts";
import type { PolicyCase } from "./policy_document.ts";

/** Result of one test case of a policy. */
export interface PolicyTestResult {
  /** Name of the case. */
  readonly name: string;
  /** True when the policy judged as expected. */
  readonly ok: boolean;
  /** Expected result: a level, or `pass`. */
  readonly expected: string;
  /** Result of the policy. */
  readonly actual: string;
  /** Messages of its findings. */
  readonly messages: readonly string[];
}

/**
 * Runs the cases of a policy's tests.
 *
 * @param text Text of the file with the key `tests`: the policy file itself, or another.
 * @param options.source Name of that file, for messages.
 * @throws {ConfigurationError} if the cases cannot be read, or there are none.
 *
 * @example
 * ```ts
 * import { parsePolicy, testPolicy } from "@platform/ads/policy";
 *
 * const text = `
 * version: 1
 * max_bid: 2.5
 * tests:
 *   - { name: too high, kind: sp.keywords, entity: { bid: 1 }, after: { bid: 3 }, expect: deny }
 * `;
 * for (const { name, ok, actual } of testPolicy(parsePolicy(text), text)) console.log(name, ok, actual);
 * // too high true deny by max_bid
 * ```
 */
export function testPolicy(
  policy: Policy,
  text: string,
  options: { readonly source?: string } = {},
): PolicyTestResult[] {
  const source = options.source ?? "the tests";
  const cases = parseCases(text, source);
  if (cases.length === 0) {
    throw new ConfigurationError(`Cannot test by ${source}: it has no cases under "tests"`);
  }
  return cases.map((one) => runCase(policy, one));
}

const SPEND_RULE = "max_spend_increase_per_day";

function runCase(policy: Policy, one: PolicyCase): PolicyTestResult {
  const { kind, op, market, entity, after } = one;
  const id = op === "create" ? null : one.id ?? "1";
  const campaignId = String(
    entity["campaignId"] ?? after["campaignId"] ?? one.campaign?.["campaignId"] ?? "campaign",
  );
  const change = { kind, op, id, before: {}, after, label: one.name, campaignId };
  const plan = new ChangePlan({ profileId: "test", countryCode: market, changes: [change] });
  const family = familyOf(kind);
  const adGroup = { campaignId, ...one.ad_group };
  const there = new Map<string, EntityFields>([
    [`${family}.campaigns`, { campaignId, ...one.campaign }],
    [`${family}.ad_groups`, adGroup],
    [kind, op === "create" ? {} : { campaignId, ...entity }],
  ]);
  const account: PriorState = {
    entity: (of) => there.get(of),
    below: () => ({ highestBid: one.highest_bid_below, of: "a keyword" }),
  };
  const figures = one.figures === undefined ? undefined : new Map([[id ?? "", numbersOf(one.figures)]]);
  const findings = policy.check(plan, {
    account,
    figures,
    today: { ...NO_TOTALS, ...numbersOf(one.today ?? {}) },
    now: one.at === undefined ? Date.now() : Date.parse(one.at),
  });
  // A case without figures says nothing about spend, so a limit of spend judges only cases that have them.
  const judges = (rule: string | undefined): boolean =>
    one.rule === undefined ? rule !== SPEND_RULE || figures !== undefined : rule === one.rule;
  const wanted = findings.filter(({ rule }) => judges(rule));
  const level = highestLevel(wanted);
  const actual = level === undefined || level === "note" ? "pass" : level;
  return {
    name: one.name,
    ok: actual === one.expect,
    expected: one.rule === undefined ? one.expect : `${one.expect} by ${one.rule}`,
    actual: actual === "pass" ? "pass" : `${actual} by ${wanted.map(({ rule }) => rule).join(", ")}`,
    messages: findings.map(({ message }) => message),
  };
}

function numbersOf(fields: Readonly<Record<string, unknown>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => typeof value === "number" ? [[name, value]] : []),
  );
}
