import type { Command } from "@commander-js/extra-typings";
import { opsSearch } from "../../../../operations/reads/ops_search.ts";
import { catalog } from "../../../../platform/catalog/catalog.ts";
import type { Operation } from "../../../../platform/catalog/operation.ts";
import { EXIT, refusingBadInput } from "../../shell/io/cli_error.ts";
import { command, group } from "../../shell/command.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import type { Row } from "../../shell/context/row_printer.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { operationDoc, operationInput } from "../../shell/options/operation_input.ts";
import { say } from "../../shell/output/write_text.ts";
import { opsCallCommand } from "./ops_call.ts";
import { opsJobCommand } from "./ops_job.ts";
import { opsShowCommand } from "./ops_show.ts";
import { opsSunsetCommand } from "./ops_sunset.ts";

const COLUMNS = ["id", "summary", "method", "read_only", "flags", "path"];

const opsSearchCommand = command(
  (kit) =>
    // The types of commander cannot know arguments that are declared elsewhere.
    addFields(
      kit.leaf("search", { ...operationDoc(opsSearch, { withMarket: false }), printsRows: true }),
      opsSearch.input,
    ) as unknown as Command<[words: string[]], Record<never, never>>,
  async (words, options, context) => {
    const input = await operationInput(opsSearch, options, { text: words.join(" ") });
    const found = await refusingBadInput(() => opsSearch.run({}, input));
    await printRows(found.map(operationRow), { columns: COLUMNS, fields: fieldsOf(found[0]) }, context);
    if (found.length === 0) await say("No operation matches", context);
    return EXIT.done;
  },
);

function operationRow(operation: Operation): Row {
  const flags = [
    operation.deprecated &&
    (operation.deprecated.shutoff === undefined ? "deprecated" : `ends ${operation.deprecated.shutoff}`),
    operation.corrected && "corrected",
    operation.unsupportedReason !== undefined && "hosted tool",
    operation.typedMethod !== undefined && `typed: ${operation.typedMethod}`,
  ];
  return { ...operation.toJSON(), flags: flags.filter((flag) => flag).join(", ") };
}

function fieldsOf(operation: Operation | undefined): string[] {
  return operation === undefined ? COLUMNS : [...new Set([...COLUMNS, ...Object.keys(operation.toJSON())])];
}

const API_COLUMNS = ["slug", "operations", "version", "title", "note"];
const FIELDS = [...API_COLUMNS, "unlisted", "hosted_tools", "source"];

const opsApisCommand = command(
  (kit) =>
    kit.leaf("apis", {
      printsRows: true,
      summary: "List the APIs of the platform",
      examples: [["adsctl ops apis", "list APIs with operation counts"]],
      library: "await catalog.apis()",
      fields: FIELDS,
    }),
  async (_, context) => {
    const rows = [...(await catalog.apis()).values()].map((api) => ({
      slug: api.slug,
      operations: api.operationCount,
      version: api.version ?? null,
      title: api.title,
      note: api.hostedTools ? "tools of the hosted server; cannot be sent" : api.note ?? null,
      unlisted: api.unlistedCount,
      hosted_tools: api.hostedTools,
      source: api.source,
    }));
    await printRows(rows, { columns: API_COLUMNS, fields: FIELDS }, context);
    return EXIT.done;
  },
);

export const opsCommand = group(
  "ops",
  {
    summary: "Find, read and call any platform operation, and compare API families",
    examples: [
      ["adsctl ops search budget usage", "search for budget usage"],
      ["adsctl ops call sponsored-products:ListSponsoredProductsCampaigns -m US", "call one"],
    ],
    library: 'await profile.call("sponsored-products:ListSponsoredProductsCampaigns")',
  },
  [
    opsSearchCommand,
    opsShowCommand,
    opsApisCommand,
    opsSunsetCommand,
    opsCallCommand,
    opsJobCommand,
  ],
);
