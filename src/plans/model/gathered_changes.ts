import { frozenJson, frozenPart, isFrozenJson } from "../../base/json/frozen_json.ts";
import type { Change, EntityFields } from "./change.ts";

/** Maximum number of values that are deduplicated. */
const MAX_KNOWN = 100_000;

/** Lists gathered here, which need no copy. */
const gathered = new WeakSet<readonly Change[]>();

/** Copies the changes of a plan so that nothing can change between review and sending; equal values are shared. */
export class GatheredChanges {
  readonly #changes: Change[] = [];
  readonly #values = new Map<string, EntityFields>();

  get length(): number {
    return this.#changes.length;
  }

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

  /** The changes in order. None can be added afterwards. */
  list(): readonly Change[] {
    gathered.add(this.#changes);
    return Object.freeze(this.#changes);
  }

  /** The value, or an equal one already here. */
  #once(value: EntityFields, what: string): EntityFields {
    const frozen = frozenPart(value, what);
    const key = JSON.stringify(frozen);
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    if (this.#values.size < MAX_KNOWN) this.#values.set(key, frozen);
    return frozen;
  }
}

/** Freezes changes as a list; a list gathered here is returned as it is. */
export function gatherChanges(changes: readonly Change[]): readonly Change[] {
  if (gathered.has(changes)) return changes;
  const own = new GatheredChanges();
  for (const change of changes) own.add(change);
  return own.list();
}
