import { deepEqual, equal, match } from "../../support/assert.ts";
import { storeSql } from "../../../src/store/tables/postgres_sql.ts";
import { insertRecords } from "../../../src/store/postgres/postgres_driver.ts";
import { prepareStream, STREAM_TYPES } from "../../../src/store/postgres/stream_schema.ts";
import { DATASET_LAYOUTS, datasetLayout } from "../../../src/store/model/dataset_layout.ts";
import { SqlStream } from "../../../src/store/tables/sql_stream.ts";
import type { StoreSql } from "../../../src/store/tables/store_sql.ts";
import { type Answers, fakeSql } from "../queue/fake_sql.ts";

Deno.test("tables of the stream are made once, and get the columns that they lack", async () => {
  // The indexes of reported hours are asked for each time, and made where they are not there.
  const isIndex = (text: string): boolean => /^CREATE INDEX IF NOT EXISTS \w+_reported /.test(text);
  const made = fakeSql();
  await prepareStream(made.sql, new Map());
  equal(made.sent.filter(({ text }) => isIndex(text)).length, 5);
  equal(made.sent.length, 3 * DATASET_LAYOUTS.length + 5);
  const [create] = made.sent.filter(({ text }) => text.startsWith("CREATE TABLE stream_sp_traffic "));
  match(
    create?.text ?? "",
    /\(id text COLLATE "C" NOT NULL, .* date date, hour bigint, starts_at bigint, message_id text/,
  );
  match(create?.text ?? "", /"clicks" bigint, .*extra json, PRIMARY KEY \(id\)\)$/);
  const { table, columns } = datasetLayout("sp-traffic")!;
  const known = new Map(
    DATASET_LAYOUTS.map((layout) => [layout.table, new Set(layout.columns.map(({ name }) => name))]),
  );
  const complete = fakeSql();
  await prepareStream(complete.sql, known);
  deepEqual(complete.sent.filter(({ text }) => !isIndex(text)), []);
  known.set(table, new Set(columns.slice(1).map(({ name }) => name)));
  const lacking = fakeSql();
  await prepareStream(lacking.sql, known);
  deepEqual(lacking.sent.map(({ text }) => text).filter((text) => !isIndex(text)), [
    `ALTER TABLE ${table} ADD COLUMN "${columns[0]?.name}" ${STREAM_TYPES[columns[0]!.type]}`,
  ]);
});

function streamOf(answers: Answers) {
  const { sql, sent } = fakeSql(answers);
  const run = <T>(work: (sql: StoreSql) => Promise<T>): Promise<T> => work(storeSql(sql));
  return { stream: new SqlStream({ write: run, read: run, insert: insertRecords }), sent };
}

Deno.test("records are written in one order of tables and ids, some thousands at once, and what was new is counted", async () => {
  const layout = datasetLayout("sp-traffic")!;
  const other = datasetLayout("campaigns")!;
  const rows = Array.from({ length: 5001 }, (_, at) => [`r${String(5001 - at).padStart(5, "0")}`]);
  const { stream, sent } = streamOf({
    "INSERT INTO stream_rejected": [{ id: "i" }],
    "INSERT INTO stream_sp_traffic": [{ n: "2" }],
    "INSERT INTO stream_campaigns": [{ n: 4 }],
  });
  const written = await stream.write({
    source: "queue",
    receivedAt: 0,
    records: [{ layout, rows }, { layout: other, rows: [["b"], ["a"]] }],
    rejected: [
      { id: "k", messageId: "m", reason: "r", body: "b" },
      { id: "i", messageId: "m", reason: "r", body: "b" },
    ],
    confirmations: [{ topic: "t", url: "u", sentAt: "s" }],
  });
  deepEqual(written, { stored: 8, rejected: 1 });
  const lists = sent.filter(({ text }) => text.includes("json_array_elements")).map(({ values }) =>
    JSON.parse(String(values[0]))
  );
  deepEqual(lists.map((list) => [list.length, list[0][0], list.at(-1)[0]]), [
    [2, "a", "b"],
    [5000, "r00001", "r05000"],
    [1, "r05001", "r05001"],
  ]);
  const [, , , rejected, confirmation] = sent;
  const at = "1970-01-01T00:00:00.000Z";
  deepEqual(rejected?.values, ["i", "m", "queue", at, "r", "b", "k", "m", "queue", at, "r", "b"]);
  match(
    rejected?.text ?? "",
    /VALUES \(\$1, .*\$6\), \(\$7, .*\$12\) ON CONFLICT \(id\) DO NOTHING RETURNING id$/,
  );
  deepEqual(confirmation?.values, ["u", "t", "s", at]);
});

Deno.test("a profile that becomes known gets the records that came before it, by the hours of its market", async () => {
  const { stream, sent } = streamOf({
    "SELECT DISTINCT starts_at FROM stream_sp_traffic": [{ starts_at: String(Date.UTC(2026, 10, 1, 3)) }],
    "SELECT DISTINCT starts_at FROM stream_campaigns": [{ starts_at: null }],
  });
  await stream.putAccounts([
    {
      advertiserId: "E",
      marketplaceId: "M",
      profileId: "7",
      countryCode: "US",
      timeZone: "America/Los_Angeles",
    },
  ]);
  const made = sent.filter(({ text }) => /^INSERT INTO (profiles|stream_accounts)/.test(text));
  deepEqual(made.map(({ values }) => values), [["7", "US"], ["E", "M", "7", "America/Los_Angeles"]]);
  const updates = sent.filter(({ text }) => text.startsWith("UPDATE")).map((
    { text, values },
  ) => [text.split(" ")[1], ...values]);
  deepEqual(updates.toSorted(), [
    ["stream_campaigns", "7", null, null, "E", "M", null],
    ["stream_sp_traffic", "7", "2026-10-31", 20, "E", "M", Date.UTC(2026, 10, 1, 3)],
  ]);
});

Deno.test("of two records of one id the first that came is sent first, and a confirmation is noted by its address", async () => {
  const { stream, sent } = streamOf({});
  const rows = [["a", 1], ["a", 2], ["A", 3]];
  await stream.write({
    source: "queue",
    receivedAt: 0,
    records: [{ layout: datasetLayout("campaigns")!, rows }],
    rejected: [],
    confirmations: [],
  });
  deepEqual(sent[0]?.values, [JSON.stringify([["A", 3], ["a", 1], ["a", 2]])]);
  await stream.confirm("u", "2026-11-01T00:00:00Z");
  match(sent.at(-1)?.text ?? "", /^UPDATE stream_confirmations SET confirmed_at/);
  deepEqual(sent.at(-1)?.values, ["2026-11-01T00:00:00Z", "u"]);
});

Deno.test("confirmations and accounts are read as they were written", async () => {
  const { stream } = streamOf({
    "FROM stream_confirmations": [
      { topic: "t", url: "u", sent_at: "s", confirmed_at: null },
      { topic: "t", url: "u", sent_at: "s", confirmed_at: "2026" },
    ],
    "FROM stream_accounts": [{
      advertiser_id: "E",
      marketplace_id: "M",
      profile_id: 7,
      country_code: "US",
      time_zone: "UTC",
    }],
  });
  deepEqual((await stream.confirmations()).map(({ confirmedAt }) => confirmedAt), [null, "2026"]);
  deepEqual(await stream.accounts(), [
    { advertiserId: "E", marketplaceId: "M", profileId: "7", countryCode: "US", timeZone: "UTC" },
  ]);
});
