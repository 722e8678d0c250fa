import { deepEqual, equal, rejects } from "../support/assert.ts";
import { readSheet, sheetPlan } from "../../src/operations/plans/sheet_plan.ts";
import { sheetPull } from "../../src/operations/reads/sheet_pull.ts";
import { importReports } from "../../src/operations/reads/import_files.ts";
import { World } from "../mcp/support/world.ts";

const { signal } = new AbortController();

function textFile(name: string, text: string) {
  return { name, bytes: new TextEncoder().encode(text) };
}

Deno.test("an import opens no store before the market of its files is known", async () => {
  let opened = 0;
  const store = () => {
    opened++;
    return Promise.reject(new Error("opened"));
  };
  const files = [
    textFile(
      "bulk.csv",
      "Product,Entity,Operation,Campaign Id,Campaign Name\nSponsored Products,Campaign,,1,Shoes\n",
    ),
  ];
  await rejects(importReports.run({ market: undefined, store }, { files }), /Cannot find out the market/);
  equal(opened, 0);
  await rejects(importReports.run({ market: "CA", store }, { files }), /opened/);
});

Deno.test("a pulled sheet with an operation is planned, with the rows that were read or without", async () => {
  await using world = await World.start();
  const profile = await (await world.context().ads()).profile("CA");
  const pulled = await sheetPull.run({ profile, signal }, {
    file: "sp.csv",
    products: ["Sponsored Products"],
  });
  const [head = "", ...lines] = new TextDecoder().decode(pulled.bytes).trimEnd().split(/\r?\n/);
  equal(lines.length, pulled.rows["Sponsored Products"]);
  const columns = head.split(",").map((name) => name.replace(/^\uFEFF/, ""));
  const keyword = lines.find((line) => line.split(",")[1] === "Keyword" && !line.includes('"'))!.split(",");
  keyword[columns.indexOf("Operation")] = "update";
  keyword[columns.indexOf("Bid")] = "0.77";
  const input = { file: textFile("sp.csv", [head, keyword.join(",")].join("\n")) };
  const planned = await sheetPlan.run({ profile, signal }, input);
  deepEqual([planned.rows, planned.plan.changes.length, planned.plan.note], [1, 1, "Sheet sp.csv"]);
  const read = await readSheet(input, profile);
  const again = await sheetPlan.run({ profile, signal, read }, { ...input, file: textFile("other.csv", "") });
  equal(again.plan.changes.length, 1);
});
