import type { Field } from "../../../../operations/model/field.ts";
import { UsageError } from "../errors/cli_error.ts";
import type { CliIo } from "../io/cli_io.ts";
import { readRecords } from "./parse_records.ts";

export async function readTable(
  name: string,
  { columns }: Extract<Field, { readonly type: "table" }>,
  { file, io }: { readonly file: string; readonly io: Pick<CliIo, "stdin"> },
): Promise<Record<string, unknown>[]> {
  const { records, names } = await readRecords(file, io);
  const required = Object.keys(columns).filter((column) => columns[column]?.required);
  const others = Object.keys(columns).filter((column) => !required.includes(column));
  if (required.some((column) => !names.includes(column)) || names.some((column) => !(column in columns))) {
    throw new UsageError(
      `Cannot use the ${name} ${file}: expected the columns ${listed(required)}, and ${
        listed(others)
      } if you like; found ${names.join(", ")}`,
    );
  }
  return Array.from(records, ({ values, where }) => {
    const cells = Object.entries(columns).map(([column, { type, required }]): [string, unknown] => {
      const text = String(values[column] ?? "");
      if (!required && text.trim() === "") return [column, undefined];
      return [column, type === "amount" ? Number(text.trim()) : required ? text : text.trim()];
    });
    return { ...Object.fromEntries(cells.filter(([, value]) => value !== undefined)), where };
  });
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
