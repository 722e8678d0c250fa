import assert from "node:assert/strict";
import { Caller } from "./caller.ts";

const SUMMARIES = "application/vnd.billingInvoiceSummary.v1+json";

interface Summary {
  readonly id?: string;
  readonly status: string;
  readonly invoiceDate?: string;
  readonly amountDue: { readonly amount: number };
  readonly remainingAmountDue: { readonly amount: number };
  readonly taxAmountDue: { readonly amount: number };
}

function get(caller: Caller, path: string, options: { accept?: string; country?: string } = {}) {
  const { accept = "application/json", country = "UK" } = options;
  return caller.call("GET", path, undefined, { headers: { accept }, profile: caller.profile(country) });
}

async function all(caller: Caller, query = "count=100"): Promise<Summary[]> {
  return (await get(caller, `/invoices?${query}`)).json.payload.invoiceSummaries;
}

const sum = (amounts: readonly { amount: number }[]) =>
  amounts.reduce((total, each) => total + each.amount, 0);

Deno.test("invoices answer 406 without a body to their documented media types and 200 to plain JSON", async () => {
  await using caller = await Caller.start();
  const [, { id }] = await all(caller) as [Summary, Summary];
  for (const [path, type] of [["/invoices", "invoices"], [`/invoices/${id}`, "invoice"]]) {
    const documented = await get(caller, path!, { accept: `application/vnd.${type}.v1.1+json` });
    assert.deepEqual([documented.status, documented.text], [406, ""], path!);
    const plain = await get(caller, path!);
    assert.deepEqual([plain.status, plain.json.status], [200, "success"], path!);
    assert.deepEqual(Object.keys(plain.json), ["status", "payload"]);
  }
});

Deno.test("the open month is listed without id, dates, fees and taxes, and no filter offers it", async () => {
  await using caller = await Caller.start();
  const [open, issued] = await all(caller) as [Summary, Summary];
  assert.equal(open.status, "ACCUMULATING");
  assert.deepEqual(Object.keys(open).sort(), [
    "adProductGroup",
    "amountDue",
    "countryCode",
    "fromDate",
    "paymentMethod",
    "remainingAmountDue",
    "status",
  ]);
  for (
    const field of ["id", "invoiceDate", "toDate", "fees", "taxAmountDue", "adProductGroup", "countryCode"]
  ) {
    assert.ok(field in issued, field);
  }
  const filtered = await all(caller, "count=100&invoiceStatuses=ISSUED,PAID_IN_PART");
  assert.deepEqual(filtered.map((each) => each.status), ["ISSUED", "PAID_IN_PART"]);
  assert.equal((await get(caller, "/invoices?invoiceStatuses=ACCUMULATING")).status, 400);
});

Deno.test("invoices page with a cursor that is good alone and absent on the last page", async () => {
  await using caller = await Caller.start();
  const found: Summary[] = [];
  let path = "/invoices?count=6&startDate=2025-09-01";
  for (;;) {
    const { payload } = (await get(caller, path)).json;
    found.push(...payload.invoiceSummaries);
    if (!("nextCursor" in payload)) break;
    assert.equal((await get(caller, `/invoices?count=6&cursor=${payload.nextCursor}`)).status, 400);
    path = `/invoices?cursor=${payload.nextCursor}`;
  }
  assert.deepEqual(found, await all(caller, "count=100&startDate=20250901"));
  assert.ok(found.length > 6 && found.every((each) => each.invoiceDate! >= "2025-09-01"));
});

Deno.test("an invoice adds up: lines, fee and tax to its amount, payments to what is no longer open", async () => {
  await using caller = await Caller.start();
  for (const { id } of (await all(caller)).slice(1, 4)) {
    const { payload } = (await get(caller, `/invoices/${id}`)).json;
    const summary: Summary & { fees: { cost: { amount: number } }[] } = payload.invoiceSummary;
    const lines = sum(payload.invoiceLines.map((line: { cost: { amount: number } }) => line.cost));
    const fees = sum(summary.fees.map((fee) => fee.cost));
    assert.ok(fees > 0 && summary.taxAmountDue.amount > 0);
    assert.equal(
      (lines + fees + summary.taxAmountDue.amount).toFixed(2),
      summary.amountDue.amount.toFixed(2),
      id!,
    );
    const paid = sum(payload.payments.map((payment: { amount: { amount: number } }) => payment.amount));
    assert.equal(
      (summary.amountDue.amount - paid).toFixed(2),
      summary.remainingAmountDue.amount.toFixed(2),
      id!,
    );
    for (
      const name of ["issuerContactInformation", "payerContactInformation", "thirdPartyContactInformation"]
    ) {
      assert.ok(name in payload, name);
    }
    assert.match(payload.invoiceLines[0].campaignAID, /^A[0-9A-Z]+$/);
  }
});

Deno.test("an invoice that does not exist, and the open month's, cannot be read", async () => {
  await using caller = await Caller.start();
  for (const id of ["nobody", "undefined"]) {
    const answer = await get(caller, `/invoices/${id}`);
    assert.deepEqual([answer.status, answer.json.code], [404, "NOT_FOUND"]);
  }
});

Deno.test("an Indian profile is answered 404 without a body", async () => {
  await using caller = await Caller.start();
  const profile = caller.emulator.state.profile(caller.profile("AU"))!;
  profile.updateRecord({ countryCode: "IN" });
  const answer = await get(caller, "/invoices", { country: "IN" });
  assert.deepEqual([answer.status, answer.text], [404, ""]);
});

Deno.test("invoice summaries come without a wrapper, filtered and sorted, with a token when the page cut them", async () => {
  await using caller = await Caller.start();
  const profile = caller.profile("UK");
  const ask = (body: unknown) =>
    caller.call("POST", "/invoiceSummaries/list", body, { type: SUMMARIES, profile });
  const whole = await ask({});
  assert.deepEqual(Object.keys(whole.json), ["invoiceSummaries"]);
  const ids = (json: { invoiceSummaries: { id: string }[] }) => json.invoiceSummaries.map((each) => each.id);
  assert.deepEqual(ids(whole.json), (await all(caller)).slice(1).map((each) => each.id));

  const sort = { attribute: "amountDue", direction: "DESC" };
  const found: string[] = [];
  let nextToken: string | undefined;
  do {
    const { json } = await ask({ maxResults: 5, sort, nextToken });
    found.push(...ids(json));
    nextToken = json.nextToken;
  } while (nextToken !== undefined);
  assert.deepEqual(new Set(found), new Set(ids(whole.json)));
  const amounts = (await ask({ sort })).json.invoiceSummaries.map((each: Summary) => each.amountDue.amount);
  assert.deepEqual(amounts, amounts.toSorted((a: number, b: number) => b - a));

  const filters: [Record<string, unknown>, number][] = [
    [{ statusValueFilter: { include: ["PAID_IN_FULL"] } }, 12],
    [{ invoiceNumberFilter: { include: ids(whole.json).slice(3, 5) } }, 2],
    [{ invoiceIssuedDateRangeFilter: { startDate: "2026-08-01", endDate: "2026-09-30" } }, 2],
    [{ countryValueFilter: { include: ["US"] } }, 0],
  ];
  for (const [filter, count] of filters) {
    assert.equal(ids((await ask(filter)).json).length, count, JSON.stringify(filter));
  }
  for (
    const body of [{ maxResults: 0 }, { nextToken: "x" }, { sort: { attribute: "name" } }, { status: "x" }]
  ) {
    assert.equal((await ask(body)).status, 400, JSON.stringify(body));
  }
});

Deno.test("a request for invoices with a wrong value is refused", async () => {
  await using caller = await Caller.start();
  for (
    const query of ["count=101", "count=ten", "startDate=yesterday", "cursor=abc", "invoiceStatuses=PAID"]
  ) {
    const answer = await get(caller, `/invoices?${query}`);
    assert.deepEqual([answer.status, answer.json.code], [400, "INVALID_ARGUMENT"], query);
  }
});
