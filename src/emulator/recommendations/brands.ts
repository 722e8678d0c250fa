import { type Answer, jsonAnswer } from "../answer.ts";
import type { Context } from "../context.ts";
import { THEMES } from "../demo/themes.ts";
import type { Theme } from "../demo/theme.ts";
import type { JsonObject } from "../json.ts";
import { hash } from "../random.ts";
import { refusal } from "../refusal.ts";
import { readObject } from "./read.ts";

/** The competitors' brands of what these themes sell. */
export function brandsOf(themes: readonly Theme[]): JsonObject[] {
  return themes.flatMap((theme) => theme.rivals).map((name) => ({
    id: String(hash(`brand ${name}`) >>> 0),
    name,
  }));
}

/** Answers brands that are worth keeping out. */
export function recommendNegativeBrands(context: Context): Answer {
  return jsonAnswer(200, brandsOf(THEMES), { type: context.answerType });
}

/** Answers brands whose name holds a text. */
export function searchNegativeBrands(context: Context): Answer {
  const { keyword } = readObject(context.body, ["keyword"]);
  if (typeof keyword !== "string" || keyword.trim() === "") {
    throw refusal(400, "keyword is required", "details");
  }
  const wanted = keyword.trim().toLowerCase();
  const found = brandsOf(THEMES).filter(({ name }) => String(name).toLowerCase().includes(wanted));
  return jsonAnswer(200, found, { type: context.answerType });
}
