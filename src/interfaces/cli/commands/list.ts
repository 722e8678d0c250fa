import { idOf } from "../../../base/json/id_of.ts";
import { refusingBadInput, UsageError } from "../shell/errors/cli_error.ts";
import { command } from "../shell/command.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import { KIND_NAMES } from "../../../platform/catalog/kind_noun.ts";
import { kindNamed, spellKind } from "../../../client/entities/model/kind_names.ts";
import type { ListOptions } from "../../../client/entities/model/list_options.ts";
import type { ResourceSpec } from "../../../client/entities/model/resource_spec.ts";
import type { Resource } from "../../../client/entities/resource/resource.ts";
import { knownFields } from "../../../client/entities/fields/known_fields.ts";
import { EXIT } from "../shell/errors/exit_codes.ts";
import { LISTED_STATES } from "../shell/input/field_names.ts";
import { literalName, namePattern } from "../shell/arguments/name_pattern.ts";
import { rowPrinter } from "../shell/output/print_rows.ts";
import type { Row } from "../shell/terminal/row_printer.ts";
import { codesLike, positiveInteger, repeated, separatedIds } from "../shell/arguments/parse_values.ts";
import { connectProfile } from "../shell/connect/connect.ts";
import { withProfiles } from "../shell/connect/with_profiles.ts";
import { isForMany } from "../shell/options/many_profiles.ts";
import { say } from "../shell/output/write_text.ts";

/** The fields that `--name` compares when it has wildcards; an entity has one of them. */
const NAMES = ["name", "keywordText", "sku", "asin"] as const;

export const listCommand = command(
  (kit) =>
    kit.profilesLeaf("list", {
      each: "its rows, with its country and id",
      summary: "List campaigns, keywords and other entities",
      details: `ENTITY is one of ${KIND_NAMES.map((name) => spellKind(name, "command")).join(", ")}.\n\n` +
        "Archived entities are left out unless --state or --all-states asks for them. Rows are printed as they arrive, " +
        "however many there are.",
      examples: [
        [
          "adsctl list keywords -m US --campaign-id 123,456 --state enabled",
          "the live keywords of two campaigns",
        ],
        [
          "adsctl list keywords -m US --format csv > keywords.csv",
          "a file to edit and give to adsctl plan update",
        ],
        ["adsctl list campaigns -m DE --fields name,budget.budget", "two fields only"],
        ["adsctl list campaigns -m CA,US", "those of two markets, each with its country"],
        [
          "adsctl list keywords -m US --label 'Core range'",
          "what is in campaigns and ad groups with a label of the account",
        ],
        [
          "adsctl list campaigns -m US --name 'SP | *' --extended",
          "by the beginning of their names, with times",
        ],
      ],
      library: 'for await (const keyword of profile.sp.keywords.iter({ campaignIds: ["123"] })) { ... }',
    })
      .argument("<entity>", "what to list")
      .option("--id <ids>", "only these ids, separated by commas; repeatable", separatedIds)
      .option("--campaign-id <ids>", "only entities of these campaigns", separatedIds)
      .option("--ad-group-id <ids>", "only entities of these ad groups", separatedIds)
      .option(
        "--label <name>",
        "only entities that have this label of the account, or are in what has it; repeatable",
        repeated,
      )
      .option("--state <states>", "only these states: enabled, paused, archived", codesLike(LISTED_STATES))
      .option("--all-states", "every state, archived included")
      .option(
        "--name <name>",
        "only entities of this name; * stands for any text, and then also finds keywords",
      )
      .option("--extended", "ask for creation and update times and serving status")
      .option("--limit <n>", "print at most so many", positiveInteger),
  async (entity, options, context) => {
    const kind = kindNamed(entity, { names: KIND_NAMES, style: "command" });
    if (options.allStates && options.state) {
      throw new UsageError("Cannot use both --state and --all-states: choose one");
    }
    if (options.label && (options.campaignId || options.adGroupId)) {
      throw new UsageError("Cannot use --label with --campaign-id or --ad-group-id: choose one");
    }
    const { findKind, KINDS } = await import("../../../client/entities/kinds.ts");
    const spec: ResourceSpec = findKind(kind, KINDS);
    const { columns: own, extendedFields = [] } = spec;
    // Behind id, name and state, so that a narrow terminal has room for them.
    const columns = options.extended
      ? [...own.slice(0, 2), "state", ...extendedFields, ...own.slice(2).filter((name) => name !== "state")]
      : own;
    const pattern = options.name === undefined ? undefined : namePattern(options.name);
    const isMany = isForMany(options);
    const profileFields = isMany ? PROFILE_FIELDS : [];
    const printer = rowPrinter({
      columns: [...columns, ...profileFields],
      fields: [...knownFields(spec), ...profileFields],
      name: [...NAMES, "expression"].find((field) => columns.includes(field)),
    }, context);
    let count = 0;
    // Profiles are read at the same time, and a printer takes one row after the other.
    let printed = Promise.resolve();
    const print = (row: Row): Promise<void> => printed = printed.then(() => printer.write([row]));
    const listOf = (client: ProfileClient): Promise<void> =>
      refusingBadInput(async () => {
        const { profileId, countryCode } = client;
        const resource = client.resource(kind);
        const conditions = {
          ids: options.id,
          campaignIds: options.campaignId,
          adGroupIds: options.adGroupId,
          states: options.allStates ? null : options.state,
          name: pattern === undefined && options.name !== undefined ? literalName(options.name) : undefined,
          extended: options.extended,
          signal: context.interruption.signal,
        };
        const entities = options.label === undefined
          ? resource.iter(conditions)
          : labelledEntities(options.label, client, { resource, conditions });
        for await (const entity of entities) {
          if (pattern !== undefined && !NAMES.some((field) => pattern.test(String(entity[field] ?? "")))) {
            continue;
          }
          if (count === options.limit) break;
          count++;
          const row = entity as Row;
          await print(isMany ? { ...row, countryCode, profileId } : row);
        }
      });
    const ended = async (code: number): Promise<number> => {
      await printer.end();
      if (count === 0) await say(`No ${spec.plural} match`, context);
      return code;
    };
    if (!isMany) {
      await listOf(await connectProfile(options, context));
      return await ended(EXIT.done);
    }
    return await withProfiles(options, context, {
      verb: "Listed",
      step: listOf,
      done: ({ ok }) => ended(ok ? EXIT.done : EXIT.someFailed),
    });
  },
);

/** Fields of rows of several profiles, behind those of the entity. */
const PROFILE_FIELDS = ["countryCode", "profileId"];

/** Entities that carry one of the labels, or are in a campaign or ad group that does, each once. */
async function* labelledEntities(
  labels: readonly string[],
  client: ProfileClient,
  { resource, conditions }: { readonly resource: Resource; readonly conditions: ListOptions },
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const { labelledPlaces } = await import("../../../account/jobs/account_labels.ts");
  const { campaignIds, adGroupIds } = await labelledPlaces(client, labels, conditions);
  const { idField, filters } = resource.spec;
  const isInAdGroups = idField === "adGroupId" || filters.includes("adGroupIds");
  const parts = [
    { campaignIds: [...campaignIds] },
    ...isInAdGroups ? [{ adGroupIds: [...adGroupIds] }] : [],
  ];
  const seen = new Set<string>();
  for (const part of parts) {
    for await (const entity of resource.iter({ ...conditions, ...part })) {
      const id = idOf(entity, idField);
      if (id === undefined || !seen.has(id)) yield entity;
      if (id !== undefined) seen.add(id);
    }
  }
}
