import type { Change } from "../model/change.ts";
import { ChangePlan } from "./change_plan.ts";
import type { Finding } from "../model/finding.ts";

/** The part of a plan that needs no person. */
export interface UnaskedPart {
  /** Changes that nothing speaks against, as a plan; `undefined` where there are none. */
  readonly plan: ChangePlan | undefined;
  /** Reason for each change that is left out, by `kind id`. */
  readonly left: ReadonlyMap<string, string>;
}

/** `kind id` of a change. */
export function entityKey({ kind, id }: Pick<Change, "kind" | "id">): string {
  return `${kind} ${id}`;
}

/**
 * Splits a plan for programs that apply without a person: changes that a policy denies or wants a person for, and those
 * that the platform would refuse, are left out.
 *
 * @param options.own Findings beside those of the plan. @default none
 * @param options.warningsAsk True to leave out what default warnings want a person for, too. @default false
 */
export function unaskedPart(
  built: ChangePlan,
  { own = [], warningsAsk = false }: {
    readonly own?: readonly Finding[];
    readonly warningsAsk?: boolean;
  } = {},
): UnaskedPart {
  const left = new Map<string, string>();
  for (const finding of [...built.findings, ...own]) {
    if (!stops(finding, warningsAsk)) continue;
    // What speaks against the whole plan stops all of it.
    const changes = finding.change === undefined
      ? built.changes
      : built.changes.slice(finding.change, finding.change + 1);
    for (const change of changes) left.set(entityKey(change), `${finding.message} (${finding.code})`);
  }
  return { plan: partOf(built, (change) => !left.has(entityKey(change))), left };
}

/** A plan of some changes of another; the other itself where all are wanted, `undefined` where none is. */
export function partOf(built: ChangePlan, isWanted: (change: Change) => boolean): ChangePlan | undefined {
  const changes = built.changes.filter(isWanted);
  if (changes.length === 0) return undefined;
  if (changes.length === built.changes.length) return built;
  const { id: _id, fingerprint: _fingerprint, findings: _findings, money: _money, ...fields } = built;
  return new ChangePlan({ ...fields, changes });
}

function stops({ code, level, refused }: Finding, warningsAsk: boolean): boolean {
  return refused === true ||
    ((warningsAsk || /^POLICY/.test(code)) && (level === "deny" || level === "approve"));
}
