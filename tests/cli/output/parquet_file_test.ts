import { parquetReadObjects } from "hyparquet";
import { deepEqual } from "../../support/assert.ts";
import { writeParquet } from "../../../src/store/lake/parquet_file.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

type Row = Readonly<Record<string, unknown>>;
type Options = Omit<Parameters<typeof writeParquet>[1], "path">;

async function written(row: Row, options: Options): Promise<Row | undefined> {
  await using folder = await temporaryFolder();
  const path = `${folder.path}/rows.parquet`;
  async function* batches(): AsyncGenerator<readonly Row[]> {
    await Promise.resolve();
    yield [row];
  }
  await writeParquet(batches(), { ...options, path });
  return (await parquetReadObjects({ file: (await Deno.readFile(path)).buffer }))[0];
}

Deno.test("a field named extra is kept beside the fields without a column", async () => {
  const row = { extra: "own", more: 1, clicks: 2 };
  const clicks = ["clicks", "integer"] as const;
  deepEqual(await written(row, { types: new Map([clicks]), extra: true }), {
    clicks: 2n,
    extra: '{"extra":"own","more":1}',
  });
  const declared = new Map([clicks, ["extra", "text"] as const]);
  deepEqual(await written(row, { types: declared, extra: true }), {
    clicks: 2n,
    extra: '{"extra":"own","more":1}',
  });
  deepEqual(await written({ extra: "own" }, { types: declared, extra: true }), {
    clicks: null,
    extra: "own",
  });
});

Deno.test("a value that does not fit is told by its column, also where its name has another spelling", async () => {
  const unfit: string[] = [];
  await written({ clickCount: "x", TotalCost: "y" }, {
    types: new Map([["clickCount", "integer"], ["total_cost", "real"]]),
    extra: false,
    columnOf: (field) => field === "TotalCost" ? "total_cost" : `v_${field}`,
    onUnfit: (column) => unfit.push(column),
  });
  deepEqual(unfit, ["clickCount", "total_cost"]);
});
