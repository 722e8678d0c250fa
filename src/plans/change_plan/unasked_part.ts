import type { Change } from "../model/change.ts";
import { ChangePlan } from "./change_plan.ts";
import type { Finding } from "../model/finding.ts";

/** Part of a plan that needs no person's approval. */
export interface UnaskedPart {
  /** Changes without objections, as a plan; `undefined` without any. */
  readonly plan: ChangePlan | undefined;
  /** Reason for each omitted change, by `kind id`. */
  readonly left: ReadonlyMap<string, string>;
}

export function entityKey({ kind, id }: Pick<Change, "kind" | "id">): string {
  return `${kind} ${id}`;
}

/**
 * Splits a plan for programs that apply without a person: leaves out changes that a policy denies or wants approved, and
 * those that the platform would refuse.
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
