import { PlatformAdsError } from "../../../errors.ts";
import type { ResourceKind } from "../../../resources/kinds.ts";
import type { StoreDriver } from "../../store_driver.ts";
import type { ExportEndpoint, ExportRow } from "./export_endpoint.ts";
import { IdSet } from "./id_set.ts";
import { rowDiffers } from "./row_differs.ts";

/** Stored entities of a kind, with their time. */
export interface ComparedKind {
  /** When it was last read by the platform's clock, milliseconds since the epoch. */
  readonly pulledAt: number;
  /** Most ids that are gathered: with more of them a list is cheaper. */
  readonly mostIds: number;
}

/** Findings of an export about a kind. */
export interface KindFindings {
  /** Number of entities, archived ones included. */
  rows: number;
  /** Ids of entities that are new or changed; `undefined` when they are too many. */
  ids: string[] | undefined;
  /** Ids of all rows. */
  readonly listed: IdSet;
  /** Most ids that are worth reading. */
  readonly mostIds: number;
}

/** Rows whose stored entities are looked up at once. */
const AT_ONCE = 500;

/**
 * Milliseconds that are looked back before the last pull: an export is of the time at which it was asked for, and lags
 * behind that. What was updated since then counts as changed, whatever the row says.
 */
const LOOK_BACK = 7_200_000;

/**
 * Compares the rows of an export with what is stored of its kinds. Rows of other kinds are passed over.
 *
 * @throws {PlatformAdsError} for a row without an id.
 */
export async function compareExport(
  rows: AsyncIterable<readonly ExportRow[]>,
  { endpoint, kinds, driver, profileId }: {
    endpoint: ExportEndpoint;
    kinds: ReadonlyMap<ResourceKind, ComparedKind>;
    driver: StoreDriver;
    profileId: string;
  },
): Promise<Map<ResourceKind, KindFindings>> {
  const comparisons = new Map(
    Array.from(
      kinds,
      ([kind, compared]) => [kind, new KindComparison(kind, compared, { driver, profileId })],
    ),
  );
  for await (const batch of rows) {
    for (const row of batch) {
      const id = row[endpoint.idField];
      if (typeof id !== "string" && typeof id !== "number") {
        throw new PlatformAdsError(
          `Cannot read the export of ${endpoint.path}: a row has no ${endpoint.idField}`,
        );
      }
      const kind = endpoint.kindOf(row);
      const comparison = kind === undefined ? undefined : comparisons.get(kind);
      if (comparison !== undefined) await comparison.add(String(id), row);
    }
  }
  const found = new Map<ResourceKind, KindFindings>();
  for (const [kind, comparison] of comparisons) {
    await comparison.flush();
    found.set(kind, comparison.findings);
  }
  return found;
}

class KindComparison {
  readonly findings: KindFindings;
  readonly #kind: ResourceKind;
  readonly #compared: ComparedKind;
  readonly #store: { driver: StoreDriver; profileId: string };
  #waiting = new Map<string, ExportRow>();

  constructor(kind: ResourceKind, compared: ComparedKind, store: { driver: StoreDriver; profileId: string }) {
    this.#kind = kind;
    this.#compared = compared;
    this.findings = { rows: 0, ids: [], listed: new IdSet(), mostIds: compared.mostIds };
    this.#store = store;
  }

  async add(id: string, row: ExportRow): Promise<void> {
    this.findings.rows++;
    this.findings.listed.add(id);
    this.#waiting.set(id, row);
    if (this.#waiting.size >= AT_ONCE) await this.flush();
  }

  async flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    if (waiting.size === 0 || this.findings.ids === undefined) return;
    const ids = [...waiting.keys()];
    const { rows } = await this.#store.driver.query(
      `SELECT id, data FROM entities WHERE kind = ? AND profile_id = ? AND id IN (${
        ids.map(() => "?").join(", ")
      })`,
      { params: [this.#kind, this.#store.profileId, ...ids], maxRows: Infinity },
    );
    const stored = new Map(rows.map(({ id, data }) => [String(id), String(data)]));
    for (const [id, row] of waiting) {
      const data = stored.get(id);
      if (data !== undefined && !this.#isUpdated(row) && !rowDiffers(this.#kind, row, JSON.parse(data))) {
        continue;
      }
      if (this.findings.ids.push(id) <= this.#compared.mostIds) continue;
      this.findings.ids = undefined;
      return;
    }
  }

  #isUpdated({ lastUpdatedDateTime }: ExportRow): boolean {
    return Date.parse(String(lastUpdatedDateTime)) >= this.#compared.pulledAt - LOOK_BACK;
  }
}
