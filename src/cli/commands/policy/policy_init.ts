import { offersDisplay } from "../../../account/offers_display.ts";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { marketOf } from "../../../markets.ts";
import { suggestPolicy } from "../../../policy/suggest_policy.ts";
import { fileSystem } from "../../../runtime/file_system.ts";
import { UsageError } from "../../core/errors/cli_error.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { withProfile } from "../../core/with_profile.ts";
import { marketOption, type MarketOptions } from "../../options/market_options.ts";

/** Maximum number of bids read; enough for the 99th percentile. */
const MAX_BIDS = 20_000;

/** Options of {@linkcode runPolicyInit}. */
interface PolicyInitOptions extends MarketOptions {
  readonly out?: string;
}

/** `adsctl policy init`. */
export function policyInitCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("init", {
    summary: "Write a commented policy to start from",
    details:
      "Limits are set a little above the bids and budgets that the account has today. Only reads the account.",
    examples: [["adsctl policy init -m CA --out policy.yaml", "a policy for the Canadian profile"]],
    library: "suggestPolicy({ countryCode, currency, bids, budgets })",
  })
    .addOption(marketOption())
    .option("--out <file>", "write it to a file that does not exist yet; otherwise it is printed")
    .action((options, self) => kit.run((context) => runPolicyInit(options, context), self));
}

/** Suggests a policy. */
async function runPolicyInit(options: PolicyInitOptions, context: CliContext): Promise<number> {
  return await withProfile(options, context, async (client) => {
    const { signal } = context.interruption;
    const bids: number[] = [];
    const { sp, sb } = client;
    for (const resource of [sp.keywords, sp.targets, sb.keywords, sb.targets]) {
      for await (const { bid } of resource.iter({ states: ["ENABLED"], signal })) {
        if (bid !== undefined) bids.push(bid);
        if (bids.length >= MAX_BIDS) break;
      }
    }
    const budgets: number[] = [];
    for await (const { budget } of client.sp.campaigns.iter({ states: ["ENABLED"], signal })) {
      if (budget?.budget !== undefined) budgets.push(budget.budget);
    }
    for await (const { budget, budgetType } of client.sb.campaigns.iter({ states: ["ENABLED"], signal })) {
      if (budget !== undefined && budgetType !== "LIFETIME") budgets.push(budget);
    }
    if (await offersDisplay(client, { signal })) {
      for await (const { budget } of client.sd.campaigns.iter({ states: ["ENABLED"], signal })) {
        budgets.push(budget);
      }
    }
    const { countryCode } = client;
    const text = suggestPolicy({
      countryCode,
      currency: marketOf(countryCode)?.currency ?? "",
      bids,
      budgets,
    });
    if (options.out === undefined) await context.io.stdout.write(text);
    else if (await fileSystem().createText(options.out, text)) {
      await context.io.stderr.write(
        `Wrote ${options.out}. Read it, then: adsctl policy test --policy ${options.out}\n`,
      );
    } else throw new UsageError(`Cannot write "${options.out}": it exists already. Name another file`);
    return EXIT.done;
  });
}
