import { existsSync, writeFileSync } from "node:fs";
import {
  type Command,
  type CommandUnknownOpts,
  InvalidArgumentError,
  Option,
  type OptionValues,
} from "@commander-js/extra-typings";
import { UsageError } from "../io/cli_error.ts";
import { readRecords } from "../input/parse_records.ts";
import type { CliContext } from "../context/context.ts";

// An interface would not do: commander's own type of options has an index.
export type ReadingOptions = {
  readonly map?: readonly string[];
  readonly saveMap?: string;
  readonly encoding?: string;
  readonly tab?: string;
  readonly decimal?: "point" | "comma";
  readonly dates?: "dmy" | "mdy";
};

export interface ReadingHintsOfOptions {
  readonly map: Readonly<Record<string, string>> | undefined;
  readonly encoding: string | undefined;
  readonly tab: string | undefined;
  readonly decimal: "point" | "comma" | undefined;
  readonly dayOrder: "dmy" | "mdy" | undefined;
}

export const ENCODING = [
  "--encoding <name>",
  "encoding of CSV files that are not UTF-8, such as gb18030 or windows-1252",
] as const;

export function withReadingOptions<Args extends unknown[], Own extends OptionValues>(
  command: Command<Args, Own>,
): Command<Args, Own & ReadingOptions> {
  const full: CommandUnknownOpts = command
    .option(
      "--map <word=meaning>",
      "meaning of a header or word: a known name, a platform column, or - to ignore it; or a --save-map file; repeatable",
      (text: string, before: readonly string[] | undefined): string[] => {
        const at = text.lastIndexOf("=");
        const isFile = at < 0 && /\.(?:csv|tsv|txt|xlsx|jsonl?)$/i.test(text);
        if (at === 0 || (at < 0 && !isFile) || (at > 0 && text.slice(at + 1).trim() === "")) {
          throw new InvalidArgumentError(
            'It is not a header and its meaning, such as "Gasto=cost", nor a file of them.',
          );
        }
        return [...before ?? [], text];
      },
    )
    .option("--save-map <file>", "save the --map meanings to a .csv file, to use with --map later")
    .option(...ENCODING)
    .option("--tab <name>", "workbook tab to read")
    .addOption(
      new Option("--decimal <mark>", "decimal mark, if the numbers are ambiguous").choices(
        ["point", "comma"] as const,
      ),
    )
    .addOption(
      new Option("--dates <order>", "order of dates such as 12/07/2019, if ambiguous").choices(
        ["dmy", "mdy"] as const,
      ),
    );
  return full as Command<Args, Own & ReadingOptions>;
}

export async function readingHints(
  { map, saveMap, encoding, tab, decimal, dates }: ReadingOptions,
  { io }: Pick<CliContext, "io">,
): Promise<ReadingHintsOfOptions> {
  const meanings: Record<string, string> = {};
  for (const given of map ?? []) Object.assign(meanings, await meaningsOf(given, io));
  if (saveMap !== undefined) await writeMap(saveMap, meanings);
  return {
    map: Object.keys(meanings).length === 0 ? undefined : meanings,
    encoding,
    tab,
    decimal,
    dayOrder: dates,
  };
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
