import { type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import { positiveInteger, separated, wholeNumber } from "../../options/parse_values.ts";
import { storeOption } from "../../options/store_option.ts";
import { runSync } from "./run_sync.ts";
import { accountNameOption, accountTypeOption } from "../../options/profile_options.ts";

/** `adsctl sync`. */
export function syncCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("sync", {
    summary: "Bring a local store of reports up to date",
    details:
      "Run it every night: the store keeps what the platform forgets after 60 to 95 days. Each run pulls what " +
      "is missing and the last 42 days, which the platform may still restate, and reads the account: campaigns, ad " +
      "groups, keywords, targets, negatives, ads and portfolios, with every change since. One profile's failure does not stop the " +
      "others (exit code 3). Days for which a report has far less than what is stored stay as they are and are reported " +
      "(exit code 3). Interrupted, it goes on where it stopped.",
    examples: [
      ["adsctl sync --all-profiles --store ads.sqlite", "everything that the login reaches"],
      ["adsctl sync -m US --entities", "the account alone, to query it: adsctl store schema"],
      ["adsctl sync -m US --hours", "the last 14 days by hour, without a queue"],
      ["adsctl sync -m US --months", "six years of months"],
      ["adsctl sync -m US --reporting 1", "15 months of days: what version 3 does not keep any more"],
      ["adsctl sync -m US -m DE --report sp_campaigns,sp_search_terms", "two markets, two reports"],
      [
        "adsctl sync --all-profiles --store postgres://ads@db/ads --cron '15 5 * * *'",
        "workers do it, daily",
      ],
    ],
    library: "const result = await store.sync([us, de])",
  })
    .option("-m, --market <markets>", "country codes or profile ids; may be given again", separated)
    .option("--all-profiles", "every profile that the login reaches")
    .addOption(accountTypeOption())
    .addOption(accountNameOption())
    .addOption(storeOption())
    .option(
      "--report <names>",
      "reports to keep: names, or types of adsctl report types, as sdCampaigns:matchedTarget (default: " +
        "sp_placement,sp_targeting,sp_search_terms)",
      separated,
    )
    .option("--entities", "store campaigns, keywords and so on, and no reports unless --report names some")
    .option("--no-entities", "leave campaigns, keywords and so on as they are stored")
    .option(
      "--hours",
      "store the last 14 days by hour, as the stream would, and no reports unless --report names some",
    )
    .option(
      "--months",
      "store whole months by campaign, up to six years back, and no reports unless --report names some",
    )
    .addOption(
      new Option("--source <how>", "read them by lists, by exports, or by what is cheaper (default: auto)")
        .choices(["auto", "list", "export"] as const),
    )
    .addOption(
      new Option(
        "--reporting <api>",
        "who answers: version 3 (default), or 1, whose days reach back 15 months, for reports by name",
      ).choices(["3", "1"] as const),
    )
    .option(
      "--restate-days <n>",
      "days before the newest stored one to pull again (default: 42)",
      wholeNumber,
    )
    .option("--start <day>", "first day: YYYY-MM-DD, or -N days before today (default: what is missing)")
    .option("--end <day>", "last day (default: -1, yesterday where the profile is)")
    .option("--add-account", "add profiles of another login to a store that holds some already")
    .option(
      "--accept-shrink",
      "store reports that have far fewer rows or less cost than what they replace, and lists with far fewer entities; " +
        "otherwise they are held back",
    )
    .option("--concurrency <n>", "requests at the same time (default: 8)", positiveInteger)
    .option(
      "--enqueue",
      "put one job for each profile and report on the queue of a PostgreSQL store, for adsctl worker",
    )
    .option("--cron <time>", "do that again and again: minute hour day month weekday, in UTC; off ends it")
    .option(
      "--timeout <minutes>",
      "leave a report to the next sync after so many minutes (default: 60)",
      positiveInteger,
    )
    .action((options, self) => kit.run((context) => runSync(options, context), self));
}
