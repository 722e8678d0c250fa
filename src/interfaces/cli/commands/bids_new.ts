import type { BidExpression } from "../../../client/insights/bid_expression.ts";
import { refusingBadInput, UsageError } from "../shell/errors/cli_error.ts";
import { command } from "../shell/command.ts";
import { EXIT } from "../shell/errors/exit_codes.ts";
import { printRows } from "../shell/output/print_rows.ts";
import { repeated, separated } from "../shell/arguments/parse_values.ts";
import { connectProfile } from "../shell/connect/connect.ts";

const COLUMNS = ["type", "value", "low", "suggested", "high"];
const FIELDS = [...COLUMNS, "theme"];
const PLACEMENTS = ["PLACEMENT_TOP", "PLACEMENT_PRODUCT_PAGE", "PLACEMENT_REST_OF_SEARCH"];

export const bidsNewCommand = command(
  (kit) =>
    kit.profileLeaf("new", {
      printsRows: true,
      summary: "Get suggested bids for a planned ad group",
      examples: [
        [
          "adsctl account bids new -m US --asin B0EXAMPLE1 --keyword 'trail shoes:EXACT' --keyword 'shoes:BROAD'",
          "two keywords",
        ],
        [
          "adsctl account bids new -m US --asin B0EXAMPLE1 --target-asin B0EXAMPLE2 --placement PLACEMENT_TOP=50",
          "a product target, with a higher bid at the top of search",
        ],
      ],
      library: "await profile.bids.forNewAdGroup({ asins, expressions })",
      fields: FIELDS,
    })
      .option("--asin <asins>", "products to advertise, at most 50", separated)
      .option("--keyword <text:match>", "keyword with EXACT, PHRASE or BROAD; repeatable", repeated)
      .option("--target-asin <asins>", "products to target", separated)
      .option("--strategy <strategy>", "bidding strategy of the campaign (default: MANUAL)")
      .option(
        "--placement <name=percent>",
        `bid adjustment for ${PLACEMENTS.join(", ")}; repeatable`,
        repeated,
      )
      .option("--theme <theme>", "occasion (default: CONVERSION_OPPORTUNITIES)"),
  async (options, context) => {
    if (options.asin === undefined) {
      throw new UsageError("Cannot suggest bids without --asin: add the advertised products");
    }
    const expressions = [
      ...(options.keyword ?? []).map(keywordExpression),
      ...(options.targetAsin ?? []).map((value): BidExpression => ({ type: "PAT_ASIN", value })),
    ];
    if (expressions.length === 0) {
      throw new UsageError("Cannot suggest bids: add --keyword or --target-asin");
    }
    const placementAdjustments = Object.fromEntries((options.placement ?? []).map(placement));
    const { asin: asins, strategy, theme } = options;
    const client = await connectProfile(options, context);
    const { signal } = context.interruption;
    const bids = await refusingBadInput(() =>
      client.bids.forNewAdGroup({ asins, expressions, strategy, placementAdjustments, theme, signal })
    );
    const rows = bids.map(({ expression, ...bid }) => ({ ...expression, ...bid }));
    await printRows(rows, { columns: COLUMNS, fields: FIELDS }, context);
    return EXIT.done;
  },
);

function keywordExpression(text: string): BidExpression {
  const found = /^(.+):(EXACT|PHRASE|BROAD)$/i.exec(text);
  if (found === null) {
    throw new UsageError(
      `Cannot use --keyword "${text}": write the text, a colon, and EXACT, PHRASE or BROAD`,
    );
  }
  return { type: found[2]!.toUpperCase(), value: found[1]!.trim() };
}

function placement(text: string): [string, number] {
  const found = /^([A-Za-z_]+)=(\d{1,3})$/.exec(text);
  const name = found === null ? "" : found[1]!.toUpperCase();
  if (!PLACEMENTS.includes(name)) {
    throw new UsageError(
      `Cannot use --placement "${text}": write one of ${PLACEMENTS.join(", ")}, =, and a percentage`,
    );
  }
  return [name, Number(found![2])];
}
