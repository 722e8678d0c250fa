import { jsonLine, jsonLinesIn } from "../../base/text/lines.ts";
import type { WorkflowResult, WorkflowRow } from "../../store/model/workflow_tables.ts";
import { spool } from "../../store/sync/spool.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";

/**
 * Stores the rows of a run once all of them are there: they wait in a file, so that no transaction waits for the network.
 *
 * @param result Called after the last row was read.
 * @returns the number of stored rows, and the problem with the view if there is one.
 */
export async function storeRun(
  store: Warehouse,
  result: () => WorkflowResult,
  rows: AsyncIterable<WorkflowRow>,
): Promise<{ readonly rows: number; readonly warning: string | undefined }> {
  const file = await spool(linesOf(rows));
  try {
    let warning: string | undefined;
    const count = await store.workflows.store(
      result(),
      () => jsonLinesIn<WorkflowRow>(file.bytes()),
      (text) => warning = text,
    );
    return { rows: count, warning };
  } finally {
    await file.discard();
  }
}

async function* linesOf(rows: AsyncIterable<WorkflowRow>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const row of rows) yield encoder.encode(jsonLine(row));
}
