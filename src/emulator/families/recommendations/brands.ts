import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import type { Context } from "../../routing/context.ts";
import { THEMES } from "../../demo/themes.ts";
import type { Theme } from "../../demo/theme.ts";
import type { JsonObject } from "../../core/json.ts";
import { hash } from "../../core/random.ts";
import { refusal } from "../../http/refusal.ts";
import { readObject } from "../../routing/read_request.ts";

/** The competitors' brands of what these themes sell. */
export function brandsOf(themes: readonly Theme[]): JsonObject[] {
  return themes.flatMap((theme) => theme.rivals).map((name) => ({
    id: String(hash(`brand ${name}`) >>> 0),
    name,
  }));
}

/** Responds with brands that are worth keeping out. */
export function recommendNegativeBrands(context: Context): HttpResponse {
  return jsonResponse(200, brandsOf(THEMES), { type: context.responseType });
}

/** Responds with brands whose name holds a text. */
export function searchNegativeBrands(context: Context): HttpResponse {
  const { keyword } = readObject(context.body, ["keyword"]);
  if (typeof keyword !== "string" || keyword.trim() === "") {
    throw refusal(400, "keyword is required", "details");
  }
  const wanted = keyword.trim().toLowerCase();
  const found = brandsOf(THEMES).filter(({ name }) => String(name).toLowerCase().includes(wanted));
  return jsonResponse(200, found, { type: context.responseType });
}
