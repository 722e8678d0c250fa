import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ApiFacts, Facts, MediaTypesSource, OperationFacts, ParameterFacts } from "./facts.ts";

const API_COLUMNS = ["slug", "title", "version", "source", "unlisted", "note"] as const;
const OPERATION_COLUMNS = [
  "api",
  "operation_id",
  "method",
  "path",
  "flags",
  "tags",
  "query",
  "headers",
  "content_types",
  "accepts",
  "media_types_source",
] as const;
const NOTHING = "-";

/** The texts that the catalog is generated from: tab-separated, one line an API, operation or shape. */
export interface Listing {
  /** Content of `apis.tsv`. */
  readonly apis: string;
  /** Content of `operations.tsv`. */
  readonly operations: string;
  /** Content of `schemas.tsv`. */
  readonly schemas: string;
  /** Content of `endings.tsv`. */
  readonly endings: string;
}

/** Reads the four texts of a folder. */
export async function readListing(folder: string): Promise<Listing> {
  const read = (name: string): Promise<string> => readFile(join(folder, name), "utf8");
  const [apis, operations, schemas, endings] = await Promise.all([
    read("apis.tsv"),
    read("operations.tsv"),
    read("schemas.tsv"),
    read("endings.tsv"),
  ]);
  return { apis, operations, schemas, endings };
}

/**
 * Reads the facts out of a listing.
 *
 * @throws {Error} naming the line that has the wrong columns, repeats an id or belongs to no API.
 */
export function parseListing(listing: Omit<Listing, "schemas" | "endings">): Facts {
  const apis = rows(listing.apis, "apis.tsv", API_COLUMNS).map(({ cells }) => readApi(cells));
  const slugs = new Set(apis.map((api) => api.slug));
  const ids = new Set<string>();
  const operations = rows(listing.operations, "operations.tsv", OPERATION_COLUMNS).map(({ cells, line }) => {
    const operation = readOperation(cells);
    const id = `${operation.api}:${operation.operationId}`;
    if (ids.has(id)) throw new Error(`Cannot read operations.tsv: line ${line} repeats "${id}"`);
    if (!slugs.has(operation.api)) {
      throw new Error(
        `Cannot read operations.tsv: line ${line} names "${operation.api}", which apis.tsv lacks`,
      );
    }
    ids.add(id);
    return operation;
  });
  return { apis, operations };
}

/** Writes facts as a listing; the inverse of {@linkcode parseListing}. */
export function formatListing(facts: Facts): Omit<Listing, "schemas" | "endings"> {
  const table = (columns: readonly string[], lines: readonly (readonly string[])[]): string =>
    [columns, ...lines].map((cells) => cells.map(cell).join("\t") + "\n").join("");
  return {
    apis: table(
      API_COLUMNS,
      facts.apis.map((api) => [
        api.slug,
        api.title ?? "",
        api.version ?? "",
        api.source,
        api.unlisted === 0 ? "" : String(api.unlisted),
        api.note ?? "",
      ]),
    ),
    operations: table(
      OPERATION_COLUMNS,
      facts.operations.map((operation) => [
        operation.api,
        operation.operationId,
        operation.method,
        operation.path,
        [...operation.deprecated ? ["deprecated"] : [], ...operation.literal ? ["literal"] : []].join(","),
        operation.tags.join("|"),
        operation.query.map(parameterText).join(","),
        operation.headers.map(parameterText).join(","),
        operation.contentTypes.join("|"),
        operation.accepts.join("|"),
        operation.mediaTypesSource,
      ]),
    ),
  };
}

type Cells<Columns extends readonly string[]> = Record<Columns[number], string>;

function rows<const Columns extends readonly string[]>(
  text: string,
  name: string,
  columns: Columns,
): { cells: Cells<Columns>; line: number }[] {
  const [header, ...lines] = text.trimEnd().split("\n");
  if (header !== columns.join("\t")) {
    throw new Error(`Cannot read ${name}: line 1 is not "${columns.join(" ")}"`);
  }
  return lines.map((text, index) => {
    const values = text.split("\t");
    if (values.length !== columns.length) {
      throw new Error(
        `Cannot read ${name}: line ${index + 2} has ${values.length} columns, not ${columns.length}`,
      );
    }
    const cells = Object.fromEntries(
      columns.map((column, at) => [column, values[at] === NOTHING ? "" : values[at]]),
    );
    return { cells: cells as Cells<Columns>, line: index + 2 };
  });
}

function cell(value: string): string {
  return value === "" ? NOTHING : value.replace(/[\t\r\n]+/g, " ");
}

function readApi(cells: Cells<typeof API_COLUMNS>): ApiFacts {
  return {
    slug: cells.slug,
    ...(cells.title && { title: cells.title }),
    ...(cells.version && { version: cells.version }),
    source: cells.source,
    unlisted: Number(cells.unlisted),
    ...(cells.note && { note: cells.note }),
  };
}

function readOperation(cells: Cells<typeof OPERATION_COLUMNS>): OperationFacts {
  return {
    api: cells.api,
    operationId: cells.operation_id,
    method: cells.method,
    path: cells.path,
    deprecated: list(cells.flags, ",").includes("deprecated"),
    ...(list(cells.flags, ",").includes("literal") && { literal: true }),
    tags: list(cells.tags, "|"),
    query: list(cells.query, ",").map(parameter),
    headers: list(cells.headers, ",").map(parameter),
    contentTypes: list(cells.content_types, "|"),
    accepts: list(cells.accepts, "|"),
    mediaTypesSource: cells.media_types_source as MediaTypesSource,
  };
}

function list(text: string, separator: string): string[] {
  return text === "" ? [] : text.split(separator);
}

function parameter(text: string): ParameterFacts {
  return { name: text.replace(/!$/, ""), required: text.endsWith("!") };
}

function parameterText({ name, required }: ParameterFacts): string {
  return required ? `${name}!` : name;
}
