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
await rows(
  "SET VARIABLE files = (SELECT list(column0) FROM read_csv('lake/_files/sp_campaigns.txt', header = false))",
);
const LAKE = "read_parquet(getvariable('files'), hive_partitioning = true, " +
  "hive_types = {'profile_id': VARCHAR, 'month': VARCHAR})";
const lakeTypes = await rows(`DESCRIBE SELECT * FROM ${LAKE}`);
const lake = await rows(
  `SELECT country_code, profile_id, month, CAST(sum(clicks) AS DOUBLE) AS clicks FROM ${LAKE} GROUP BY ALL ORDER BY ALL`,
);
console.log(JSON.stringify({
  lakeTypes: Object.fromEntries(lakeTypes.map(({ column_name: name, column_type: type }) => [name, type])),
  lake,
  types: Object.fromEntries(types.map(({ column_name: name, column_type: type }) => [name, type])),
  sums,
  weeks,
}));
