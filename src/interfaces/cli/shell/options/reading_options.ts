import { existsSync, writeFileSync } from "node:fs";
import { READING_FIELDS } from "../../../../operations/model/reading_fields.ts";
import { UsageError } from "../io/cli_error.ts";
import { readRecords } from "../input/parse_records.ts";
import type { CliContext } from "../context/context.ts";

// An interface would not do: commander's own type of options has an index.
export type MapOptions = {
  readonly map?: readonly string[];
  readonly saveMap?: string;
};

export const SAVE_MAP = [
  "--save-map <file>",
  "save the --map meanings to a .csv file, to use with --map later",
] as const;

export const ENCODING = ["--encoding <name>", READING_FIELDS.encoding.help] as const;

export async function mapOf(
  { map, saveMap }: MapOptions,
  { io }: Pick<CliContext, "io">,
): Promise<Readonly<Record<string, string>> | undefined> {
  const meanings: Record<string, string> = {};
  for (const given of map ?? []) Object.assign(meanings, await meaningsOf(given, io));
  if (saveMap !== undefined) await writeMap(saveMap, meanings);
  return Object.keys(meanings).length === 0 ? undefined : meanings;
}

async function meaningsOf(given: string, io: CliContext["io"]): Promise<Record<string, string>> {
  const at = given.lastIndexOf("=");
  if (at > 0) return { [given.slice(0, at).trim()]: given.slice(at + 1).trim() };
  const { records, names } = await readRecords(given, io);
  if (!names.includes("word") || !names.includes("meaning")) {
    throw new UsageError(
      `Cannot use the map ${given}: expected the columns word and meaning, found ${names.join(", ")}`,
    );
  }
  const meanings: Record<string, string> = {};
  for (const { values, where, problem } of records) {
    const [word, meaning] = [String(values["word"] ?? "").trim(), String(values["meaning"] ?? "").trim()];
    if (problem !== undefined || word === "" || meaning === "") {
      throw new UsageError(
        `Cannot use the map ${given}: ${where}: ${problem ?? "it lacks a word or a meaning"}`,
      );
    }
    meanings[word] = meaning;
  }
  return meanings;
}

async function writeMap(file: string, meanings: Readonly<Record<string, string>>): Promise<void> {
  if (Object.keys(meanings).length === 0) throw new UsageError("Cannot write a map: --save-map needs --map");
  if (existsSync(file)) {
    throw new UsageError(`Cannot write the map to "${file}": the file already exists. Choose another`);
  }
  const { csvOf } = await import("../../../../account/tables/csv_lines.ts");
  writeFileSync(file, csvOf([["word", "meaning"], ...Object.entries(meanings)], { hasMark: true }));
}
