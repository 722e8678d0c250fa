import { frozenJson } from "../../internal/frozen_json.ts";
import type { Change } from "../change.ts";
import { CompactChanges, isCompact } from "./compact_changes.ts";

/** Changes that are kept as they are; more than that are kept in less memory, and made when they are read. */
export const MAX_PLAIN = 20_000;

/** Gathers the changes of a plan: copied, so that nothing can be altered between review and sending. */
export class GatheredChanges {
  #plain: Change[] = [];
  #compact: CompactChanges | undefined;
  #length = 0;

  /** Number of changes. */
  get length(): number {
    return this.#length;
  }

  /**
   * Adds a change.
   *
   * @throws {TypeError} when it holds a value that JSON cannot, or has no id although its entity exists.
   */
  add(change: Change): void {
    const at = this.#length;
    if (change.op !== "create" && change.op !== "call" && typeof change.id !== "string") {
      throw new TypeError(`Cannot plan change ${at}: an ${change.op} needs the id of its entity`);
    }
    if (this.#compact === undefined && at === MAX_PLAIN) {
      this.#compact = new CompactChanges();
      for (const earlier of this.#plain) this.#compact.add(earlier);
      this.#plain = [];
    }
    if (this.#compact === undefined) this.#plain.push(frozenJson(change, `change ${at}`));
    else this.#compact.add(change);
    this.#length += 1;
  }

  /** The changes in their order. None can be added any more. */
  list(): readonly Change[] {
    return this.#compact?.list() ?? Object.freeze(this.#plain);
  }
}

/** Freezes changes as a list; one that was frozen here is not copied again. */
export function gatherChanges(changes: readonly Change[]): readonly Change[] {
  if (isCompact(changes)) return changes;
  const gathered = new GatheredChanges();
  for (const change of changes) gathered.add(change);
  const list = gathered.list();
  return Object.isFrozen(changes) && list.every((change, at) => change === changes[at]) ? changes : list;
}
