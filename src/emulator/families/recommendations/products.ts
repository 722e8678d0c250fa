import { Buffer } from "node:buffer";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import type { Context } from "../../routing/context.ts";
import type { Json } from "../../core/json.ts";
import { Random } from "../../core/random.ts";
import { refusal } from "../../http/refusal.ts";
import { checkLocale, readCount, readObject, readTexts } from "../../routing/read_request.ts";

const FIELDS = ["adAsins", "count", "cursor", "locale"];
const MAX_ASINS = 50;
const FOUND = 60;
const THEMES: Readonly<Record<string, string>> = {
  COMPLEMENTS: "Products that shoppers buy together with yours",
  SUBSTITUTES: "Products that shoppers compare with yours",
  TOP_CONVERTING: "Products whose pages lead to sales of yours",
};
const THEME_NAMES = Object.keys(THEMES);
const LETTERS = "0123456789BCDFGHJKLMNPQRSTVWXYZ";

/** Responds with products worth targeting, one by one or by theme as the caller accepts, page by page. */
export function recommendProducts(context: Context): HttpResponse {
  const body = readObject(context.body, FIELDS);
  const adAsins = readTexts(body.adAsins, "adAsins", MAX_ASINS);
  if (!adAsins.every((asin) => asin.length === 10)) {
    throw refusal(400, "An ASIN has 10 characters", "details");
  }
  checkLocale(body.locale);
  const count = readCount(body.count, "count", { low: 1, high: 1000, otherwise: 50 });
  const start = readCursor(body.cursor);
  const isByTheme = context.responseType.includes(".themes.");
  const found = isByTheme ? byTheme(recommendFor(adAsins)) : recommendFor(adAsins);
  const nextCursor = start + count < found.length ? { nextCursor: writeCursor(start + count) } : {};
  const previousCursor = start > 0 ? { previousCursor: writeCursor(Math.max(0, start - count)) } : {};
  const recommendations = found.slice(start, start + count);
  return jsonResponse(200, { recommendations, ...nextCursor, ...previousCursor }, {
    type: context.responseType,
  });
}

interface Recommended {
  readonly recommendedAsin: string;
  readonly themes: readonly string[];
}

function recommendFor(adAsins: readonly string[]): Recommended[] {
  const random = new Random(`products ${[...adAsins].sort().join(" ")}`);
  return Array.from({ length: FOUND }, () => ({
    recommendedAsin: `B0${
      Array.from({ length: 8 }, () => LETTERS[random.integer(0, LETTERS.length - 1)]).join("")
    }`,
    themes: random.shuffled(THEME_NAMES).slice(0, random.integer(1, 2)),
  }));
}

function byTheme(products: readonly Recommended[]): unknown[] {
  return THEME_NAMES.map((theme) => ({
    theme,
    description: THEMES[theme],
    recommendedAsins: products.filter((each) => each.themes.includes(theme)).map((each) =>
      each.recommendedAsin
    ),
  }));
}

function readCursor(value: Json | undefined): number {
  if (value === undefined || value === null) return 0;
  const match = /^at (\d{1,4})$/.exec(Buffer.from(String(value), "base64url").toString("latin1"));
  if (match === null) throw refusal(400, "cursor is not valid", "details");
  return Number(match[1]);
}

function writeCursor(position: number): string {
  return Buffer.from(`at ${position}`).toString("base64url");
}
