import type { ApiHost } from "../core/marketplaces.ts";
import { Random } from "../core/random.ts";
import { ensureMatchable } from "./parse_fault_rules.ts";
import type { FaultEffects, FaultMatch, FaultResponse, FaultRule } from "./fault_rule.ts";

export interface FaultSubject {
  readonly operation: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly host: ApiHost | undefined;
  readonly profileId: string | undefined;
}

export type Faults = FaultEffects;

/** A fault rule with its counters. */
export interface CountedRule extends FaultRule {
  /** Number of requests it matched. */
  readonly seen: number;
  /** Number of requests it acted on. */
  readonly acted: number;
}

export class FaultEngine {
  #rules: { readonly rule: FaultRule; seen: number; acted: number }[] = [];
  #kept = false;
  #random: Random;
  readonly #seed: string;

  /** The seed makes rules with a probability reproducible. */
  constructor(seed: string) {
    this.#seed = seed;
    this.#random = new Random(seed);
  }

  /**
   * Replaces all rules and resets their counts.
   *
   * @param options.keep True if the rules survive a restart of the emulator.
   * @throws {RangeError} when a rule can never match.
   */
  setRules(rules: readonly FaultRule[], { keep = false }: { keep?: boolean } = {}): void {
    ensureMatchable(rules);
    this.#rules = rules.map((rule) => ({ rule: renamed(rule), seen: 0, acted: 0 }));
    this.#random = new Random(this.#seed);
    this.#kept = keep;
  }

  resume(rules: readonly CountedRule[]): void {
    this.#rules = rules.map(({ seen, acted, ...rule }) => ({ rule: renamed(rule), seen, acted }));
    this.#kept = true;
  }

  get kept(): boolean {
    return this.#kept;
  }

  report(): CountedRule[] {
    return this.#rules.map(({ rule, seen, acted }) => ({ ...rule, seen, acted }));
  }

  /** Later rules override earlier ones. */
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

/** Accepts `answer` for `response`, as in files and states of earlier versions. */
function renamed(rule: FaultRule): FaultRule {
  const { answer, ...effects }: FaultEffects & { answer?: FaultResponse } = rule.effects;
  return answer === undefined ? rule : { ...rule, effects: { ...effects, response: answer } };
}

/** A rule without operation and path applies to API hosts but not to the file host. */
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
