import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { Target } from "../../../resources/sponsored_products/entities/targets.ts";
import { asyncChunks } from "../../../internal/chunks.ts";
import { refusingBadInput } from "../../core/errors/cli_error.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import {
  accountNameOption,
  accountTypeOption,
  marketOption,
  type MarketOptions,
} from "../../options/market_options.ts";
import { rowPrinter } from "../../output/print_rows.ts";
import { separatedIds } from "../../options/parse_values.ts";
import { withProfile } from "../../core/connect.ts";
import { say } from "../../output/write_text.ts";
import type { Keyword } from "../../../resources/sponsored_products/entities/keywords.ts";
import { bidsNewCommand } from "./bids_new.ts";

/** `adsctl bids`. */
export function bidsCommand(kit: CommandKit): CommandUnknownOpts {
  const group = kit.group("bids", {
    summary: "Get suggested bids from the platform",
    examples: [
      ["adsctl bids keywords -m US --campaign-id 123", "for the keywords of a campaign"],
      [
        "adsctl bids new -m US --asin B0EXAMPLE1 --keyword 'trail shoes:EXACT'",
        "for an ad group that does not exist yet",
      ],
    ],
    library: "await profile.bids.forKeywords(keywords)",
  });
  for (const make of [bidsKeywordsCommand, bidsTargetsCommand, bidsNewCommand]) {
    group.addCommand(make(kit));
  }
  return group;
}

const KEYWORD_COLUMNS = ["keywordId", "keywordText", "matchType", "bid", "low", "suggested", "high"];
const KEYWORD_FIELDS = [...KEYWORD_COLUMNS, "theme", "campaignId", "adGroupId"];
/** Keywords in one request for bids. */
const BATCH = 1000;

/** Options of {@linkcode runBidsKeywords} and `runBidsTargets`. */
export interface BidsOptions extends MarketOptions {
  /** Ids of the entities. */
  readonly id?: readonly string[];
  /** Ids of their campaigns. */
  readonly campaignId?: readonly string[];
  /** Ids of their ad groups. */
  readonly adGroupId?: readonly string[];
  /** Occasion. */
  readonly theme?: string;
}

/** `adsctl bids keywords`. */
function bidsKeywordsCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("keywords", {
    summary: "Suggest bids for keywords that exist",
    details:
      "Prints the present bid beside the range and the suggestion; where the platform gives no price, the cell is empty. " +
      "Narrow the keywords: the platform throttles these requests most.",
    examples: [
      ["adsctl bids keywords -m US --campaign-id 123", "one campaign"],
      [
        "adsctl bids keywords -m US --ad-group-id 9 --theme BFCM_HOLIDAY --format csv",
        "for an occasion, as a file",
      ],
    ],
    library: "await profile.bids.forKeywords(await profile.sp.keywords.list({ campaignIds }))",
    fields: KEYWORD_FIELDS,
  })
    .addOption(marketOption())
    .addOption(accountTypeOption())
    .addOption(accountNameOption())
    .option("--id <ids>", "only these keywords", separatedIds)
    .option("--campaign-id <ids>", "only keywords of these campaigns", separatedIds)
    .option("--ad-group-id <ids>", "only keywords of these ad groups", separatedIds)
    .option("--theme <theme>", "occasion (default: CONVERSION_OPPORTUNITIES)")
    .action((options, self) => kit.run((context) => runBidsKeywords(options, context), self));
}

/** Suggests bids for keywords. */
function runBidsKeywords(options: BidsOptions, context: CliContext): Promise<number> {
  const { signal } = context.interruption;
  return withProfile(options, context, async (client) => {
    const printer = rowPrinter({ columns: KEYWORD_COLUMNS, fields: KEYWORD_FIELDS }, context);
    let count = 0;
    await refusingBadInput(async () => {
      const keywords = client.sp.keywords.iter({
        ids: options.id,
        campaignIds: options.campaignId,
        adGroupIds: options.adGroupId,
        signal,
      });
      for await (const batch of asyncChunks<Keyword>(keywords, BATCH)) {
        const bids = await client.bids.forKeywords(batch, { theme: options.theme, signal });
        count += batch.length;
        await printer.write(batch.map((keyword) => ({ ...keyword, ...bids.get(keyword.keywordId) })));
      }
    });
    await printer.end();
    if (count === 0) await say("No keywords match", context);
    return EXIT.done;
  });
}

const TARGET_COLUMNS = ["targetId", "expression", "bid", "low", "suggested", "high"];
const TARGET_FIELDS = [...TARGET_COLUMNS, "supported", "theme", "campaignId", "adGroupId"];

/** `adsctl bids targets`. */
function bidsTargetsCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("targets", {
    summary: "Suggest bids for product and automatic targets that exist",
    details:
      "Targets that the platform suggests no bids for (several predicates, expanded products and the like) are listed " +
      "with empty prices and counted on stderr.",
    examples: [["adsctl bids targets -m US --campaign-id 123", "one campaign"]],
    library: "await profile.bids.forTargets(await profile.sp.targets.list({ campaignIds }))",
    fields: TARGET_FIELDS,
  })
    .addOption(marketOption())
    .addOption(accountTypeOption())
    .addOption(accountNameOption())
    .option("--id <ids>", "only these targets", separatedIds)
    .option("--campaign-id <ids>", "only targets of these campaigns", separatedIds)
    .option("--ad-group-id <ids>", "only targets of these ad groups", separatedIds)
    .option("--theme <theme>", "occasion (default: CONVERSION_OPPORTUNITIES)")
    .action((options, self) => kit.run((context) => runBidsTargets(options, context), self));
}

/** Suggests bids for targets. */
function runBidsTargets(options: BidsOptions, context: CliContext): Promise<number> {
  const { io, globals, interruption: { signal } } = context;
  return withProfile(options, context, async (client) => {
    const printer = rowPrinter({ columns: TARGET_COLUMNS, fields: TARGET_FIELDS }, context);
    let unsupported = 0;
    let count = 0;
    await refusingBadInput(async () => {
      const targets = client.sp.targets.iter({
        ids: options.id,
        campaignIds: options.campaignId,
        adGroupIds: options.adGroupId,
        signal,
      });
      for await (const batch of asyncChunks<Target>(targets, BATCH)) {
        const bids = await client.bids.forTargets(batch, { theme: options.theme, signal });
        const byId = new Map(bids.suggestions.map(({ targetId, expression: _, ...bid }) => [targetId, bid]));
        unsupported += bids.unsupported.length;
        count += batch.length;
        await printer.write(
          batch.map((target) => ({
            ...target,
            supported: byId.has(target.targetId),
            ...byId.get(target.targetId),
          })),
        );
      }
    });
    await printer.end();
    if (count === 0) await say("No targets match", context);
    if (unsupported > 0) {
      await say(`The platform suggests no bids for ${unsupported} of these targets`, { io, globals });
    }
    return EXIT.done;
  });
}
