import { canonicalJson } from "../base/json/canonical_json.ts";
import { isChangeRef } from "../plans/model/change_ref.ts";
import type { Change, EntityFields } from "../plans/model/change.ts";
import type { WireWrite } from "./entities/model/resource_wire.ts";
import { MOVING_FIELDS } from "./entities/resource/encode_items.ts";

/** Fields with amounts, which no wire format adds to a new entity by default. */
const AMOUNTS = ["bid", "defaultBid", "budget", "dynamicBidding", "bidding", "marketplaces"];

export class AdmittedWrites {
  readonly #byId = new Map<string, Change[]>();
  readonly #byKind = new Map<string, Change[]>();
  readonly #values = new Map<string, Map<string, Set<string>>>();

  constructor(changes: readonly Change[]) {
    for (const change of changes) {
      const { kind, op, id } = change;
      push(this.#byId, `${op} ${kind} ${id ?? ""}`, change);
      push(this.#byKind, `${op} ${kind}`, change);
    }
  }

  /**
   * True if every item matches a reviewed change and adds no amount, state, date or portfolio.
   *
   * @param isMapped True if the request uses other ids than the changes.
   */
  covers(
    { kind, idField, write, isMapped, repeated }: {
      readonly kind: string;
      readonly idField: string;
      readonly write: WireWrite;
      readonly isMapped: boolean;
      readonly repeated: readonly string[];
    },
  ): boolean {
    const { op, items } = write;
    if (op === "archive") {
      if (isMapped) return items.length <= (this.#byKind.get(`${op} ${kind}`)?.length ?? 0);
      return items.every((item) => this.#byId.has(`${op} ${kind} ${Object.values(item)[0]}`));
    }
    return items.every((item) => {
      const id = item[idField];
      if (op === "create" || id === undefined || isMapped) return this.#hasValues(`${op} ${kind}`, item);
      const own = this.#byId.get(`${op} ${kind} ${id}`);
      // What a plan creates has an id only once it is sent.
      if (own === undefined) {
        return this.#byId.has(`${op} ${kind} `) && this.#hasValues(`${op} ${kind}`, item);
      }
      return own.some(({ after }) =>
        movingIn(item).every((field) =>
          field in after
            ? valueOf(item[field]) === valueOf(after[field])
            : field === idField || repeated.includes(field)
        )
      );
    });
  }

  #hasValues(key: string, item: EntityFields): boolean {
    let forms = this.#values.get(key);
    if (forms === undefined) {
      this.#values.set(key, forms = new Map());
      for (const { after } of this.#byKind.get(key) ?? []) {
        const names = movingIn(after).filter((field) => after[field] !== null && !isChangeRef(after[field]));
        const form = names.sort().join(" ");
        forms.set(form, (forms.get(form) ?? new Set()).add(valuesOf(after, names)));
      }
    }
    const amounts = AMOUNTS.filter((field) => item[field] !== undefined && item[field] !== null);
    return [...forms].some(([form, values]) => {
      const names = form === "" ? [] : form.split(" ");
      return amounts.every((field) => names.includes(field)) && values.has(valuesOf(item, names));
    });
  }
}

function movingIn(fields: EntityFields): string[] {
  return Object.keys(fields).filter((field) => MOVING_FIELDS.has(field) && fields[field] !== undefined);
}

function valuesOf(fields: EntityFields, names: readonly string[]): string {
  return names.map((name) => valueOf(fields[name])).join("\n");
}

function valueOf(value: unknown): string {
  return canonicalJson(value ?? null);
}

function push(map: Map<string, Change[]>, key: string, change: Change): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [change]);
  else known.push(change);
}
