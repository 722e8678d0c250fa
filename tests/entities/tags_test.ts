import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { compareWires, KINDS, type ProfileClient, RESOURCE_KINDS } from "../../mod.ts";
import { AccountFiles, diffAccount, pullAccount } from "../../src/account/mod.ts";
import type { ResourceSpec } from "../../src/client/entities/model/resource_spec.ts";
import { isArchived } from "../../src/client/entities/model/identity.ts";
import { twoWires, writes } from "./two_wires.ts";

/** Kinds whose tags the unified family alone has. */
const TAGGED = [
  "sp.ad_groups",
  "sp.product_ads",
  "sp.keywords",
  "sp.targets",
  "sp.negative_keywords",
  "sp.negative_targets",
  "sp.campaign_negative_keywords",
  "sp.campaign_negative_targets",
  "sb.ad_groups",
  "sb.ads",
  "sd.campaigns",
];

/** Ids of the first live entities of a kind. */
async function liveIds(profile: ProfileClient, kind: string, count = 1): Promise<string[]> {
  const resource = profile.resource(kind);
  const live = (await resource.list()).filter((entity) => !isArchived(entity));
  ok(live.length >= count, `${kind} has ${count} live entities`);
  return live.slice(0, count).map((entity) => String(entity[resource.idField]));
}

async function tagsOf(profile: ProfileClient, kind: string, id: string): Promise<unknown> {
  return (await profile.resource(kind).get(id))?.["tags"];
}

Deno.test("tags are a field of campaigns on both wires, and of what the unified family tags beside them", () => {
  const specs: ResourceSpec[] = RESOURCE_KINDS.map((kind) => KINDS[kind]);
  const tagged = specs.filter(({ updatable }) => updatable.includes("tags"));
  const lacking = tagged.filter(({ wire }) => wire.lost?.({}).includes("tags"));
  deepEqual(new Set(lacking.map(({ kind }) => kind)), new Set(TAGGED));
  deepEqual(tagged.filter((spec) => !lacking.includes(spec)).map(({ kind }) => kind), [
    "sp.campaigns",
    "sp.global_campaigns",
    "sp.global_ad_groups",
    "sp.global_targets",
    "sp.global_product_ads",
    "sb.campaigns",
  ]);
});

Deno.test("tags are planned, read and undone on the unified wire, and the older one neither shows nor compares them", async () => {
  await using wires = await twoWires();
  const { newer, older } = wires;
  const changed: [kind: string, id: string][] = [];
  for (const kind of TAGGED) {
    const resource = newer.resource(kind);
    const { idField } = resource;
    const [id = ""] = await liveIds(older, kind);
    const apply = async (tags: unknown) => {
      const plan = await resource.planUpdate([{ [idField]: id, tags }]);
      deepEqual(plan.findings.filter(({ refused }) => refused), [], kind);
      const result = await plan.apply(newer, { checkDrift: true });
      result.raiseForErrors();
      return result;
    };
    const first = await apply({ team: "blue" });
    deepEqual(await tagsOf(newer, kind, id), { team: "blue" }, kind);
    const second = await apply({ region: "west" });
    deepEqual(await tagsOf(newer, kind, id), { team: "blue", region: "west" }, kind);
    equal(await tagsOf(older, kind, id), undefined, kind);
    (await second.rollbackPlan().apply(newer, { checkDrift: true })).raiseForErrors();
    deepEqual(await tagsOf(newer, kind, id), { team: "blue" }, kind);
    const undo = first.rollbackPlan();
    deepEqual([undo.warnings, undo.changes.map(({ after }) => after)], [[], [{ tags: null }]], kind);
    (await undo.apply(newer, { checkDrift: true })).raiseForErrors();
    equal(await tagsOf(newer, kind, id), undefined, kind);
    (await resource.update([{ [idField]: id, tags: { kept: "" } }])).raiseForErrors();
    changed.push([kind, id]);
  }
  for await (const { kind, differences } of compareWires(older)) deepEqual(differences, [], kind);
  for (const [kind, id] of changed) deepEqual(await tagsOf(newer, kind, id), { kept: "" }, kind);
});

Deno.test("tags of new entities are sent with them", async () => {
  await using wires = await twoWires();
  const { newer } = wires;
  const tags = { team: "blue", cost_center: "7" };
  const campaign = { name: "Tagged", budget: 12, state: "paused", startDate: "20261001", tags };
  const [campaignId = ""] = await liveIds(newer, "sp.campaigns");
  const group = { campaignId, name: "Tagged", state: "ENABLED", defaultBid: 1, tags };
  const made = [
    ["sd.campaigns", await newer.resource("sd.campaigns").create([campaign])],
    ["sp.ad_groups", await newer.resource("sp.ad_groups").create([group])],
  ] as const;
  for (const [kind, result] of made) {
    result.raiseForErrors();
    deepEqual(await tagsOf(newer, kind, result.ids[0]!), tags);
  }
});

Deno.test("on the older wire a plan of tags is refused before anything is sent, and a write sends what is beside them", async () => {
  await using wires = await twoWires();
  const { older, world } = wires;
  const ids = new Map<string, string[]>();
  for (const kind of TAGGED) ids.set(kind, await liveIds(older, kind, kind === "sd.campaigns" ? 2 : 1));
  world.asked();
  for (const [kind, [id]] of ids) {
    const { idField } = older.resource(kind);
    const plan = await older.resource(kind).planUpdate([{ [idField]: id, tags: { team: "blue" } }]);
    const refused = plan.findings.filter((finding) => finding.refused);
    deepEqual(refused.map(({ code }) => code), ["NOT_ON_WIRE"], kind);
    match(refused[0]!.message, /older wire has no field for tags: the unified family alone has them there/);
    match(refused[0]!.hint!, new RegExp(`--wire ${kind}=unified`));
    const alone = await older.resource(kind).update([{ [idField]: id, tags: null }]);
    deepEqual(alone.errors.map(({ code, outcome }) => [code, outcome]), [["NOT_ON_WIRE", "not_sent"]], kind);
  }
  deepEqual(writes(world), []);
  const [a, b] = ids.get("sd.campaigns")!;
  const result = await older.sd.campaigns.update([
    { campaignId: a!, tags: { team: "blue" } },
    { campaignId: b!, budget: 33 },
  ]);
  deepEqual(result.errors.map(({ index, code }) => [index, code]), [[0, "NOT_ON_WIRE"]]);
  deepEqual(result.successes.map(({ index, id }) => [index, id]), [[1, b]]);
  equal((await older.sd.campaigns.get(b!))!.budget, 33);
});

Deno.test("tags that the platform merges are partial for everything that has them", async () => {
  await using wires = await twoWires({ emulator: { quirks: { unifiedLists: "merge" } } });
  const { newer, older } = wires;
  for (const kind of TAGGED) {
    const resource = newer.resource(kind);
    const [id] = await liveIds(older, kind);
    (await resource.update([{ [resource.idField]: id, tags: { team: "blue" } }])).raiseForErrors();
    for (const tags of [{ region: "west" }, null]) {
      const { errors } = await resource.update([{ [resource.idField]: id, tags }]);
      deepEqual(errors.map(({ code, outcome }) => [code, outcome]), [["LIST_MERGED", "partial"]], kind);
      match(errors[0]!.message, /kept tags that the update left out: team/);
    }
  }
});

Deno.test("more than 50 tags are refused by the plan, and by the platform", async () => {
  await using wires = await twoWires({ checkRequests: false });
  const { newer } = wires;
  const tags = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, "v"]));
  const [adGroupId = ""] = await liveIds(newer, "sp.ad_groups");
  (await newer.sp.adGroups.update([{ adGroupId, tags: tags(50) }])).raiseForErrors();
  const plan = await newer.sp.adGroups.planUpdate([{ adGroupId, tags: tags(51) }]);
  deepEqual(plan.findings.map(({ refused }) => refused), [true]);
  match(plan.findings[0]!.message, /tags: has 51 items/);
  const { errors } = await newer.sp.adGroups.update([{ adGroupId, tags: tags(51) }]);
  equal(errors.length, 1);
});

Deno.test("where the ids of targets are mapped, tags are refused: they could not be read back", async () => {
  await using wires = await twoWires({
    client: { wireIds: "mapped" },
    emulator: { quirks: { unifiedTargetIds: "other" } },
  });
  const { newer, world } = wires;
  const [keywordId = ""] = await liveIds(newer, "sp.keywords");
  world.asked();
  const { errors } = await newer.sp.keywords.update([{ keywordId, tags: { team: "blue" } }]);
  deepEqual(errors.map(({ code, outcome }) => [code, outcome]), [["NOT_ON_WIRE", "not_sent"]]);
  deepEqual(writes(world), []);
  (await newer.sp.keywords.update([{ keywordId, bid: 0.91 }])).raiseForErrors();
});

Deno.test("a request by hand that empties tags is read back as one that empties them", async () => {
  const { readWrite } = await KINDS["sp.ad_groups"].unified!.load();
  const read = (adGroup: Record<string, unknown>) =>
    readWrite!({
      method: "POST",
      path: "/adsApi/v1/update/adGroups",
      json: { adGroups: [{ adGroupId: "1", ...adGroup }] },
    })?.items;
  deepEqual(read({ tags: [] }), [{ adGroupId: "1", tags: null }]);
  deepEqual(read({ tags: [{ key: "team", value: "blue" }] }), [{ adGroupId: "1", tags: { team: "blue" } }]);
  deepEqual(read({ name: "x" }), [{ adGroupId: "1", name: "x" }]);
});

Deno.test("account files hold the tags of everything, and the older wire leaves them out of the comparison", async () => {
  await using wires = await twoWires();
  const { newer, older } = wires;
  const [sd = ""] = await liveIds(newer, "sd.campaigns");
  const keyword = (await newer.sp.keywords.list({ states: ["ENABLED"] }))[0]!;
  const { keywordId } = keyword;
  (await newer.sp.keywords.update([{ keywordId, tags: { team: "blue", US: "x" } }])).raiseForErrors();
  (await newer.sd.campaigns.update([{ campaignId: sd, tags: { team: "red" } }])).raiseForErrors();
  const files = await pullAccount(newer);
  const pathOf = (text: string) => [...files.texts].find(([, one]) => one.includes(text))![0];
  const path = pathOf("tags: { team: blue, US: x }");
  match(pathOf("team: red"), /^sd\//);
  for (const profile of [newer, older]) {
    const { creates, updates, refusals } = await diffAccount(profile, files);
    deepEqual([creates, updates, refusals], [[], [], []], "what was pulled is what is there");
  }
  const edited = AccountFiles.fromTexts(
    new Map([...files.texts, [path, files.texts.get(path)!.replace("team: blue, US", "team: green, US")]]),
    { lock: files.lock },
  );
  const plan = await (await diffAccount(newer, edited)).plan();
  deepEqual(plan.changes.map(({ kind, id, before, after }) => [kind, id, before, after]), [[
    "sp.keywords",
    keywordId,
    { tags: { team: "blue", US: "x" } },
    { tags: { team: "green", US: "x" } },
  ]]);
  equal((await (await diffAccount(older, edited)).plan()).changes.length, 0);
});
