import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { findKind, KINDS, RESOURCE_KINDS, type ResourceKind } from "../../../resources/kinds.ts";
import { compareWires, kindsOnBothWires } from "../../../resources/wire/compare_wires.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { UsageError } from "../../core/errors/cli_error.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { withProfile } from "../../core/with_profile.ts";
import {
  accountNameOption,
  accountTypeOption,
  marketOption,
  type MarketOptions,
} from "../../options/market_options.ts";
import { separated } from "../../options/parse_values.ts";
import { printRows } from "../../output/print_rows.ts";
import { say } from "../../output/say.ts";

const COLUMNS = ["kind", "id", "field", "legacy", "unified"];

/** Options of {@linkcode runWireCompare}. */
export interface WireCompareOptions extends MarketOptions {
  /** Kinds to compare. */
  readonly kind?: readonly string[] | undefined;
}

/** `adsctl wire compare`. */
export function wireCompareCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("compare", {
    summary: "Read the account on both wires and list each difference",
    details:
      "Entities in every state are read and compared field by field; nothing is changed. Targets whose ids differ are " +
      "matched by their content. Exit code 0 without differences, 6 with.",
    examples: [
      ["adsctl wire compare -m US", "every kind that the unified family has"],
      ["adsctl wire compare -m US --kind keywords,campaigns --json", "two kinds, as data"],
    ],
    library: "for await (const comparison of compareWires(profile)) ...",
    fields: COLUMNS,
  })
    .addOption(marketOption())
    .addOption(accountTypeOption())
    .addOption(accountNameOption())
    .option("--kind <kinds>", "kinds to compare, separated by commas", separated)
    .action((options, self) => kit.run((context) => runWireCompare(options, context), self));
}

/** Reads the kinds that are named, or all, and prints what differs. */
export async function runWireCompare(options: WireCompareOptions, context: CliContext): Promise<number> {
  const both = kindsOnBothWires();
  const kinds = options.kind?.map((text): ResourceKind => {
    const { kind } = findKind(text, KINDS, "command");
    const known = both.find((name) => name === kind);
    if (known !== undefined) return known;
    throw new UsageError(
      `Cannot compare ${kind}: the unified family does not have it. It has ${both.join(", ")}`,
    );
  }) ?? both;
  return await withProfile(options, context, async (profile) => {
    const { interruption: { signal }, progress } = context;
    const rows: Record<string, unknown>[] = [];
    let entities = 0;
    for await (const comparison of compareWires(profile, { kinds, signal })) {
      entities += comparison.legacy;
      void progress.show([`Compared ${comparison.kind}: ${entities} entities so far`]).catch(() => {});
      for (const { kind, id, field, legacy, unified } of comparison.differences) {
        rows.push({ kind, id, field, legacy: legacy ?? null, unified: unified ?? null });
      }
    }
    await progress.clear();
    await printRows(rows, { columns: COLUMNS }, context);
    await say(summary({ kinds: kinds.length, entities, differences: rows.length }), context);
    const left = options.kind === undefined ? RESOURCE_KINDS.filter((kind) => !both.includes(kind)) : [];
    if (left.length > 0) await say(`Only on the older wire: ${left.join(", ")}`, context);
    return rows.length === 0 ? EXIT.done : EXIT.differences;
  });
}

function summary(count: { kinds: number; entities: number; differences: number }): string {
  const of = (number: number, one: string, more: string): string => `${number} ${number === 1 ? one : more}`;
  return `${of(count.kinds, "kind", "kinds")}, ${of(count.entities, "entity", "entities")}: ` +
    (count.differences === 0 ? "no differences" : of(count.differences, "difference", "differences"));
}
