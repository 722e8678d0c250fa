import assert from "node:assert/strict";
import fc from "fast-check";
import { readMessage } from "../../../src/store/stream/read_message.ts";

const RECORD = {
  dataset_id: "sp-traffic",
  idempotency_id: "a",
  advertiser_id: "ENTITY1",
  time_window_start: "2026-11-01T01:00:00-07:00",
};

Deno.test("ids stay texts with all their digits, however they are written", () => {
  const body = `{"dataset_id":"sp-traffic","idempotency_id":"a","advertiser_id":"E","time_window_start":` +
    `"2026-11-01T00:00:00Z","campaign_id":900719925474099312,"ad_group_id":"12345678901234567890"}`;
  const [record] = readMessage({ id: "m", body }).records;
  assert.deepEqual(record?.cells.slice(1, 3), ["900719925474099312", "12345678901234567890"]);
});

Deno.test("the hour is a moment, with or without a difference to UTC", () => {
  for (
    const [text, time] of [
      ["2026-11-01T01:00:00-07:00", "2026-11-01T08:00:00.000Z"],
      ["2026-11-01T08:00:00.000Z", "2026-11-01T08:00:00.000Z"],
      ["2026-11-01T08:00:00", "2026-11-01T08:00:00.000Z"],
    ]
  ) {
    const [record] =
      readMessage({ id: "m", body: JSON.stringify({ ...RECORD, time_window_start: text }) }).records;
    assert.equal(new Date(record?.startsAt ?? 0).toISOString(), time);
  }
});

Deno.test("whatever a message holds, it is read, set aside, or asks for a confirmation", () => {
  const record = fc.record(
    {
      dataset_id: fc.oneof(fc.constantFrom("sp-traffic", "budget-usage", "campaigns"), fc.anything()),
      idempotency_id: fc.oneof(fc.string(), fc.anything()),
      advertiser_id: fc.oneof(fc.string(), fc.anything()),
      time_window_start: fc.oneof(fc.date().map(String), fc.anything()),
      clicks: fc.anything(),
      cost: fc.anything(),
      Type: fc.constantFrom("Notification", "SubscriptionConfirmation", "x"),
      Message: fc.oneof(fc.string(), fc.json()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.json(), record.map((value) => JSON.stringify(value) ?? "")),
      (body) => {
        const { records, rejected, confirmations } = readMessage({ id: "m", body });
        const isEmptyList = /^\s*\[\s*\]\s*$/.test(body) || body.includes("[]");
        assert(records.length + rejected.length + confirmations.length > 0 || isEmptyList, body);
        for (const text of rejected.flatMap((each) => [each.body, each.reason])) {
          assert(text.isWellFormed() && !text.includes("\0"));
        }
      },
    ),
    { seed: 19, numRuns: 500 },
  );
});

Deno.test("a message that is nested without measure is set aside", () => {
  const deep = `${"[".repeat(200_000)}1${"]".repeat(200_000)}`;
  const body = `{"dataset_id":"campaigns","advertiser_id":"E","tags":${deep}}`;
  assert.equal(readMessage({ id: "m", body }).rejected.length, 1);
});
