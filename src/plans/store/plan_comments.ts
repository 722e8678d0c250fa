import { fieldsOf } from "../../base/json/fields_of.ts";
import { jsonLinesOf } from "../../base/text/lines.ts";
import { fileSystem } from "../../base/runtime/file_system.ts";
import { PlanPlaces } from "./plan_places.ts";
import { readIfThere } from "../../base/runtime/read_named_file.ts";

/** A comment on a plan. Not part of the fingerprint. */
interface PlanComment {
  readonly at: string;
  readonly by: string;
  readonly text: string;
}

export const MAX_COMMENT = 2000;
const MAX_COMMENTS = 200;

export async function readComments(folder: string, id: string): Promise<PlanComment[]> {
  const text = await readIfThere(placeOf(folder, id)) ?? "";
  return jsonLinesOf(text).flatMap(({ value }) => {
    const { at, by, text: said } = fieldsOf(value);
    return typeof at === "string" && typeof by === "string" && typeof said === "string"
      ? [{ at, by, text: said }]
      : [];
  }).slice(-MAX_COMMENTS);
}

export async function addComment(folder: string, id: string, comment: PlanComment): Promise<void> {
  const path = placeOf(folder, id);
  const files = fileSystem();
  await files.createText(path, "", { mode: 0o600 });
  await files.appendLine(path, JSON.stringify(comment));
}

function placeOf(folder: string, id: string): string {
  return new PlanPlaces(folder).hidden(id, "comments.jsonl");
}
