import { eachDay } from "../../core/day_span.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { Random } from "../../core/random.ts";
import type { FileSource } from "../../state/file_store.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { completedJob, type JobRecord } from "./job_record.ts";

export const BRANDS = ["Alder & Ash", "Northlight"];
const NODES = ["Home & Kitchen", "Home & Kitchen/Storage", "Home & Kitchen/Storage/Baskets"];
const DEFAULT_METRICS = [
  "engagedShopperRate",
  "customerConversionRate",
  "newToBrandCustomerRate",
  "awarenessIndex",
];

export function longJobFile(
  profile: ProfileState,
  name: string,
  { seed, now }: { seed: string; now: number },
): FileSource | undefined {
  const [id = "", part = ""] = name.split("_");
  const job = completedJob(profile, id, now);
  return job && filesOf(job, { profile, seed })[part];
}

function filesOf(
  job: JobRecord,
  { profile, seed }: { profile: ProfileState; seed: string },
): Record<string, FileSource> {
  const random = (salt: string): Random => new Random(`${seed} ${profile.id} ${job.kind} ${salt}`);
  if (job.kind === "brand metrics") return { brands: brandFile(job, random) };
  if (job.kind.endsWith("dsp report")) return { rows: dspFile(job, random) };
  return {
    summary: { format: "XLSX", rows: () => summaryRows(job, random) },
    ads: { format: "TEXT", rows: () => [adLines(job, random).join("\n") + "\n"] },
  };
}

/** Computed weekly, on Saturdays. */
function computationDays({ request }: JobRecord, today: string): string[] {
  const end = typeof request.reportEndDate === "string" ? request.reportEndDate : today;
  const start = typeof request.reportStartDate === "string" ? request.reportStartDate : daysBefore(end, 7);
  const saturdays = eachDay(start, end).filter((day) => new Date(day).getUTCDay() === 6);
  // Without days, only the newest is given.
  return request.reportStartDate === undefined ? saturdays.slice(-1) : saturdays;
}

function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * 86_400_000).toISOString().slice(0, 10);
}

export function brandRows(job: JobRecord, random: (salt: string) => Random): JsonObject[] {
  const { brandName, lookBackPeriod = "1w", metrics } = job.request;
  const brands = BRANDS.filter((brand) => brandName === undefined || brandName === brand);
  const names = Array.isArray(metrics) ? metrics.map(String) : DEFAULT_METRICS;
  const days = computationDays(job, new Date(job.createdAt).toISOString().slice(0, 10));
  return days.flatMap((day) =>
    brands.flatMap((brand) =>
      NODES.map((node): JsonObject => {
        const draw = random(`${day} ${brand} ${node}`);
        return {
          metadata: {
            brandName: brand,
            categoryNodeName: node.split("/").at(-1) ?? node,
            categoryNodeTreeName: "US Home",
            categoryNodePath: node,
            metricsComputationDate: day,
            lookbackPeriod: String(lookBackPeriod),
          },
          metrics: Object.fromEntries(
            names.map((name) => [name, (draw.integer(1, 9999) / 10_000).toFixed(4)]),
          ),
        };
      })
    )
  );
}

function brandFile(job: JobRecord, random: (salt: string) => Random): FileSource {
  const rows = brandRows(job, random);
  if (job.request.format !== "CSV") {
    return { format: "TEXT", rows: () => [JSON.stringify({ brandBuildingMetrics: rows })] };
  }
  const flat = rows.map(({ metadata, metrics }) => ({ ...metadata as JsonObject, ...metrics as JsonObject }));
  return { format: "TEXT", rows: () => [csvOf(flat, (value) => String(value))] };
}

function dspFile(job: JobRecord, random: (salt: string) => Random): FileSource {
  const rows = dspRows(job, random);
  if (job.request.format !== "CSV") return { format: "TEXT", rows: () => [JSON.stringify(rows)] };
  // Spreadsheets would round the ids.
  const cell = (value: Json, name: string): string => name.endsWith("Id") ? `="${value}"` : String(value);
  return { format: "TEXT", rows: () => [csvOf(rows, cell)] };
}

function dspRows({ request, id: _ }: JobRecord, random: (salt: string) => Random): JsonObject[] {
  const { startDate, endDate, timeUnit, dimensions, metrics, format } = request;
  const spans = timeUnit === "DAILY"
    ? eachDay(String(startDate), String(endDate)).map((day): [string, string] => [day, day])
    : [[String(startDate), String(endDate)] as [string, string]];
  const byLine = Array.isArray(dimensions) && dimensions.includes("LINE_ITEM");
  const names = [
    "impressions",
    "clickThroughs",
    "totalCost",
    ...Array.isArray(metrics) ? metrics.map(String) : [],
  ];
  return spans.flatMap(([from, to]) =>
    [1, 2].flatMap((order) =>
      (byLine ? [1, 2, 3] : [0]).map((line): JsonObject => {
        const draw = random(`${from} ${to} ${order} ${line}`);
        const moment = (day: string): Json => format === "CSV" ? day : Date.parse(day);
        return {
          intervalStart: moment(from),
          intervalEnd: moment(to),
          orderId: `59${order}0000000000000${order}`,
          orderName: `Order ${order}`,
          ...(line === 0
            ? {}
            : { lineItemId: `60${order}000000000000${line}7`, lineItemName: `Line ${line}` }),
          ...Object.fromEntries(names.map((name) => [name, draw.integer(0, 50_000)])),
        };
      })
    )
  );
}

function csvOf(rows: readonly JsonObject[], cell: (value: Json, name: string) => string): string {
  const names = Object.keys(rows[0] ?? {});
  const quoted = (text: string): string =>
    /[",\n]/.test(text) && !text.startsWith("=") ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = rows.map((row) => names.map((name) => quoted(cell(row[name] ?? "", name))).join(","));
  return [names.join(","), ...lines].join("\n") + "\n";
}

function* summaryRows({ request }: JobRecord, random: (salt: string) => Random): Generator<string> {
  for (const product of ["SPONSORED_PRODUCTS", "SPONSORED_BRANDS", "DSP"]) {
    const impressions = random(`summary ${product}`).integer(1000, 90_000);
    yield JSON.stringify({ product, startDate: request.startDate, endDate: request.endDate, impressions });
  }
}

function adLines({ request }: JobRecord, random: (salt: string) => Random): string[] {
  const days = eachDay(String(request.startDate), String(request.endDate));
  return [
    "date\tgeo\timpressions",
    ...days.map((day) => `${day}\tUS\t${random(`ads ${day}`).integer(100, 9000)}`),
  ];
}
