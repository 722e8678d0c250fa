import type { Change } from "../model/change.ts";
import { ChangePlan } from "./change_plan.ts";
import type { Finding } from "../model/finding.ts";

export interface UnaskedPart {
  readonly plan: ChangePlan | undefined;
  readonly left: ReadonlyMap<string, string>;
}

export function entityKey({ kind, id }: Pick<Change, "kind" | "id">): string {
  return `${kind} ${id}`;
}

/**
 * For unattended programs: drops changes that a policy denies or wants approved, and those that the platform would
 * reject.
 *
 * @param options.own Additional findings.
 * @param options.warningsAsk True to also drop changes whose default warnings need a person.
 * @default false
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
