import { hintFor } from "../../batch/hint.ts";
import type { Change } from "../../plans/change.ts";
import { isChangeRef } from "../../plans/graph/change_ref.ts";
import type { Fields } from "../wire/resource_wire.ts";
import type { Finding } from "../../plans/finding.ts";
import { archives, ClosingParents } from "./closing_parents.ts";
import { displayProductProblems } from "./display_rules.ts";
import { bidProblems, budgetProblems } from "./money_rules.ts";
import { dateProblems, placeProblems, portfolioProblems } from "./place_rules.ts";
import { predicateProblems } from "./predicate_rules.ts";
import type { CheckedChange, PreflightContext, PreflightRule, Problem } from "./problem.ts";
import { expressionProblems, keywordProblems, productProblems, shapeProblems } from "./shape_rules.ts";

const RULES: readonly PreflightRule[] = [
  shapeProblems,
  keywordProblems,
  expressionProblems,
  productProblems,
  predicateProblems,
  displayProductProblems,
  bidProblems,
  budgetProblems,
  dateProblems,
  portfolioProblems,
  placeProblems,
];

/** What the platform would say to the changes of a plan, said before they are sent. */
export interface Preflight {
  /** The changes that are worth sending: new entities that are there already are left out. */
  readonly changes: readonly Change[];
  /** What is wrong with them, by their positions. */
  readonly findings: readonly Finding[];
  /** Those that are left out, by their position before: the id of what is there. */
  readonly left: ReadonlyMap<number, string>;
}

/** What earlier levels of a plan do. */
export interface EarlierLevels {
  /** What they create, by name. */
  readonly planned: Map<string, Fields>;
  /** What they archive, by kind and id. */
  readonly archived: Set<string>;
}

/**
 * Checks changes against the platform's rules and the account as it is. Sends nothing.
 *
 * @param earlier What earlier levels do; what these changes do is added.
 */
export function preflight(
  changes: readonly Change[],
  { account, ...rules }: PreflightContext,
  { planned, archived }: EarlierLevels = { planned: new Map(), archived: new Set() },
): Preflight {
  const kept: Change[] = [];
  const left = new Map<number, string>();
  const held = new Set<string>();
  const context: PreflightContext = {
    ...rules,
    account: {
      ...account,
      entity: (kind, id) => isChangeRef(id) ? planned.get(id.ref) : account.entity(kind, id),
      holds: (kind, id) => account.holds(kind, id) || held.has(`${kind} ${placeText(id)}`),
    },
  };
  const closing = new ClosingParents(changes, archived);
  for (const change of changes.filter(archives)) {
    const checked = look(change, context);
    if (!RULES.some((rule) => rule(checked, context).some(isSure))) closing.add(change);
  }
  for (const key of closing.keys) archived.add(key);
  const findings: Finding[] = [];
  const names: PlannedNames = { taken: new Set(), left: new Set() };
  for (const [at, change] of changes.entries()) {
    const checked = look(change, context);
    const problems = RULES.flatMap((rule) => rule(checked, context));
    if (!problems.some(isSure)) problems.push(...closing.problems(checked, context));
    const rival = rivalOf(checked, context, { names, isRefused: problems.some(isSure) });
    const id = rival === "there" ? account.equalOf(checked.spec, checked.next) : undefined;
    if (id !== undefined && problems.length === 0) {
      findings.push(alreadyThere(checked, id));
      left.set(at, id);
      continue;
    }
    if (change.op === "create") {
      if (change.ref !== undefined) planned.set(change.ref, checked.next);
      // What is itself refused holds no place that another needs.
      if (!problems.some(isSure)) held.add(`${change.kind} ${placeText(checked.next["adGroupId"])}`);
    }
    if (rival !== undefined && rival !== "there") problems.push(rival);
    for (const problem of problems) findings.push(finding(problem, kept.length));
    kept.push(change);
  }
  return { changes: kept, findings, left };
}

/** A parent as a key: its id, or the name of the change that creates it. */
function placeText(id: unknown): string {
  return isChangeRef(id) ? `new ${id.ref}` : String(id);
}

function look(change: Change, { account, specOf }: PreflightContext): CheckedChange {
  const spec = specOf(change.kind);
  const entity = change.op === "create" ? undefined : account.entity(change.kind, change.id);
  const next = change.op === "archive" ? { ...entity } : { ...entity, ...change.after };
  return { change, spec, entity, next };
}

/** What earlier changes of the plan do to names, and to all else that no two entities may share. */
interface PlannedNames {
  /** Taken by a new or renamed entity. */
  readonly taken: Set<string>;
  /** Left by an entity that is renamed. */
  readonly left: Set<string>;
}

/** What a change would come to equal: an entity that is there, or one that an earlier change makes. */
function rivalOf(
  { change, spec, entity, next }: CheckedChange,
  { account }: PreflightContext,
  { names, isRefused }: { names: PlannedNames; isRefused: boolean },
): Problem | "there" | undefined {
  const { identity } = spec;
  const isNamed = change.op === "create" || (change.op === "update" && "name" in change.after);
  if (identity === undefined || !isNamed) return undefined;
  const key = `${spec.kind} ${identity(next)}`;
  if (names.taken.has(key)) {
    const message = `The plan makes a ${spec.noun} that equals an earlier one`;
    return { code: "DUPLICATE_VALUE", message, hint: "Leave one of the two out" };
  }
  const id = account.equalOf(spec, next);
  // Updates are sent in order, so that an earlier one may have left the name.
  const isLeft = change.op === "update" && names.left.has(key);
  if (id === undefined || id === change.id || isLeft) {
    if (isRefused) return undefined;
    names.taken.add(key);
    const before = entity === undefined ? key : `${spec.kind} ${identity(entity)}`;
    if (before !== key) names.left.add(before);
    return undefined;
  }
  if (change.op === "create") return "there";
  return { code: "NAME_NOT_UNIQUE", message: `The ${spec.noun} ${id} has that name already` };
}

/** True for what the platform surely refuses. */
function isSure({ refused = true }: Problem): boolean {
  return refused;
}

function alreadyThere({ change, spec }: CheckedChange, id: string): Finding {
  return {
    code: "ALREADY_THERE",
    level: "note",
    message: `The ${spec.noun} ${change.label} is there already, ${id}: it is left out`,
    hint: "Plan an update where it should be different",
  };
}

function finding(
  { code, message, allowed, hint = hintFor(code, ""), refused = true }: Problem,
  at: number,
): Finding {
  return {
    code,
    level: "advise",
    change: at,
    message,
    ...(allowed === undefined ? {} : { allowed }),
    ...(hint === undefined ? {} : { hint }),
    ...(refused ? { refused } : {}),
  };
}
