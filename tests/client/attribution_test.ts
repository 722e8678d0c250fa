import { deepEqual, equal, rejects } from "../support/assert.ts";
import { emulated } from "../support/emulated.ts";

const REPORT = "platform-attribution:getAttributionTagsByCampaign";
const BODY = { startDate: "20260901", endDate: "20260907", groupBy: "CAMPAIGN", count: 5 };

interface Page {
  readonly reports: readonly Record<string, string>[];
  readonly cursorId: unknown;
}

Deno.test("attribution reports are read to their end by the cursor, which goes back as it came", async () => {
  await using at = await emulated();
  const pages = await Array.fromAsync(at.us.pages<string>(REPORT, BODY)) as Page[];
  deepEqual(pages.map(({ reports }) => reports.length), [5, 5, 4]);
  const rows = pages.flatMap(({ reports }) => reports);
  equal(new Set(rows.map(({ date, campaignId }) => `${date} ${campaignId}`)).size, 14);
  const sent = at.emulator.requests().filter(({ operation }) => operation === REPORT).map(({ body }) =>
    (typeof body === "string" ? JSON.parse(body) : body) as Record<string, unknown>
  );
  deepEqual(sent.map(({ cursorId }) => cursorId), [undefined, pages[0]?.cursorId, pages[1]?.cursorId]);
});

Deno.test("an attribution report that names a cursor on an empty page has ended", async () => {
  const pages: unknown[] = [
    { reports: [{ campaignId: "1" }], cursorId: '{"a":1}' },
    { reports: [], cursorId: '{"a":1}' },
  ];
  let asked = 0;
  await using at = await emulated({
    fetchOf: () => (input, init) =>
      String(input).includes("/attribution/")
        ? Promise.resolve(Response.json(pages[asked++] ?? {}))
        : fetch(input, init),
  });
  equal((await Array.fromAsync(at.us.pages<string>(REPORT, BODY))).length, 2);
  equal(asked, 2);
});

Deno.test("the platform refuses what an attribution report cannot have", async () => {
  await using at = await emulated();
  await rejects(
    at.us.call(REPORT, { ...BODY, reportType: "PRODUCTS" }),
    /groupBy is not supported for PRODUCTS/,
  );
  await rejects(at.us.call(REPORT, { ...BODY, startDate: "20240101" }), /startDate is too long ago/);
});
