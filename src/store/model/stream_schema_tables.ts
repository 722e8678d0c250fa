import type { SchemaColumn, SchemaTable } from "./schema_table.ts";
import { DATASET_LAYOUTS, type DatasetColumn, type DatasetLayout } from "./dataset_layout.ts";

const PROFILE: SchemaColumn = {
  name: "profile_id",
  type: "text",
  meaning: "profile; empty until the profile of the advertiser is known",
};
const ADVERTISER: SchemaColumn = {
  name: "advertiser_id",
  type: "text",
  meaning: "advertiser, as the stream names it",
};
const DATE: SchemaColumn = {
  name: "date",
  type: "date",
  meaning: "day in the time zone of the market; in UTC until the profile is known",
};
const HOUR: SchemaColumn = { name: "hour", type: "integer", meaning: "hour of that day, 0 to 23" };
const STARTS: SchemaColumn = { name: "starts_at", type: "time", meaning: "when the hour begins" };
const MILLISECONDS = "in milliseconds since 1970";

export function streamSchema(): SchemaTable[] {
  const views = DATASET_LAYOUTS.filter(({ isHourly }) => isHourly).flatMap((layout) => [
    summed(layout, "hourly"),
    summed(layout, "daily"),
  ]);
  return [...views, ...DATASET_LAYOUTS.map(records), ...TABLES];
}

function summed({ dataset, view, columns }: DatasetLayout, unit: "hourly" | "daily"): SchemaTable {
  const name = `${view}_${unit}`;
  const own = columns.map((column) => columnOf(column));
  const metric = columns.find(({ isMetric }) => isMetric)?.name;
  return {
    name,
    about: `The hourly stream's ${dataset}, with records summed by ${unit === "hourly" ? "hour" : "day"}`,
    columns: [
      { name: "country_code", type: "text", meaning: "country of the profile" },
      PROFILE,
      ADVERTISER,
      DATE,
      ...unit === "hourly" ? [HOUR, STARTS] : [],
      ...own,
      { name: "records", type: "integer", meaning: "records that were summed up" },
      { name: "received_at", type: "time", meaning: "when the last of them was received" },
    ],
    examples: [
      `SELECT date, sum("${metric}") AS "${metric}" FROM ${name} GROUP BY date ORDER BY date DESC LIMIT 14`,
    ],
  };
}

function records({ dataset, table, columns, isHourly }: DatasetLayout): SchemaTable {
  return {
    name: table,
    about: `The hourly stream's ${dataset}: a row for each record, as it was received`,
    columns: [
      {
        name: "id",
        type: "text",
        meaning: isHourly ? "idempotency_id of the record" : "SHA-256 of the record",
      },
      ADVERTISER,
      { name: "marketplace_id", type: "text", meaning: "marketplace, as the stream names it" },
      PROFILE,
      DATE,
      HOUR,
      { name: "starts_at", type: "integer", meaning: `when the hour begins, ${MILLISECONDS}` },
      { name: "message_id", type: "text", meaning: "the queue's id of the message, or file and line" },
      { name: "received_at", type: "integer", meaning: `when it was received, ${MILLISECONDS}` },
      ...columns.map((column) => columnOf(column)),
      { name: "extra", type: "json", meaning: "fields that are not published" },
    ],
    examples: [`SELECT * FROM ${table} ORDER BY received_at DESC LIMIT 10`],
  };
}

function columnOf({ name, type, isMetric }: DatasetColumn): SchemaColumn {
  const days = /_(\d+)d(?:_|$)/.exec(name)?.[1];
  const words = name.replace(/_\d+d(?=_|$)/, "").replaceAll("_", " ");
  const within = days === undefined ? "" : ` within ${days} ${days === "1" ? "day" : "days"}`;
  return { name, type, meaning: `${words}${within}${isMetric ? "; the sum of all changes" : ""}` };
}

const TABLES: readonly SchemaTable[] = [
  {
    name: "stream_rejected",
    about: "Messages of the stream that cannot be read",
    columns: [
      { name: "id", type: "text", meaning: "SHA-256 of the message" },
      { name: "message_id", type: "text", meaning: "the queue's id of the message, or file and line" },
      { name: "source", type: "text", meaning: "queue, folder or file" },
      { name: "received_at", type: "time", meaning: "when it was received for the first time" },
      { name: "reason", type: "text", meaning: "why it cannot be read" },
      { name: "body", type: "text", meaning: "the message as it was received" },
    ],
    examples: ["SELECT reason, count(*) AS messages FROM stream_rejected GROUP BY reason ORDER BY 2 DESC"],
  },
  {
    name: "stream_accounts",
    about: "Profiles by their ids in the stream",
    columns: [
      ADVERTISER,
      { name: "marketplace_id", type: "text", meaning: "marketplace, as the stream names it" },
      { name: "profile_id", type: "text", meaning: "profile" },
      { name: "time_zone", type: "text", meaning: "time zone of its days" },
    ],
    examples: ["SELECT * FROM stream_accounts ORDER BY profile_id"],
  },
];
