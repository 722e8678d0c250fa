import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { EXIT, refusingBadInput } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { isForMany, type ManyProfilesOptions } from "../../shell/options/many_profiles.ts";
import { separated, separatedIds } from "../../shell/options/parse_values.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { withProfiles } from "../../shell/connect/with_profiles.ts";
import { profileName } from "./profile_files.ts";
import { ensureFree, sheetFormat, writeSheetFile } from "./sheet_files.ts";

export const sheetPullCommand = command(
  (kit) =>
    kit.profilesLeaf("pull", {
      each: "one sheet per profile in a folder, such as CA-192654822749401.xlsx",
      summary: "Save the account as a bulk sheet, one tab per product",
      details:
        "Ids are text, amounts are numbers, dates are yyyyMMdd, and the column Operation is empty. A .csv file " +
        "holds one product. In .csv, values that look like formulas start with an apostrophe, which is removed " +
        "when the file is read.",
      examples: [
        ["adsctl sheet pull -m CA bulk.xlsx", "everything"],
        ["adsctl sheet pull -m CA sp.csv --product 'Sponsored Products'", "save one product as CSV"],
      ],
      library: "const { bytes } = await pullSheet(profile)",
    })
      .argument("<file>", "an .xlsx or .csv file to write; for many profiles, a folder")
      .option(
        "--product <names>",
        "Portfolios, Sponsored Products, Sponsored Brands, Sponsored Display (default: all)",
        separated,
      )
      .option("--campaign-id <ids>", "only these campaigns and their contents", separatedIds)
      .option("--force", "replace an existing file"),
  async (file, options, context) => {
    if (isForMany(options)) return await pullMany(file, options, context);
    const format = sheetFormat(file);
    ensureFree(file, options);
    const { pullSheet } = await import("../../../../account/sheets/pull_sheet.ts");
    const client = await connectProfile(options, context);
    const { signal } = context.interruption;
    const { product: products, campaignId: campaignIds } = options;
    const { bytes, rows } = await refusingBadInput(() =>
      pullSheet(client, { format, products, campaignIds, signal })
    );
    await writeSheetFile(file, bytes);
    if (wantsData(context)) await printJson({ file, rows }, context);
    else if (!context.globals.quiet) await context.io.stderr.write(wroteLine(file, rows));
    return EXIT.done;
  },
);

async function pullMany(
  folder: string,
  options: ManyProfilesOptions & {
    product?: readonly string[];
    campaignId?: readonly string[];
    force?: true;
  },
  context: CliContext,
): Promise<number> {
  const { pullSheet } = await import("../../../../account/sheets/pull_sheet.ts");
  const { product: products, campaignId: campaignIds } = options;
  const { io, globals, interruption: { signal } } = context;
  return await withProfiles(options, context, {
    step: async (client) => {
      const file = join(folder, `${profileName(client)}.xlsx`);
      ensureFree(file, options);
      const { bytes, rows } = await refusingBadInput(() =>
        pullSheet(client, { format: "xlsx", products, campaignIds, signal })
      );
      await mkdir(folder, { recursive: true });
      await writeSheetFile(file, bytes);
      return { file, rows };
    },
    done: async ({ outcomes, ok }) => {
      const written = outcomes.flatMap((one) => "result" in one ? [one] : []);
      if (wantsData(context)) {
        await printJson(
          written.map(({ profile: { profileId, countryCode }, result }) => ({
            profile_id: profileId,
            country_code: countryCode,
            ...result,
          })),
          context,
        );
      } else if (!globals.quiet) {
        for (const { result: { file, rows } } of written) await io.stderr.write(wroteLine(file, rows));
      }
      return ok ? EXIT.done : EXIT.someFailed;
    },
  });
}

function wroteLine(file: string, rows: Readonly<Record<string, number>>): string {
  const counts = Object.entries(rows).map(([tab, count]) => `${tab}: ${count} rows`).join(", ");
  return `Wrote ${file}. ${counts}\n`;
}
