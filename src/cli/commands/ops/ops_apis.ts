import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { catalog } from "../../../catalog/catalog.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { printRows } from "../../output/print_rows.ts";

const COLUMNS = ["slug", "operations", "version", "title", "note"];
const FIELDS = [...COLUMNS, "unlisted", "hosted_tools", "source"];

/** `adsctl ops apis`. */
export function opsApisCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("apis", {
    summary: "List the APIs of the platform",
    examples: [["adsctl ops apis", "every API with the number of its operations"]],
    library: "await catalog.apis()",
    fields: FIELDS,
  }).action((_, self) => kit.run(runOpsApis, self));
}

/** Lists the APIs. */
export async function runOpsApis(context: CliContext): Promise<number> {
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
  await printRows(rows, { columns: COLUMNS, fields: FIELDS }, context);
  return EXIT.done;
}
