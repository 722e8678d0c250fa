import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { hash } from "../../core/random.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import { checkLocale, readObject, readTexts, steadyWhole } from "../../routing/read_request.ts";
import { type Theme, THEMES } from "../../state/demo_themes.ts";

export interface Category {
  readonly id: string;
  readonly name: string;
  readonly path: readonly string[];
  readonly parentId?: string;
  readonly children: readonly Category[];
}

type Branches = { readonly [name: string]: Branches };

const NAMES: Branches = {
  "Sports & Outdoors": {
    "Camping & Hiking": {
      "Tents": {},
      "Sleeping Bags": {},
      "Camp Kitchen": {},
      "Backpacks": {},
      "Lights & Lanterns": {},
    },
    "Cycling": { "Helmets": {}, "Lights": {} },
  },
  "Home & Kitchen": {
    "Cookware": { "Skillets": {}, "Dutch Ovens": {} },
    "Kitchen Tools": { "Cutting Boards": {}, "Graters": {}, "Mills": {} },
    "Bedding": { "Sheets": {}, "Pillows": {}, "Blankets": {} },
  },
  "Garden": { "Hand Tools": {}, "Watering": {}, "Raised Beds": {}, "Bird Houses": {} },
  "Books": {
    "Mystery & Crime": { "Cosy Mysteries": {}, "Police Procedurals": {} },
    "Historical Fiction": {},
  },
  "Grocery": { "Tea": { "Green Tea": {}, "Matcha": {} } },
  "Pet Supplies": { "Dogs": { "Beds": {}, "Leads": {} }, "Cats": { "Trees": {}, "Litter Mats": {} } },
};

const FIRST_ID = 3_375_000;

const all: Category[] = [];

const ROOTS: readonly Category[] = grow(NAMES);

export const CATEGORIES: readonly Category[] = all;
const MAX_ASINS = 10_000;

const COUNT_FIELDS = [
  "category",
  "brands",
  "genres",
  "ageRanges",
  "isPrimeShipping",
  "priceRange",
  "ratingRange",
];

const AGE_RANGES = ["0-3 years", "4-7 years", "8-12 years", "Adult"];
const GENRES = ["Mystery", "Thriller", "Historical"];

/** Lists the categories. Their tree is JSON inside a string, as on the platform. */
export function listCategories(context: Context): HttpResponse {
  checkLocale(context.query.get("locale"));
  return jsonResponse(200, { categoryTree: JSON.stringify(ROOTS.map(toTree)) }, {
    type: context.responseType,
  });
}

export function listRefinements(context: Context): HttpResponse {
  checkLocale(context.query.get("locale"));
  const category = demandCategory(context.params.categoryId);
  const isTranslated = context.responseType.includes(".v4+");
  const named = (name: string, index: number): JsonObject => ({
    id: `${category.id}${index}`,
    name,
    ...(isTranslated ? { translatedName: name } : {}),
  });
  return jsonResponse(200, {
    ageRanges: category.path[0] === "Books" ? [] : AGE_RANGES.map(named),
    brands: brandsOf(THEMES),
    genres: category.path[0] === "Books" ? GENRES.map(named) : [],
  }, { type: context.responseType });
}

export function countProducts(context: Context): HttpResponse {
  const body = readObject(context.body, COUNT_FIELDS);
  if (typeof body.category !== "string") throw refusal(400, "category is required", "details");
  const category = demandCategory(body.category);
  const narrowed = ["brands", "genres", "ageRanges"].filter((name) => isNarrowing(body[name], name)).length +
    (readRange(body.priceRange, "priceRange", Infinity) ? 1 : 0) +
    (readRange(body.ratingRange, "ratingRange", 5) ? 1 : 0) + (body.isPrimeShipping === true ? 1 : 0);
  const min = Math.max(1, Math.floor(sizeOf(category) / 3 ** narrowed));
  return jsonResponse(200, { asinCounts: { min, max: Math.ceil(min * 1.25) } }, {
    type: context.responseType,
  });
}

export function recommendCategories(context: Context): HttpResponse {
  checkLocale(context.query.get("locale"));
  const body = readObject(context.body, ["asins", "includeAncestor"]);
  const asins = readTexts(body.asins, "asins", MAX_ASINS);
  const leaves = CATEGORIES.filter((category) => category.children.length === 0);
  const fitting = new Set(asins.map((asin) => leaves[steadyWhole(asin, 0, leaves.length - 1)]!));
  if (body.includeAncestor === true) {
    for (const { parentId } of fitting) if (parentId !== undefined) fitting.add(categoryOf(parentId)!);
  }
  return jsonResponse(200, { categories: [...fitting].map(shapeFor(context.responseType)) }, {
    type: context.responseType,
  });
}

function toTree({ id, name, children }: Category): JsonObject {
  return { id, name, canBeTargeted: true, children: children.map(toTree) };
}

function shapeFor(responseType: string): (category: Category) => JsonObject {
  if (responseType.includes(".v3+")) return toVersion3;
  if (responseType.includes(".v4+")) return toVersion4;
  return (category) => {
    const { name, path } = category;
    return { ...toVersion4(category), translatedName: name, translatedCategoryPath: path.join("/") };
  };
}

function toVersion3({ id, name, path, parentId }: Category): JsonObject {
  return {
    id,
    name,
    path: path.join("/"),
    canBeTargeted: true,
    ...(parentId === undefined ? {} : { parent: parentId }),
  };
}

function toVersion4(category: Category): JsonObject {
  const { id, name, path, parentId } = category;
  const min = sizeOf(category);
  return {
    id,
    name,
    categoryPath: path.join("/"),
    ...(parentId === undefined ? {} : { parentCategoryId: parentId }),
    asinCounts: { min, max: Math.ceil(min * 1.25) },
  };
}

function sizeOf(category: Category): number {
  const own = category.children.length === 0 ? steadyWhole(`size ${category.id}`, 2_000, 60_000) : 0;
  return category.children.reduce((sum, child) => sum + sizeOf(child), own);
}

function demandCategory(id: string | undefined): Category {
  const category = categoryOf(id ?? "");
  if (category === undefined) throw refusal(422, `Category ${id} was not found`, "details");
  return category;
}

function isNarrowing(value: Json | undefined, name: string): boolean {
  if (value === undefined || value === null) return false;
  if (!Array.isArray(value) || !value.every(isObject)) {
    throw refusal(400, `${name} must be a list`, "details");
  }
  return value.length > 0;
}

function readRange(value: Json | undefined, name: string, highest: number): boolean {
  if (value === undefined || value === null) return false;
  const { min = 0, max = highest } = isObject(value) ? value : { min: "" };
  const isRange = typeof min === "number" && typeof max === "number" && min >= 0 && max <= highest;
  if (!isRange) throw refusal(400, `${name} must be {min, max}`, "details");
  if (min > max) throw refusal(422, `${name}.min must not be above max`, "details");
  return true;
}

export function brandsOf(themes: readonly Theme[]): JsonObject[] {
  return themes.flatMap((theme) => theme.rivals).map((name) => ({
    id: String(hash(`brand ${name}`) >>> 0),
    name,
  }));
}

export function recommendNegativeBrands(context: Context): HttpResponse {
  return jsonResponse(200, brandsOf(THEMES), { type: context.responseType });
}

export function searchNegativeBrands(context: Context): HttpResponse {
  const { keyword } = readObject(context.body, ["keyword"]);
  if (typeof keyword !== "string" || keyword.trim() === "") {
    throw refusal(400, "keyword is required", "details");
  }
  const wanted = keyword.trim().toLowerCase();
  const found = brandsOf(THEMES).filter(({ name }) => String(name).toLowerCase().includes(wanted));
  return jsonResponse(200, found, { type: context.responseType });
}

export function categoryOf(id: string): Category | undefined {
  return CATEGORIES.find((category) => category.id === id);
}

function grow(branches: Branches, parent?: { id: string; path: readonly string[] }): Category[] {
  return Object.entries(branches).map(([name, below]) => {
    const id = String(FIRST_ID + all.length * 11);
    const path = [...parent?.path ?? [], name];
    const children: Category[] = [];
    const category: Category = {
      id,
      name,
      path,
      children,
      ...(parent === undefined ? {} : { parentId: parent.id }),
    };
    all.push(category);
    children.push(...grow(below, { id, path }));
    return category;
  });
}
