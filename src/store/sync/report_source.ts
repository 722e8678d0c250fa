import type { Day } from "../../base/time/calendar.ts";
import type { FieldsReading } from "../../client/reports/run_fields.ts";
import type { EntitiesByKind } from "../../client/reports/target_ids.ts";
import { BrokenReportFile, readRows } from "../../client/reports/file/read_rows.ts";
import { presetName } from "../../client/reports/requests/presets.ts";
import type { ReportRow } from "../../client/reports/file/report_row.ts";
import type { ReportStatus } from "../../client/reports/requests/report_status.ts";
import {
  createReport,
  openReportFile,
  waitForReport,
  type WaitOptions,
} from "../../client/reports/requests/report_job.ts";
import type { ProfileScope } from "../../platform/transport/profile_scope.ts";
import type { LedgerEntry } from "../model/ledger_entry.ts";
import { type Spool, spool } from "./spool.ts";
import type { SyncOptions } from "./sync_options.ts";

interface DownloadedReport {
  readonly rows: () => AsyncGenerator<readonly ReportRow[]>;
  readonly unjoined: () => number;
  /** True if the last reading had no rows, and the API may have left them out. */
  readonly isDoubtful: () => boolean;
  readonly discard: () => Promise<void>;
}

export interface ReportSource {
  readonly ask: () => Promise<string>;
  readonly wait: (reportId: string, onStatus: WaitOptions["onStatus"]) => Promise<ReportStatus>;
  readonly download: (status: ReportStatus) => Promise<DownloadedReport>;
}

interface SourceParts {
  readonly scope: ProfileScope;
  readonly options: SyncOptions;
  readonly accountType: string | undefined;
  readonly today: Day;
  readonly targets: (adProduct: string) => Promise<EntitiesByKind>;
}

export async function reportSource(entry: LedgerEntry, parts: SourceParts): Promise<ReportSource> {
  return entry.configuration.reporting === 1 ? await reporting1(entry, parts) : version3(entry, parts);
}

function version3(entry: LedgerEntry, { scope, options }: SourceParts): ReportSource {
  const { report, start, end, configuration } = entry;
  const request = { name: `${report} ${start}..${end}`, startDate: start, endDate: end, configuration };
  return {
    ask: async () => (await createReport(scope, request, options)).reportId,
    wait: (reportId, onStatus) => waitForReport(scope, reportId, { ...options, onStatus }),
    download: async (status) => {
      const file = await openReportFile(scope, status, options);
      const spooled = file === undefined ? undefined : await spool(broken(file));
      return {
        rows: () =>
          spooled === undefined
            ? noRows()
            : readRows(spooled.bytes(), { clean: (text) => scope.transport.clean(text) }),
        unjoined: () => 0,
        isDoubtful: () => false,
        discard: async () => await spooled?.discard(),
      };
    },
  };
}

async function reporting1(entry: LedgerEntry, parts: SourceParts): Promise<ReportSource> {
  const { scope, options, accountType, today, targets } = parts;
  const { start, end } = entry;
  const { signal } = options;
  const report = presetName(entry.report);
  const { fieldsOfPreset, PresetMapping, sourcesOfPreset } = await import(
    "../../client/reports/preset_rows.ts"
  );
  const { askedFields, createFields, fieldsFiles, fieldsReading, waitForFields } = await import(
    "../../client/reports/run_fields.ts"
  );
  const { presetFields } = await import("../../client/reports/preset_sources.ts");
  const { TargetIds } = await import("../../client/reports/target_ids.ts");
  const { noRowsText, reportedAccounts } = await import(
    "../../client/reports/account_marketplaces.ts"
  );
  const { needed, sources } = await sourcesOfPreset(report, accountType);
  return {
    ask: async () => {
      const { report: fields, check } = await fieldsOfPreset({ report, start, end, accountType, today });
      return await createFields(scope, await askedFields(scope, fields, { today, signal, check }), {
        ...options,
        period: { start, end },
      });
    },
    wait: (reportId, onStatus) =>
      waitForFields(scope, { reportId, period: { start, end } }, { ...options, onStatus }),
    download: async ({ reportId }) => {
      const files = await fieldsFiles(scope, { reportId, period: { start, end }, signal });
      const fields = presetFields(needed, { isDaily: true });
      const reading = await fieldsReading(scope, { fields, format: undefined });
      const ids = sources.some(({ joined }) => joined)
        ? new TargetIds(entry.configuration.adProduct, await targets(entry.configuration.adProduct))
        : undefined;
      const spools: Spool[] = [];
      const discard = async (): Promise<void> => {
        for (const one of spools) await one.discard();
      };
      try {
        for (const file of files) spools.push(await spool(broken(await file.open())));
      } catch (error) {
        await discard();
        throw error;
      }
      let mapping = new PresetMapping(sources, { ids, isDaily: true });
      let isDoubtful = false;
      const rows = async function* (): AsyncGenerator<readonly ReportRow[]> {
        mapping = new PresetMapping(sources, { ids, isDaily: true });
        let count = 0;
        for await (const batch of typedRows(spools, reading)) {
          count += batch.length;
          yield mapping.rows(batch, { start, end });
        }
        const empty = count === 0 ? noRowsText(await reportedAccounts(scope, {}, signal)) : undefined;
        isDoubtful = empty !== undefined;
        if (empty !== undefined) {
          options.onWarning?.(`${entry.countryCode} ${entry.report} ${start} to ${end}: ${empty}`);
        }
      };
      return {
        rows,
        unjoined: () => mapping.unjoined,
        isDoubtful: () => isDoubtful,
        discard,
      };
    },
  };
}

async function* typedRows(
  spools: readonly Spool[],
  { reading, typed }: FieldsReading,
): AsyncGenerator<ReportRow[]> {
  for (const one of spools) {
    for await (const batch of readRows(one.bytes(), reading)) yield typed(batch);
  }
}

async function* noRows(): AsyncGenerator<readonly ReportRow[]> {}

async function* broken(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* file;
  } catch (cause) {
    throw new BrokenReportFile(`its bytes stopped coming (${(cause as Error).message})`, 0, { cause });
  }
}
