import { deepEqual, equal, match, throws } from "../../support/assert.ts";
import { makeBatch } from "../../../src/store/stream/consume_stream.ts";
import { readMessage, storable } from "../../../src/store/stream/read_message.ts";
import { datasetLayout, streamColumns } from "../../../src/store/model/dataset_layout.ts";

type Fields = Readonly<Record<string, unknown>>;

const TRAFFIC: Fields = {
  dataset_id: "sp-traffic",
  idempotency_id: "a",
  advertiser_id: "ENTITY1",
  marketplace_id: "M1",
  time_window_start: "2026-11-01T08:00:00Z",
};
const CAMPAIGN: Fields = { dataset_id: "campaigns", advertiser_id: "ENTITY1", marketplace_id: "M1" };

/** The record of some fields by the names of its columns, or why it was set aside. */
function read(fields: Fields): Readonly<Record<string, unknown>> | string {
  const { records: [record], rejected: [rejected] } = readMessage({ id: "m", body: JSON.stringify(fields) });
  if (record === undefined) return rejected?.reason ?? "";
  const names = record.layout.columns.map(({ name }) => name);
  return { ...record, ...Object.fromEntries(names.map((name, at) => [name, record.cells[at]])) };
}

function cell(fields: Fields, name: string): unknown {
  const record = read(fields);
  return typeof record === "string" ? record : record[name];
}

const REFUSED: readonly (readonly [fields: Fields, reason: string])[] = [
  [{ idempotency_id: undefined }, "it has no idempotency_id"],
  [{ idempotency_id: null }, "it has no idempotency_id"],
  [{ idempotency_id: "  " }, "it has no idempotency_id"],
  [{ advertiser_id: undefined }, "it has no advertiser_id"],
  [{ advertiser_id: "" }, "it has no advertiser_id"],
  [{ time_window_start: undefined }, "it has no time_window_start"],
  [{ time_window_start: null }, "it has no time_window_start"],
  [{ time_window_start: "" }, "it has no time_window_start"],
  [{ time_window_start: "yesterday" }, 'time_window_start is "yesterday", not a time'],
  [{ time_window_start: "x".repeat(200) }, `time_window_start is "${"x".repeat(99)}, not a time`],
  [{ clicks: 1.5 }, "clicks is 1.5, not a whole number"],
  [{ clicks: "1.5" }, 'clicks is "1.5", not a whole number'],
  [{ clicks: true }, "clicks is true, not a whole number"],
  [{ clicks: " " }, 'clicks is " ", not a whole number'],
  [{ clicks: 2 ** 53 }, 'clicks is "9007199254740992", not a whole number'],
  [{ cost: "much" }, 'cost is "much", not a number'],
  [{ cost: "1e999" }, 'cost is "1e999", not a number'],
  [{ cost: [1] }, "cost is [1], not a number"],
  [{ cost: "y".repeat(200) }, `cost is "${"y".repeat(99)}, not a number`],
  [{ dataset_id: undefined }, "it has no dataset_id"],
  [{ dataset_id: "new-traffic" }, 'the dataset "new-traffic" is not known'],
];

for (const [fields, reason] of REFUSED) {
  Deno.test(`a record with ${JSON.stringify(fields).slice(0, 60)} is set aside: ${reason.slice(0, 60)}`, () => {
    equal(read({ ...TRAFFIC, ...fields }), reason);
  });
}

const CELLS: readonly (readonly [fields: Fields, name: string, cell: unknown])[] = [
  [{ clicks: 3 }, "clicks", 3],
  [{ clicks: "3" }, "clicks", 3],
  [{ clicks: -3 }, "clicks", -3],
  [{ clicks: "" }, "clicks", null],
  [{ clicks: null }, "clicks", null],
  [{}, "clicks", null],
  [{ cost: 0.5 }, "cost", 0.5],
  [{ cost: "0.5" }, "cost", 0.5],
  [{ keyword_text: "tent" }, "keyword_text", "tent"],
  [{ keyword_text: "" }, "keyword_text", ""],
  [{ keyword_text: 7 }, "keyword_text", "7"],
  [{ keyword_text: false }, "keyword_text", "false"],
  [{ keyword_text: { a: 1 } }, "keyword_text", '{"a":1}'],
  [{ keyword_text: null }, "keyword_text", null],
  [{ keyword_text: "a\0b" }, "keyword_text", "a\uFFFDb"],
  [{ marketplace_id: undefined }, "marketplaceId", ""],
  [{ marketplace_id: 7 }, "marketplaceId", "7"],
  [{ time_window_start: "2026-11-01T01:00:00-07:00" }, "startsAt", Date.UTC(2026, 10, 1, 8)],
  [{ idempotency_id: 12 }, "id", "12"],
  [{}, "extra", null],
  [{ clicks: 1, novel: [1], other: "x" }, "extra", '{"novel":[1],"other":"x"}'],
  [{ novel: "\0" }, "extra", '{"novel":"\\u0000"}'],
];

for (const [fields, name, expected] of CELLS) {
  Deno.test(`${name} of a record with ${JSON.stringify(fields)} is ${JSON.stringify(expected)}`, () => {
    deepEqual(cell({ ...TRAFFIC, ...fields }, name), expected);
  });
}

Deno.test("nested fields have columns of their own, however they are written", () => {
  const name = "budget_budgetCap_monetaryBudget_amount";
  const budget = { budgetCap: { monetaryBudget: { amount: 12.5 } } };
  equal(cell({ ...CAMPAIGN, budget }, name), 12.5);
  equal(cell({ ...CAMPAIGN, "budget.budgetCap.monetaryBudget.amount": 12.5 }, name), 12.5);
  equal(cell({ ...CAMPAIGN, "budget.budgetCap.monetaryBudget.amount": 12.5 }, "extra"), null);
  equal(cell({ ...CAMPAIGN, budget: { budgetCap: null } }, name), null);
  equal(cell({ ...CAMPAIGN, budget: { budgetCap: 5 } }, name), null);
  equal(cell({ ...CAMPAIGN, budget }, "extra"), null, "a published field is not kept twice");
  equal(
    cell(
      { ...CAMPAIGN, bidSetting: { placementBidAdjustment: [{ percentage: 5 }] } },
      "bidSetting_placementBidAdjustment",
    ),
    '[{"percentage":5}]',
  );
});

Deno.test("a state without an id is told apart by its content, one with an id by that, and has no hour", () => {
  const id = (fields: Fields): unknown => cell({ ...CAMPAIGN, ...fields }, "id");
  match(String(id({ version: 1 })), /^[0-9a-f]{64}$/);
  equal(id({ version: 1, state: "A" }), id({ state: "A", version: 1 }));
  equal(id({ version: 1 }) === id({ version: 2 }), false);
  equal(id({ idempotency_id: "x" }), "x");
  equal(cell({ ...CAMPAIGN, time_window_start: "2026-11-01T08:00:00Z" }, "startsAt"), null);
});

Deno.test("text that no database keeps is replaced, and no other", () => {
  equal(storable("a\0b\0"), "a\uFFFDb\uFFFD");
  equal(storable("\uD800x"), "\uFFFDx");
  equal(storable("😀 é"), "😀 é");
});

const message = (value: unknown) => ({ id: "m", body: JSON.stringify(value) });

Deno.test("each part of a list is read by itself, and a part that cannot be read is kept alone", () => {
  const { records, rejected } = readMessage(message([TRAFFIC, 42, { dataset_id: "new" }]));
  equal(records.length, 1);
  deepEqual(rejected.map(({ body, reason, messageId }) => [body, reason, messageId]), [
    ["42", "it is not an object", "m"],
    ['{"dataset_id":"new"}', 'the dataset "new" is not known', "m"],
  ]);
  const alone = readMessage({ id: "m", body: ' { "dataset_id" : "new" } ' });
  equal(alone.rejected[0]?.body, ' { "dataset_id" : "new" } ', "as it was received");
  match(alone.rejected[0]?.id ?? "", /^[0-9a-f]{64}$/);
  equal(readMessage(message("text")).rejected[0]?.reason, "it is not an object");
  equal(readMessage(message(null)).rejected[0]?.reason, "it is not an object");
  equal(readMessage(message([[TRAFFIC]])).rejected[0]?.reason, "it is not an object");
  equal(readMessage({ id: "m", body: "{" }).rejected[0]?.reason, "it is not JSON");
});

Deno.test("an envelope is opened up to three times, and only where it is one", () => {
  const inside = (depth: number): unknown =>
    depth === 0 ? TRAFFIC : { Type: "Notification", Message: JSON.stringify(inside(depth - 1)) };
  for (const depth of [0, 1, 2, 3]) equal(readMessage(message(inside(depth))).records.length, 1, `${depth}`);
  deepEqual(readMessage(message(inside(4))).rejected.map(({ reason }) => reason), ["it has no dataset_id"]);
  const { rejected } = readMessage(message({ Type: "Notification", Message: { ...TRAFFIC } }));
  deepEqual(rejected.map(({ reason }) => reason), ["it has no dataset_id"]);
  equal(readMessage(message({ Type: "Other", Message: JSON.stringify(TRAFFIC) })).records.length, 0);
});

Deno.test("a request to confirm a subscription says its topic, its address and when it was sent", () => {
  const confirm = (more: Fields) => readMessage(message({ Type: "SubscriptionConfirmation", ...more }));
  deepEqual(
    confirm({ TopicArn: "arn:1", SubscribeURL: "https://x", Timestamp: "2026-11-01T10:00:00+02:00" })
      .confirmations,
    [{ topic: "arn:1", url: "https://x", sentAt: "2026-11-01T08:00:00.000Z" }],
  );
  deepEqual(confirm({ SubscribeURL: "https://x", Timestamp: "soon" }).confirmations, [
    { topic: "", url: "https://x", sentAt: "" },
  ]);
  deepEqual(confirm({ SubscribeURL: "https://x", Timestamp: 5 }).confirmations[0]?.sentAt, "");
  const { rejected, confirmations, records } = confirm({ TopicArn: "arn:1", SubscribeURL: 5 });
  deepEqual([rejected.map(({ reason }) => reason), confirmations, records], [
    ["it requests a confirmation but has no address"],
    [],
    [],
  ]);
});

Deno.test("an error of the program is not taken for a message that is nested too deeply", () => {
  let reads = 0;
  const broken = {
    id: "m",
    get body(): string {
      if (++reads === 1) throw new TypeError("a fault");
      return "[]";
    },
  };
  throws(() => readMessage(broken), /a fault/);
});

Deno.test("a batch has the records of each dataset with profile, day and hour of the market", () => {
  const account = {
    advertiserId: "ENTITY1",
    marketplaceId: "M1",
    profileId: "7",
    countryCode: "US",
    timeZone: "America/Los_Angeles",
  };
  const accounts = new Map([["ENTITY1 M1", account]]);
  const { batch, records, unknownAdvertisers } = makeBatch(
    [message(TRAFFIC), message([CAMPAIGN, 42]), { ...message({ ...TRAFFIC, advertiser_id: "E2" }), id: "n" }],
    { source: "queue", receivedAt: 5, accounts },
  );
  deepEqual([records, batch.source, batch.receivedAt, batch.rejected.length], [3, "queue", 5, 1]);
  deepEqual([...unknownAdvertisers], ["E2"]);
  const shown = batch.records.map(({ layout, rows }) => [
    layout.dataset,
    rows.map((row) => Object.fromEntries(streamColumns(layout).map((name, at) => [name, row[at]]))).map((
      row,
    ) =>
      ["profile_id", "date", "hour", "starts_at", "message_id", "received_at", "extra"].map((name) =>
        row[name]
      )
    ),
  ]);
  const startsAt = Date.UTC(2026, 10, 1, 8);
  deepEqual(shown, [
    ["sp-traffic", [
      ["7", "2026-11-01", 1, startsAt, "m", 5, null],
      ["", "2026-11-01", 8, startsAt, "n", 5, null],
    ]],
    ["campaigns", [["7", null, null, null, "m", 5, null]]],
  ]);
  equal(streamColumns(datasetLayout("sp-traffic")!).at(-1), "extra");
});
