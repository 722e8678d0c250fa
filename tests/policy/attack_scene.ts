import { equal, match, ok, rejects } from "../support/assert.ts";
import { PlatformAds } from "../../src/client/platform_ads.ts";
import type { ProfileClient } from "../../src/client/profile_client.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { PolicyError } from "../../src/plans/model/plan_errors.ts";
import { FolderLedger } from "../../src/plans/policy/folder_ledger.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

/** An account with two clients: one free to prepare it, one held by a policy that remembers the day. */
export interface Scene {
  readonly free: ProfileClient;
  readonly held: ProfileClient;
  /** Writes that reached the platform. */
  readonly writes: () => number;
}

/** @param options.remembers False for a policy without a ledger. @default true */
export async function scene(
  policy: string,
  step: (scene: Scene) => Promise<void>,
  { remembers = true }: { readonly remembers?: boolean } = {},
): Promise<void> {
  const emulator = await Emulator.start();
  await using folder = await temporaryFolder();
  try {
    const place = { platform: emulator.platform };
    const free = await new PlatformAds(emulator.credentials, place).profile("US");
    const ledger = remembers ? { ledger: new FolderLedger(folder.path) } : {};
    const held = await new PlatformAds(emulator.credentials, {
      ...place,
      policy: parsePolicy(`version: 1\n${policy}`, ledger),
    }).profile("US");
    const writes = (): number =>
      emulator.requests().filter(({ method, path }) =>
        method === "PUT" || method === "DELETE" ||
        method === "POST" && /^\/na\/(sp|sb|sd|portfolios)(\/v\d)?\/\w+(\/delete)?$/.test(path) &&
          !path.endsWith("/list")
      ).length;
    await step({ free, held, writes });
  } finally {
    await emulator.stop();
  }
}

/** Expects that the policy refuses, for a reason that matches, and that nothing was written. */
export async function denied({ writes }: Scene, act: () => Promise<unknown>, why: RegExp): Promise<void> {
  const before = writes();
  await rejects(act(), (error: Error) => {
    ok(error instanceof PolicyError, String(error));
    match(error.message, why);
    return true;
  });
  equal(writes(), before, "a write reached the platform");
}

export interface Place {
  readonly campaignId: string;
  readonly adGroupId: string;
}

/** A manual campaign of its own with one ad group. */
export async function place(
  { free }: Scene,
  { budget = 50, defaultBid = 0.5, state = "ENABLED" as const, campaign = {} } = {},
): Promise<Place> {
  const made = await free.sp.campaigns.create([{
    name: `Attack ${crypto.randomUUID()}`,
    targetingType: "MANUAL",
    state,
    startDate: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
    budget: { budget, budgetType: "DAILY" },
    ...campaign,
  }]);
  made.raiseForErrors();
  const campaignId = made.ids[0]!;
  const groups = await free.sp.adGroups.create([{ campaignId, name: "Group", state: "ENABLED", defaultBid }]);
  groups.raiseForErrors();
  return { campaignId, adGroupId: groups.ids[0]! };
}

export async function keyword(
  client: ProfileClient,
  { campaignId, adGroupId }: Place,
  fields: { keywordText?: string; bid?: number; state?: "ENABLED" | "PAUSED" } = {},
): Promise<string> {
  const item = {
    campaignId,
    adGroupId,
    keywordText: "red shoes",
    matchType: "EXACT",
    state: "ENABLED",
    ...fields,
  } as const;
  const made = await client.sp.keywords.create([item]);
  made.raiseForErrors();
  return made.ids[0]!;
}
