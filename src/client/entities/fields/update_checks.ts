import { requiredId } from "../../../base/json/id_of.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields } from "../model/resource_wire.ts";
import { isId, prepareUpdate } from "./check_items.ts";

const MAX_KEPT = 10_000;

interface CheckedUpdate {
  readonly id: string;
  /** Fields shared between updates, which must not be modified. */
  readonly fields: Fields;
}

/** Caches checks, because many updates may have the same values. */
export class UpdateChecks {
  readonly #spec: ResourceSpec;
  readonly #known = new Map<string, Fields>();
  readonly #isPlain: boolean;

  constructor(spec: ResourceSpec) {
    this.#spec = spec;
    this.#isPlain = spec.normalize === undefined && spec.repeated === undefined;
  }

  prepare(input: unknown, options: Parameters<typeof prepareUpdate>[2]): CheckedUpdate {
    const { idField } = this.#spec;
    const key = this.#isPlain ? keyOf(input, this.#spec) : undefined;
    const id = key === undefined ? undefined : (input as Fields)[idField];
    const known = key === undefined || !isId(this.#spec, id) ? undefined : this.#known.get(key);
    if (known !== undefined && isId(this.#spec, id)) return { id, fields: known };
    const fields = prepareUpdate(this.#spec, input, options);
    if (key !== undefined) {
      if (this.#known.size >= MAX_KEPT) this.#known.clear();
      this.#known.set(key, fields);
    }
    return { id: requiredId(fields, idField), fields };
  }
}

function keyOf(input: unknown, spec: ResourceSpec): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  let key = "";
  for (const [name, value] of Object.entries(input)) {
    if (typeof value !== "number" && typeof value !== "string" || name.includes("_")) return undefined;
    if (spec.updatable.includes(name)) key += `${name} ${typeof value} ${value}\u0000`;
    else if (spec.idFields.includes(name) && !isId(spec, value)) return undefined;
  }
  return key;
}
