import { deepEqual, equal, notEqual, ok } from "../support/assert.ts";
import type { AuditLine, AuditLog, AuditRecord } from "../../src/automation/audit/audit_log.ts";
import { verifyAudit } from "../../src/automation/audit/verify_audit.ts";

/** A record that says nothing in particular. */
export function record(tool: string, more: Partial<AuditRecord> = {}): AuditRecord {
  const who = { subject: "alice", kind: "oauth" };
  return {
    call: crypto.randomUUID(),
    phase: "end",
    who,
    tool,
    arguments: "0".repeat(64),
    verdict: "ok",
    ...more,
  };
}

/** Every line of a log. */
export async function linesOf(log: AuditLog): Promise<AuditLine[]> {
  return await Array.fromAsync(log.lines());
}

/** What holds for a log wherever it is kept. */
export function auditContract(
  place: string,
  withLog: (step: (open: (now?: () => number) => AuditLog) => Promise<void>) => Promise<void>,
): void {
  Deno.test(`${place}: entries follow each other, also those of two logs that are open at once`, () =>
    withLog(async (open) => {
      const [one, two] = [open(() => Date.parse("2026-11-22T10:00:00Z")), open()];
      const first = await one.append(record("list_entities", { result: "3 rows" }));
      deepEqual([first.n, first.at, first.previous], [1, "2026-11-22T10:00:00.000Z", "0".repeat(64)]);
      const logs = [one, two];
      await Promise.all(Array.from({ length: 20 }, (_, at) => logs[at % 2]!.append(record(`tool_${at}`))));
      const lines = await linesOf(one);
      equal(lines.length, 21);
      const entries = lines.map(({ text }) => JSON.parse(text));
      deepEqual(entries.map(({ n }) => n), Array.from({ length: 21 }, (_, at) => at + 1));
      for (const [at, { previous }] of entries.entries()) if (at > 0) equal(previous, entries[at - 1].hash);
      const verdict = await verifyAudit(two.lines());
      deepEqual([verdict.ok, verdict.entries, verdict.last?.n], [true, 21, 21]);
      await Promise.all([one.close(), two.close()]);
    }));

  Deno.test(`${place}: a later log goes on with the chain, and texts of callers are cleaned and cut`, () =>
    withLog(async (open) => {
      const before = open();
      await before.append(record("plan_update", { phase: "begin" }));
      await before.close();
      const after = open();
      const odd = await after.append(
        record("x\u001b[31m\n{}", {
          who: { subject: "bob\u202e\r\n", kind: "oauth" },
          result: "y".repeat(5000),
        }),
      );
      equal(odd.tool, "x\\x1b[31m {}");
      equal(odd.who.subject, "bob\\u202e  ");
      equal(odd.result?.length, 401);
      const verdict = await verifyAudit(after.lines());
      deepEqual([verdict.ok, verdict.entries, verdict.open], [true, 2, 1]);
      await after.close();
    }));

  Deno.test(`${place}: whatever is changed, left out, moved or put in, the first line that is wrong is named`, () =>
    withLog(async (open) => {
      const log = open();
      for (let at = 1; at <= 6; at++) await log.append(record(`tool_${at}`));
      const lines = await linesOf(log);
      await log.close();
      const at = (index: number, text: string): AuditLine[] =>
        lines.map((line, place) => place === index ? { ...line, text } : line);
      const changed = at(2, lines[2]!.text.replace("tool_3", "tool_x"));
      const rehashed = JSON.parse(lines[2]!.text);
      const cases: [string, AuditLine[], number, RegExp][] = [
        ["a changed entry", changed, 3, /changed after it was written/],
        ["a left out entry", lines.filter((_, index) => index !== 2), 4, /entries 3 to 3 are missing/],
        ["an entry twice", [...lines.slice(0, 3), ...lines.slice(2)], 3, /entry 3 is there again/],
        [
          "two exchanged entries",
          [lines[0]!, lines[2]!, lines[1]!, ...lines.slice(3)],
          3,
          /entries 2 to 2 are missing/,
        ],
        ["a line that is not an entry", at(2, "# nothing to see here"), 3, /is not an entry/],
        ["an entry without its hash", at(2, JSON.stringify({ ...rehashed, hash: "" })), 3, /changed after/],
        [
          "another chain's entry",
          at(5, lines[5]!.text.replace(/"previous":"./, '"previous":"x')),
          6,
          /changed after/,
        ],
        ["a damaged last line", at(5, "{}"), 6, /is not an entry/],
      ];
      for (const [what, edited, line, why] of cases) {
        const { ok: isOk, broken } = await verifyAudit(each(edited));
        equal(isOk, false, what);
        equal(broken?.line, line, what);
        ok(why.test(broken?.problem ?? ""), `${what}: ${broken?.problem}`);
      }
      notEqual((await verifyAudit(each(lines.slice(2)))).first, 1);
      equal((await verifyAudit(each(lines.slice(2)))).ok, true, "older files may be gone");
    }));
}

async function* each(lines: readonly AuditLine[]): AsyncGenerator<AuditLine> {
  yield* lines;
}
