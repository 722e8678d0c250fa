import { deepEqual } from "../support/assert.ts";
import { catalog, KINDS, RESOURCE_KINDS } from "../../mod.ts";
import { fakeScope } from "../support/fake_scope.ts";

type Fields = Record<string, unknown>;

/** The item of a published request with every field: the first object in a list, of the body or below it. */
function itemIn(body: unknown): Fields {
  const list = Array.isArray(body) ? body : Object.values(body as Fields).find(Array.isArray) as unknown[];
  return list[0] as Fields;
}

/** An item as the unified wire reads what it sent for it, with what the platform adds. */
async function readBack(kind: (typeof RESOURCE_KINDS)[number], item: Fields): Promise<Fields | undefined> {
  const unified = await KINDS[kind].unified!.load();
  const sending = fakeScope(() => ({}));
  // The answer is empty, and is not looked at.
  const failed = await unified.create(sending, [item], {}).catch((error: Error) => error);
  const [list] = Object.entries(sending.requests[0]?.json as Fields ?? {});
  if (list === undefined) throw failed;
  const [name, items] = list as [string, Fields[]];
  const reading = fakeScope(({ path }) => {
    const entity = path.split("/").at(-1)!;
    if (entity !== name) return { [entity]: [] };
    const targetLevel = items[0]!["adGroupId"] === undefined ? "CAMPAIGN" : "AD_GROUP";
    return { [entity]: items.map((one) => ({ campaignId: "9", ...one, targetLevel })) };
  });
  const pages = await Array.fromAsync(unified.pages(reading, { states: null }));
  return pages.flat()[0];
}

/** Days of Display have no separators. */
function isDay(kind: string, name: string): boolean {
  return kind.startsWith("sd.") && name.endsWith("Date");
}

/** A value without how an audience was made, for which the unified family has no place. */
function withoutLost(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (name, part) => name === "audienceSegmentType" ? undefined : part));
}

for (const kind of RESOURCE_KINDS) {
  const { unified, operations, updatable, required } = KINDS[kind];
  const { create } = operations;
  if (unified === undefined || typeof create !== "string") continue;
  Deno.test(`every published field of ${kind} that the unified wire takes comes back as it was`, async () => {
    const example = itemIn(await (await catalog.get(create)).example({ full: true }));
    const known = new Set([...updatable, ...required]);
    const all = Object.fromEntries(
      Object.entries(example).filter(([name]) => known.has(name)).map(([name, value]) => [
        name,
        name.endsWith("Id") ? String(value) : isDay(kind, name) ? String(value).replaceAll("-", "") : value,
      ]),
    );
    if (known.has("state")) all["state"] = /^sd|^sb\.(neg|keyw|targ)/.test(kind) ? "enabled" : "ENABLED";
    const refused = (await unified.load()).problems!(fakeScope(() => []), all, "create");
    const isRefused = (name: string): boolean => refused.some(({ field }) => field.split(".")[0] === name);
    const item = Object.fromEntries(Object.entries(all).filter(([name]) => !isRefused(name)));
    const entity = (await readBack(kind, item))!;
    const lost = new Set([...unified.lost?.(item) ?? [], "campaignId"]);
    for (const [name, value] of Object.entries(item)) {
      if (!lost.has(name)) deepEqual(entity[name], withoutLost(value), name);
    }
  });
}
