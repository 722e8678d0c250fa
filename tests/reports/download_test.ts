import assert from "node:assert/strict";
import { test } from "node:test";
import { ReportFailedError } from "../../src/errors.ts";
import { gzip, utf8 } from "../support/bytes.ts";
import { ReportHost } from "../support/report_host.ts";

const DAYS = ["2026-09-01", "2026-09-10"] as const;

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
  await reports.status(id);
  await reports.status(id); // the host serves the addresses of the newest two looks alone
  assert.equal((await reports.download(stale)).length, 1);
  host.now += 2 * 3600_000;
  const before = host.asked("GET", "/").length;
  assert.equal((await reports.download({ ...stale })).length, 1);
  assert.equal(host.asked("GET", "/").length - before, 3, "the old address, the status, the new address");
});

test("download() tries the address although the clock of this machine is ahead of its end", async () => {
  const host = new ReportHost();
  const { reports, id } = await completed(host);
  const status = await reports.wait(id);
  host.now += 2 * 3600_000;
  const before = host.seen.length;
  assert.equal((await reports.download(status)).length, 1);
  assert.equal(host.seen.length - before, 1, "the address works, and nothing else is asked");
});

test("download() fetches a file again that comes damaged, and gives every row once", async () => {
  const host = new ReportHost();
  const rows = Array.from(
    { length: 5000 },
    (_, i) => ({ date: "2026-09-01", campaignId: String(i), cost: i }),
  );
  host.rows = () => rows;
  const { reports, id } = await completed(host);
  const text = JSON.stringify(rows);
  let spoiled = 2;
  host.intervene = ({ url }) =>
    url.hostname === "files.test" && spoiled-- > 0
      ? new Response(text.slice(0, Math.floor(text.length * (spoiled === 1 ? 0.7 : 0.3))))
      : undefined;
  const found = await reports.download(id);
  assert.deepEqual(found.map(({ cost }) => cost), rows.map(({ cost }) => cost));

  spoiled = 3;
  await assert.rejects(reports.download(id), (error: Error) => {
    assert.match(error.message, new RegExp(`its file is not whole: .*reports.download\\("${id}"\\)`));
    return true;
  });
});

test("download() names the report when no address works, or there is no other, and tells no signature", async () => {
  const host = new ReportHost();
  const { reports, id } = await completed(host);
  const status = await reports.wait(id);
  host.intervene = ({ url }) =>
    url.hostname === "files.test"
      ? new Response("<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>", {
        status: 403,
      })
      : undefined;
  const expected = (why: RegExp) => (error: ReportFailedError): boolean => {
    assert(error instanceof ReportFailedError);
    assert.equal(error.reportId, id);
    assert.match(error.message, why);
    assert(!error.message.includes("s3cr3t"));
    return true;
  };
  await assert.rejects(
    reports.download(status),
    expected(/its file host responds with 403: AccessDenied Request has expired$/),
  );
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
  await assert.rejects(reports.download(bad), /the address of its file is not a web address/);
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
