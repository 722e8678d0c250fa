import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { catalog } from "../../src/platform/catalog/catalog.ts";
import { PlatformAds } from "../../src/client/platform_ads.ts";
import type { ProfileClient } from "../../src/client/profile_client.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { KINDS, PROFILE_KINDS, RESOURCE_KINDS } from "../../src/client/entities/kinds/kinds.ts";

/** Updates of kinds and of what no kind stands behind, with the id of an item. */
const UPDATES: readonly (readonly [operation: string, idField: string])[] = [
  ...PROFILE_KINDS.flatMap((kind) => {
    const { operations, idField } = KINDS[kind];
    const update = "update" in operations ? [operations.update].flat() : [];
    return update.filter((operation) => /update/i.test(operation)).map((operation) =>
      [operation, idField] as const
    );
  }),
  ["sponsored-display:updateCampaigns", "campaignId"],
  ["sponsored-display:updateTargetingClauses", "targetId"],
  ["sponsored-tv:UpdateSponsoredTvAdGroups", "adGroupId"],
  ["v1-sp-campaigns:SPUpdateCampaign", "campaignId"],
];

interface World {
  readonly us: ProfileClient;
  readonly warnings: string[];
  readonly writes: () => number;
}

async function world(step: (world: World) => Promise<void>): Promise<void> {
  const emulator = await Emulator.start();
  const warnings: string[] = [];
  try {
    const ads = new PlatformAds(emulator.credentials, {
      platform: emulator.platform,
      onWarning: (text) => void warnings.push(text),
    });
    const us = await ads.profile("US");
    const writes = (): number =>
      emulator.requests().filter(({ method, path }) =>
        method === "PUT" || (method === "POST" && /update|\/(sp|sb)\/[A-Za-z]+$/.test(path))
      ).length;
    await step({ us, warnings, writes });
  } finally {
    await emulator.stop();
  }
}

async function bodyWith(operation: string, item: object): Promise<unknown> {
  const { api, operationId } = await catalog.get(operation);
  const { loadApiShapes, bodyShape, flatShape } = await import("../../src/platform/schema/mod.ts");
  const shapes = (await loadApiShapes(api))!;
  const flat = flatShape(shapes, bodyShape(shapes.operation(operationId))!);
  const [list] = [...flat.fields].find(([, field]) => flatShape(shapes, field).items !== undefined) ?? [];
  return list === undefined ? [item] : { [list]: [item] };
}

Deno.test("every update knows the id of its own items", () =>
  ok(UPDATES.length > 15, String(UPDATES.length)));

for (const [operation, idField] of UPDATES) {
  Deno.test(`${operation} of an item without "${idField}" would create it: refused by call, batch and plan`, () =>
    world(async ({ us, writes }) => {
      const body = await bodyWith(operation, { state: "PAUSED", name: "new" });
      const why = new RegExp(`"\\w*\\[0\\]\\.${idField}" is missing, and the platform would create`);
      await rejects(us.call<string>(operation, body), why);
      await rejects(us.planCall<string>(operation, body), why);
      await rejects(us.batch(operation, [{ state: "PAUSED" }]), why);
      await rejects(us.call<string>(operation, body, { check: "strict" } as never), /does not fit|required/);
      equal(writes(), 0);
    }));

  Deno.test(`${operation} with the state archived is said to archive for good`, () =>
    world(async ({ us, warnings }) => {
      const item = { [idField]: "123456789", state: "archived" };
      await us.call<string>(operation, await bodyWith(operation, item)).catch(() => {});
      match(warnings.join("\n"), /\[0\]\.state archives for good/);
    }));
}

for (const kind of RESOURCE_KINDS) {
  const { idField, wire } = KINDS[kind];
  if (wire.archivable === false && !("update" in KINDS[kind].operations)) continue;
  Deno.test(`${kind}: a resource refuses an update without an id and one that archives, and sends nothing`, () =>
    world(async ({ us, writes }) => {
      const resource = us.resource(kind as string);
      for (const item of [{ state: "PAUSED" }, { [idField]: "1", state: "ARCHIVED" }]) {
        await rejects(
          async () => (await resource.update([item])).raiseForErrors(),
          TypeError,
          JSON.stringify(item),
        );
        await rejects(
          resource.planUpdate([item]).then(({ changes }) => deepEqual(changes, ["nothing"])),
          Error,
        );
      }
      equal(writes(), 0);
    }));
}
