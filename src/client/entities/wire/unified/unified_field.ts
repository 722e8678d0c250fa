import { fieldsOf, isObject } from "../../../../base/json/fields_of.ts";
import { sameValue } from "../../../../base/json/canonical_json.ts";
import type { Fields, WireProblem } from "../../model/resource_wire.ts";

export interface WirePlace {
  readonly countryCode: string;
  readonly timeZone: string;
  /** Current day in the profile's time zone, `YYYY-MM-DD`. */
  readonly today: string;
  readonly now: number;
}

export class NotOnWire extends Error {
  override readonly name: string = "NotOnWire";
}

export interface UnifiedForm {
  toWire(value: unknown, place: WirePlace, op: "create" | "update"): unknown;
  toOwn(value: unknown, place: WirePlace): unknown;
}

export interface UnifiedField {
  readonly own: string;
  /**
   * Toolkit fields that together form one value on the wire; the form converts an object of these fields.
   *
   * @default own alone
   */
  readonly parts?: readonly string[];
  readonly wire: string;
  readonly makes?: readonly string[];
  readonly form?: UnifiedForm;
  /**
   * When the field is sent: `implied` never, because it follows from other fields; `place` only in creates; `never`
   * because it is read-only.
   *
   * @default "both"
   */
  readonly sent?: "both" | "create" | "place" | "implied" | "never";
  readonly clearable?: boolean;
  readonly empty?: unknown;
}

type Path = readonly (string | number)[];

interface Row extends UnifiedField {
  readonly from: Path;
  readonly to: Path;
}

export class FieldTable {
  readonly #rows: readonly Row[];
  readonly #byTop: ReadonlyMap<string, readonly Row[]>;

  readonly #lacks: Readonly<Record<string, string>>;

  constructor(fields: readonly UnifiedField[], lacks: Readonly<Record<string, string>> = {}) {
    this.#lacks = lacks;
    this.#rows = fields.map((field) => ({ ...field, from: pathOf(field.own), to: pathOf(field.wire) }));
    const places = this.#rows.flatMap((row) =>
      (row.parts ?? [String(row.from[0])]).map((top) => [top, row] as const)
    );
    this.#byTop = new Map(
      [...Map.groupBy(places, ([top]) => top)].map(([top, found]) => [top, found.map(([, row]) => row)]),
    );
  }

  ownField(path: string): string | undefined {
    const known = this.#rows.filter(({ wire, makes = [] }) =>
      [...makes, wire].some((name) =>
        name !== "" && (path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`) ||
          name.startsWith(`${path}.`))
      )
    );
    return known[0]?.own;
  }

  wireNames(): string[] {
    return this.#rows.flatMap(({ wire, makes = [] }) => [wire.split(/[.[]/)[0] ?? "", ...makes]);
  }

  paths(): { own: string; wire: string }[] {
    return this.#rows.map(({ own, wire }) => ({ own, wire }));
  }

  toWire(
    item: Fields,
    place: WirePlace,
    op: "create" | "update",
  ): { readonly body: Fields; readonly problems: readonly WireProblem[] } {
    const body: Fields = {};
    const problems: WireProblem[] = [];
    for (const [top, value] of Object.entries(item)) {
      if (value === undefined) continue;
      const rows = this.#byTop.get(top);
      if (rows === undefined) {
        const reason = Object.hasOwn(this.#lacks, top) ? `: ${this.#lacks[top]}` : "";
        problems.push({ field: top, message: `The unified family has no field for ${top}${reason}` });
        continue;
      }
      for (const field of unknownParts(value, [top], rows)) {
        problems.push({ field, message: `The unified family has no field for ${field}` });
      }
      for (const row of rows) {
        // Parts of one value are sent with the first of them.
        if (row.parts !== undefined && row.parts.find((name) => item[name] !== undefined) !== top) continue;
        const value = row.parts === undefined ? read(item, row.from) : partsOf(item, row.parts);
        this.#send(row, { value, op, place, body, problems });
      }
    }
    return { body, problems };
  }

  toOwn(entity: Fields, place: WirePlace): Fields {
    const own: Fields = {};
    for (const { from, to, form, parts } of this.#rows) {
      const value = to.length === 0 ? entity : read(entity, to);
      if (value === undefined || value === null) continue;
      const converted = form === undefined ? value : form.toOwn(value, place);
      if (converted === undefined) continue;
      if (parts === undefined) write(own, from, converted);
      else Object.assign(own, converted);
    }
    return own;
  }

  /**
   * Returns paths in a write that the converted item does not show, because they are not read or would be sent
   * differently.
   */
  unread(
    item: Fields,
    { place, op, finish = (body) => body }: {
      readonly place: WirePlace;
      readonly op: "create" | "update";
      readonly finish?: ((body: Fields) => Fields) | undefined;
    },
  ): string[] {
    const shown: Fields = {};
    for (const { to, form, clearable, empty = null } of this.#rows) {
      const value = to.length === 0 ? item : read(item, to);
      const isEmptied = clearable && (value === null || sameValue(value, empty));
      if (value === undefined || value === null && !isEmptied) continue;
      const again = form === undefined || isEmptied ? value : readAgain(form, value, { place, op });
      if (again === undefined) continue;
      if (to.length === 0) Object.assign(shown, again);
      else write(shown, to, again);
    }
    return unshown(item, finish(shown), []);
  }

  emptied(update: Fields): Fields {
    const rows = this.#rows.filter(({ clearable, empty = null, to }) =>
      clearable && (update[String(to[0])] === null || sameValue(read(update, to), empty))
    );
    return Object.fromEntries(rows.map(({ own }) => [own, null]));
  }

  #send(
    row: Row,
    { value, op, place, body, problems }: {
      value: unknown;
      op: "create" | "update";
      place: WirePlace;
      body: Fields;
      problems: WireProblem[];
    },
  ): void {
    const { own, sent = "both", form, to } = row;
    if (value === undefined || sent === "implied" || (sent === "place" && op === "update")) return;
    if (sent === "never" || (sent === "create" && op === "update")) {
      const when = sent === "never" ? "set" : "change";
      problems.push({ field: own, message: `The unified family cannot ${when} ${own}` });
      return;
    }
    if (value === null) {
      if (row.clearable) write(body, to, row.empty ?? null);
      else problems.push({ field: own, message: `The unified family cannot empty ${own}` });
      return;
    }
    try {
      const converted = form === undefined ? value : form.toWire(value, place, op);
      if (converted === undefined) return;
      if (to.length === 0) Object.assign(body, converted);
      else write(body, to, converted);
    } catch (error) {
      if (!(error instanceof NotOnWire)) throw error;
      problems.push({ field: own, message: error.message });
    }
  }
}

function readAgain(
  form: UnifiedForm,
  value: unknown,
  { place, op }: { readonly place: WirePlace; readonly op: "create" | "update" },
): unknown {
  const own = form.toOwn(value, place);
  // Moments are read as days: a single value is read whole or not at all.
  if (own === undefined || typeof value !== "object") return own === undefined ? undefined : value;
  // A create may lack what the family needs of a new entity.
  for (const as of [op, "update"] as const) {
    try {
      return form.toWire(own, place, as);
    } catch (error) {
      if (!(error instanceof NotOnWire)) throw error;
    }
  }
  return undefined;
}

function unshown(value: unknown, shown: unknown, path: Path): string[] {
  if (value === undefined) return [];
  if (typeof value !== "object" || value === null) {
    return String(value) === String(shown) ? [] : [path.join(".")];
  }
  const parts = Object.entries(value);
  if (parts.length === 0 && shown === undefined) return [path.join(".")];
  return parts.flatMap(([name, part]) => unshown(part, fieldsOf(shown)[name], [...path, name]));
}

function unknownParts(value: unknown, path: Path, rows: readonly Row[]): string[] {
  if (rows.some(({ from }) => from.length <= path.length)) return [];
  if (!isObject(value)) return [path.join(".")];
  return Object.entries(value).flatMap(([name, part]) => {
    const below = rows.filter(({ from }) => from[path.length] === name);
    if (part === undefined) return [];
    if (below.length === 0) return [[...path, name].join(".")];
    return unknownParts(part, [...path, name], below);
  });
}

function partsOf(item: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.filter((name) => item[name] !== undefined).map((name) => [name, item[name]]),
  );
}

function pathOf(text: string): Path {
  if (text === "") return [];
  return text.split(/[.[]/).map((part) => part.endsWith("]") ? Number(part.slice(0, -1)) : part);
}

function read(from: unknown, path: Path): unknown {
  let value = from;
  for (const part of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Fields)[part];
  }
  return value;
}

function write(into: Fields, path: Path, value: unknown): void {
  let place: Fields = into;
  for (let at = 0; at < path.length - 1; at++) {
    const part = path[at]!;
    const next = place[part];
    if (typeof next === "object" && next !== null) place = next as Fields;
    else place = place[part] = (typeof path[at + 1] === "number" ? [] : {}) as Fields;
  }
  const last = path.at(-1)!;
  const there = place[last];
  // Parts of one object come in any order.
  place[last] = isObject(there) && isObject(value) ? { ...there, ...value } : value;
}
