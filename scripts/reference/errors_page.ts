import { type Declaration, declarationsOf } from "./declarations.ts";
import { table } from "./table.ts";

const ROOT = new URL("../../", import.meta.url);

/** Sources of the exported error classes, with the entry point of each. */
const SOURCES: readonly (readonly [path: string, entry: string])[] = [
  ["src/errors.ts", "@platform/ads"],
  ["src/plans/model/plan_errors.ts", "@platform/ads"],
  ["src/platform/schema/schema_error.ts", "@platform/ads"],
  ["src/client/entities/model/check_items.ts", "@platform/ads"],
  ["src/store/model/store_error.ts", "@platform/ads/store"],
  ["src/store/sync/check_accounts.ts", "@platform/ads/store"],
  ["src/store/queue/lease.ts", "@platform/ads/worker"],
  ["src/account/files/file_problem.ts", "@platform/ads/account"],
  ["src/account/imports/import_problem.ts", "@platform/ads/account"],
  ["src/account/sheets/sheet_problems_error.ts", "@platform/ads/account"],
  ["src/account/tables/sheet_lines.ts", "@platform/ads/account"],
  ["src/emulator/state/state_file.ts", "@platform/ads/emulator"],
];

/** `docs/errors.md`: the error family, its doc comments and its fields. */
export async function errorsPage(): Promise<string> {
  const errors: (Declaration & { readonly from: string })[] = [];
  for (const [path, from] of SOURCES) {
    errors.push(...(await declarationsOf(new URL(path, ROOT))).map((error) => ({ ...error, from })));
  }
  const batch = await declarationsOf(new URL("src/platform/batch/batch_error.ts", ROOT));
  const classes = errors.filter(({ name }) => name.endsWith("Error"));
  return [
    "<!-- Made by scripts/generate_reference.ts from the sources. Change those, not this page. -->",
    "",
    "# Errors",
    "",
    "Error classes and their fields. [The client](guides/client.md#errors) explains how to handle them. Messages and",
    "fields never contain a token or a secret. Wrong arguments throw the built-in `TypeError` and `RangeError`.",
    "",
    "```text",
    ...tree(classes),
    "TypeError",
    ...tree(classes, "TypeError", 1),
    "```",
    "",
    "`adsctl help exit-codes` explains the exit codes.",
    ...classes.flatMap((error) => section(error, error.from)),
    "",
    "## Failed items",
    "",
    "A write does not throw for items that the platform refuses. They are in `result.errors`, as `BatchError`s:",
    "",
    ...fields(batch.find(({ name }) => name === "BatchError")),
    "",
    "`drifted` of a `PlanDriftError` has one entry per field:",
    "",
    ...fields(errors.find(({ name }) => name === "DriftedField")),
    "",
  ].join("\n");
}

function section(error: Declaration, from: string): string[] {
  const parent = error.parent === undefined || error.parent === "Error"
    ? ""
    : `Extends \`${error.parent}\`. `;
  const lines = ["", `## ${error.name}`, "", error.doc, "", `${parent}From \`${from}\`.`];
  return error.members.length === 0 ? lines : [...lines, "", ...fields(error)];
}

function fields(declaration: Declaration | undefined): string[] {
  if (declaration === undefined || declaration.members.length === 0) {
    throw new Error("Cannot find the fields of an error: was it renamed?");
  }
  return table(
    ["Field", "Type", "Meaning"],
    declaration.members.map(({ name, type, doc }) => [`\`${name}\``, `\`${type}\``, doc]),
  );
}

function tree(classes: readonly Declaration[], parent = "Error", depth = 0): string[] {
  return classes.filter((error) => error.parent === parent).flatMap(({ name }) => [
    `${"  ".repeat(depth)}${name}`,
    ...tree(classes, name, depth + 1),
  ]);
}
