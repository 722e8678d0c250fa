import { lazyList } from "../../internal/columns/lazy_list.ts";
import { NumberColumn, TextColumn } from "../../internal/columns/columns.ts";
import type { Fields } from "./nest_fields.ts";

/** Values that a record sets. Many records share one. */
export interface UpdateValues {
  /** Values by path; a `RelativeValue` where it is to be worked out. */
  readonly changes: readonly (readonly [path: string, value: unknown])[];
  /** The same by field. */
  readonly fields: Fields;
  /** True where a value is to be worked out from the present one. */
  readonly isWorkedOut: boolean;
}

/** The updates of a file, which may have a million lines: ids end to end, equal values once. */
export class UpdateRows {
  readonly #ids = new TextColumn();
  readonly #places = new NumberColumn();
  readonly #values: UpdateValues[] = [];
  readonly #known = new Map<UpdateValues, number>();

  /** Number of rows. */
  get length(): number {
    return this.#ids.length;
  }

  /** Adds an update. */
  add(id: string, values: UpdateValues): void {
    let place = this.#known.get(values);
    if (place === undefined) {
      place = this.#values.push(values) - 1;
      this.#known.set(values, place);
    }
    this.#ids.add(id);
    this.#places.add(place);
  }

  /** Id of the entity of an update. */
  id(at: number): string {
    return this.#ids.at(at);
  }

  /** Values that an update sets. */
  values(at: number): UpdateValues {
    return this.#values[this.#places.at(at)]!;
  }

  /** The updates as the library takes them, made one by one. */
  items(idField: string): readonly Fields[] {
    return lazyList(this.length, (at) => ({ [idField]: this.id(at), ...this.values(at).fields }));
  }
}
