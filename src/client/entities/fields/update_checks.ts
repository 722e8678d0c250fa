import { requiredId } from "../../../base/json/id_of.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields } from "../model/resource_wire.ts";
import { isId, prepareUpdate } from "./check_items.ts";

/** Maximum number of cached checks. */
const MAX_KEPT = 10_000;

/** An update as it will be sent. */
interface CheckedUpdate {
  readonly id: string;
  /** Fields to set; shared, so never to be changed. */
  readonly fields: Fields;
}

/** Checks updates, of very many with the same values those values once. */
export class UpdateChecks {
  readonly #spec: ResourceSpec;
  readonly #known = new Map<string, Fields>();
  /** False for kinds whose values depend on more than themselves. */
  readonly #isPlain: boolean;

  constructor(spec: ResourceSpec) {
    this.#spec = spec;
    this.#isPlain = spec.normalize === undefined && spec.repeated === undefined;
  }

  /**
   * One update as it will be sent.
   *
   * @throws {TypeError} as {@linkcode prepareUpdate} does.
   */
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

/**
 * The names and values that an update sets as one text; `undefined` where a value is not plain, or a name may be another's
 * in the other spelling.
 */
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
