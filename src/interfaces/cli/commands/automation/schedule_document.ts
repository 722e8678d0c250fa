import { readNamedFile } from "../../../../base/runtime/read_named_file.ts";
import type { DocumentText } from "../../../../operations/model/field.ts";

export async function scheduleDocument(file: string): Promise<DocumentText> {
  return { text: await readNamedFile(file, "the schedule file"), source: file };
}
