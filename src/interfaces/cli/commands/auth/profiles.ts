import { command } from "../../shell/command.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { rememberProfiles } from "../../shell/context/known_profiles.ts";
import { isOfMarkets, onlyMarketsOption } from "../../shell/options/market_options.ts";
import { printRows } from "../../shell/output/print_rows.ts";

const COLUMNS = [
  "countryCode",
  "profileId",
  "accountInfo.type",
  "accountInfo.name",
  "currencyCode",
  "timezone",
];
const FIELDS = [
  ...COLUMNS,
  "region",
  "dailyBudget",
  "accountInfo.id",
  "accountInfo.subType",
  "accountInfo.marketplaceStringId",
  "accountInfo.validPaymentMethod",
];

export const profilesCommand = command(
  (kit) =>
    kit.leaf("profiles", {
      printsRows: true,
      summary: "List the advertising profiles of the login",
      details:
        "All regions are asked at once. A region that does not respond is reported on stderr, and the others are listed.",
      examples: [
        ["adsctl auth profiles --demo", "the profiles of the demo account"],
        ["adsctl auth profiles --json --fields profileId,countryCode", "ids and countries for a script"],
      ],
      library: "await ads.profiles()",
      fields: FIELDS,
    }).addOption(onlyMarketsOption("profiles")),
  async (options, context) => {
    const ads = await connectAds(context, FEW_ATTEMPTS);
    const profiles = await ads.profiles({ signal: context.interruption.signal });
    await rememberProfiles(profiles, context.io.env, context.globals);
    await printRows(
      profiles.filter(isOfMarkets(options.market)),
      { columns: COLUMNS, fields: FIELDS },
      context,
    );
    for (const { region, error } of ads.regionFailures) {
      await context.io.stderr.write(
        `warning: Region ${region} could not be read: ${visibleText(error.message)}\n`,
      );
    }
    return ads.regionFailures.length === 0 ? EXIT.done : EXIT.someFailed;
  },
);

const FEW_ATTEMPTS = { retry: { maxAttempts: 5 } };
