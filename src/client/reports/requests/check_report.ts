import { addDays, type Day } from "../../../base/time/calendar.ts";
import { nearest } from "../../../base/text/nearest.ts";
import type { ReportConfiguration } from "./report_configuration.ts";
import { columnsOf, refusedColumns, type ReportType, reportTypes } from "./report_types.ts";

/** Days before the published retention from which on a request makes no sense: the published number is approximate. */
const MARGIN = 7;

/** Groupings that one report cannot have together. */
const APART: Readonly<Record<string, readonly (readonly string[])[]>> = {
  spCampaigns: [["adGroup", "campaignPlacement"]],
};

/**
 * Compares a report with what is published about its type. A type that is not published is not compared.
 *
 * @throws {TypeError} or `RangeError` that says what does not fit, before anything is sent.
 */
export async function checkReport(
  configuration: ReportConfiguration,
  { start, today }: { start: Day; today: Day },
): Promise<void> {
  const type = (await reportTypes()).get(configuration.reportTypeId);
  if (type === undefined) return;
  const problem = configurationProblem(configuration, type);
  if (problem !== undefined) {
    throw new TypeError(`Cannot request a report of type ${type.reportTypeId}: ${problem}`);
  }
  const first = addDays(today, -type.retentionDays);
  if (start < addDays(first, -MARGIN)) {
    throw new RangeError(
      `Cannot request a report of type ${type.reportTypeId} from ${start} on: the platform keeps it for ` +
        `${type.retentionDays} days. Begin on ${first} or later`,
    );
  }
}

function configurationProblem(configuration: ReportConfiguration, type: ReportType): string | undefined {
  const { adProduct, groupBy, columns, timeUnit = "DAILY", filters = [] } = configuration;
  if (adProduct !== type.adProduct) return `its ad product is ${type.adProduct}, not ${adProduct}`;
  const group = groupBy.find((name) => !type.groups.has(name));
  if (group !== undefined) return unknown("grouping", group, [...type.groups.keys()]);
  const apart = APART[type.reportTypeId]?.find((names) => names.every((name) => groupBy.includes(name)));
  if (apart !== undefined) {
    return `its groupings ${apart.join(" and ")} cannot be combined. Request two reports`;
  }
  if (!type.timeUnits.includes(timeUnit)) {
    return `its time unit is ${type.timeUnits.join(" or ")}, not ${timeUnit}`;
  }
  const { format = "GZIP_JSON" } = configuration;
  if (!type.formats.includes(format)) return `its format is ${type.formats.join(" or ")}, not ${format}`;
  const allowed = columnsOf(type, groupBy);
  const refused = columns.find((name) => refusedColumns(type, groupBy).includes(name));
  if (refused !== undefined) return `the platform refuses its column "${refused}". Leave it out`;
  const column = columns.find((name) => !allowed.includes(name));
  if (column !== undefined) {
    const others = [...type.groups].filter(([, { columns }]) => columns.includes(column)).map(([name]) =>
      name
    );
    return others.length > 0
      ? `column "${column}" takes the grouping ${others.join(" or ")}`
      : unknown("column", column, allowed);
  }
  const [days, other] = timeUnit === "DAILY" ? [["startDate", "endDate"], "SUMMARY"] : [["date"], "DAILY"];
  const day = columns.find((name) => days.includes(name));
  if (day !== undefined) return `column "${day}" takes the time unit ${other}, not ${timeUnit}`;
  const fields = groupBy.flatMap((name) => [...type.groups.get(name)?.filters.keys() ?? []]);
  const filter = filters.find(({ field }) => !fields.includes(field));
  if (filter === undefined) return undefined;
  return fields.length > 0
    ? unknown("filter", filter.field, fields)
    : `its rows cannot be filtered by "${filter.field}", nor by anything else`;
}

function unknown(what: string, name: string, known: readonly string[]): string {
  const close = nearest(name, known);
  const hint = close === undefined
    ? known.length <= 12
      ? `expected one of ${known.join(", ")}`
      : `adsctl report columns lists its ${known.length}`
    : `did you mean ${close}?`;
  return `it has no ${what} "${name}", ${hint}`;
}
