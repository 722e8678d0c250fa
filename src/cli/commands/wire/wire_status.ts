import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { catalog } from "../../../catalog/catalog.ts";
import { KINDS, RESOURCE_KINDS, type ResourceKind } from "../../../resources/kinds.ts";
import type { ResourceSpec } from "../../../resources/resource_spec.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { withProfile } from "../../core/with_profile.ts";
import {
  accountNameOption,
  accountTypeOption,
  marketOption,
  type MarketOptions,
} from "../../options/market_options.ts";
import { printRows } from "../../output/print_rows.ts";
import { say } from "../../output/say.ts";

const COLUMNS = ["kind", "wire", "unified_family", "older_family_ends"];
/** The end of reporting 3, which one source of 2026-09 names and the platform's own pages do not. */
const REPORTING_3_ENDS = "2027-06-30";

/** `adsctl wire status`. */
export function wireStatusCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("status", {
    summary: "Show the wire of each kind in a profile, and what ends when",
    details:
      "The wire is the one of --wire, PLATFORM_ADS_WIRE or adsctl use. A day is the published shutoff of the first " +
      "operation of the kind that ends; without one, none is published.",
    examples: [
      ["adsctl wire status -m US", "the wire of each kind"],
      ["adsctl wire status -m US --wire sp=unified", "what a setting would choose"],
    ],
    library: 'profile.wireOf("sp.keywords")',
    fields: COLUMNS,
  })
    .addOption(marketOption())
    .addOption(accountTypeOption())
    .addOption(accountNameOption())
    .action((options, self) => kit.run((context) => runWireStatus(options, context), self));
}

/** Shows which wire each kind goes by. */
export async function runWireStatus(options: MarketOptions, context: CliContext): Promise<number> {
  return await withProfile(options, context, async (profile) => {
    const rows = [];
    for (const kind of RESOURCE_KINDS) {
      const spec: ResourceSpec = KINDS[kind];
      const chosen = profile.wireOf(kind);
      rows.push({
        kind,
        wire: spec.unified === undefined ? "legacy" : chosen,
        unified_family: spec.unified === undefined ? "lacks it" : "has it",
        older_family_ends: await endOf(kind),
      });
    }
    await printRows(rows, { columns: COLUMNS }, context);
    await say(
      `Reports of version 3 end on ${REPORTING_3_ENDS} (reported by one source, not confirmed)`,
      context,
    );
    return EXIT.done;
  });
}

/** The first published day on which an operation of a kind ends; `null` where none is published. */
async function endOf(kind: ResourceKind): Promise<string | null> {
  const { operations }: ResourceSpec = KINDS[kind];
  const ids = ["list", "create", "update", "delete"].flatMap((method) => operations[method] ?? []);
  const days: string[] = [];
  for (const id of ids) {
    const { deprecated } = await catalog.get(id);
    if (deprecated?.shutoff !== undefined && deprecated.shutoff !== null) days.push(deprecated.shutoff);
  }
  return days.sort()[0] ?? null;
}
