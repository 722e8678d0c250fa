import { counted } from "../../base/text/money_text.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { ConfigurationError } from "../../errors.ts";
import { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { AccountFiles } from "../files/account_files.ts";
import { type AccountNode, type AccountReading, campaignsOf, readAccount } from "../files/account_reading.ts";
import { NO_SETTINGS, SETTINGS_FILE } from "../files/account_settings.ts";
import { AccountComparison } from "./account_comparison.ts";
import { AccountDiff } from "./account_diff.ts";
import { checkContents } from "./diff_account.ts";
import { CAMPAIGN_KINDS } from "../files/file_kinds.ts";
import { fileNames } from "../files/file_paths.ts";
import { FileRenderer } from "../files/render_files.ts";

/** Selection, names and exchange rate for {@linkcode copyCampaigns}. */
export interface CopyCampaignsOptions {
  /** Ids of the campaigns to copy. */
  readonly campaignIds: readonly string[];
  /** Name of each copy; `{name}` stands for the name of the original. @default "{name}" */
  readonly rename?: string | undefined;
  /** State of the copied campaigns. @default that of the original */
  readonly state?: "ENABLED" | "PAUSED" | undefined;
  /** Units of the target currency per unit of the source currency; required if the currencies differ. */
  readonly rate?: number | undefined;
  /** Reason for the plan, stored with it. */
  readonly note?: string | undefined;
  /** Aborts reading either account and checking the copy. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Plans copies of campaigns and everything in them, in the same profile or another. Sends nothing. A copy keeps its
 * portfolio if the target profile has a portfolio of the same name.
 *
 * @param from Source profile.
 * @param to Target profile, which the plan is for.
 * @throws {ConfigurationError} when a campaign does not exist, a name is taken, or `rate` is missing between two
 * currencies.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { copyCampaigns } from "@platform/ads/account";
 *
 * async function toCanada(us: ProfileClient, ca: ProfileClient, campaignId: string): Promise<void> {
 *   const plan = await copyCampaigns(us, ca, { campaignIds: [campaignId], rate: 1.37, state: "PAUSED" });
 *   console.log(plan.toMarkdown());
 * }
 * ```
 */
export async function copyCampaigns(
  from: ProfileClient,
  to: ProfileClient,
  options: CopyCampaignsOptions,
): Promise<ChangePlan> {
  const { campaignIds, rename = "{name}", state, rate, note, signal } = options;
  const source = await readAccount(from, NO_SETTINGS, { campaignIds, signal });
  const originals = campaignsOf(source);
  const missing = campaignIds.filter((id) => originals.every((node) => node.id !== id));
  if (missing.length > 0) {
    throw new ConfigurationError(
      `Cannot copy campaign ${
        missing.join(", ")
      }: profile ${from.profileId} (${from.countryCode}) has no such campaign, ` +
        "or it is archived",
    );
  }
  // What is in the campaigns of the other profile does not matter, only their names.
  const target = await readAccount(to, NO_SETTINGS, { kinds: [...CAMPAIGN_NAMES, "portfolios"], signal });
  checkCurrencies(source, target, rate);
  const copies = originals.map((node): AccountNode => {
    const name = rename.replaceAll("{name}", () => String(node.entity["name"]));
    const portfolioId = samePortfolio(node, source, target);
    // What is copied of a global campaign is an ordinary one.
    const { portfolioId: _, globalCampaignId: __, ...entity } = node.entity;
    const own = { ...entity, name, ...(state === undefined ? {} : { state }) };
    const copy = { ...node, entity: portfolioId === undefined ? own : { ...own, portfolioId } };
    return to.profile.accountInfo.type === "vendor" ? withoutSkus(copy) : copy;
  });
  refuseTakenNames(copies, target);

  const renderer = new FileRenderer(NO_SETTINGS, target);
  const names = fileNames(copies, []);
  const texts = Object.fromEntries(copies.map((node) => {
    const folder = node.kind.kind.split(".")[0] ?? "";
    return [`${folder}/${names.get(node.id)}.yaml`, renderer.campaign(folder, node)];
  }));
  const rates = rate === undefined ? "" : `rates: { ${target.currency}: ${rate} }\n`;
  const settings = `version: 1\ncurrency: ${source.currency}\n${rates}`;
  const files = AccountFiles.fromTexts({ ...texts, [SETTINGS_FILE]: settings });
  const wanted = checkContents(files.readSome(new Set(files.texts.keys())), to);
  const comparison = new AccountComparison({
    wanted,
    reading: target,
    settings: files.settings,
    lock: undefined,
    samePortfolios: true,
  }).run();
  const places = `${from.profileId} (${from.countryCode})`;
  const plan = await new AccountDiff(to, comparison, target).plan({
    note: note ?? `Copy of ${counted(originals.length, "campaign")} of profile ${places}`,
    signal,
  });
  const lost = originals.filter((node) =>
    node.entity["portfolioId"] !== undefined && samePortfolio(node, source, target) === undefined
  );
  const products = from.profileId === to.profileId
    ? 0
    : copies.reduce((sum, copy) => sum + countAds(copy), 0);
  const warnings = [
    ...lost.length === 0
      ? []
      : [`${lost.length} of the copies are in no portfolio: the profile has no portfolio with that name`],
    ...products === 0 ? [] : [
      `${
        counted(products, "product ad")
      } for products of profile ${places}: the platform refuses those that profile ` +
      `${to.profileId} (${to.countryCode}) does not sell`,
    ],
  ];
  return warnings.length === 0
    ? plan
    : new ChangePlan({ ...plan, warnings: [...plan.warnings, ...warnings] });
}

const PRODUCT_ADS = "sp.product_ads";

/** Removes SKUs, because vendors identify products by ASIN only. */
function withoutSkus(node: AccountNode): AccountNode {
  const { sku, ...rest } = node.entity;
  const isAd = node.kind.kind === PRODUCT_ADS && sku !== undefined && rest["asin"] !== undefined;
  return { ...node, entity: isAd ? rest : node.entity, children: node.children.map(withoutSkus) };
}

function countAds({ kind, children }: AccountNode): number {
  return children.reduce((sum, child) => sum + countAds(child), kind.kind === PRODUCT_ADS ? 1 : 0);
}

const CAMPAIGN_NAMES: readonly string[] = Object.values(CAMPAIGN_KINDS).map(({ kind }) => kind);

function checkCurrencies(source: AccountReading, target: AccountReading, rate: number | undefined): void {
  const [from, to] = [source.currency, target.currency];
  if (rate !== undefined && !(Number.isFinite(rate) && rate > 0)) {
    throw new ConfigurationError(`Cannot copy with the rate ${rate}: a rate is a number above 0`);
  }
  if (from !== to && rate === undefined) {
    throw new ConfigurationError(
      `Cannot copy from ${from} to ${to} without a rate: give the value of one ${from} in ${to} (the option rate)`,
    );
  }
  if (from === to && rate !== undefined) {
    throw new ConfigurationError(`Cannot use a rate: both profiles have their amounts in ${from}`);
  }
}

function samePortfolio(
  node: AccountNode,
  source: AccountReading,
  target: AccountReading,
): string | undefined {
  const nameOf = (one: AccountNode): string => String(one.entity["name"]).trim().toLowerCase();
  const own = source.portfolios.find(({ id }) => id === node.entity["portfolioId"]);
  return own && target.portfolios.find((one) => nameOf(one) === nameOf(own))?.id;
}

function refuseTakenNames(copies: readonly AccountNode[], target: AccountReading): void {
  const keyOf = ({ kind, entity }: AccountNode): string =>
    `${kind.kind} ${String(entity["name"]).trim().toLowerCase()}`;
  const taken = new Set(campaignsOf(target).map(keyOf));
  const refused = copies.filter((copy) => taken.size === taken.add(keyOf(copy)).size);
  if (refused.length === 0) return;
  const names = refused.map(({ entity }) => JSON.stringify(entity["name"])).join(", ");
  throw new ConfigurationError(
    `Cannot copy as ${names}: profile ${target.profileId} (${target.countryCode}) would have two campaigns of that name. ` +
      'Choose another name, such as "{name} copy" (the option rename)',
  );
}
