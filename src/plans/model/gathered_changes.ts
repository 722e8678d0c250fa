import { frozenJson, frozenPart, isFrozenJson } from "../../base/json/frozen_json.ts";
import type { Change, EntityFields } from "./change.ts";

const MAX_KNOWN = 100_000;

const gathered = new WeakSet<readonly Change[]>();

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

  list(): readonly Change[] {
    gathered.add(this.#changes);
    return Object.freeze(this.#changes);
  }

  #once(value: EntityFields, what: string): EntityFields {
    const frozen = frozenPart(value, what);
    const key = JSON.stringify(frozen);
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    if (this.#values.size < MAX_KNOWN) this.#values.set(key, frozen);
    return frozen;
  }
}

export function gatherChanges(changes: readonly Change[]): readonly Change[] {
  if (gathered.has(changes)) return changes;
  const own = new GatheredChanges();
  for (const change of changes) own.add(change);
  return own.list();
}
