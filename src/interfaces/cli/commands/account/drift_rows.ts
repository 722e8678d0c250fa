import type { AccountDrift } from "../../../../account/diff/account_drift.ts";
import { driftCounts, type DriftEntry } from "../../../../account/diff/drift_entry.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { driftRow } from "../../../../operations/reads/drift.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { printRows } from "../../shell/output/print_rows.ts";

export const DRIFT_COLUMNS = ["at", "by", "kind", "label", "change", "before", "after", "campaign", "note"];
export const DRIFT_FIELDS = [...DRIFT_COLUMNS, "id", "plan_id", "approved_by", "held_by"];

export async function printDriftRows(
  rows: readonly {
    readonly profile: Pick<ProfileClient, "profileId" | "countryCode"> & {
      readonly profile?: ProfileClient["profile"];
    };
    readonly entry: DriftEntry;
  }[],
  context: CliContext,
): Promise<void> {
  await printRows(
    rows.map(({ profile: { profileId, countryCode, profile }, entry }) => ({
      account_name: profile?.accountInfo.name ?? null,
      country_code: countryCode,
      profile_id: profileId,
      ...printedRow(entry),
    })),
    {
      // What was changed and by whom comes before when: a narrow terminal leaves out what is on the right.
      columns: [
        "account_name",
        "by",
        "label",
        "change",
        "before",
        "after",
        "at",
        "country_code",
        "kind",
        "note",
      ],
      fields: ["account_name", "country_code", "profile_id", ...DRIFT_FIELDS],
    },
    context,
  );
}

const BASES: Readonly<Record<AccountDrift["base"], string>> = {
  pull: ", the last pull",
  plan: ", the last applied plan (--since names another moment)",
  moment: "",
};

export async function sayCounts(
  { entries, since, base }: Pick<AccountDrift, "entries" | "since"> & Partial<Pick<AccountDrift, "base">>,
  prefix: string,
  { io, globals }: CliContext,
): Promise<void> {
  if (globals.quiet) return;
  const { plan, platform, other } = driftCounts(entries);
  const shown = `${plan} by your plans, ${platform} by the platform, ${other} by someone else`;
  await io.stderr.write(
    `${prefix}Since ${since}${base === undefined ? "" : BASES[base]}: ${entries.length} changes, ${shown}\n`,
  );
}

export function printedRow(entry: DriftEntry): Readonly<Record<string, unknown>> {
  const { held_by: held, ...row } = driftRow(entry);
  const spoiled = held === null
    ? []
    : [`held back for comparison until ${held.until} by plan ${held.plan_id}; this change spoils it`];
  return {
    ...row,
    by: row.plan_id === null ? row.by : `plan ${row.plan_id}`,
    note: [row.note ?? [], spoiled].flat().join("; ") || null,
    held_by: held?.plan_id ?? null,
  };
}
