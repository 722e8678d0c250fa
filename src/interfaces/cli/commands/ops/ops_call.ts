import type { CallCheck } from "../../../../platform/catalog/call_types.ts";
import { catalog } from "../../../../platform/catalog/catalog.ts";
import { checkPublished } from "../../../../platform/catalog/check_published.ts";
import { type CallInput, prepareCall } from "../../../../platform/catalog/prepare_call.ts";
import type { Operation } from "../../../../platform/catalog/operation.ts";
import { stringifyJson } from "../../../../base/json/json.ts";
import { SchemaError } from "../../../../platform/schema/schema_error.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { CliError, RefusedError, refusingBadInput } from "../../shell/errors/cli_error.ts";
import { command } from "../../shell/command.ts";
import { confirm, ensureCanAsk } from "../../shell/context/confirm.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT } from "../../shell/errors/exit_codes.ts";
import { wantedMarket } from "../../shell/options/market_options.ts";
import { responseVerdict } from "../../../../client/calls/response_verdict.ts";
import { printJson } from "../../shell/output/print_rows.ts";
import { repeated } from "../../shell/arguments/parse_values.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { callValues, checkOption } from "./call_values.ts";
import { say } from "../../shell/output/write_text.ts";

export const opsCallCommand = command(
  (kit) =>
    kit.profileLeaf("call", {
      summary: "Call an operation and print its response",
      details:
        "Takes method, path and media types from the catalog. Asks before an operation that can change data. " +
        "Rejects missing or malformed parameters before sending. Other mismatches with the published description " +
        "are warnings, because descriptions contain errors; --check strict rejects them.",
      examples: [
        ["adsctl ops call advertising-billing:getAdvertiserInvoices -m US -q count=5", "a query parameter"],
        ["adsctl ops call advertising-billing:getInvoice -m US -p invoiceId=ABC123", "a path parameter"],
        [
          `adsctl ops call sponsored-brands-v3:createAsset -m US --file asset=logo.png --body '{"assetInfo":{}}'`,
          "a form with a file",
        ],
        [
          "adsctl ops call sponsored-products:UpdateSponsoredProductsKeywords -m US --body @body.json",
          "a write: it asks first",
        ],
      ],
      library:
        'await profile.call("advertising-billing:getInvoice", undefined, { pathParams: { invoiceId: "ABC123" } })',
    })
      .argument("<id>", "<api>:<operationId>, or a unique name")
      .option("--body <json>", "body: JSON, @file, or - for standard input")
      .option("--file <field=path>", "form file; repeatable", repeated)
      .option("-p, --path <name=value>", "path parameter; repeatable", repeated)
      .option("-q, --query <name=value>", "query parameter; repeatable, even with the same name", repeated)
      .option("--header <name=value>", "additional header; repeatable", repeated)
      .option("--content-type <type>", "media type of the body, instead of the catalog's")
      .option("--accept <type>", "media type of the response, instead of the catalog's")
      .addOption(checkOption())
      .option("--yes", "do not ask before an operation that can change data"),
  async (id, options, context) => {
    const { io, globals, interruption: { signal } } = context;
    const operation = await refusingBadInput(() => catalog.get(id));
    operation.ensureSendable();
    const input = await callValues(options, io);
    // Checked here, before a question or a login; the client checks again when it sends.
    const { path } = await refusingBadInput(() => prepareCall(operation, input));
    const check = options.check ?? "warn";
    await refusingBadInput(() => warnOfDifferences(operation, { input, check }, context));
    const market = wantedMarket(options, context);
    if (!operation.readOnly) {
      ensureCanAsk(options.yes, context, "calling an operation that can change data");
      if (!options.yes) await ask({ operation, path, market, body: input.body }, context);
    }
    const client = await connectProfile(options, context);
    const { body, ...rest } = input;
    const response = await refusingBadInput(() =>
      client.call<string>(operation.id, body, { ...rest, check: "off", signal })
    );
    if (response !== undefined) await printJson(response, context);
    else if (!globals.quiet) await io.stderr.write("The response is empty\n");
    if (operation.readOnly) return EXIT.done;
    const { refused, count } = responseVerdict(response, 200);
    if (refused.length === 0) return EXIT.done;
    const [first] = refused;
    await io.stderr.write(
      `${refused.length} of ${count} items were refused, the first because: ${visibleText(first!.message)}\n`,
    );
    return EXIT.someFailed;
  },
);

async function warnOfDifferences(
  operation: Operation,
  { input, check }: { input: CallInput; check: CallCheck },
  { io, globals }: CliContext,
): Promise<void> {
  const { warnings, unchecked } = await checkPublished(operation, input, check).catch((error) => {
    throw error instanceof SchemaError ? new RefusedError(error.message) : error;
  });
  if (unchecked) await say(`Not checked: no description is published for ${operation.id}`, { io, globals });
  for (const warning of warnings) await io.stderr.write(`warning: ${visibleText(warning)}\n`);
}

async function ask(
  call: { operation: Operation; path: string; market: string; body: unknown },
  context: CliContext,
): Promise<void> {
  const { operation, path, market, body } = call;
  const lines = [`${operation.method} ${path} in market ${market} (${operation.summary})`];
  if (body !== undefined) lines.push(visibleText(stringifyJson(body)).slice(0, 2000));
  await context.io.stderr.write(lines.join("\n") + "\n");
  if (await confirm("This can change data. Send it?", context)) return;
  throw new CliError("Not sent: the answer was not yes", EXIT.failed);
}
