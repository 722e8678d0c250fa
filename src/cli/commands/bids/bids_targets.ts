import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { Target } from "../../../resources/sponsored_products/entities/targets.ts";
import { asyncChunks } from "../../../internal/chunks.ts";
import { refusingBadInput } from "../../core/errors/cli_error.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { accountNameOption, accountTypeOption, marketOption } from "../../options/market_options.ts";
import { rowPrinter } from "../../output/print_rows.ts";
import { separatedIds } from "../../options/parse_values.ts";
import { withProfile } from "../../core/with_profile.ts";
import type { BidsOptions } from "./bids_keywords.ts";
import { say } from "../../output/say.ts";

const COLUMNS = ["targetId", "expression", "bid", "low", "suggested", "high"];
const FIELDS = [...COLUMNS, "supported", "theme", "campaignId", "adGroupId"];
const BATCH = 1000;

/** `adsctl bids targets`. */
export function bidsTargetsCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("targets", {
    summary: "Suggest bids for product and automatic targets that exist",
    details:
      "Targets that the platform suggests no bids for (several predicates, expanded products and the like) are listed " +
      "with empty prices and counted on stderr.",
    examples: [["adsctl bids targets -m US --campaign-id 123", "one campaign"]],
    library: "await profile.bids.forTargets(await profile.sp.targets.list({ campaignIds }))",
    fields: FIELDS,
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
    const printer = rowPrinter({ columns: COLUMNS, fields: FIELDS }, context);
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
