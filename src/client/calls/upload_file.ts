import { fileSystem } from "../../base/runtime/file_system.ts";
import { readNamedFile } from "../../base/runtime/read_named_file.ts";
import { nearest } from "../../base/text/nearest.ts";
import { sha256 } from "../../base/text/sha256.ts";
import { ConfigurationError } from "../../errors.ts";
import { rowsText } from "../../plans/model/row_verdicts.ts";
import { CsvRows } from "../reports/file/csv_rows.ts";
import type { PersonalValue, UploadRow, UploadRows } from "./upload_description.ts";

/** Maximum file size in bytes; the file is held in memory. */
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_LISTED = 100;
const HASH = /^[0-9a-f]{64}$/i;

export interface UploadFile {
  readonly sha256: string;
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

export interface ReadUploadOptions {
  readonly hash: boolean;
  /** Current time in epoch milliseconds; if `undefined`, the age of rows is not checked. */
  readonly now: number | undefined;
}

export async function uploadText(path: string): Promise<{ readonly text: string; readonly sha256: string }> {
  const files = fileSystem();
  if (await files.size(path).catch(() => 0) > MAX_BYTES) {
    throw new ConfigurationError(`Cannot upload ${path}: it has more than 256 MB. Split it`);
  }
  const text = await readNamedFile(path, "the file to upload");
  return { text, sha256: sha256(text) };
}

export function refusedUpload(path: string, problems: readonly string[]): ConfigurationError {
  const more = problems.length > MAX_LISTED ? [`and ${problems.length - MAX_LISTED} more`] : [];
  const lines = [...problems.slice(0, MAX_LISTED), ...more].map((line) => `\n${line}`);
  return new ConfigurationError(`Cannot upload ${path}:${lines.join("")}`);
}

/**
 * Reads and checks an upload file. Messages name rows and columns but never values, which are personal, even if the
 * header is missing.
 *
 * @throws {ConfigurationError} with all problems.
 */
export function readUpload(
  description: UploadRows,
  { text, path }: { readonly text: string; readonly path: string },
  options: ReadUploadOptions,
): UploadFile["items"] {
  const problems: string[] = [];
  const rows = parsed(text, problems);
  const names = Object.keys(rows[0] ?? {});
  problems.push(...headerProblems(description, names));
  if (rows.length === 0 && problems.length === 0) problems.push(`It has no ${description.noun}`);
  if (problems.length > 0) throw refusedUpload(path, problems);
  const checked = new RowCheck(description, options);
  const items = rows.map((row, at) => {
    const { values, wrong } = checked.row(row, at + 2);
    problems.push(...wrong.map((problem) => `Row ${at + 2}: ${problem}`));
    return values;
  });
  if (problems.length > 0) throw refusedUpload(path, problems);
  return items.map((row) => description.item(row));
}

function repeatedColumns(head: string): string[] {
  const names = head.split(",").map((cell) => cell.trim().replace(/^\ufeff?"?|"$/g, "").trim().toLowerCase());
  return names.flatMap((name, at) => {
    const first = names.indexOf(name);
    return first < at ? [`Row 1: column ${at + 1} has the name of column ${first + 1}`] : [];
  });
}

/** Problem with the whole file, after which its cells cannot be judged. */
function formProblem(lines: readonly string[]): string | undefined {
  // Undecodable bytes were replaced; hashes of such values would match nobody.
  const undecoded = lines.flatMap((line, at) => line.includes("\uFFFD") ? [at + 1] : []);
  if (undecoded.length > 0) {
    const more = undecoded.length > MAX_LISTED ? `, and ${undecoded.length - MAX_LISTED} more` : "";
    return `It is not UTF-8 text in ${
      rowsText(undecoded.slice(0, MAX_LISTED))
    }${more}: save it as UTF-8, or mend ` +
      "letters that were lost";
  }
  const [, separator] = /^[^,]*([;\t])[^,]*$/.exec(lines[0] ?? "") ?? [];
  return separator === undefined
    ? undefined
    : `Row 1: columns are separated by ${separator === ";" ? "semicolons" : "tabs"}: separate them by commas`;
}

function parsed(text: string, problems: string[]): Record<string, string | null>[] {
  try {
    // Rows are counted as they are: one that is left out would shift those after it.
    const lines = text.replace(/(?:\r?\n)+$/, "").split("\n");
    const form = formProblem(lines);
    if (form !== undefined) {
      problems.push(form);
      return [];
    }
    problems.push(...repeatedColumns(lines[0] ?? ""));
    const empty = lines.findIndex((line) => /^[,\s]*$/.test(line));
    if (empty !== -1) problems.push(`Line ${empty + 1} is empty: remove it`);
    const reader = new CsvRows(undefined, () => "text");
    const rows = [...reader.push(new TextEncoder().encode(text)), ...reader.end()];
    return rows as Record<string, string | null>[];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    problems.push(`It is not CSV: ${error.message}`);
    return [];
  }
}

function headerProblems({ columns }: UploadRows, names: readonly string[]): string[] {
  const known = Object.keys(columns);
  const unknown = names.flatMap((name, at) => {
    if (known.includes(name)) return [];
    const near = nearest(name, known);
    return [
      `Row 1: column ${at + 1} is not known${
        near === undefined ? `; known: ${known.join(", ")}` : `: did you mean "${near}"?`
      }`,
    ];
  });
  const missing = names.length === 0
    ? []
    : known.filter((name) => columns[name]?.required && !names.includes(name));
  return [...unknown, ...missing.map((name) => `Row 1: the column "${name}" is missing`)];
}

class RowCheck {
  readonly #description: UploadRows;
  readonly #options: ReadUploadOptions;
  readonly #seen = new Map<string, number>();

  constructor(description: UploadRows, options: ReadUploadOptions) {
    this.#description = description;
    this.#options = options;
  }

  row(
    row: Readonly<Record<string, string | null>>,
    number: number,
  ): { readonly values: UploadRow; readonly wrong: readonly string[] } {
    const { columns } = this.#description;
    const wrong: string[] = [];
    const values: Record<string, string> = {};
    let isKnown = false;
    for (const [name, column] of Object.entries(columns)) {
      const value = row[name]?.trim() ?? "";
      if (value === "") {
        if (column.required) wrong.push(`${name} is empty`);
        continue;
      }
      isKnown ||= column.identifies === true;
      const { value: written, problem } = column.hashed === undefined
        ? { value, problem: column.expected?.(value, this.#options.now) }
        : this.#hashed(value, column.hashed);
      if (problem !== undefined) wrong.push(`${name} is not ${problem}`);
      values[name] = written;
      const before = column.unique ? this.#seen.get(`${name} ${value}`) : undefined;
      if (before !== undefined) wrong.push(`${name} is that of row ${before}`);
      if (column.unique) this.#seen.set(`${name} ${value}`, number);
    }
    const mustIdentify = Object.values(columns).some(({ identifies }) => identifies);
    if (mustIdentify && !isKnown) {
      wrong.push("nothing identifies a person: fill one of the columns such as email");
    }
    return { values, wrong };
  }

  #hashed(
    value: string,
    sort: PersonalValue,
  ): { readonly value: string; readonly problem: string | undefined } {
    if (HASH.test(value)) return { value: value.toLowerCase(), problem: undefined };
    if (!this.#options.hash) return { value: "", problem: "a SHA-256 hash: the option hash hashes it" };
    const { text, problem } = normalized(value, sort);
    return { value: sha256(text), problem };
  }
}

export function normalized(
  value: string,
  sort: PersonalValue,
): { readonly text: string; readonly problem: string | undefined } {
  // One letter with an accent has two spellings in Unicode, which hash differently.
  const low = value.normalize("NFC").trim().toLowerCase();
  if (sort === "email") {
    return { text: low, problem: /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(low) ? undefined : "an email address" };
  }
  if (sort === "phone") {
    const text = low.replace(/\D/g, "").replace(/^00/, "");
    // Without + or 00, the first digits may be those of a national number; "(0)" is left out after a country code.
    const isWhole = /^(?:\+|00)[\d\s().-]+$/.test(low) && !/\(\s*0\s*\)/.test(low) &&
      /^[1-9]\d{6,14}$/.test(text);
    return {
      text,
      problem: isWhole ? undefined : "a phone number with country code, such as +49 30 1234567",
    };
  }
  const text = sort === "postal" ? low.replace(/[\s-]/g, "") : low.replace(/[^\p{L}\p{N}]/gu, "");
  return { text, problem: text === "" ? "a text with letters or digits" : undefined };
}
