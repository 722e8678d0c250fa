import { match, ok } from "../../support/assert.ts";
import type { TapMessage, TapState } from "../../../src/store/lake/tap_messages.ts";

/** A loader: keeps rows by key as a warehouse does, and fails for a message that breaks the protocol. */
export class Target {
  readonly tables = new Map<string, Map<string, Readonly<Record<string, unknown>>>>();
  readonly #schemas = new Map<string, Extract<TapMessage, { type: "SCHEMA" }>>();
  state: TapState | undefined;

  take(message: TapMessage): void {
    // Loaders read text.
    const read = JSON.parse(JSON.stringify(message)) as TapMessage;
    switch (read.type) {
      case "SCHEMA":
        for (const key of read.key_properties) {
          const shape = read.schema.properties[key];
          ok(
            shape !== undefined && !shape.type.includes("null"),
            `${read.stream}: the key ${key} may be null`,
          );
        }
        this.#schemas.set(read.stream, read);
        return;
      case "STATE":
        this.state = read.value;
        return;
      case "RECORD": {
        const schema = this.#schemas.get(read.stream);
        ok(schema !== undefined, `a record of ${read.stream} came before its schema`);
        match(read.time_extracted, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
        for (const [name, value] of Object.entries(read.record)) {
          const shape = schema.schema.properties[name];
          ok(shape !== undefined, `${read.stream}.${name} is not in the schema`);
          const format = shape.format;
          if (format === "date" && value !== null) match(String(value), /^\d{4}-\d\d-\d\d$/, name);
          const type = value === null
            ? "null"
            : typeof value === "number"
            ? shape.type.includes("integer") && Number.isInteger(value) ? "integer" : "number"
            : typeof value;
          ok(shape.type.includes(type), `${read.stream}.${name} is ${JSON.stringify(value)}`);
        }
        const key = JSON.stringify(schema.key_properties.map((name) => read.record[name]));
        const rows = this.tables.get(read.stream) ?? new Map<string, Readonly<Record<string, unknown>>>();
        this.tables.set(read.stream, rows);
        if (read.record["_sdc_deleted_at"] === null) rows.set(key, read.record);
        else rows.delete(key);
      }
    }
  }

  rows(stream: string): string[] {
    return [...this.tables.get(stream)?.values() ?? []].map(({ _sdc_deleted_at, ...row }) => plainly(row))
      .sort();
  }
}

/** A row as text with sorted names. */
export function plainly(row: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(row).sort(([a], [b]) => a < b ? -1 : 1)));
}
