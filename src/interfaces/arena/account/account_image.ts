import { isObject } from "../../../base/json/fields_of.ts";
import { requiredId } from "../../../base/json/id_of.ts";
import type { Emulator } from "../../../emulator/mod.ts";

type Profile = ReturnType<Emulator["state"]["profiles"]>[number];

/** An entity, as stored by the platform. */
export type Entity = Readonly<Record<string, unknown>>;

/** All entities of an account, by `profile collection id`. */
export type AccountImage = ReadonlyMap<string, Entity>;

/** A part of an entity that differs between two images; `undefined` where it does not exist. */
export interface Difference {
  /** Key of the entity in the image. */
  readonly key: string;
  /** Dotted path of the field in the entity. */
  readonly path: string;
  /** Value in the first image. */
  readonly before: unknown;
  /** Value in the second image. */
  readonly after: unknown;
}

const OF_READING = new Set(["reports", "free_reports", "exports"]);

const TAGS = "unified.tags";

const TAGGED: Readonly<Record<string, RegExp>> = {
  campaigns: /campaigns$/,
  adGroups: /ad_groups$/,
  ads: /ads$/,
  targets: /(keywords|targets)$/,
};

const COMPUTED = new Set([
  "extendedData",
  "inBudget",
  "servingStatus",
  "resolvedExpression",
  "resolvedExpressions",
]);

export function accountImage(emulator: Emulator): AccountImage {
  const image = new Map<string, Entity>();
  for (const profile of emulator.state.profiles()) {
    image.set(`${profile.id} profile ${profile.id}`, { dailyBudget: profile.record.dailyBudget });
    for (const name of profile.collectionNames()) {
      if (OF_READING.has(name) || name === TAGS) continue;
      const collection = profile.collection(name);
      // Entities are replaced and never changed, so that the image needs no copies.
      for (const entity of collection.all()) {
        image.set(`${profile.id} ${name} ${requiredId(entity, collection.idField)}`, entity as Entity);
      }
    }
    addTags(image, profile);
  }
  return image;
}

/** Labels are stored separately but count as part of their entity. */
function addTags(image: Map<string, Entity>, profile: Profile): void {
  if (!profile.collectionNames().includes(TAGS)) return;
  for (const { id: name, tags } of profile.collection(TAGS).all()) {
    const [noun = "", id = ""] = String(name).split(" ");
    const kind = profile.collectionNames().find((one) =>
      TAGGED[noun]?.test(one) && image.has(`${profile.id} ${one} ${id}`)
    );
    const key = `${profile.id} ${kind ?? TAGS} ${kind === undefined ? name : id}`;
    image.set(key, { ...image.get(key), tags });
  }
}

/** Recurses into objects; lists count as a whole. */
export function differences(before: AccountImage, after: AccountImage): Difference[] {
  const found: Difference[] = [];
  for (const [key, was] of before) {
    if (!after.has(key)) found.push({ key, path: "", before: was, after: undefined });
  }
  for (const [key, is] of after) {
    const was = before.get(key);
    if (was !== is) compare(was ?? {}, is, { key, path: "" }, found);
  }
  return found;
}

function compare(
  was: unknown,
  is: unknown,
  { key, path }: { key: string; path: string },
  found: Difference[],
): void {
  if (text(was) === text(is)) return;
  const [before, after] = [was, is].map(fields);
  if (before === undefined && after === undefined) {
    return void found.push({ key, path, before: was, after: is });
  }
  for (const name of new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])) {
    if (path === "" && COMPUTED.has(name)) continue;
    compare(before?.[name], after?.[name], { key, path: path === "" ? name : `${path}.${name}` }, found);
  }
}

/** An empty list equals a missing one, and a placement of 0 % a missing placement. */
function text(value: unknown): string {
  if (!Array.isArray(value)) return JSON.stringify(value) ?? "";
  const items = value.filter((item) => !(fields(item)?.["placement"] !== undefined && item.percentage === 0));
  return items.length === 0 ? "" : JSON.stringify(items);
}

export function fields(value: unknown): Entity | undefined {
  return isObject(value) ? value : undefined;
}
