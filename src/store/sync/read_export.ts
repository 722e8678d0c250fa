import { BrokenReportFile, readRows } from "../../client/reports/file/read_rows.ts";
import type { ResourceKind } from "../../client/entities/kinds/kinds.ts";
import { type LastPull, mostIds } from "./choose_source.ts";
import { compareExport, type KindFindings } from "./compare_export.ts";
import type { ExportEndpoint } from "./export_endpoint.ts";
import { type ExportParts, openExport } from "./open_export.ts";

/**
 * Fetches a damaged file once more.
 *
 * @throws when there is no export, or it is unreadable twice.
 */
export async function readExport(
  endpoint: ExportEndpoint,
  last: ReadonlyMap<ResourceKind, LastPull>,
  parts: ExportParts,
): Promise<Map<ResourceKind, KindFindings>> {
  const { driver, scope } = parts;
  const completed = await openExport(endpoint, parts);
  const kinds = new Map<ResourceKind, { pulledAt: number; mostIds: number }>();
  for (const kind of endpoint.kinds) {
    const pull = last.get(kind);
    if (pull === undefined) continue;
    const pulledAt = pull.pulledAt - completed.clockAhead;
    kinds.set(kind, { pulledAt, mostIds: await mostIds(kind, pull.entities) });
  }
  const compare = async (): Promise<Map<ResourceKind, KindFindings>> => {
    const rows = readRows(await completed.fetch(), { clean: (text) => scope.transport.clean(text) });
    return await compareExport(rows, { endpoint, kinds, driver, profileId: scope.profileId });
  };
  try {
    const found = await compare().catch((error: unknown) => {
      if (!(error instanceof BrokenReportFile)) throw error;
      return compare();
    });
    const rows = found.values().reduce((sum, findings) => sum + findings.rows, 0);
    await completed.settle({ rows });
    return found;
  } catch (cause) {
    const error = cause instanceof BrokenReportFile
      ? completed.failure(`its file is not whole: ${cause.message}`)
      : cause as Error;
    if (!parts.poll.signal?.aborted) await completed.settle({ problem: error.message });
    throw error;
  }
}
