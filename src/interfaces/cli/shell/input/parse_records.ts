import { isObject } from "../../../../base/json/fields_of.ts";
import { readNamedBytes } from "../../../../base/runtime/read_named_file.ts";
import { parseJson } from "../../../../base/json/json.ts";
import { UsageError } from "../io/cli_error.ts";
import type { CliIo } from "../io/cli_io.ts";
import { type InputRecord, type InputRecords, type InputText, readInput } from "./read_input.ts";

interface RecordHints {
  readonly encoding?: string | undefined;
}

export async function readRecords(
  path: string,
  io: Pick<CliIo, "stdin">,
  hints: RecordHints = {},
): Promise<InputRecords> {
  const input = await readTextOrTable(path, io, hints);
  return "text" in input ? await parseRecords(input) : input;
}

export async function readTextOrTable(
  path: string,
  { stdin }: Pick<CliIo, "stdin">,
  { encoding }: RecordHints,
): Promise<InputText | InputRecords> {
  if (path === "-") return await readInput(path, { stdin });
  const name = `the file "${path}"`;
  const bytes = await readNamedBytes(path, "the file");
  const { fileText, isArchive } = await import("../../../../account/tables/file_text.ts");
  const { SheetFileError } = await import("../../../../account/tables/sheet_lines.ts");
  try {
    if (!isArchive(bytes)) {
      const text = [...fileText(bytes, { name, encoding, takesJson: true }).pieces()].join("");
      return { text: text.replace(/^\uFEFF/, ""), name };
    }
    const { openTables } = await import("../../../../account/tables/open_tables.ts");
    const { tableRecords } = await import("./parse_csv.ts");
    return tableRecords(openTables({ bytes, name }));
  } catch (error) {
    throw error instanceof SheetFileError ? new UsageError(`Cannot read ${name}: ${error.reason}`) : error;
  }
}

/**
 * Detects a JSON array, JSON lines, or CSV with a header row.
 *
 * @throws {UsageError} naming the malformed position.
 */
export async function parseRecords(input: InputText): Promise<InputRecords> {
  const start = input.text.trimStart()[0];
  if (start === undefined) throw new UsageError(`Cannot read ${input.name}: it is empty`);
  if (start === "[") return jsonArray(input);
  if (start === "{") return jsonLines(input);
  return (await import("./parse_csv.ts")).parseCsv(input);
}

function jsonArray({ text, name }: InputText): InputRecords {
  let items: unknown;
  try {
    items = parseJson(text);
  } catch (cause) {
    throw new UsageError(`Cannot read ${name}: it is not a whole JSON array (${(cause as Error).message})`, {
      cause,
    });
  }
  return fromJson((items as unknown[]).map((value, at) => ({ value, where: `item ${at + 1}` })), name);
}

function jsonLines({ text, name }: InputText): InputRecords {
  const items = text.split("\n").flatMap((line, at) => {
    const where = `line ${at + 1}`;
    if (line.trim() === "") return [];
    try {
      return [{ value: parseJson(line), where }];
    } catch {
      return [{ value: undefined, where, problem: "it is not a JSON object" }];
    }
  });
  return fromJson(items, name);
}

function fromJson(
  items: readonly { value: unknown; where: string; problem?: string }[],
  name: string,
): InputRecords {
  const names = new Set<string>();
  const records = items.map(({ value, where, problem }): InputRecord => {
    if (!isObject(value)) {
      return { values: {}, where, problem: problem ?? "it is not an object with fields" };
    }
    for (const field of Object.keys(value)) names.add(field);
    return { values: value as Record<string, unknown>, where };
  });
  const [first] = records;
  if (names.size === 0 && first?.problem !== undefined) {
    throw new UsageError(`Cannot read ${name}: ${first.where}: ${first.problem}`);
  }
  return { records, names: [...names], isText: false };
}
