import type { Change } from "../../plans/change.ts";
import { isArchived } from "../fields/is_archived.ts";
import type { CheckedChange, PreflightContext, Problem } from "./problem.ts";

/**
 * What a plan archives, and when: changes of one level are sent by operation and kind, in the order in which each first
 * appears. What is in an archived parent is refused afterwards, and of no effect before.
 */
export class ClosingParents {
  /** Place in the order of sending by kind and id; -1 for what an earlier level archives. */
  readonly #closed: Map<string, number>;
  readonly #order = new Map<string, number>();

  /**
   * @param changes Those of a level.
   * @param earlier What earlier levels archive; what this one does is added once it was asked about.
   */
  constructor(changes: readonly Change[], earlier: ReadonlySet<string>) {
    this.#closed = new Map([...earlier].map((key) => [key, -1]));
    for (const change of changes) {
      const group = groupOf(change);
      if (!this.#order.has(group)) this.#order.set(group, this.#order.size);
    }
  }

  /** Counts a change that archives, and is not refused itself. */
  add(change: Change): void {
    if (change.id === null || !archives(change)) return;
    this.#closed.set(`${change.kind} ${change.id}`, this.#order.get(groupOf(change)) ?? 0);
  }

  /** What the plan archives, by kind and id, for the levels after this one. */
  get keys(): ReadonlySet<string> {
    return new Set(this.#closed.keys());
  }

  /** What is wrong with a change because of a parent that the plan archives. */
  problems(checked: CheckedChange, { specOf }: Pick<PreflightContext, "specOf">): Problem[] {
    const { change, spec, entity, next } = checked;
    if (entity !== undefined && isArchived(entity)) return [];
    const rank = this.#order.get(groupOf(change)) ?? 0;
    for (const [field, kind] of Object.entries(spec.parents)) {
      const id = next[field];
      const closed = this.#closed.get(`${kind} ${id}`);
      if (closed === undefined) continue;
      const name = `${specOf(kind).noun} ${id}`;
      const hint = "Leave one of the two out, or make a plan for each";
      if (closed < rank) {
        const code = change.op === "create" ? "PARENT_ENTITY_ARCHIVED" : "PARENT_ARCHIVED_FORBIDS_UPDATES";
        return [{ code, message: `The plan archives its ${name} before`, hint }];
      }
      if (archives(change)) continue;
      const message = `The plan archives its ${name} afterwards, so that this has no effect`;
      return [{ code: "PARENT_IS_ARCHIVED_AFTERWARDS", message, hint, refused: false }];
    }
    return [];
  }
}

/** True for a change after which the entity is archived. */
export function archives({ op, after }: Change): boolean {
  return op === "archive" || op === "update" && String(after["state"]).toUpperCase() === "ARCHIVED";
}

function groupOf({ op, kind }: Change): string {
  return `${op} ${kind}`;
}
