import { fieldsOf } from "../../base/json/fields_of.ts";
import { openAttempt } from "../apply/journal_reading.ts";
import { readIfThere } from "./plan_places.ts";

/** Lines of the attempt that the journal at a path is about; `undefined` where the plan was never begun, or nothing was done. */
export async function readAttempt(path: string): Promise<string | undefined> {
  const text = await readIfThere(path);
  return text === undefined ? undefined : openAttempt(text)?.text;
}

/** When the application began that a journal is of. */
export function timeOf(journal: string): string | undefined {
  const { at } = recordOf(journal.slice(0, Math.max(0, journal.indexOf("\n"))));
  return typeof at === "string" ? at : undefined;
}

/** Location of the queue whose workers apply the plan of a journal; `undefined` when it is applied here. */
export function queueOf(journal: string): string | undefined {
  const line = /^\{"event":"queued".*$/m.exec(journal)?.[0];
  const { where } = line === undefined ? {} : recordOf(line);
  return typeof where === "string" ? where : undefined;
}

/** The data of a file; `undefined` without one, an empty record for one that is not JSON. */
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
