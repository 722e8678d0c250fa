import { deepEqual, ok } from "../support/assert.ts";
import { PlatformAds } from "../../src/client/platform_ads.ts";
import type { ProfileClient } from "../../src/client/profile_client.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import type { Change } from "../../src/plans/model/change.ts";
import { ChangePlan, type PlanResult } from "../../src/plans/change_plan/change_plan.ts";
import { FolderLedger } from "../../src/plans/policy/folder_ledger.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";
import { KINDS, PROFILE_KINDS, type ResourceKind } from "../../src/client/entities/kinds/kinds.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import {
  amountsOf,
  budgetOf,
  campaignOf,
  isOn,
  KindsInState,
  type LiveKinds,
  readLiveKinds,
  type Row,
} from "./support/live_kinds.ts";
import { fetchOf } from "./support/fetch_of.ts";
import { amount, SEED, WHOLE_SUITE } from "./support/size.ts";
import { longFile } from "../support/long.ts";

longFile();

const MAX_BID = 3;
const MAX_EFFECTIVE_BID = 6;
const MAX_BUDGET = 90;
const MAX_INCREASE = 0.5;
const FORBIDDEN = new Set<string>(["sb.negative_targets", "sd.product_ads"]);
const NOW = "2026-09-30T20:00:00Z";
const POLICY = `
version: 1
max_bid: ${MAX_BID}
max_effective_bid: ${MAX_EFFECTIVE_BID}
max_budget: ${MAX_BUDGET}
max_increase: ${MAX_INCREASE * 100}%
protect: { names: ["*Protected*"] }
allow_kinds: [${PROFILE_KINDS.filter((kind) => !FORBIDDEN.has(kind)).join(", ")}]
`;

interface World {
  readonly us: ProfileClient;
  readonly random: SeededRandom;
  readonly live: LiveKinds;
  /** Campaigns that moves are made in. */
  readonly open: ReadonlySet<string>;
  readonly results: PlanResult[];
}

interface Chosen {
  readonly kind: ResourceKind;
  readonly id: string;
  readonly row: Row;
}

/** Any entity of any kind in the chosen campaigns. */
function choose({ random, live, open }: World, kind = random.pick(PROFILE_KINDS)): Chosen | undefined {
  const rows = [...live.get(kind) ?? []].filter(([, row]) => {
    const campaignId = campaignOf(kind, row, live);
    return campaignId === undefined || open.has(campaignId);
  });
  if (rows.length === 0) return undefined;
  const [id, row] = random.pick(rows);
  return { kind, id, row };
}

const near = (random: SeededRandom, value: unknown): number =>
  random.integer(0, 3) === 0
    ? random.pick([0.3, 1.1, 2.9, 3.1, 20, 89, 91, 9000])
    : Math.max(0.1, Math.round(Number(value ?? 1) * random.integer(70, 165)) / 100);

/** Another value for one of the fields that an update may set. */
function otherValue({ random, live }: World, { kind, row }: Chosen): Record<string, unknown> {
  const lower = KINDS[kind].stateCase === "lower";
  const field = random.pick(KINDS[kind].updatable);
  switch (field) {
    case "state":
      return { state: random.pick(lower ? ["enabled", "paused"] : ["ENABLED", "PAUSED"]) };
    case "bid":
      return { bid: random.integer(0, 3) === 0 ? null : near(random, row["bid"]) };
    case "defaultBid":
      return { defaultBid: near(random, row["defaultBid"]) };
    case "budget": {
      const value = near(random, budgetOf(row));
      if (kind !== "portfolios") return { budget: value };
      return random.integer(0, 3) === 0
        ? { budget: null }
        : { budget: { ...row["budget"] as object, amount: Math.ceil(value) } };
    }
    case "dynamicBidding":
    case "bidding": {
      const names = field === "bidding"
        ? ["HOME", "DETAIL_PAGE", "OTHER", "TOP_OF_SEARCH"]
        : ["PLACEMENT_TOP", "PLACEMENT_PRODUCT_PAGE", "PLACEMENT_REST_OF_SEARCH"];
      const list = names.filter(() => random.integer(0, 1) === 0)
        .map((placement) => ({ placement, percentage: random.pick([0, 10, 30, 45, 60, 200, 899]) }));
      return field === "bidding"
        ? { bidding: { bidOptimization: false, bidAdjustmentsByPlacement: list } }
        : {
          dynamicBidding: {
            strategy: random.pick(["LEGACY_FOR_SALES", "AUTO_FOR_SALES", "MANUAL"]),
            placementBidding: list,
          },
        };
    }
    case "portfolioId":
      return { portfolioId: random.pick([null, ...live.get("portfolios")!.keys()]) };
    case "endDate": {
      const day = random.pick(["2026-10-05", "2026-12-31", "2027-06-30"]);
      return { endDate: kind.startsWith("sd") ? day.replaceAll("-", "") : day };
    }
    case "name":
      return { name: `Renamed ${random.integer(1, 999_999)}` };
    default:
      return {};
  }
}

/** The fields of an entity for a new one: the same again, or another one beside it. */
function copyOf({ random }: World, { kind, row }: Chosen, isSame: boolean): Record<string, unknown> {
  const { idField, columns, moreFields = [], updatable, required } = KINDS[kind];
  const known = new Set([
    ...columns.map((name) => name.split(".")[0]),
    ...moreFields,
    ...updatable,
    ...required,
  ]);
  const fields = Object.fromEntries(
    Object.entries(row).filter(([name]) => name !== idField && known.has(name) && !/^resolved/.test(name)),
  );
  if ("bid" in fields) fields["bid"] = near(random, row["bid"]);
  if ("defaultBid" in fields) fields["defaultBid"] = near(random, row["defaultBid"]);
  if (kind.endsWith(".campaigns")) fields["startDate"] = kind.startsWith("sd") ? "20261001" : "2026-10-01";
  if (isSame) return fields;
  const number = random.integer(1, 999_999);
  if ("name" in fields) fields["name"] = `Copy ${number}`;
  if ("keywordText" in fields) fields["keywordText"] = `copy ${number}`;
  return fields;
}

/** Adds one change, or several that belong together, to a draft. */
function draftMove(world: World, draft: ReturnType<ProfileClient["plan"]>): void {
  const { random } = world;
  const chosen = choose(world);
  if (chosen === undefined) return;
  const { kind, id } = chosen;
  const idField = KINDS[kind].idField;
  const dice = random.integer(0, 9);
  if (dice === 0) return void draft.archive(kind as string, id);
  if (dice === 1) {
    draft.archive(kind as string, id);
    return void draft.create(kind as string, copyOf(world, chosen, true));
  }
  if (dice === 2) return void draft.create(kind as string, copyOf(world, chosen, false));
  if (dice === 3) {
    // Something new in a campaign that the plan names by a reference to its own update.
    const place = choose(world, random.pick(["sp.campaigns", "sb.campaigns", "sd.campaigns"] as const));
    const group = place && choose(world, `${place.kind.slice(0, 2)}.ad_groups` as ResourceKind);
    if (place === undefined || group === undefined) return;
    const name = `r${random.integer(1, 999_999)}`;
    draft.update(place.kind as string, { campaignId: place.id, ...otherValue(world, place) }, { as: name });
    const fields = copyOf(world, group, false);
    return void draft.create(group.kind as string, { ...fields, campaignId: { ref: name } });
  }
  draft.update(kind as string, { [idField]: id, ...otherValue(world, chosen) });
}

/** A plan file that somebody wrote: what it says of the account is made up. */
function forged(world: World): ChangePlan | undefined {
  const { us: { profileId, countryCode }, random, results, open } = world;
  const chosen = choose(world);
  if (chosen === undefined) return undefined;
  const { kind, id } = chosen;
  const after = otherValue(world, chosen);
  const before = Object.fromEntries(Object.keys(after).map((field) => [field, near(random, 50)]));
  const isArchive = random.integer(0, 4) === 0;
  const change: Change = {
    kind,
    op: isArchive ? "archive" : "update",
    id,
    before,
    after: isArchive ? { state: "ARCHIVED" } : after,
    label: "harmless",
    campaignId: random.pick([...open]),
  };
  const reverses = random.pick([null, results.at(-1)?.plan.id ?? "20261101-000000-abcdef01"]);
  const names = { campaigns: { [change.campaignId!]: "Sandbox" }, ad_groups: {} };
  const plan = new ChangePlan({ profileId, countryCode, changes: [change], reverses, names });
  return ChangePlan.fromJson(plan.toJson());
}

/** One move; returns a text for messages. */
async function act(world: World): Promise<string> {
  const { us, random, results } = world;
  const dice = random.integer(0, 11);
  if (dice === 0 && results.length > 0) {
    results.push(await random.pick(results).rollbackPlan().apply(us));
    return "undo";
  }
  if (dice === 1) {
    const plan = forged(world);
    if (plan !== undefined) results.push(await plan.apply(us));
    return "forged file";
  }
  if (dice === 2) {
    const chosen = choose(world);
    if (chosen === undefined) return "";
    const { kind, id } = chosen;
    const resource = us.resource(kind as string);
    const way = random.integer(0, 3);
    if (way === 0) await resource.delete([id]);
    else if (way === 1) await resource.create([copyOf(world, chosen, random.integer(0, 1) === 0)]);
    else await resource.update([{ [resource.idField]: id, ...otherValue(world, chosen) }]);
    return `direct ${kind}`;
  }
  if (dice === 3) {
    // A bid is cleared, and then given any value.
    const chosen = choose(world, random.pick(["sp.keywords", "sp.targets", "sd.targets"] as const));
    if (chosen === undefined) return "";
    const resource = us.resource(chosen.kind as string);
    for (const bid of [null, near(random, chosen.row["bid"])]) {
      const plan = await resource.planUpdate([{ [resource.idField]: chosen.id, bid }]);
      if (plan.changes.length > 0) results.push(await plan.apply(us));
    }
    return "cleared and set";
  }
  const draft = us.plan();
  for (let more = random.integer(1, 3); more > 0; more--) draftMove(world, draft);
  const plan = await draft.build();
  if (plan.changes.length > 0) {
    results.push(await plan.apply(us, { sendAnyway: random.integer(0, 3) === 0 }));
  }
  return `plan of ${plan.changes.map(({ op, kind }) => `${op} ${kind}`).join(", ")}`;
}

/** What the policy forbids and a write did, by the lists of the platform alone. */
function violations(start: LiveKinds, before: LiveKinds, after: LiveKinds): string[] {
  const found: string[] = [];
  const over = (value: number, limit: number): boolean => value > limit * (1 + 1e-9);
  const isProtected = (name: unknown): boolean => typeof name === "string" && name.includes("Protected");
  for (const [kind, rows] of after) {
    const first = start.get(kind)!;
    if (rows === first && rows === before.get(kind)) continue;
    const family = kind.split(".")[0];
    for (const id of new Set([...rows.keys(), ...first.keys()])) {
      const [row, was] = [rows.get(id), first.get(id)];
      if (row === was || JSON.stringify(row) === JSON.stringify(was)) continue;
      if (FORBIDDEN.has(kind)) found.push(`${kind} ${id} is of a kind that is not allowed`);
      const campaignId = campaignOf(kind, (was ?? row)!, start);
      const campaign = start.get(`${family}.campaigns`)?.get(campaignId ?? "");
      const group = start.get(`${family}.ad_groups`)?.get(String((was ?? row)!["adGroupId"]));
      if ([was?.["name"], campaign?.["name"], group?.["name"]].some(isProtected)) {
        found.push(`protected ${kind} ${id}: ${JSON.stringify(was)} is ${JSON.stringify(row)}`);
      }
    }
    if (!kind.endsWith(".campaigns") && kind !== "portfolios") continue;
    for (const [id, row] of rows) {
      const [is, was, began] = [row, before.get(kind)!.get(id), first.get(id)].map(budgetOf);
      const ran = before.get(kind)!.get(id);
      if (kind !== "portfolios" && is !== undefined && isOn(row)) {
        const spendsMore = ran === undefined || !isOn(ran) || was === undefined || was < is;
        if (spendsMore && over(is, MAX_BUDGET)) found.push(`budget ${is} of ${kind} ${id}`);
      }
      if (began === undefined || !isOn(row)) continue;
      if (is === undefined && was !== undefined) found.push(`${kind} ${id} has no limit any more`);
      if (is !== undefined && over(is, began * (1 + MAX_INCREASE)) && over(is, was ?? 0)) {
        found.push(`budget ${began} -> ${is} of ${kind} ${id}`);
      }
    }
  }
  const [began, were, are] = [start, before, after].map(amountsOf);
  const firsts = new Map([...began!.values()].map((one) => [one.identity, one]));
  for (const [key, now] of are!) {
    const was = were!.get(key);
    if (now === was && now === began!.get(key)) continue;
    const { bid, clicks, isOn, identity } = now;
    if (!isOn) continue;
    const ran = was?.isOn === true ? was : undefined;
    if (over(bid, MAX_BID) && over(bid, ran?.bid ?? 0)) found.push(`bid ${bid} of ${key}`);
    const [top, ranTop] = [clicks, ran?.clicks].map((all) => Math.max(0, ...all?.values() ?? []));
    if (over(top!, MAX_EFFECTIVE_BID) && over(top!, ranTop!)) found.push(`${top} a click for ${key}`);
    const first = firsts.get(identity);
    if (first === undefined) continue;
    for (const [placement, price] of clicks) {
      const from = first.clicks.get(placement) ?? first.clicks.get("any")!;
      const last = was?.clicks.get(placement) ?? was?.clicks.get("any") ?? 0;
      if (over(price, from * (1 + MAX_INCREASE)) && over(price, last)) {
        found.push(`${from} -> ${price} a click in ${placement} for ${key}`);
      }
    }
  }
  return found;
}

/** Lists show what was judged: every entity, with every field that they have. */
function sameAsLists(judged: LiveKinds, listed: LiveKinds): void {
  for (const [kind, rows] of listed) {
    const known = judged.get(kind)!;
    deepEqual([...known.keys()], [...rows.keys()], kind);
    for (const [id, row] of rows) {
      const { resolvedExpression: _, ...fields } = row;
      const same = Object.fromEntries(Object.keys(fields).map((name) => [name, known.get(id)![name]]));
      deepEqual(same, fields, `${kind} ${id}`);
    }
  }
}

/** Two open campaigns and one that is protected of each family, and a protected portfolio. */
async function prepare(free: ProfileClient): Promise<Set<string>> {
  const live = await readLiveKinds(free);
  const chosen = new Set<string>();
  for (const family of ["sp", "sb", "sd"]) {
    const ids = [...live.get(`${family}.campaigns`)!].filter(([, row]) => isOn(row)).map(([id]) => id).slice(
      0,
      4,
    );
    for (const id of ids) chosen.add(id);
    await free.resource(`${family}.campaigns`).update([{ campaignId: ids[1]!, name: `Protected ${family}` }]);
  }
  const [portfolioId] = live.get("portfolios")!.keys();
  await free.portfolios.update([{ portfolioId: portfolioId!, name: "Protected portfolio" }]);
  return chosen;
}

Deno.test("random moves over all kinds leave nothing on the platform that a policy forbids", async () => {
  const tries = amount(270, 10_000);
  const random = new SeededRandom(SEED + 7);
  const sent = new Map<string, number>();
  let count = 0;
  for (let done = 0; done < tries;) {
    const emulator = await Emulator.start({ seed: "kinds", clock: { now: NOW, frozen: true } });
    try {
      await using folder = await temporaryFolder();
      const { platform, credentials } = emulator;
      const open = async (): Promise<ProfileClient> => {
        const ledger = new FolderLedger(folder.path);
        const policy = parsePolicy(POLICY, { ledger, now: () => Date.parse(NOW) });
        return await new PlatformAds(credentials, { platform, policy, fetch: fetchOf(emulator) })
          .profile("US");
      };
      const free = await new PlatformAds(credentials, { platform, fetch: fetchOf(emulator) })
        .profile("US");
      const campaigns = await prepare(free);
      const kinds = new KindsInState(emulator, free);
      const start = kinds.read();
      let live = start;
      let us = await open();
      const results: PlanResult[] = [];
      for (let at = 0; at < 45 && done < tries; at++, done++) {
        if (random.integer(0, 9) === 0) us = await open();
        const from = writes(emulator).length;
        const what = await act({ us, random, live, open: campaigns, results })
          .catch((error: Error) => error.message);
        const bodies = writes(emulator).slice(from);
        if (bodies.length === 0) continue;
        count++;
        for (const { method, path } of bodies) {
          sent.set(`${method} ${path}`, (sent.get(`${method} ${path}`) ?? 0) + 1);
        }
        const after = kinds.read();
        deepEqual(
          violations(start, live, after),
          [],
          `move ${at} (try ${done}) of seed ${SEED}, ${what}: ${bodies.map(({ body }) => body).join("\n")}`,
        );
        live = after;
      }
      sameAsLists(live, await readLiveKinds(free));
    } finally {
      await emulator.stop();
    }
  }
  ok(count > tries / 12, `${count} of ${tries} moves were sent`);
  if (WHOLE_SUITE) {
    console.log(
      `${count} of ${tries} moves sent; ${[...sent].map(([what, times]) => `${what} ${times}`).join(", ")}`,
    );
    ok(sent.size > 35, `${sent.size} kinds of requests were sent`);
  }
});

function writes(emulator: Emulator): { method: string; path: string; body?: unknown }[] {
  return emulator.requests().filter(({ method, path }) =>
    method !== "GET" && /\/(sp|sb|sd|portfolios)\b/.test(path) && !path.endsWith("/list")
  ).map(({ method, path, body }) => ({ method, path: path.replace(/\/\d+$/, ""), body }));
}
