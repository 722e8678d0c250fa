import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigurationError } from "../../../src/errors.ts";
import type { ReportRow } from "../../../src/client/reports/file/report_row.ts";
import { connect } from "../../../src/store/postgres/connection.ts";
import { PostgresDriver } from "../../../src/store/postgres/postgres_driver.ts";
import { SyncQueue } from "../../../src/store/queue/sync_queue.ts";
import { StoreError } from "../../../src/store/model/store_error.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { after, before } from "../../support/hooks.ts";
import {
  AUTHORITY,
  makeDatabase,
  postgresPrograms,
  startCluster,
  type TestServer,
} from "../../support/postgres.ts";
import { until } from "../../support/until.ts";
import { longFile } from "../../support/long.ts";

longFile();

const DAY = {
  profileId: "1",
  countryCode: "US",
  report: "sp_placement",
  start: "2026-09-01",
  end: "2026-09-01",
};

test("PostgreSQL: what is no way to encrypt, or cannot be read, is refused before anything is sent", async () => {
  const refused: [query: string, words: RegExp][] = [
    ["sslmode=prefer", /"prefer" is unknown, expected one of disable, require, verify-ca, verify-full/],
    ["sslmode=verify-ca", /needs sslrootcert/],
    ["sslmode=verify-full&sslrootcert=/no/such.pem", /sslrootcert "\/no\/such.pem" cannot be read/],
  ];
  for (const [query, words] of refused) {
    await assert.rejects(Warehouse.open(`postgres://u:p@127.0.0.1:1/x?${query}`), (error: Error) => {
      assert(error instanceof ConfigurationError, `${error.name}: ${error.message}`);
      assert.match(error.message, words);
      return true;
    });
  }
});

if (postgresPrograms() !== undefined) {
  let server: TestServer;
  before(async () => {
    server = await startCluster();
  });
  after(() => server.stop());

  const encrypted = async (query: string, host = "localhost"): Promise<string> => {
    const url = new URL(await makeDatabase(server));
    url.hostname = host;
    url.search = query;
    return url.href;
  };

  test("PostgreSQL: every connection of a store and its queue is encrypted when the address asks for it", async () => {
    for (const query of ["sslmode=require", `sslmode=verify-full&sslrootcert=${AUTHORITY}`]) {
      const address = await encrypted(query);
      const queue = await SyncQueue.open(address);
      const store = await Warehouse.open(address);
      await store.query("SELECT 1");
      const { rows } = await store.query(
        `SELECT application_name, bool_and(ssl) AS ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
         WHERE datname = current_database() GROUP BY 1 ORDER BY 1`,
      );
      assert.deepEqual(rows, [{ application_name: "platform-ads", ssl: true }]);
      await store.close();
      await queue.close();
    }
  });

  test("PostgreSQL: a certificate of another name or of an unknown authority is refused", async () => {
    const addresses = [
      await encrypted(`sslmode=verify-full&sslrootcert=${AUTHORITY}`, "127.0.0.1"),
      await encrypted("sslmode=verify-full"),
    ];
    for (const address of addresses) {
      for (const open of [() => Warehouse.open(address), () => SyncQueue.open(address)]) {
        await assert.rejects(open(), (error: Error) => {
          assert(error instanceof ConfigurationError, `${error.name}: ${error.message}`);
          assert.match(error.message, /certificate is refused/);
          return true;
        });
      }
    }
  });

  test("PostgreSQL: an encrypted connection that is lost, idle or in the middle of COPY, is told and replaced", async () => {
    const address = await encrypted("sslmode=require");
    const driver = await PostgresDriver.open(address);
    const store = new Warehouse(driver);
    await store.replace(DAY, [{ date: DAY.start, campaignId: "1" }]);
    await store.query("SELECT 1");
    assert(await endConnections(address) > 1);
    await until(() => driver.database.pool.totalCount === 0);
    assert.equal((await store.coverage()).length, 1, "an idle connection's loss is nobody's concern");

    async function* cut(): AsyncGenerator<ReportRow[]> {
      for (let piece = 0; piece < 60; piece++) {
        yield Array.from({ length: 500 }, (_, i) => ({ date: DAY.start, campaignId: `${piece}-${i}` }));
        if (piece === 20) assert(await endConnections(address) > 0);
        await new Promise((done) => setTimeout(done, 0));
      }
    }
    await assert.rejects(store.replace(DAY, cut()), (error: Error) => {
      assert(error instanceof StoreError, `${error.name}: ${error.message}`);
      assert.match(error.message, /connection/);
      return true;
    });
    assert.equal((await store.coverage())[0]!.rows, 1);
    assert.equal(await store.replace(DAY, [{ date: DAY.start, campaignId: "2" }]), 1);
    await store.close();
  });
}

/** Ends every connection to the database but the one that says so, and tells how many. */
async function endConnections(address: string): Promise<number> {
  const database = connect(address, { max: 1 });
  try {
    const ended = await database.sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;
    return ended.length;
  } finally {
    await database.close();
  }
}
