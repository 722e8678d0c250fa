import { isObject, type Json } from "./json.ts";

/** Platform behavior that its contract allows but that clients often do not expect. */
export interface Quirks {
  /** True to return the success list of a batch in a different order than its items. */
  readonly shuffleSuccess: boolean;
  /** Interval of empty list pages: every n-th page after the first is empty although more pages follow; 0 = never. */
  readonly emptyPageEvery: number;
  /**
   * Time to generate a report, in seconds of the emulator's clock: PENDING for a third of it, then PROCESSING. The
   * platform takes minutes to hours.
   */
  readonly reportSeconds: number;
  /** Lifetime of a report's download URL, in seconds. */
  readonly reportUrlSeconds: number;
  /** Number of reports per profile and minute before throttling; 0 = no limit. */
  readonly reportsPerMinute: number;
  /**
   * Maximum requests per second for each group of operations on each host. The actual limit varies between this value
   * and a third of it; 0 = no limit.
   */
  readonly requestsPerSecond: number;
  /** Seconds of the emulator's clock after which the request limits change. */
  readonly limitChangeSeconds: number;
  /** When 429 responses of the request limits include `Retry-After`. */
  readonly limitRetryAfter: "sometimes" | "always" | "never";
  /** Format of a report's file: one JSON array, or one JSON object per line. */
  readonly reportRows: "array" | "lines";
  /**
   * True if only the published media types are accepted. The live service also takes `application/json`, `text/plain`
   * and no type at all for most operations.
   */
  readonly strictMediaTypes: boolean;
  /** Compression of a report's file. */
  readonly reportPacking: "gzip" | "none";
  /** How to treat a report over days past the retention: refuse it, or return no rows for those days. */
  readonly oldReportDays: "refuse" | "empty";
  /** Fraction of queue messages that are delivered again as another message, from 0 to 1. */
  readonly queueDuplicates: number;
  /** Maximum delay before a message can be received, in seconds of the emulator's clock; varies by message. */
  readonly queueDelaySeconds: number;
  /** True if delivery streams pack their objects with gzip. */
  readonly deliveryGzip: boolean;
  /**
   * Effect of an update through the unified family on lists of placements and labels: they replace the existing ones, or
   * are merged with them.
   */
  readonly unifiedLists: "replace" | "merge";
  /** Target ids in the unified family: the same as in the older families, or different ones. */
  readonly unifiedTargetIds: "equal" | "other";
  /**
   * True if targets of an ad group also include their campaign, as in the live service; the published description
   * leaves this open.
   */
  readonly unifiedTargetCampaigns: boolean;
  /** Item index in the result of a unified batch with one item: given, or left out as seen on the live service. */
  readonly unifiedSingleIndex: "given" | "left out";
  /**
   * Handling of per-marketplace budgets in a new global campaign: accepted as published, or refused as seen on the
   * live service.
   */
  readonly globalBudgets: "taken" | "refused";
  /**
   * Concurrent new reports per account before throttling; 0 = no limit. The live service was seen to allow
   * about two.
   */
  readonly reportsUnderWay: number;
  /**
   * Countries without rows in new reports, such as `DE, UK`. The live service was seen to omit some countries of an
   * account.
   */
  readonly reportingLeavesOut: string;
}

/**
 * Default quirks of an emulator.
 *
 * @example
 * ```ts
 * import { DEFAULT_QUIRKS, type Emulator } from "@platform/ads/emulator";
 *
 * function slowReports(emulator: Emulator): void {
 *   emulator.setQuirks({ reportSeconds: 10 * DEFAULT_QUIRKS.reportSeconds });
 * }
 * ```
 */
export const DEFAULT_QUIRKS: Quirks = {
  shuffleSuccess: true,
  emptyPageEvery: 4,
  reportSeconds: 3,
  reportUrlSeconds: 3600,
  reportsPerMinute: 0,
  requestsPerSecond: 0,
  limitChangeSeconds: 30,
  limitRetryAfter: "sometimes",
  reportRows: "array",
  strictMediaTypes: false,
  reportPacking: "gzip",
  oldReportDays: "refuse",
  queueDuplicates: 0.02,
  queueDelaySeconds: 0,
  deliveryGzip: false,
  unifiedLists: "replace",
  unifiedTargetIds: "equal",
  unifiedTargetCampaigns: true,
  unifiedSingleIndex: "given",
  globalBudgets: "taken",
  reportsUnderWay: 0,
  reportingLeavesOut: "",
};

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  reportRows: ["array", "lines"],
  reportPacking: ["gzip", "none"],
  limitRetryAfter: ["sometimes", "always", "never"],
  oldReportDays: ["refuse", "empty"],
  unifiedLists: ["replace", "merge"],
  unifiedTargetIds: ["equal", "other"],
  unifiedSingleIndex: ["given", "left out"],
  globalBudgets: ["taken", "refused"],
};

export function parseQuirks(value: Json | undefined): Partial<Quirks> {
  if (!isObject(value)) {
    throw new RangeError('Cannot set quirks: expected an object, for example {"reportSeconds": 60}');
  }
  for (const [name, part] of Object.entries(value)) {
    if (!Object.hasOwn(DEFAULT_QUIRKS, name)) {
      const known = Object.keys(DEFAULT_QUIRKS).join(", ");
      throw new RangeError(`Cannot set quirks: "${name}" is unknown. Expected one of ${known}`);
    }
    const choices = Object.hasOwn(CHOICES, name) ? CHOICES[name] : undefined;
    const isUsable = choices !== undefined
      ? choices.includes(String(part))
      : typeof part === typeof DEFAULT_QUIRKS[name as keyof Quirks] &&
        !(typeof part === "number" && part < 0);
    if (!isUsable) {
      throw new RangeError(
        `Cannot set quirks: "${name}" is invalid. Its default is ${
          JSON.stringify(DEFAULT_QUIRKS[name as keyof Quirks])
        }`,
      );
    }
  }
  return value as Partial<Quirks>;
}
