import { compareWires, kindsOnBothWires } from "../../../../client/entities/compare_wires.ts";
import {
  findKind,
  KINDS,
  RESOURCE_KINDS,
  type ResourceKind,
} from "../../../../client/entities/kinds/kinds.ts";
import type { ResourceSpec } from "../../../../client/entities/model/resource_spec.ts";
import { catalog } from "../../../../platform/catalog/catalog.ts";
import { spellKind } from "../../../../platform/catalog/kind_names.ts";
import { command, group } from "../../shell/command.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { EXIT, UsageError } from "../../shell/io/cli_error.ts";
import { separated } from "../../shell/options/parse_values.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";

/** True for a kind that only the unified family has, so that it has no older wire. */
function isUnifiedAlone({ wire }: ResourceSpec): boolean {
  return wire.name === "unified";
}

/** First published day on which the platform shuts off an operation of a kind; `null` if none is published. */
async function olderWireEnd(kind: ResourceKind): Promise<string | null> {
  const { operations }: ResourceSpec = KINDS[kind];
  const ids = ["list", "create", "update", "delete"].flatMap((method) => operations[method] ?? []);
  const days: string[] = [];
  for (const id of ids) {
    const { deprecated } = await catalog.get(id);
    if (deprecated?.shutoff !== undefined && deprecated.shutoff !== null) days.push(deprecated.shutoff);
  }
  return days.sort()[0] ?? null;
}

const COLUMNS = ["kind", "wire", "unified_family", "older_family_ends"];

/** End of the old reports; from a source of 2026-09, not from the platform's own documentation. */
const REPORTING_3_ENDS = "2027-06-30";

const wireStatusCommand = command(
  (kit) =>
    kit.profileLeaf("status", {
      printsRows: true,
      summary: "Show the API family and end date of each kind in a profile",
      details:
        "The family comes from --wire, PLATFORM_ADS_WIRE or adsctl use. The date is the first published shutoff " +
        "among the kind's operations; empty if none is published.",
      examples: [
        ["adsctl ops wire status -m US", "show the family of each kind"],
        ["adsctl ops wire status -m US --wire sp=unified", "show the effect of a setting"],
      ],
      library: 'profile.wireOf("sp.keywords")',
      fields: COLUMNS,
    }),
  async (options, context) => {
    const profile = await connectProfile(options, context);
    const rows = [];
    for (const kind of RESOURCE_KINDS) {
      const spec: ResourceSpec = KINDS[kind];
      const chosen = profile.wireOf(kind);
      rows.push({
        kind,
        wire: spec.unified === undefined ? spec.wire.name : chosen,
        unified_family: isUnifiedAlone(spec)
          ? "has it alone"
          : spec.unified === undefined
          ? "lacks it"
          : "has it",
        older_family_ends: await olderWireEnd(kind),
      });
    }
    await printRows(rows, { columns: COLUMNS }, context);
    await say(
      `Old reports end on ${REPORTING_3_ENDS} (reported by one source, not confirmed)`,
      context,
    );
    return EXIT.done;
  },
);

const DIFFERENCE_COLUMNS = ["kind", "id", "field", "legacy", "unified"];

const wireCompareCommand = command(
  (kit) =>
    kit.profileLeaf("compare", {
      printsRows: true,
      summary: "Read the account through both API families and list differences",
      details:
        "Compares entities in every state, field by field; changes nothing. Targets with different ids are " +
        "matched by content. Exit code 0 without differences, 6 with.",
      examples: [
        ["adsctl ops wire compare -m US", "compare every kind of the unified family"],
        ["adsctl ops wire compare -m US --kind keywords,campaigns --json", "compare two kinds, as JSON"],
      ],
      library: "for await (const comparison of compareWires(profile)) ...",
      fields: DIFFERENCE_COLUMNS,
    })
      .option("--kind <kinds>", "kinds to compare, separated by commas", separated),
  async (options, context) => {
    const both = kindsOnBothWires();
    const kinds = options.kind?.map((text): ResourceKind => {
      const spec: ResourceSpec = findKind(text, KINDS, "people");
      const { kind } = spec;
      const known = both.find((name) => name === kind);
      if (known !== undefined) return known;
      throw new UsageError(
        `Cannot compare ${spellKind(kind)}: ${
          isUnifiedAlone(spec) ? "only the unified family has it" : "the unified family does not have it"
        }. Both have ${both.map(spellKind).join(", ")}`,
      );
    }) ?? both;
    const profile = await connectProfile(options, context);
    const { interruption: { signal }, progress } = context;
    const rows: Record<string, unknown>[] = [];
    let entities = 0;
    const work = progress.work({ noun: "kind", yields: "entity", total: kinds.length });
    let compared = 0;
    for await (const comparison of compareWires(profile, { kinds, signal })) {
      entities += comparison.legacy;
      work.count({ done: ++compared, amount: entities, name: spellKind(comparison.kind) });
      for (const { kind, id, field, legacy, unified } of comparison.differences) {
        rows.push({ kind, id, field, legacy: legacy ?? null, unified: unified ?? null });
      }
    }
    await work.end();
    await printRows(rows, { columns: DIFFERENCE_COLUMNS }, context);
    await say(summary({ kinds: kinds.length, entities, differences: rows.length }), context);
    const left = options.kind === undefined ? RESOURCE_KINDS.filter((kind) => !both.includes(kind)) : [];
    for (const [isUnified, name] of [[false, "older"], [true, "unified"]] as const) {
      const alone = left.filter((kind) => isUnifiedAlone(KINDS[kind]) === isUnified);
      if (alone.length > 0) {
        await say(`Only on the ${name} wire: ${alone.map(spellKind).join(", ")}`, context);
      }
    }
    return rows.length === 0 ? EXIT.done : EXIT.differences;
  },
);

function summary(count: { kinds: number; entities: number; differences: number }): string {
  const of = (number: number, one: string, more: string): string => `${number} ${number === 1 ? one : more}`;
  return `${of(count.kinds, "kind", "kinds")}, ${of(count.entities, "entity", "entities")}: ` +
    (count.differences === 0 ? "no differences" : of(count.differences, "difference", "differences"));
}

export const wireCommand = group(
  "wire",
  {
    summary: "Compare the platform's API families, and show the family of each kind",
    details:
      "Each kind uses its product's API family or the unified family: --wire unified for all, --wire sp=unified " +
      "for one product, --wire keywords@CA=unified for one kind in one market. PLATFORM_ADS_WIRE and adsctl use " +
      "--wire set the default. Plans, files and sheets are the same for both.",
    examples: [
      ["adsctl ops wire compare -m US", "compare everything on both families"],
      ["adsctl ops wire status -m US", "show the family and end date of each kind"],
    ],
    library: "for await (const comparison of compareWires(profile)) ...",
  },
  [
    wireCompareCommand,
    wireStatusCommand,
  ],
);
