import { readFile } from "node:fs/promises";
import process from "node:process";

// The package is no dependency of the project: whoever runs this names it.
const { default: pl } = await import(process.argv[2]);

const list = await readFile("lake/_files/sp_campaigns.txt", "utf8");
const hiveSchema = { country_code: pl.Utf8, profile_id: pl.Utf8, month: pl.Utf8 };
const read = (path) => pl.scanParquet(path, { hivePartitioning: true, hiveSchema }).collectSync();
const rows = pl.concat(list.split("\n").filter(Boolean).map(read));
const by = ["country_code", "profile_id", "month"];
const lake = rows.groupBy(...by).agg(pl.col("clicks").sum()).sort(by);
console.log(JSON.stringify({
  types: Object.fromEntries(Object.entries(rows.schema).map(([name, type]) => [name, type.variant])),
  lake: lake.toRecords(),
}));
