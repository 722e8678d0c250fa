import { catalog } from "../../../../platform/catalog/catalog.ts";
import type { Operation } from "../../../../platform/catalog/operation.ts";
import { deprecationText, type OperationParameter } from "../../../../platform/catalog/operation_json.ts";
import { dayOf } from "../../../../base/time/calendar.ts";
import { describePart, parameterLines } from "../../../../platform/schema/describe_operation.ts";
import { loadApiShapes } from "../../../../platform/schema/load_api_shapes.ts";
import { EXIT, refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { stylesFor } from "../../shell/output/styles.ts";
import { shellWord } from "../../shell/context/shell_words.ts";

const MAX_BODY = 8000;
const MAX_RESPONSE = 1500;

export const opsShowCommand = command(
  (kit) =>
    kit.leaf("show", {
      summary: "Show one operation: method, path, parameters, body and response, notes",
      details:
        "Prints body and response as trees, one field per line; * marks required fields. --json prints JSON " +
        "Schema. --at shows one field and its subfields; --example prints a body to edit.",
      examples: [
        [
          "adsctl ops show advertising-billing:getInvoice",
          "use the full id, or just a unique name",
        ],
        ["adsctl ops show CreateSponsoredProductsKeywords --example > body.json", "print the smallest body"],
        ["adsctl ops show v1-sp-campaigns:SPCreateCampaign --at campaigns.budgets", "show part of the body"],
      ],
      library: 'await (await catalog.get("advertising-billing:getInvoice")).schema()',
    })
      .argument("<id>", "<api>:<operationId>, or a unique name")
      .option("--example", "print the smallest valid body, as JSON to edit")
      .option("--full", "with --example: a body with every field")
      .option("--at <field>", "show only this field of body or response, such as campaigns.budget")
      .option("--errors", "also show the error response"),
  async (id, options, context) => {
    const operation = await refusingBadInput(() => catalog.get(id));
    const { io } = context;
    if (options.example) {
      const example = await operation.example({ full: options.full === true });
      if (example === undefined) {
        throw new UsageError(`Cannot make an example: no body of "${operation.id}" is published`);
      }
      await io.stdout.write(`${JSON.stringify(example, null, 2)}\n`);
    } else if (wantsData(context)) {
      await printJson({ ...operation.toJSON(), schema: await operation.schema() ?? null }, context);
    } else {
      const shapes = await refusingBadInput(() => publishedText(operation, options));
      await io.stdout.write(describe(operation, context) + shapes);
    }
    return EXIT.done;
  },
);

async function publishedText(
  operation: Operation,
  { at, errors }: { at?: string; errors?: true },
): Promise<string> {
  const shapes = await loadApiShapes(operation.api);
  const shape = shapes?.operation(operation.operationId);
  if (shapes === undefined || shape === undefined) {
    return "\nNo description of body and response is published.\n";
  }
  const { contentType } = operation;
  const parts = errors ? ["body", "response", "errors"] as const : ["body", "response"] as const;
  const found = parts.flatMap((part) => {
    try {
      const limit = at !== undefined ? Infinity : part === "body" ? MAX_BODY : MAX_RESPONSE;
      return describePart(shapes, shape, part, { contentType, at, limit }) ?? [];
    } catch (error) {
      if (error instanceof RangeError) return [];
      throw error;
    }
  });
  if (at !== undefined && found.length === 0) {
    throw new RangeError(
      `Cannot show "${at}": neither the body nor the response of "${operation.id}" has it`,
    );
  }
  const parameters = at === undefined ? parameterLines(shapes, shape) : [];
  const folded = found.some(({ isShortened }) => isShortened)
    ? ["To see a folded part (...), use --at with the path of the field"]
    : [];
  const blocks = [
    ...(parameters.length > 0 ? [["Parameters:", ...parameters].join("\n")] : []),
    ...found.map(({ text }) => text),
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
