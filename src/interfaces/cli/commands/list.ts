import type { Command } from "@commander-js/extra-typings";
import type { ProfileClient } from "../../../client/profile_client.ts";
import { knownFields, type ResourceSpec } from "../../../client/entities/model/resource_spec.ts";
import { list, NAMES } from "../../../operations/reads/list.ts";
import { positiveInteger } from "../shell/options/parse_values.ts";
import { command } from "../shell/command.ts";
import { connectProfile } from "../shell/connect/connect.ts";
import { withProfiles } from "../shell/connect/with_profiles.ts";
import { EXIT, refusingBadInput } from "../shell/io/cli_error.ts";
import { addFields } from "../shell/options/field_options.ts";
import { isForMany, type ManyProfilesOptions } from "../shell/options/many_profiles.ts";
import { operationDoc, operationInput } from "../shell/options/operation_input.ts";
import { marketOf } from "../../../base/markets/markets.ts";
import { rowPrinter } from "../shell/output/print_rows.ts";
import { say } from "../shell/output/write_text.ts";
import type { Row } from "../shell/context/row_printer.ts";

export const listCommand = command(
  (kit) =>
    // The types of commander cannot know arguments and options that are declared elsewhere.
    addFields(
      kit.profilesLeaf("list", {
        printsRows: true,
        ...operationDoc(list),
        each: "rows of each, with country and profile id",
        examples: [
          [
            "adsctl list keywords -m US --campaign-id 123,456 --state enabled",
            "list enabled keywords of two campaigns",
          ],
          [
            "adsctl list keywords -m US --format csv > keywords.csv",
            "save a file to edit for adsctl plan update",
          ],
          ["adsctl list campaigns -m DE --fields name,budget.budget", "print two fields"],
          ["adsctl list campaigns -m CA,US", "list campaigns of two markets"],
          [
            "adsctl list keywords -m US --label 'Core range'",
            "list keywords in campaigns and ad groups with a label",
          ],
          [
            "adsctl list campaigns -m US --name 'SP | *' --extended",
            "filter by name prefix, and show times",
          ],
        ],
      }),
      list.input,
    ).option("--limit <n>", "print at most this many", positiveInteger) as unknown as Command<
      [entity: string],
      Pick<ManyProfilesOptions, keyof ManyProfilesOptions> & { readonly limit?: number }
    >,
  async (entity, options, context) => {
    const input = await operationInput(list, options, { entity });
    const { findKind, KINDS } = await import("../../../client/entities/kinds/kinds.ts");
    const spec: ResourceSpec = findKind(entity, KINDS, "people");
    const { columns: own, extendedFields = [] } = spec;
    // Behind id, name and state, so that a narrow terminal has room for them.
    const columns = input.extended
      ? [...own.slice(0, 2), "state", ...extendedFields, ...own.slice(2).filter((name) => name !== "state")]
      : own;
    const isMany = isForMany(options);
    const profileFields = isMany ? PROFILE_FIELDS : [];
    let country: string | undefined;
    const printer = rowPrinter({
      columns: [...columns, ...profileFields],
      fields: [...knownFields(spec), ...profileFields],
      name: [...NAMES, "expression"].find((field) => columns.includes(field)),
      currencyOf: (row) => marketOf(country ?? String(row["countryCode"]))?.currency,
    }, context);
    let count = 0;
    // Profiles are read at the same time, and a printer takes one row after the other.
    let printed = Promise.resolve();
    const print = (row: Row): Promise<void> => printed = printed.then(() => printer.write([row]));
    const listOf = (profile: ProfileClient): Promise<void> =>
      refusingBadInput(async () => {
        const { profileId, countryCode } = profile;
        for await (const row of await list.run({ profile, signal: context.interruption.signal }, input)) {
          if (count === options.limit) break;
          count++;
          await print(isMany ? { ...row, countryCode, profileId } : row);
        }
      });
    const ended = async (code: number): Promise<number> => {
      await printer.end();
      if (count === 0) await say(`No ${spec.plural} match`, context);
      return code;
    };
    if (!isMany) {
      const profile = await connectProfile(options, context);
      country = profile.countryCode;
      await listOf(profile);
      return await ended(EXIT.done);
    }
    return await withProfiles(options, context, {
      step: listOf,
      done: ({ ok }) => ended(ok ? EXIT.done : EXIT.someFailed),
    });
  },
);

const PROFILE_FIELDS = ["countryCode", "profileId"];
