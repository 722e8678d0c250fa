import type { ShortApi, ShortNode, ShortOperation } from "../../../src/platform/schema/api_shapes.ts";
import { compareText } from "../facts.ts";

const HEADER = "api\tpart\tname\tshape";

/** What is known of the bodies of each API, in the order of their slugs. */
export type SchemaFacts = readonly Omit<ShortApi, "format">[];

interface Parts {
  readonly model: Record<string, ShortNode>;
  readonly errors: Record<string, Readonly<Record<string, ShortNode>>>;
  readonly operation: Record<string, ShortOperation>;
}

/**
 * Reads `schemas.tsv`: one line a model, a set of errors or an operation, its shape in the short form.
 *
 * @throws {Error} naming the line that cannot be read.
 */
export function parseSchemaListing(text: string): SchemaFacts {
  const [header, ...lines] = text.trimEnd().split("\n");
  if (header !== HEADER) {
    throw new Error(`Cannot read schemas.tsv: line 1 is not "${HEADER.replaceAll("\t", " ")}"`);
  }
  const apis = new Map<string, Parts>();
  lines.forEach((line, index) => {
    const [api = "", part = "", name = "", shape = ""] = line.split("\t");
    let parts = apis.get(api);
    if (parts === undefined) apis.set(api, parts = { model: {}, errors: {}, operation: {} });
    if (part !== "model" && part !== "errors" && part !== "operation") {
      throw new Error(
        `Cannot read schemas.tsv: line ${index + 2} is neither a model, errors nor an operation`,
      );
    }
    if (Object.hasOwn(parts[part], name)) {
      throw new Error(`Cannot read schemas.tsv: line ${index + 2} has the ${part} "${name}" again`);
    }
    try {
      parts[part][name] = JSON.parse(shape);
    } catch (cause) {
      throw new Error(`Cannot read schemas.tsv: line ${index + 2} is not JSON`, { cause });
    }
  });
  return Array.from(apis, ([api, { model, errors, operation }]) => ({
    api,
    models: model,
    errors: Object.values(errors),
    operations: operation,
  }));
}

/** Writes `schemas.tsv`; the inverse of {@linkcode parseSchemaListing}. */
export function formatSchemaListing(facts: SchemaFacts): string {
  const rows = sortedSchemaFacts(facts).flatMap(({ api, models, errors, operations }) => [
    ...lines(api, "errors", Object.entries(errors)),
    ...lines(api, "model", Object.entries(models)),
    ...lines(api, "operation", Object.entries(operations)),
  ]);
  return `${[HEADER, ...rows].join("\n")}\n`;
}

/** Puts facts in their total order: APIs, models and operations by name. */
export function sortedSchemaFacts(facts: SchemaFacts): SchemaFacts {
  return facts.toSorted((a, b) => compareText(a.api, b.api)).map((api) => ({
    ...api,
    models: sortedRecord(api.models),
    operations: sortedRecord(api.operations),
  }));
}

function sortedRecord<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => compareText(a, b)));
}

function lines(api: string, part: string, shapes: readonly (readonly [string, unknown])[]): string[] {
  return shapes.map(([name, shape]) => [api, part, name, JSON.stringify(shape)].join("\t"));
}
