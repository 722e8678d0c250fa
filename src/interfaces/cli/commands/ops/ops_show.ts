import type { Command } from "@commander-js/extra-typings";
import { opsShow, type ShownOperation } from "../../../../operations/reads/ops_show.ts";
import { catalog } from "../../../../platform/catalog/catalog.ts";
import type { Operation } from "../../../../platform/catalog/operation.ts";
import { deprecationText, type OperationParameter } from "../../../../platform/catalog/operation_json.ts";
import { dayOf } from "../../../../base/time/calendar.ts";
import { EXIT, refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { stylesFor } from "../../shell/output/styles.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { operationDoc, operationInput } from "../../shell/options/operation_input.ts";
import { shellWord } from "../../shell/context/shell_words.ts";

const DOC = operationDoc(opsShow, { withMarket: false });
const MAX_BODY = 8000;
const MAX_RESPONSE = 1500;

export const opsShowCommand = command(
  (kit) =>
    // The types of commander cannot know arguments that are declared elsewhere.
    (addFields(
      kit.leaf("show", {
        ...DOC,
        examples: [
          ...DOC.examples,
          [
            "adsctl ops show CreateSponsoredProductsKeywords --example > body.json",
            "print the smallest body",
          ],
        ],
      }),
      opsShow.input,
    ) as unknown as Command<[id: string], Record<never, never>>)
      .option("--example", "print the smallest valid body, as JSON to edit")
      .option("--full", "with --example: a body with every field")
      .option("--errors", "also show the error response"),
  async (id, options, context) => {
    const input = await operationInput(opsShow, options, { operation: id });
    const { io } = context;
    if (options.example) {
      const operation = await catalog.get(id);
      const example = await operation.example({ full: options.full === true });
      if (example === undefined) {
        throw new UsageError(`Cannot make an example: no body of "${operation.id}" is published`);
      }
      await io.stdout.write(`${JSON.stringify(example, null, 2)}\n`);
    } else if (wantsData(context)) {
      const operation = await catalog.get(id);
      await printJson({ ...operation.toJSON(), schema: await operation.schema() ?? null }, context);
    } else {
      const shown = await refusingBadInput(() =>
        opsShow.run({
          parts: options.errors ? ["body", "response", "errors"] : ["body", "response"],
          limit: (part) => input.at !== undefined ? Infinity : part === "body" ? MAX_BODY : MAX_RESPONSE,
        }, input)
      );
      await io.stdout.write(describe(shown.operation, context) + publishedText(shown));
    }
    return EXIT.done;
  },
);

function publishedText({ published, parameters, trees }: ShownOperation): string {
  if (!published) return "\nNo description of body and response is published.\n";
  const folded = trees.some(({ isShortened }) => isShortened)
    ? ["To see a folded part (...), use --at with the path of the field"]
    : [];
  const blocks = [
    ...(parameters.length > 0 ? [["Parameters:", ...parameters].join("\n")] : []),
    ...trees.map(({ text }) => text),
    ...folded,
  ];
  return blocks.map((block) => `\n${block}\n`).join("");
}

function describe(operation: Operation, context: CliContext): string {
  const styles = stylesFor(context.io.stdout, context);
  const rows: [string, string | undefined][] = [
    ["Path parameters", operation.pathParams.join(", ")],
    ["Query", parameters(operation.query)],
    ["Headers", parameters(operation.headers)],
    ["Body", operation.contentTypes.join(", ")],
    ["Sent as", operation.contentTypes.length > 1 ? operation.contentType : undefined],
    ["Response", operation.accepts.join(", ")],
    ["Requested as", operation.accepts.length > 1 || operation.corrected ? operation.accept : undefined],
    ["Changes data", operation.readOnly ? "no" : "yes, or it may: ops call asks first"],
    ["Method", operation.typedMethod],
    [
      "Deprecated",
      operation.deprecated && `it ${deprecationText(operation.deprecated, dayOf(context.io.now()))}`,
    ],
    ["Tags", operation.tags.join(", ")],
    ["Note", operation.note],
    ["Cannot be sent", operation.unsupportedReason],
  ];
  const lines = [
    styles.bold(operation.id),
    operation.summary,
    "",
    `${operation.method} ${operation.path}`,
    ...rows.flatMap(([name, value]) => value ? [`${`${name}:`.padEnd(17)}${value}`] : []),
  ];
  if (operation.unsupportedReason === undefined) lines.push("", "Call it:", `  ${callLine(operation)}`);
  return lines.join("\n") + "\n";
}

function parameters(list: readonly OperationParameter[]): string {
  return list.map(({ name, required }) => required ? `${name} (required)` : name).join(", ");
}

function callLine(operation: Operation): string {
  const words = ["adsctl", "ops", "call", operation.id, "-m", "US"];
  for (const name of operation.pathParams) words.push("-p", `${name}=...`);
  for (const { name, required } of operation.query) if (required) words.push("-q", `${name}=...`);
  for (const { name, required } of operation.headers) if (required) words.push("--header", `${name}=...`);
  if (operation.hasBody) words.push("--body", "@body.json");
  return words.map(shellWord).join(" ");
}
