import { published, storePlacements } from "../../bench/support/lake_rows.ts";
import { deepEqual, ok } from "../../support/assert.ts";
import { longFile } from "../../support/long.ts";
import { hasPostgres, makeDatabase, testServer } from "../../support/postgres.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";

longFile();

const [FEW, MANY] = [15_000, 150_000];
/**
 * Megabytes by which ten times the rows may need more: garbage that is not collected yet, and the 32 MB each in which
 * SQLite caches and sorts, which few rows do not fill.
 */
const MAX_GROWTH = 80;

async function needsNoMore(
  database: string,
  place: (size: number) => Promise<string>,
): Promise<void> {
  await using folder = await temporaryFolder();
  const peaks: number[] = [];
  for (const size of [FEW, MANY]) {
    const address = await place(size);
    const store = await Warehouse.open(address);
    await storePlacements(store, size);
    await store.close();
    const { rows, peakMb } = await published(address, folder.file(`lake-${size}`));
    deepEqual(rows, size);
    peaks.push(peakMb);
  }
  const [few = 0, many = 0] = peaks;
  console.log(`${database}: ${few.toFixed(0)} MB for ${FEW} rows, ${many.toFixed(0)} MB for ${MANY}`);
  ok(
    many - few < MAX_GROWTH,
    `${few.toFixed(0)} MB for ${FEW} rows, ${many.toFixed(0)} MB for ${MANY}`,
  );
}

Deno.test({
  name: "publishing ten times the rows of the same days from SQLite needs no more memory",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    await using folder = await temporaryFolder();
    await needsNoMore("SQLite", (size) => Promise.resolve(folder.file(`${size}.sqlite`)));
  },
});

if (hasPostgres) {
  Deno.test({
    name: "publishing ten times the rows of the same days from PostgreSQL needs no more memory",
    ignore: Deno.build.os !== "linux",
    fn: async () => {
      const server = await testServer();
      try {
        await needsNoMore("PostgreSQL", () => makeDatabase(server));
      } finally {
        await server.stop();
      }
    },
  });
}
