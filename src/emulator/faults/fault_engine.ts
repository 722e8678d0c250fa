import type { ApiHost } from "../core/api_host.ts";
import { Random } from "../core/random.ts";
import { ensureMatchable } from "./parse_fault_rules.ts";
import type { FaultEffects, FaultMatch, FaultResponse, FaultRule } from "./fault_rule.ts";

/** Facts of a request for rules. */
export interface FaultSubject {
  /** Operation id, when the path is served. */
  readonly operation: string | undefined;
  readonly method: string;
  /** Path below the host. */
  readonly path: string;
  readonly host: ApiHost | undefined;
  /** Profile id of the scope header. */
  readonly profileId: string | undefined;
}

/** The effects chosen for one request. */
export type Faults = FaultEffects;

/** A fault rule with its counters. */
export interface CountedRule extends FaultRule {
  /** Requests it matched. */
  readonly seen: number;
  /** Requests it acted on. */
  readonly acted: number;
}

/** Chooses, request by request, which fault rules act. */
export class FaultEngine {
  #rules: { readonly rule: FaultRule; seen: number; acted: number }[] = [];
  #kept = false;
  #random: Random;
  readonly #seed: string;

  /** Starts without rules; the seed makes rules with a probability repeatable. */
  constructor(seed: string) {
    this.#seed = seed;
    this.#random = new Random(seed);
  }

  /**
   * Puts these rules in place of all others and starts their counts afresh.
   *
   * @param options `keep`: whether the rules are to outlive the emulator's process.
   * @throws {RangeError} when no request can match one of them.
   */
  setRules(rules: readonly FaultRule[], { keep = false }: { keep?: boolean } = {}): void {
    ensureMatchable(rules);
    this.#rules = rules.map((rule) => ({ rule: renamed(rule), seen: 0, acted: 0 }));
    this.#random = new Random(this.#seed);
    this.#kept = keep;
  }

  /** Goes on with rules that a former process kept. */
  resume(rules: readonly CountedRule[]): void {
    this.#rules = rules.map(({ seen, acted, ...rule }) => ({ rule: renamed(rule), seen, acted }));
    this.#kept = true;
  }

  /** True if the rules outlive the emulator's process. */
  get kept(): boolean {
    return this.#kept;
  }

  report(): CountedRule[] {
    return this.#rules.map(({ rule, seen, acted }) => ({ ...rule, seen, acted }));
  }

  /** The effects for a request: those of every rule that acts, a later rule winning over an earlier one. */
  choose(subject: FaultSubject): Faults {
    let effects: Faults = {};
    for (const entry of this.#rules) {
      const { rule } = entry;
      if (!matches(rule.match ?? {}, subject)) continue;
      entry.seen++;
      const turn = entry.seen - (rule.skip ?? 0);
      if (turn < 1 || turn % (rule.every ?? 1) !== 0) continue;
      if (entry.acted >= (rule.times ?? Infinity)) continue;
      if (!this.#random.chance(rule.probability ?? 1)) continue;
      entry.acted++;
      effects = { ...effects, ...rule.effects };
    }
    return effects;
  }
}

/** A rule as it is written now: rules of earlier versions, in files and states, say `answer` for `response`. */
function renamed(rule: FaultRule): FaultRule {
  const { answer, ...effects }: FaultEffects & { answer?: FaultResponse } = rule.effects;
  return answer === undefined ? rule : { ...rule, effects: { ...effects, response: answer } };
}

/** A rule that names neither operation nor path is about the API's hosts, not about the host of report files. */
function matches(match: FaultMatch, subject: FaultSubject): boolean {
  if (subject.host === undefined && match.operation === undefined && match.path === undefined) return false;
  return (match.operation === undefined || isOperation(match.operation, subject.operation)) &&
    (match.path === undefined || fits(match.path, subject.path)) &&
    (match.method === undefined || match.method.toUpperCase() === subject.method) &&
    (match.profileId === undefined || match.profileId === subject.profileId) &&
    (match.region === undefined || match.region === subject.host);
}

function isOperation(pattern: string, operation: string | undefined): boolean {
  if (operation === undefined) return false;
  return fits(pattern, operation) || fits(pattern, operation.slice(operation.indexOf(":") + 1));
}

function fits(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  if (parts.length === 1) return pattern === text;
  const first = parts[0]!;
  const last = parts[parts.length - 1]!;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) {
    return false;
  }
  let position = first.length;
  for (const part of parts.slice(1, -1)) {
    position = text.indexOf(part, position);
    if (position < 0) return false;
    position += part.length;
  }
  return position <= text.length - last.length;
}
