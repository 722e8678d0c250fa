import { callOperation, publishedCall } from "../../../../operations/reads/call.ts";
import { catalog } from "../../../../platform/catalog/catalog.ts";
import type { Operation } from "../../../../platform/catalog/operation.ts";
import { stringifyJson } from "../../../../base/json/json.ts";
import { SchemaError } from "../../../../platform/schema/schema_error.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { CliError, EXIT, RefusedError, refusingBadInput } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import { confirm, ensureCanAsk } from "../../shell/context/confirm.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { wantedMarket } from "../../shell/options/market_options.ts";
import { operationInput } from "../../shell/options/operation_input.ts";
import { operationLeaf } from "../../shell/operation_leaf.ts";
import { responseVerdict } from "../../../../client/calls/response_verdict.ts";
import { printJson } from "../../shell/output/print_rows.ts";
import { repeated } from "../../shell/options/parse_values.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { jsonBody, withFileFields } from "./call_values.ts";
import { say } from "../../shell/output/write_text.ts";

interface CallOptions {
  readonly body?: string;
  readonly file?: readonly string[];
  readonly yes?: true;
}

export const opsCallCommand = command(
  (kit) =>
    operationLeaf<[id: string], CallOptions>(kit, callOperation, {
      examples: [
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
    })
      .option("--file <field=path>", "form file; repeatable", repeated)
      .option("--yes", "do not ask before an operation that can change data"),
  async (id, options, context) => {
    const { io, globals, interruption: { signal } } = context;
    // Before standard input is waited for.
    await refusingBadInput(async () => (await catalog.get(id)).ensureSendable());
    const body = withFileFields(await jsonBody(options.body, io), options.file);
    const input = await operationInput(callOperation, { ...options, body }, { operation: id });
    const { operation, path, warnings, unchecked } = await refusingDifferences(() => publishedCall(input));
    if (unchecked) await say(`Not checked: no description is published for ${operation.id}`, context);
    for (const warning of warnings) await io.stderr.write(`warning: ${visibleText(warning)}\n`);
    const market = wantedMarket(options, context);
    if (!operation.readOnly) {
      ensureCanAsk(options.yes, context, "calling an operation that can change data");
      if (!options.yes) await ask({ operation, path, market, body }, context);
    }
    const profile = await connectProfile(options, context);
    const response = await refusingBadInput(() =>
      callOperation.run({ profile, signal, mayWrite: true }, input)
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

async function refusingDifferences<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await refusingBadInput(step);
  } catch (error) {
    throw error instanceof SchemaError ? new RefusedError(error.message) : error;
  }
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
