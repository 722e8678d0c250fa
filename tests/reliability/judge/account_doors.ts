import { copyCampaigns, planSheet, rehearsePlan, snapshotAccount } from "../../../src/account/mod.ts";
import { PlatformAds } from "../../../mod.ts";
import { Emulator } from "../../../src/emulator/mod.ts";
import { fields } from "../../../src/interfaces/arena/account/account_image.ts";
import { pickSubject, type Subject, subjects } from "./drawn_values.ts";
import { apply } from "./plan_doors.ts";
import { type Door, NOW, type World } from "./world.ts";
import { drawnItems } from "./write_doors.ts";

function campaignsOf(world: World, profileId: string): Subject[] {
  return subjects(world.image, profileId).filter(({ kind }) => kind === "sp.campaigns");
}

/** Copies a campaign within a market or to the other one. */
export const copy: Door = async (world, moved) => {
  const { random } = world;
  const [from, to] = [random.pick(world.clients), random.pick(world.clients)];
  const campaign = pickSubject(campaignsOf(world, from.profileId), world);
  const plan = await copyCampaigns(from, to, {
    campaignIds: [campaign.id],
    rename: `${random.pick(["Plain", "Brand"])} copy ${random.integer(1, 9_999_999)}`,
    ...(random.integer(0, 1) === 0 ? { state: random.pick(["ENABLED", "PAUSED"] as const) } : {}),
    ...(from.profileId === to.profileId ? {} : { rate: random.pick([0.7, 1, 1.4, 10]) }),
  });
  await apply(plan, to, { world, moved });
};

const HEADERS = [
  "Product",
  "Entity",
  "Operation",
  "Campaign Id",
  "Ad Group Id",
  "Portfolio Id",
  "Keyword Id",
  "Campaign Name",
  "State",
  "Daily Budget",
  "Ad Group Default Bid",
  "Bid",
];
const SHEET_KINDS: Readonly<Record<string, { entity: string; amount: string }>> = {
  "sp.campaigns": { entity: "Campaign", amount: "Daily Budget" },
  "sp.ad_groups": { entity: "Ad group", amount: "Ad Group Default Bid" },
  "sp.keywords": { entity: "Keyword", amount: "Bid" },
};

/** Applies a bulk sheet. */
export const sheet: Door = async (world, moved) => {
  const { random, image } = world;
  const us = random.pick(world.clients);
  const known = subjects(image, us.profileId).filter(({ kind }) => SHEET_KINDS[kind] !== undefined);
  const lines = Array.from({ length: random.integer(1, 3) }, () => {
    const { kind, id, entity } = pickSubject(known, world);
    const { entity: word, amount } = SHEET_KINDS[kind]!;
    const text = (name: string): string => String(entity[name] ?? "");
    const near = Number(fields(entity["budget"])?.["budget"] ?? entity["defaultBid"] ?? entity["bid"] ?? 1);
    const cells: Record<string, string> = {
      Product: "Sponsored Products",
      Entity: word,
      Operation: random.integer(0, 9) === 0 ? "archive" : "update",
      "Campaign Id": kind === "sp.campaigns" ? id : text("campaignId"),
      "Ad Group Id": kind === "sp.ad_groups" ? id : text("adGroupId"),
      "Keyword Id": kind === "sp.keywords" ? id : "",
      "Portfolio Id": random.integer(0, 5) === 0
        ? random.pick(subjects(image, us.profileId).filter((one) => one.kind === "portfolios")).id
        : "",
      State: random.pick(["", "", "enabled", "paused"]),
      [amount]: random.pick(["", (near * random.pick([0.4, 0.9, 1.05, 1.3, 3, 20])).toFixed(2)]),
    };
    return HEADERS.map((header) => cells[header] ?? "").join(",");
  });
  const bytes = new TextEncoder().encode([HEADERS.join(","), ...lines].join("\r\n"));
  const { plan } = await planSheet(us, { bytes, name: "bulk.csv" }, { skipBadRows: true });
  await apply(plan, us, { world, moved });
};

/** Puts back what the platform's history says of today. */
export const fromHistory: Door = async (world, moved) => {
  const { random } = world;
  const us = random.pick(world.clients);
  const plan = await us.history.rollbackPlan("2026-09-30T00:00:00Z", {
    created: random.pick(["pause", "archive", "keep"] as const),
  });
  await apply(plan, us, { world, moved });
};

/** Tries a plan on a copy of the account. Nothing may happen in the account. */
export const rehearsal: Door = async (world, moved) => {
  const { random } = world;
  const us = random.pick(world.clients);
  const draft = us.plan();
  const drawn = drawnItems(world, us);
  for (const item of drawn?.items ?? []) draft.update(drawn!.kind as never, item as never);
  const plan = await draft.build();
  moved({ isLook: true });
  const emulator = await Emulator.start({
    listen: false,
    account: await snapshotAccount(us),
    clock: { now: NOW, frozen: true },
  });
  try {
    const ads = new PlatformAds(emulator.credentials, {
      platform: emulator.platform,
      fetch: (input, init) => emulator.fetch(input, init),
      now: () => Date.parse(NOW),
      sleep: () => Promise.resolve(),
    });
    await rehearsePlan(plan, { account: us, copy: await ads.profile(us.profileId) });
  } finally {
    await emulator.stop();
  }
};
