import { ok } from "node:assert/strict";
import { AccountFiles, AccountFilesError, pullAccount } from "../../src/account/mod.ts";
import { PlatformAds, type ProfileClient } from "../../mod.ts";
import { type Emulated, emulated, type EmulatedOptions } from "../support/emulated.ts";
import { speaking, type TestedWire } from "../support/on_both_wires.ts";

/** The files of a pull with some of them edited. */
export function edited(
  files: AccountFiles,
  edits: Readonly<Record<string, (text: string) => string>>,
): AccountFiles {
  const texts = new Map(files.texts);
  for (const [path, edit] of Object.entries(edits)) {
    const next = edit(texts.get(path) ?? "");
    ok(next !== texts.get(path), `the edit of ${path} changes something`);
    texts.set(path, next);
  }
  return AccountFiles.fromTexts(texts, { lock: files.lock });
}

export function removed(files: AccountFiles, ...paths: string[]): AccountFiles {
  const texts = new Map(files.texts);
  for (const path of paths) ok(texts.delete(path), `there is ${path}`);
  return AccountFiles.fromTexts(texts, { lock: files.lock });
}

export async function problemsOf(work: Promise<unknown>): Promise<string[]> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof AccountFilesError)) throw error;
    return error.problems.map(({ file, line, field, message }) => `${file}:${line} ${field}: ${message}`);
  }
  throw new Error("there are no problems");
}

export function writes({ emulator }: Emulated): number {
  return emulator.requests().filter(({ method, path }) =>
    method === "PUT" || method === "DELETE" || method === "POST" && !/list$|token$|\/query\/\w+$/.test(path)
  ).length;
}

/** A new campaign, with two ad groups that hold the same keyword. */
export const SPRING = `name: Spring
state: PAUSED
targetingType: MANUAL
startDate: 2026-12-01
portfolio: New ideas
budget: 20
negative_keywords:
  - { keywordText: free, matchType: negative_exact, state: ENABLED }
ad_groups:
  - name: Shoes
    state: ENABLED
    defaultBid: 0.5
    product_ads: [{ sku: SKU-1, asin: B0AAAAAAA1, state: ENABLED }]
    keywords:
      - { keywordText: running shoes, matchType: exact, bid: 0.75, state: ENABLED }
  - name: Boots
    state: ENABLED
    defaultBid: 0.5
    keywords:
      - { keywordText: running shoes, matchType: EXACT, state: ENABLED }
`;
export const IDEAS = (text: string): string =>
  `${text}  - { name: New ideas, state: ENABLED, budget: { amount: 50, policy: MONTHLY_RECURRING } }\n`;
export const EXACT = "sp/sp-cast-iron-skillet-exact.yaml";

export async function pulled(options: EmulatedOptions = {}): Promise<
  { world: Emulated; ca: ProfileClient; files: AccountFiles } & AsyncDisposable
> {
  const world = await emulated(options);
  const ca = await world.ads.profile("CA");
  const files = await pullAccount(ca);
  return { world, ca, files, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

/** A client of the same profile that speaks the other wire. */
export async function onOtherWire({ emulator, time }: Emulated, wire: TestedWire): Promise<ProfileClient> {
  const ads = new PlatformAds(emulator.credentials, {
    platform: emulator.platform,
    now: time.now,
    sleep: time.sleep,
    ...speaking(wire === "legacy" ? "unified" : "legacy").client,
  });
  return await ads.profile("CA");
}
