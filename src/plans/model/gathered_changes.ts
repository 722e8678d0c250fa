import { frozenJson, frozenPart, isFrozenJson } from "../../base/json/frozen_json.ts";
import type { Change, EntityFields } from "./change.ts";

/** Different values that are found again; of a plan with more, further ones are kept apart. */
const MAX_KNOWN = 100_000;

/** Lists that were gathered here, which need no copy. */
const gathered = new WeakSet<readonly Change[]>();

/** Gathers the changes of a plan: copied, so that nothing can be altered between review and sending; equal values once. */
export class GatheredChanges {
  readonly #changes: Change[] = [];
  readonly #values = new Map<string, EntityFields>();

  get length(): number {
    return this.#changes.length;
  }

  /**
   * Adds a change.
   *
   * @throws {TypeError} when it holds a value that JSON cannot, or has no id although its entity exists.
   */
  add(change: Change): void {
    const what = `change ${this.#changes.length}`;
    if (change.op !== "create" && change.op !== "call" && typeof change.id !== "string") {
      throw new TypeError(`Cannot plan ${what}: an ${change.op} needs the id of its entity`);
    }
    if (isFrozenJson(change)) {
      this.#changes.push(change);
      return;
    }
    const before = this.#once(change.before, `${what}.before`);
    const after = this.#once(change.after, `${what}.after`);
    this.#changes.push(frozenJson({ ...change, before, after }, what, [before, after]));
  }

  /** The changes in their order. None can be added any more. */
  list(): readonly Change[] {
    gathered.add(this.#changes);
    return Object.freeze(this.#changes);
  }

  /** The value, or an equal one that is here already. */
  #once(value: EntityFields, what: string): EntityFields {
    const frozen = frozenPart(value, what);
    const key = JSON.stringify(frozen);
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    if (this.#values.size < MAX_KNOWN) this.#values.set(key, frozen);
    return frozen;
  }
}

/** Freezes changes as a list; one that was gathered here is not copied again. */
export function gatherChanges(changes: readonly Change[]): readonly Change[] {
  if (gathered.has(changes)) return changes;
  const own = new GatheredChanges();
  for (const change of changes) own.add(change);
  return own.list();
}
