import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { catalog } from "../../../catalog/catalog.ts";
import type { Operation } from "../../../catalog/operation.ts";
import type { OperationParameter } from "../../../catalog/operation_parameter.ts";
import { refusingBadInput } from "../../core/cli_error.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/exit_codes.ts";
import { printJson, wantsData } from "../../output/print_rows.ts";
import { stylesFor } from "../../output/styles.ts";
import { shellWord } from "../../text/shell_words.ts";

/** `adsctl ops show`. */
export function opsShowCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("show", {
    summary: "Show one operation: method, path, parameters, media types, notes",
    examples: [[
      "adsctl ops show advertising-billing:getInvoice",
      "by its full id; the name alone will do when it is unique",
    ]],
    library: 'await catalog.get("advertising-billing:getInvoice")',
  })
    .argument("<id>", "<api>:<operationId>, or the name alone")
    .action((id, _, self) => kit.run((context) => runOpsShow({ id }, context), self));
}

/** Shows one operation. */
export async function runOpsShow({ id }: { id: string }, context: CliContext): Promise<number> {
  const operation = await refusingBadInput(() => catalog.get(id));
  if (wantsData(context)) await printJson(operation.toJSON(), context);
  else await context.io.stdout.write(describe(operation, context));
  return EXIT.done;
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
    ["Deprecated", operation.deprecated ? "yes" : undefined],
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
