import { idOf } from "../../base/json/id_of.ts";
import type { ResourceKind } from "../../client/entities/kinds/kinds.ts";
import type { StoreDriver } from "../model/store_driver.ts";
import type { ExportEndpoint, ExportRow } from "./export_endpoint.ts";
import { valueAt } from "../../base/json/field_path.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";

export interface ComparedKind {
  readonly pulledAt: number;
  /** Maximum ids to collect: beyond it a list is cheaper. */
  readonly mostIds: number;
}

export interface KindFindings {
  rows: number;
  withoutId: number;
  ids: string[] | undefined;
  readonly listed: IdSet;
  readonly mostIds: number;
}

const AT_ONCE = 500;

/**
 * Milliseconds before the last pull that count as changed, because an export dates from its request and lags behind.
 */
const LOOK_BACK = 7_200_000;

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
      const kind = endpoint.kindOf(row);
      const comparison = kind === undefined ? undefined : comparisons.get(kind);
      const id = idOf(row, endpoint.idField);
      if (comparison === undefined) continue;
      if (id === undefined) comparison.findings.withoutId++;
      else await comparison.add(id, row);
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
    this.findings = { rows: 0, withoutId: 0, ids: [], listed: new IdSet(), mostIds: compared.mostIds };
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

export class IdSet {
  #ids = new BigUint64Array(1024);
  #size = 0;
  #sorted: BigUint64Array | undefined;
  readonly #odd = new Set<string>();

  add(id: string): void {
    if (!isPlain(id)) {
      this.#odd.add(id);
      return;
    }
    if (this.#size === this.#ids.length) {
      const larger = new BigUint64Array(this.#size * 2);
      larger.set(this.#ids);
      this.#ids = larger;
    }
    this.#ids[this.#size++] = BigInt(id);
    this.#sorted = undefined;
  }

  /** True if the id was added. Sorts after additions, so add all ids first. */
  has(id: string): boolean {
    if (!isPlain(id)) return this.#odd.has(id);
    const sorted = this.#sorted ??= this.#ids.subarray(0, this.#size).sort();
    const wanted = BigInt(id);
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sorted[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return sorted[low] === wanted;
  }
}

function isPlain(id: string): boolean {
  return /^(?:0|[1-9]\d{0,18})$/.test(id);
}

const STRATEGIES: Readonly<Record<string, string>> = {
  SALES_DOWN_ONLY: "LEGACY_FOR_SALES",
  SALES: "AUTO_FOR_SALES",
  SALES_UP_AND_DOWN: "AUTO_FOR_SALES",
  RULE_BASED: "RULE_BASED",
};

type Comparison = (said: unknown, stored: unknown) => boolean;

/**
 * Absent fields count as equal, except those that are only absent if empty. The time of the last update reveals
 * changes without a column.
 */
export function rowDiffers(
  kind: ResourceKind,
  row: ExportRow,
  stored: Readonly<Record<string, unknown>>,
): boolean {
  return facts(kind, row).some(([path, said, differs]) =>
    said !== undefined && differs(said, valueAt(stored, path))
  );
}

function facts(kind: ResourceKind, row: ExportRow): [path: string, said: unknown, differs: Comparison][] {
  const common: [string, unknown, Comparison][] = [
    ["state", row["state"], word],
    ["name", row["name"], text],
  ];
  const bid = fieldsOf(row["bid"]);
  if (kind.endsWith(".ad_groups")) return [...common, ["defaultBid", bid["defaultBid"], amount]];
  if (kind.endsWith(".keywords") || kind.endsWith(".targets")) {
    // Both an object and a bare number were met.
    return [common[0]!, ["bid", typeof row["bid"] === "object" ? bid["bid"] : row["bid"], amount]];
  }
  if (!kind.endsWith(".campaigns")) return common;
  const { monetaryBudget } = fieldsOf(fieldsOf(row["budgetCaps"])["budgetValue"]);
  const isProducts = kind === "sp.campaigns";
  return [
    ...common,
    [isProducts ? "budget.budget" : "budget", fieldsOf(monetaryBudget)["amount"], amount],
    ["startDate", row["startDate"], day],
    ["endDate", row["endDate"] ?? "", day],
    ["portfolioId", row["portfolioId"] ?? "", text],
    ...isProducts
      ? [
        ["targetingType", row["targetingSettings"], word],
        ["dynamicBidding.strategy", STRATEGIES[String(fieldsOf(row["optimization"])["bidStrategy"])], word],
      ] satisfies [string, unknown, Comparison][]
      : [],
  ];
}

function text(said: unknown, stored: unknown): boolean {
  return String(said).replaceAll("\0", "\uFFFD") !== String(stored ?? "");
}

function word(said: unknown, stored: unknown): boolean {
  return String(said).toUpperCase() !== String(stored).toUpperCase();
}

/** Compares amounts. For an entity without its own amount, a row may contain the ad group's amount. */
function amount(said: unknown, stored: unknown): boolean {
  return stored !== undefined && stored !== null && Number(said) !== Number(stored);
}

/** Compares days. Display dates have no hyphens and may include a time. */
function day(said: unknown, stored: unknown): boolean {
  const digits = (value: unknown): string => String(value ?? "").replace(/T.*/, "").replaceAll("-", "");
  return digits(said) !== digits(stored);
}
