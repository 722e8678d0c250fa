import type { Target } from "../../../client/entities/sponsored_products/entities/targets.ts";
import { asyncChunks } from "../../../base/lists/chunks.ts";
import { refusingBadInput } from "../shell/errors/cli_error.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import type { ListOptions } from "../../../client/entities/model/list_options.ts";
import { command, type CommandDoc, group, type MakeCommand } from "../shell/command.ts";
import type { Row } from "../shell/terminal/row_printer.ts";
import { EXIT } from "../shell/errors/exit_codes.ts";
import { rowPrinter } from "../shell/output/print_rows.ts";
import { separatedIds } from "../shell/arguments/parse_values.ts";
import { connectProfile } from "../shell/connect/connect.ts";
import { say } from "../shell/output/write_text.ts";
import type { Keyword } from "../../../client/entities/sponsored_products/entities/keywords.ts";
import { bidsNewCommand } from "./bids_new.ts";

const BATCH = 1000;

interface Biddable<Entity> {
  readonly noun: string;
  readonly doc: CommandDoc;
  readonly columns: readonly string[];
  readonly fields: readonly string[];
  readonly list: (client: ProfileClient, query: ListOptions) => AsyncIterable<Entity>;
  readonly suggested: (
    client: ProfileClient,
    entities: readonly Entity[],
    options: { readonly theme: string | undefined; readonly signal: AbortSignal },
  ) => Promise<{ readonly rows: readonly Row[]; readonly unsupported: number }>;
}

const KEYWORD_COLUMNS = ["keywordId", "keywordText", "matchType", "bid", "low", "suggested", "high"];
const KEYWORD_FIELDS = [...KEYWORD_COLUMNS, "theme", "campaignId", "adGroupId"];

const KEYWORDS: Biddable<Keyword> = {
  noun: "keywords",
  doc: {
    summary: "Get suggested bids for existing keywords",
    details:
      "Prints the current bid, the range and the suggestion; cells are empty if there is none. Filter the " +
      "keywords, because the platform throttles these requests heavily.",
    examples: [
      ["adsctl account bids keywords -m US --campaign-id 123", "one campaign"],
      [
        "adsctl account bids keywords -m US --ad-group-id 9 --theme BFCM_HOLIDAY --format csv",
        "save bids for an event",
      ],
    ],
    library: "await profile.bids.forKeywords(await profile.sp.keywords.list({ campaignIds }))",
    fields: KEYWORD_FIELDS,
  },
  columns: KEYWORD_COLUMNS,
  fields: KEYWORD_FIELDS,
  list: (client, query) => client.sp.keywords.iter(query),
  suggested: async (client, keywords, options) => {
    const bids = await client.bids.forKeywords(keywords, options);
    return {
      rows: keywords.map((keyword) => ({ ...keyword, ...bids.get(keyword.keywordId) })),
      unsupported: 0,
    };
  },
};

const TARGET_COLUMNS = ["targetId", "expression", "bid", "low", "suggested", "high"];
const TARGET_FIELDS = [...TARGET_COLUMNS, "supported", "theme", "campaignId", "adGroupId"];

const TARGETS: Biddable<Target> = {
  noun: "targets",
  doc: {
    summary: "Get suggested bids for existing product and automatic targets",
    details:
      "Targets without suggestions (several predicates, expanded products and others) have empty cells and are " +
      "counted on stderr.",
    examples: [["adsctl account bids targets -m US --campaign-id 123", "one campaign"]],
    library: "await profile.bids.forTargets(await profile.sp.targets.list({ campaignIds }))",
    fields: TARGET_FIELDS,
  },
  columns: TARGET_COLUMNS,
  fields: TARGET_FIELDS,
  list: (client, query) => client.sp.targets.iter(query),
  suggested: async (client, targets, options) => {
    const { suggestions, unsupported } = await client.bids.forTargets(targets, options);
    const byId = new Map(suggestions.map(({ targetId, expression: _, ...bid }) => [targetId, bid]));
    const rows = targets.map((target) => ({
      ...target,
      supported: byId.has(target.targetId),
      ...byId.get(target.targetId),
    }));
    return { rows, unsupported: unsupported.length };
  },
};

function suggestCommand<Entity>(kind: Biddable<Entity>): MakeCommand {
  return command(
    (kit) =>
      kit.profileLeaf(kind.noun, { ...kind.doc, printsRows: true })
        .option("--id <ids>", `only these ${kind.noun}`, separatedIds)
        .option("--campaign-id <ids>", `only ${kind.noun} of these campaigns`, separatedIds)
        .option("--ad-group-id <ids>", `only ${kind.noun} of these ad groups`, separatedIds)
        .option("--theme <theme>", "occasion (default: CONVERSION_OPPORTUNITIES)"),
    async ({ id: ids, campaignId: campaignIds, adGroupId: adGroupIds, theme, ...market }, context) => {
      const { signal } = context.interruption;
      const client = await connectProfile(market, context);
      const printer = rowPrinter(kind, context);
      let unsupported = 0;
      let count = 0;
      await refusingBadInput(async () => {
        const entities = kind.list(client, { ids, campaignIds, adGroupIds, signal });
        for await (const batch of asyncChunks(entities, BATCH)) {
          const found = await kind.suggested(client, batch, { theme, signal });
          unsupported += found.unsupported;
          count += batch.length;
          await printer.write(found.rows);
        }
      });
      await printer.end();
      if (count === 0) await say(`No ${kind.noun} match`, context);
      if (unsupported > 0) {
        await say(`The platform has no suggested bids for ${unsupported} of these ${kind.noun}`, context);
      }
      return EXIT.done;
    },
  );
}

export const bidsCommand = group(
  "bids",
  {
    summary: "Get suggested bids from the platform",
    examples: [
      ["adsctl account bids keywords -m US --campaign-id 123", "get bids for the keywords of a campaign"],
      [
        "adsctl account bids new -m US --asin B0EXAMPLE1 --keyword 'trail shoes:EXACT'",
        "get bids for a planned ad group",
      ],
    ],
    library: "await profile.bids.forKeywords(keywords)",
  },
  [suggestCommand(KEYWORDS), suggestCommand(TARGETS), bidsNewCommand],
);
