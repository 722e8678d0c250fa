import type { FindingLevel } from "../model/finding.ts";
import { Unread } from "../model/prior_state.ts";
import type { EntityFigures } from "../review/estimate_money.ts";
import { inheritsBid } from "../state/amounts.ts";
import type { WriteTotals } from "../state/day_totals.ts";
import type { CompiledRule, RuleFacts, RuleVerdict } from "./cel_rules.ts";
import type { EntityFacts } from "./entity_facts.ts";
import { isBrake, type JudgedChange, type JudgedDay, relativeMove } from "./judged_change.ts";

export function ruleFacts(
  judged: JudgedChange,
  shared: Pick<RuleFacts, "market" | "plan" | "today">,
  { figures, ...day }: JudgedDay & { figures: ReadonlyMap<string, EntityFigures> | undefined },
): RuleFacts {
  const { change, op, campaign, campaignUnknown, fields, step: { bid } } = judged;
  const inherits = inheritsBid(change.kind);
  const before = inherits && op !== "create" ? withBid(judged.before, bid.before) : judged.before;
  const after = inherits ? withBid(judged.after, bid.after) : judged.after;
  const move = relativeMove(judged, day);
  return {
    ...shared,
    change: withIncrease({
      kind: change.kind,
      op,
      label: change.label,
      fields,
      campaignUnknown,
      bidUnknown: inherits && (bid.before instanceof Unread || bid.after instanceof Unread),
      ...(change.id === null ? {} : { id: change.id }),
      ...(after.campaignId === undefined ? {} : { campaignId: after.campaignId }),
    }, move),
    before: { ...before },
    after: { ...after },
    entity: { ...before },
    ...(campaign === undefined ? {} : { campaign: { ...campaign } }),
    figures: figures?.get(change.id ?? "") ?? {},
  };
}

/** Reading an unknown move throws, so that no rule mistakes it for no change. */
function withIncrease(
  facts: RuleFacts["change"],
  increase: number | undefined | Unread,
): RuleFacts["change"] {
  if (increase === undefined) return facts;
  if (typeof increase === "number") return { ...facts, increase };
  return Object.defineProperty({ ...facts }, "increase", {
    get: (): never => {
      throw new Error(`the size of this change is unknown, because ${increase.why}`);
    },
  });
}

function withBid(facts: EntityFacts, bid: number | undefined | Unread): EntityFacts {
  return typeof bid === "number" ? { ...facts, bid } : facts;
}

export function knownTotals(totals: WriteTotals): Record<string, number> {
  const { spendIncrease, changes, creates, updates, archives } = totals;
  return { changes, creates, updates, archives, ...(spendIncrease === undefined ? {} : { spendIncrease }) };
}

const MAX_MS = 1000;

interface RuleFinding {
  readonly rule: string;
  readonly level: FindingLevel;
  readonly code: "POLICY_RULE" | "POLICY_RULE_FAILED";
  readonly message: string;
  readonly hint?: string;
}

/** A rule that fails denies changes that may raise spend. */
export function judgeByRules(
  rules: readonly CompiledRule[],
  { facts, judged }: { readonly facts: RuleFacts; readonly judged: JudgedChange },
): RuleFinding[] {
  const found: RuleFinding[] = [];
  const began = performance.now();
  for (const rule of rules) {
    const kinds = [judged.change.kind, judged.whole.change.kind];
    if (rule.kinds !== undefined && !kinds.some((kind) => rule.kinds!.includes(kind))) continue;
    // A call has no bid and no budget of its own: only rules that are meant for calls judge it.
    if (judged.op === "call" && !rule.ops?.includes("call") && !rule.kinds?.includes("call")) continue;
    if (rule.ops !== undefined && !rule.ops.includes(judged.op)) continue;
    const verdict = rule.judge(facts);
    if (verdict === "passes" || typeof verdict === "object" && verdict.isUnknown && isBrake(judged)) continue;
    found.push(findingOf(rule, verdict));
  }
  const took = performance.now() - began;
  if (took > MAX_MS) found.push(tooSlow(rules, facts));
  return found;
}

function findingOf(rule: CompiledRule, verdict: Exclude<RuleVerdict, "passes">): RuleFinding {
  const { name, level, message } = rule;
  if (verdict === "matches") return { rule: name, level, code: "POLICY_RULE", message };
  return {
    rule: name,
    level: "deny",
    code: "POLICY_RULE_FAILED",
    message: `rule "${name}" cannot judge this change: ${verdict.failed}`,
    hint: verdict.failed.startsWith("figures.")
      ? "Sync a report store and name it, or write has(...) before the figure"
      : /^campaign|, because /.test(verdict.failed)
      ? "Changes that cannot be checked are not sent. Try again later, or leave this one out"
      : "Changes that cannot be checked are not sent. Correct the rule",
  };
}

function tooSlow(rules: readonly CompiledRule[], facts: RuleFacts): RuleFinding {
  const timed = rules.map((rule) => {
    const began = performance.now();
    rule.judge(facts);
    return { rule, took: performance.now() - began };
  }).toSorted((a, b) => b.took - a.took);
  const slowest = timed[0]?.rule.name ?? "";
  return {
    rule: slowest,
    level: "deny",
    code: "POLICY_RULE_FAILED",
    message: `the rules took more than ${MAX_MS} ms for this change, mostly in rule "${slowest}"`,
    hint: "Changes that cannot be checked are not sent. Simplify the rule",
  };
}
