import { type Declaration, declarationsOf } from "./declarations.ts";
import { table } from "./table.ts";

const ROOT = new URL("../../", import.meta.url);

/** `docs/errors.md`: the error family, its doc comments and its fields. */
export async function errorsPage(): Promise<string> {
  const errors = [
    ...await declarationsOf(new URL("src/errors.ts", ROOT)),
    ...await declarationsOf(new URL("src/plans/model/policy_error.ts", ROOT)),
    ...await declarationsOf(new URL("src/plans/model/plan_errors.ts", ROOT)),
  ];
  const ofStore = await declarationsOf(new URL("src/store/model/store_error.ts", ROOT));
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
    ...tree([...classes, ...ofStore]),
    "```",
    "",
    "`adsctl help exit-codes` lists the exit code for each.",
    ...classes.flatMap((error) => section(error, "@platform/ads")),
    ...ofStore.flatMap((error) => section(error, "@platform/ads/store")),
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
  const parent = error.parent === "Error" ? "" : `Extends \`${error.parent}\`. `;
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
