import { command } from "../../shell/command.ts";
import { EXIT, refusingBadInput } from "../../shell/io/cli_error.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { codesLike, separated } from "../../shell/options/parse_values.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";

const COLUMNS = ["recommendationType", "objects", "reasons", "adProduct", "state"];
const FIELDS = [
  ...COLUMNS,
  "recommendationId",
  "language",
  "createdDateTime",
  "publishedDateTime",
  "recommendedObjects",
  "recommendedAction",
];

const AD_PRODUCTS = [
  "FULL_FUNNEL",
  "SPONSORED_BRANDS",
  "SPONSORED_DISPLAY",
  "SPONSORED_PRODUCTS",
  "SPONSORED_TELEVISION",
];
const TYPES = ["AUTOMATIC_GLOBAL_ADS_ENROLLMENT"];

export const recommendationsCommand = command(
  (kit) =>
    kit.profileLeaf("recommendations", {
      printsRows: true,
      summary: "List the platform's recommendations for the account",
      details:
        "Covers the account behind the profile, in all its countries. Read-only: apply a recommendation in the " +
        "platform's console or with a plan. --json lists the campaigns and other objects of each.",
      examples: [
        ["adsctl account recommendations -m US", "list recommendations with reasons and object counts"],
        [
          "adsctl account recommendations -m US --ad-product SPONSORED_PRODUCTS",
          "list those of one ad product",
        ],
        [
          "adsctl account recommendations -m US --json --fields recommendationType,recommendedObjects",
          "print their objects",
        ],
      ],
      library: "await readRecommendations(profile)",
      fields: FIELDS,
    })
      .option(
        "--ad-product <products>",
        "only these ad products, for example SPONSORED_PRODUCTS",
        codesLike(AD_PRODUCTS),
      )
      .option("--type <types>", "only these types", codesLike(TYPES))
      .option("--marketplace <countries>", "only these countries, for example US,GB", separated)
      .option("--language <locale>", "language of the texts, for example en_US"),
  async ({ adProduct, type, marketplace, language, ...options }, context) => {
    const client = await connectProfile(options, context);
    const { readRecommendations } = await import("../../../../account/jobs/account_recommendations.ts");
    const found = await refusingBadInput(() =>
      readRecommendations(client, {
        adProducts: adProduct,
        types: type,
        marketplaces: marketplace,
        language,
        signal: context.interruption.signal,
      })
    );
    const rows = found.map((one) => ({
      ...one,
      objects: one.recommendedObjects.length,
      reasons: (one.recommendationInsight?.insightTexts ?? []).map(({ value }) => value).join("; "),
    }));
    await printRows(rows, { columns: COLUMNS, fields: FIELDS }, context);
    if (rows.length === 0) await say("The platform has no recommendations for the account", context);
    return EXIT.done;
  },
);
