import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import type { PulledSheet } from "../../../../account/sheets/pull_sheet.ts";
import { sheetPull } from "../../../../operations/reads/sheet_pull.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { isForMany, type ManyProfilesOptions } from "../../shell/options/many_profiles.ts";
import { operationDoc, operationInput } from "../../shell/options/operation_input.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { withProfiles } from "../../shell/connect/with_profiles.ts";
import { profileName } from "./profile_files.ts";
import { ensureFree, writeSheetFile } from "./sheet_files.ts";

type PullOptions = Pick<ManyProfilesOptions, keyof ManyProfilesOptions> & { readonly force?: true };

export const sheetPullCommand = command(
  (kit) =>
    // The types of commander cannot know arguments that are declared elsewhere.
    addFields(
      kit.profilesLeaf("pull", {
        each: "one sheet per profile in a folder, such as CA-192654822749401.xlsx",
        ...operationDoc(sheetPull),
      }),
      sheetPull.input,
    ).option("--force", "replace an existing file") as unknown as Command<[file: string], PullOptions>,
  async (file, options, context) => {
    if (isForMany(options)) return await pullMany(file, options, context);
    const input = await operationInput(sheetPull, options, { file });
    ensureFree(file, options);
    const profile = await connectProfile(options, context);
    const sheet = await sheetPull.run({ profile, signal: context.interruption.signal }, input);
    const written = await saved(sheet, file);
    if (wantsData(context)) await printJson(written, context);
    else if (!context.globals.quiet) await context.io.stderr.write(wroteLine(written));
    return EXIT.done;
  },
);

async function pullMany(folder: string, options: PullOptions, context: CliContext): Promise<number> {
  const { io, globals, interruption: { signal } } = context;
  const input = await operationInput(sheetPull, options, { file: "sheet.xlsx" });
  return await withProfiles(options, context, {
    step: async (profile) => {
      const file = join(folder, `${profileName(profile)}.xlsx`);
      ensureFree(file, options);
      const sheet = await sheetPull.run({ profile, signal }, { ...input, file });
      await mkdir(folder, { recursive: true });
      return await saved(sheet, file);
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
        for (const { result } of written) await io.stderr.write(wroteLine(result));
      }
      return ok ? EXIT.done : EXIT.someFailed;
    },
  });
}

type Written = Pick<PulledSheet, "rows"> & { readonly file: string };

async function saved({ bytes, rows }: PulledSheet, file: string): Promise<Written> {
  await writeSheetFile(file, bytes);
  return { file, rows };
}

function wroteLine({ file, rows }: Written): string {
  const counts = Object.entries(rows).map(([tab, count]) => `${tab}: ${count} rows`).join(", ");
  return `Wrote ${file}. ${counts}\n`;
}
