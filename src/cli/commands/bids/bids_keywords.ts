import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { Keyword } from "../../../resources/sponsored_products/entities/keywords.ts";
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
import { asyncChunks } from "../../../internal/chunks.ts";
import { separatedIds } from "../../options/parse_values.ts";
import { withProfile } from "../../core/with_profile.ts";
import { say } from "../../output/say.ts";

const COLUMNS = ["keywordId", "keywordText", "matchType", "bid", "low", "suggested", "high"];
const FIELDS = [...COLUMNS, "theme", "campaignId", "adGroupId"];
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
export function bidsKeywordsCommand(kit: CommandKit): CommandUnknownOpts {
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
    fields: FIELDS,
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
    const printer = rowPrinter({ columns: COLUMNS, fields: FIELDS }, context);
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
