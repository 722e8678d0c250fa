import { fieldsOf } from "../../base/json/fields_of.ts";
import { readIfThere } from "../../base/runtime/read_named_file.ts";

export async function readAttempt(path: string): Promise<string | undefined> {
  const text = await readIfThere(path);
  if (text === undefined) return undefined;
  const { openAttempt } = await import("../apply/journal_reading.ts");
  return openAttempt(text)?.text;
}

export function timeOf(journal: string): string | undefined {
  const { at } = recordOf(journal.slice(0, Math.max(0, journal.indexOf("\n"))));
  return typeof at === "string" ? at : undefined;
}

export function queueOf(journal: string): string | undefined {
  const line = /^\{"event":"queued".*$/m.exec(journal)?.[0];
  const { where } = line === undefined ? {} : recordOf(line);
  return typeof where === "string" ? where : undefined;
}

export async function readRecord(path: string): Promise<Record<string, unknown> | undefined> {
  const text = await readIfThere(path);
  return text === undefined ? undefined : recordOf(text);
}

function recordOf(text: string): Record<string, unknown> {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return {};
  }
}
