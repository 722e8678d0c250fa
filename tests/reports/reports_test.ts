import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BadRequestError,
  ConfigurationError,
  NetworkError,
  ReportFailedError,
  ThrottledError,
} from "../../src/errors.ts";
import type { ReportProgress } from "../../src/reports/reports.ts";
import { gzip, utf8 } from "../support/bytes.ts";
import { ReportHost } from "../support/report_host.ts";

const DAYS = ["2026-09-01", "2026-09-10"] as const;

test("run() asks, waits from 5 s up, and returns the rows with their ids as text", async () => {
  const host = new ReportHost();
  host.states = ["PENDING", "PENDING", "PROCESSING", "COMPLETED"];
  host.rows = () => [{ date: "2026-09-01", campaignId: 12, cost: 1.5 }];
  const rows = await host.client().reports.run("sp_placement", ...DAYS);

  assert.deepEqual(rows, [{ date: "2026-09-01", campaignId: "12", cost: 1.5 }]);
  assert.deepEqual(host.waits, [5, 7.5, 11.25]);
  const [create] = host.asked("POST");
  assert.equal(create!.headers.get("content-type"), "application/vnd.createasyncreportrequest.v3+json");
  assert.equal(create!.headers.get("accept"), "application/vnd.createasyncreportresponse.v3+json");
  assert.equal(create!.headers.get("platform-advertising-api-scope"), "1001");
  const { configuration, ...rest } = create!.body as Record<string, Record<string, unknown>>;
  assert.deepEqual(rest, {
    name: "sp_placement 2026-09-01..2026-09-10",
    startDate: "2026-09-01",
    endDate: "2026-09-10",
  });
  const { columns, ...others } = configuration!;
  assert.deepEqual(others, {
    adProduct: "SPONSORED_PRODUCTS",
    reportTypeId: "spCampaigns",
    groupBy: ["campaign", "campaignPlacement"],
    timeUnit: "DAILY",
    format: "GZIP_JSON",
  });
  assert.deepEqual((columns as string[]).slice(0, 3), ["date", "campaignId", "campaignName"]);
});

test("run() sends the file host no header of the platform", async () => {
  const host = new ReportHost();
  await host.client().reports.run("sp_placement", ...DAYS);
  const files = host.seen.filter(({ url }) => url.hostname === "files.test");
  assert.equal(files.length, 1);
  assert.deepEqual([...files[0]!.headers.keys()], []);
});

test("run() splits long ranges and asks for every part before it waits for any", async () => {
  const host = new ReportHost();
  const rows = await host.client().reports.run("sp_placement", "2026-07-01", "2026-09-25");
  assert.deepEqual(rows.map(({ date }) => date), ["2026-07-01", "2026-08-01", "2026-09-01"]);
  const methods = host.seen.filter(({ url }) => url.pathname.startsWith("/reporting")).map(({ method }) =>
    method
  );
  assert.deepEqual(methods.slice(0, 4), ["POST", "POST", "POST", "GET"]);
});

test("run() with SUMMARY takes the first and last day in place of the date", async () => {
  const host = new ReportHost();
  await host.client().reports.run("sp_targeting", ...DAYS, { timeUnit: "SUMMARY" });
  const { columns, timeUnit } = host.reports[0]!.configuration;
  assert.equal(timeUnit, "SUMMARY");
  assert.deepEqual(columns.slice(0, 2), ["startDate", "endDate"]);
  assert(!columns.includes("date"));
});

test("run() takes columns, filters, a name and a whole configuration", async () => {
  const host = new ReportHost();
  const { reports } = host.client();
  await reports.run("sp-targeting", ...DAYS, {
    columns: ["keywordId", "clicks", "clicks"],
    filters: { keywordType: ["BROAD", "EXACT"], adKeywordStatus: "ENABLED" },
    name: "mine",
  });
  await reports.run(
    {
      adProduct: "DEMAND_SIDE_PLATFORM",
      reportTypeId: "dspCampaign",
      groupBy: ["order"],
      columns: ["date", "x"],
    },
    ...DAYS,
  );
  const [first, second] = host.reports;
  assert.equal(first!.name, "mine");
  assert.deepEqual(first!.configuration.columns, ["date", "keywordId", "clicks"]);
  assert.deepEqual(first!.configuration.filters, [
    { field: "keywordType", values: ["BROAD", "EXACT"] },
    { field: "adKeywordStatus", values: ["ENABLED"] },
  ]);
  assert.deepEqual(second!.configuration, {
    adProduct: "DEMAND_SIDE_PLATFORM",
    reportTypeId: "dspCampaign",
    groupBy: ["order"],
    columns: ["date", "x"],
    timeUnit: "DAILY",
    format: "GZIP_JSON",
  });
});

test("run() warns of days past the retention, and of no others", async () => {
  const host = new ReportHost();
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  const { reports } = host.client();
  await reports.run("sb_campaigns", "2026-08-01", "2026-08-05", { onWarning });
  assert.deepEqual(warnings, []);
  await reports.run("sb_campaigns", "2026-07-31", "2026-08-05", { onWarning });
  assert.deepEqual(warnings, [
    'The platform keeps "sb_campaigns" for 60 days: days before 2026-08-01 may come back empty or be refused',
  ]);
  assert.deepEqual(
    reports.requests("sb_campaigns", { start: "2026-07-31", end: "2026-08-05" }).warnings,
    warnings,
  );
});

test("run() takes a completed report without an address for no rows", async () => {
  const host = new ReportHost();
  const client = host.client();
  const running = client.reports.run("sp_placement", ...DAYS);
  host.onWait = () => void (host.reports[0]!.file = undefined);
  assert.deepEqual(await running, []);
});

test("run() tells what happens to each report", async () => {
  const host = new ReportHost();
  const told: ReportProgress[] = [];
  await host.client().reports.run("sp_placement", ...DAYS, { onProgress: (progress) => told.push(progress) });
  assert.deepEqual(told.map(({ kind, status, seconds, rows }) => [kind, status, seconds, rows]), [
    ["requested", "PENDING", 0, 0],
    ["waiting", "PENDING", 0, 0],
    ["waiting", "PROCESSING", 5, 0],
    ["waiting", "COMPLETED", 12.5, 0],
    ["reading", "COMPLETED", 12.5, 1],
    ["done", "COMPLETED", 12.5, 1],
  ]);
  assert(told.every(({ reportId }) => reportId === host.reports[0]!.reportId));
});

const refused: [
  what: string,
  run: (reports: ReturnType<ReportHost["client"]>["reports"]) => unknown,
  error: RegExp,
][] = [
  [
    "an unknown preset",
    (r) => r.run("sp_plcement", ...DAYS),
    /Cannot find a report "sp_plcement". There is sp_campaigns/,
  ],
  [
    "reversed days",
    (r) => r.run("sp_placement", "2026-09-10", "2026-09-01"),
    /the first day is after the last/,
  ],
  [
    "a day that is not one",
    (r) => r.run("sp_placement", "2026-02-30", "2026-03-01"),
    /"2026-02-30" as the first day/,
  ],
  ["a day in words", (r) => r.run("sp_placement", "2026-09-01", "yesterday"), /"yesterday" as the last day/],
  ["the year 0", (r) => r.run("sp_placement", "0000-01-01", "2026-09-01"), /"0000-01-01" as the first day/],
  ["tomorrow", (r) => r.run("sp_placement", "2026-09-01", "2026-10-01"), /"2026-10-01" is in the future/],
  ["a start long ago", (r) => r.run("sp_placement", "1999-01-01", "2026-09-01"), /more than 5 years ago/],
  ["no columns", (r) => r.run("sp_placement", ...DAYS, { columns: [] }), /"columns" is not a list of names/],
  [
    "odd columns",
    (r) => r.run("sp_placement", ...DAYS, { columns: ["a b"] }),
    /"columns" is not a list of names/,
  ],
  ["half a configuration", (r) => r.run({ adProduct: "X" } as never, ...DAYS), /no "reportTypeId"/],
  [
    "a filter of nothing",
    (r) => r.run("sp_placement", ...DAYS, { filters: { a: [] } }),
    /filter a report by "a"/,
  ],
  [
    "another time unit",
    (r) => r.run("sp_placement", ...DAYS, { timeUnit: "HOURLY" as never }),
    /DAILY or SUMMARY/,
  ],
  ["no patience", (r) => r.run("sp_placement", ...DAYS, { timeout: 0 }), /"timeout" 0: it is not above 0/],
  ["too many days in one", (r) => r.create("sp_placement", "2026-07-01", "2026-09-01"), /it takes 31 days/],
  ["an id of dots", (r) => r.status(".."), /"reportId" has nothing but dots/],
  ["an id with a slash", (r) => r.wait("a/b"), /"reportId" contains a slash/],
  ["an id with an escape", (r) => r.download("a%2Fb"), /"reportId" contains a percent escape/],
  ["an empty id", (r) => r.delete(""), /"reportId" is empty/],
];

for (const [what, run, error] of refused) {
  test(`Reports refuses ${what} before anything is sent`, async () => {
    const host = new ReportHost();
    await assert.rejects(async () => await run(host.client().reports), (thrown: Error) => {
      assert(
        thrown instanceof RangeError || thrown instanceof TypeError || thrown instanceof ConfigurationError,
      );
      assert.match(thrown.message, error);
      return true;
    });
    assert.deepEqual(host.seen, []);
  });
}

test("Reports counts days by the clock of the profile's market", () => {
  const host = new ReportHost();
  host.now = Date.parse("2026-09-30T15:30:00Z");
  assert.equal(host.client({ countryCode: "US" }).reports.today, "2026-09-30");
  assert.equal(host.client({ countryCode: "JP" }).reports.today, "2026-10-01");
  host.now = Date.parse("2026-09-30T06:30:00Z");
  assert.equal(host.client({ countryCode: "US" }).reports.today, "2026-09-29");
  assert.equal(host.client({ countryCode: "DE" }).reports.today, "2026-09-30");
});

test("run() passes on what the platform says against a column", async () => {
  const host = new ReportHost();
  const detail = "configuration columns includes invalid values: (x). Allowed values: (a, b)";
  host.intervene = ({ method, url }) =>
    method === "POST" && url.pathname === "/reporting/reports"
      ? Response.json({ code: "400", detail }, { status: 400 })
      : undefined;
  await assert.rejects(
    host.client().reports.run("sp_placement", ...DAYS, { columns: ["x"] }),
    (error: Error) => {
      assert(error instanceof BadRequestError);
      assert(error.message.includes(detail));
      return true;
    },
  );
});

test("create() adopts the report that is being built when it is the same one, in any order of columns", async () => {
  const host = new ReportHost();
  const { reports } = host.client();
  const first = await reports.create("sp_placement", ...DAYS);
  const { columns, ...rest } = host.reports[0]!.configuration;
  host.intervene = ({ method, url }) =>
    method === "POST" && url.hostname !== "id.test" ? host.duplicate(first) : undefined;
  const reordered = { ...rest, columns: [...columns].reverse(), filters: [] };
  assert.equal(await reports.create(reordered, ...DAYS), first);
  assert.deepEqual(host.waits, []);
});

for (
  const [what, other] of Object.entries({
    "over other days": { startDate: "2026-09-02" },
    "with another column": { columns: ["clicks"] },
    "that has failed": { states: ["FAILED"] },
  })
) {
  test(`create() waits out a duplicate ${what}, and asks again`, async () => {
    const host = new ReportHost();
    const { reports } = host.client();
    const first = await reports.create("sp_placement", ...DAYS);
    const { columns, ...changes } = { columns: undefined, ...other } as Record<string, unknown>;
    Object.assign(host.reports[0]!, changes);
    if (columns !== undefined) Object.assign(host.reports[0]!.configuration, { columns });
    let refusals = 3;
    host.intervene = ({ method, url }) =>
      method === "POST" && url.hostname !== "id.test" && refusals-- > 0 ? host.duplicate(first) : undefined;
    const second = await reports.create("sp_placement", ...DAYS);
    assert.notEqual(second, first);
    assert.deepEqual(host.waits, [5, 7.5, 11.25]);
  });
}

test("create() gives up on a stranger's duplicate after its time, with the platform's words", async () => {
  const host = new ReportHost();
  host.intervene = ({ method, url }) =>
    method === "POST" && url.hostname !== "id.test"
      ? host.duplicate("00000000-dead-4bee-8000-000000000000")
      : undefined;
  await assert.rejects(
    host.client().reports.create("sp_placement", ...DAYS, { timeout: 60 }),
    /duplicate of : 00000000-dead/,
  );
  assert.equal(host.waits.reduce((sum, seconds) => sum + seconds, 0), 60);
});

test("create() takes up a report that was accepted although the answer said 429 or never came", async () => {
  for (
    const spoil of [() => new Response("{}", { status: 429 }), () => Promise.reject(new TypeError("reset"))]
  ) {
    const host = new ReportHost();
    let spoilt = false;
    const client = host.client();
    const answer = host.fetch.bind(host);
    host.fetch = async (input, init) => {
      const response = await answer(input, init);
      if (init?.method !== "POST" || !input.endsWith("/reporting/reports") || spoilt) return response;
      spoilt = true;
      return spoil();
    };
    const id = await client.reports.create("sp_placement", ...DAYS);
    assert.equal(host.reports.length, 1, "nothing was built twice");
    assert.equal(id, host.reports[0]!.reportId);
  }
});

test("create() ends with ThrottledError when the platform never lets it through", async () => {
  const host = new ReportHost();
  host.intervene = ({ method, url }) =>
    method === "POST" && url.hostname !== "id.test"
      ? new Response("{}", { status: 429, headers: { "retry-after": "100" } })
      : undefined;
  await assert.rejects(host.client().reports.create("sp_placement", ...DAYS), ThrottledError);
});

for (const state of ["FAILED", "FAILURE", "CANCELLED"]) {
  test(`wait() ends with ReportFailedError when the platform says ${state}`, async () => {
    const host = new ReportHost();
    host.states = ["PENDING", state];
    const { reports } = host.client();
    const id = await reports.create("sp_placement", ...DAYS);
    host.reports[0]!.failureReason = "Internal trouble";
    await assert.rejects(reports.wait(id), (error: ReportFailedError) => {
      assert(error instanceof ReportFailedError);
      assert.equal(error.reportId, id);
      assert.equal(error.status, state);
      assert.match(error.message, new RegExp(`${id}.*the platform says ${state}: Internal trouble`));
      return true;
    });
  });
}

test("wait() looks every 60 s at most, and ends after its time with the state it saw", async () => {
  const host = new ReportHost();
  host.states = ["PROCESSING"];
  const { reports } = host.client();
  const id = await reports.create("sp_placement", ...DAYS);
  await assert.rejects(reports.wait(id, { timeout: 1800 }), (error: ReportFailedError) => {
    assert(error instanceof ReportFailedError);
    assert.equal(error.status, "PROCESSING");
    assert.match(error.message, /still PROCESSING after 30 minutes/);
    return true;
  });
  assert.equal(Math.max(...host.waits), 60);
  assert.equal(host.waits.reduce((sum, seconds) => sum + seconds, 0), 1800);
});

test("wait() ends at once, with the caller's reason, when it is aborted", async () => {
  const host = new ReportHost();
  const { reports } = host.client();
  const id = await reports.create("sp_placement", ...DAYS);
  const stop = new AbortController();
  host.onWait = () => stop.abort(new Error("enough"));
  await assert.rejects(reports.wait(id, { signal: stop.signal }), /^Error: enough$/);
  assert.equal(host.waits.length, 1);
});

async function completed(
  host: ReportHost,
): Promise<{ reports: ReturnType<ReportHost["client"]>["reports"]; id: string }> {
  host.states = ["COMPLETED"];
  const { reports } = host.client();
  return { reports, id: await reports.create("sp_placement", ...DAYS) };
}

test("download() asks for a new address when the old one has expired, once", async () => {
  const host = new ReportHost();
  const { reports, id } = await completed(host);
  const stale = await reports.wait(id);
  await reports.status(id); // the host serves the address of the newest look alone
  assert.equal((await reports.download(stale)).length, 1);
  host.now += 2 * 3600_000;
  const before = host.asked("GET", "/").length;
  assert.equal((await reports.download({ ...stale })).length, 1);
  assert.equal(host.asked("GET", "/").length - before, 2, "an address known to be stale is not tried");
});

test("download() names the report when no address works, or there is no other, and tells no signature", async () => {
  const host = new ReportHost();
  const { reports, id } = await completed(host);
  const status = await reports.wait(id);
  host.intervene = ({ url }) =>
    url.hostname === "files.test" ? new Response("no", { status: 403 }) : undefined;
  const expected = (why: RegExp) => (error: ReportFailedError): boolean => {
    assert(error instanceof ReportFailedError);
    assert.equal(error.reportId, id);
    assert.match(error.message, why);
    assert(!error.message.includes("s3cr3t"));
    return true;
  };
  await assert.rejects(reports.download(status), expected(/its file host answers 403$/));
  assert.equal(host.asked("GET", "/").filter(({ url }) => url.hostname === "files.test").length, 2);
  host.reports[0]!.file = undefined;
  await assert.rejects(reports.download(status), expected(/and the platform gives no other address/));
});

test("download() tries a file host that fails again, three times in all", async () => {
  for (
    const fail of [() => new Response("", { status: 503 }), () => Promise.reject(new TypeError("reset"))]
  ) {
    const host = new ReportHost();
    const { reports, id } = await completed(host);
    let failures = 2;
    host.intervene = ({ url }) => url.hostname === "files.test" && failures-- > 0 ? fail() : undefined;
    assert.equal((await reports.download(id)).length, 1);
    assert.equal(host.waits.length, 2);
    failures = 3;
    await assert.rejects(reports.download(id), ReportFailedError);
  }
});

test("download() refuses a report that is not completed, and an address that is none", async () => {
  const host = new ReportHost();
  const { reports, id } = await completed(host);
  host.reports[0]!.states = ["PROCESSING"];
  await assert.rejects(reports.download(id), /it is PROCESSING, not COMPLETED/);
  const bad = { reportId: id, status: "COMPLETED", url: "file:///etc/passwd" };
  await assert.rejects(reports.download(bad), /the address of its file is no web address/);
});

const files: Record<string, [Uint8Array, RegExp]> = {
  "an empty file": [new Uint8Array(0), /it is empty\. 0 rows were read before/],
  "a file cut short": [gzip('[{"a":1}]').slice(0, -4), /cannot be unpacked/],
  "a list cut short": [utf8('[{"a":1},{"a":2},'), /its list of rows is not closed\. 2 rows were read before/],
  "an error page": [utf8("<Error/>"), /it begins with "<"/],
};
for (const [what, [file, why]] of Object.entries(files)) {
  test(`run() never takes ${what} for a short success`, async () => {
    const host = new ReportHost();
    const running = host.client().reports.run("sp_placement", ...DAYS);
    host.onWait = () => void (host.reports[0]!.file = file);
    await assert.rejects(running, (error: ReportFailedError) => {
      assert(error instanceof ReportFailedError);
      assert.equal(error.reportId, host.reports[0]!.reportId);
      assert.match(error.message, why);
      return true;
    });
  });
}

test("stream() hands rows on before the file is whole, and tells the loss when it never is", async () => {
  const host = new ReportHost();
  const { reports } = host.client();
  host.intervene = ({ url }) => {
    if (url.hostname !== "files.test") return undefined;
    let sent = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (sent) controller.error(new TypeError("connection reset"));
        else controller.enqueue(utf8('[{"a":1},{"a":2},'));
        sent = true;
      },
    }, { highWaterMark: 0 });
    return new Response(body);
  };
  const got: unknown[] = [];
  await assert.rejects(async () => {
    for await (const row of reports.stream("sp_placement", ...DAYS)) got.push(row);
  }, /its bytes stopped coming \(connection reset\)\. 2 rows were read before/);
  assert.deepEqual(got, [{ a: 1 }, { a: 2 }]);
});

test("delete() cancels a report", async () => {
  const host = new ReportHost();
  const { reports } = host.client();
  const id = await reports.create("sp_placement", ...DAYS);
  await reports.delete(id);
  await assert.rejects(reports.wait(id), /CANCELLED/);
});

test("create() ends with NetworkError when nothing ever answers", async () => {
  const host = new ReportHost();
  host.intervene = ({ url }) =>
    url.hostname === "id.test" ? undefined : Promise.reject(new TypeError("reset"));
  await assert.rejects(host.client().reports.create("sp_placement", ...DAYS), NetworkError);
});
