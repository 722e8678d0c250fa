import process from "node:process";

// The package is no dependency of the project: whoever runs this names it.
const { DuckDBInstance } = await import(process.argv[2]);

const database = await DuckDBInstance.create(":memory:");
const connection = await database.connect();
const rows = async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson();

const types = await rows("DESCRIBE SELECT * FROM 'rows.parquet'");
const [sums] = await rows(
  `SELECT CAST(count(*) AS INTEGER) AS n, CAST(sum(impressions) AS DOUBLE) AS impressions, sum(cost) AS cost,
    CAST(count(DISTINCT campaignId) AS INTEGER) AS campaigns,
    CAST(min(date) AS VARCHAR) AS first, CAST(max(date) AS VARCHAR) AS last FROM 'rows.parquet'`,
);
const weeks = await rows(
  `SELECT CAST(CAST(date_trunc('week', date) AS DATE) AS VARCHAR) AS week, CAST(sum(clicks) AS DOUBLE) AS clicks
    FROM 'rows.parquet' GROUP BY 1 ORDER BY 1`,
);
const useFiles = (table) =>
  rows(
    `SET VARIABLE files = (SELECT list(column0) FROM read_csv('lake/_files/${table}.txt', header = false))`,
  );
await useFiles("sp_campaigns");
const LAKE = "read_parquet(getvariable('files'), hive_partitioning = true, " +
  "hive_types = {'profile_id': VARCHAR, 'month': VARCHAR})";
const lakeTypes = await rows(`DESCRIBE SELECT * FROM ${LAKE}`);
const lake = await rows(
  `SELECT country_code, profile_id, month, CAST(sum(clicks) AS DOUBLE) AS clicks FROM ${LAKE} GROUP BY ALL ORDER BY ALL`,
);
await useFiles("attribution_campaigns");
const resultTypes = await rows(`DESCRIBE SELECT * FROM ${LAKE}`);
const results = await rows(
  `SELECT profile_id, CAST(window_start AS VARCHAR) AS window_start, CAST(sum(click_throughs) AS DOUBLE) AS clicks
    FROM ${LAKE} GROUP BY ALL ORDER BY ALL`,
);
const named = (list) =>
  Object.fromEntries(list.map(({ column_name: name, column_type: type }) => [name, type]));
console.log(JSON.stringify({
  lakeTypes: named(lakeTypes),
  lake,
  resultTypes: named(resultTypes),
  results,
  types: named(types),
  sums,
  weeks,
}));
