import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { FileAuditLog, type FileAuditOptions } from "../../src/automation/audit/file_audit_log.ts";
import { verifyAudit } from "../../src/automation/audit/verify_audit.ts";
import { auditContract, linesOf, record } from "./audit_contract.ts";
import { long } from "../support/long.ts";

async function withFolder(step: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "audit-" });
  try {
    await step(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

auditContract(
  "a file",
  (step) =>
    withFolder((folder) =>
      // A loaded machine may stop this process for longer than the usual lease, and the lock would be taken over.
      step((now) =>
        new FileAuditLog(`${folder}/logs/audit.jsonl`, {
          lockLease: 300,
          ...(now === undefined ? {} : { now }),
        })
      )
    ),
);

const path = (folder: string): string => `${folder}/audit.jsonl`;
const names = (folder: string): string[] => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

Deno.test("only its user may read the file", () =>
  withFolder(async (folder) => {
    await new FileAuditLog(path(folder)).append(record("list_profiles"));
    equal((await Deno.stat(path(folder))).mode! & 0o777, 0o600);
  }));

Deno.test("the file is renamed when it is full and when its day is over, and the chain goes on", () =>
  withFolder(async (folder) => {
    let now = Date.parse("2026-11-21T23:59:00Z");
    const options: FileAuditOptions = { maxBytes: 2_000, now: () => now };
    const log = new FileAuditLog(path(folder), options);
    for (let at = 0; at < 8; at++) await log.append(record(`tool_${at}`));
    const full = names(folder).filter((name) => name.includes("2026-11-21"));
    ok(full.length >= 1, names(folder).join(" "));
    match(full[0]!, /^audit\.2026-11-21\.000000000001\.jsonl$/);
    now += 120_000;
    // Another process, which knows nothing of the first.
    await new FileAuditLog(path(folder), options).append(record("next_day"));
    equal((await Deno.readTextFile(path(folder))).trimEnd().split("\n").length, 1);
    const verdict = await verifyAudit(log.lines());
    deepEqual([verdict.ok, verdict.entries, verdict.last?.n], [true, 9, 9]);
    // A process was killed after it renamed the file and before it began the new one.
    await Deno.rename(path(folder), `${folder}/audit.2026-11-22.000000000009.jsonl`);
    equal((await log.append(record("after"))).n, 10);
    equal((await verifyAudit(log.lines())).entries, 10);
    await Deno.remove(`${folder}/audit.2026-11-22.000000000009.jsonl`);
    const broken = (await verifyAudit(log.lines())).broken;
    match(broken?.problem ?? "", /entries 9 to 9 are missing before it/);
    equal(broken?.source, path(folder));
  }));

Deno.test("wherever a line is cut off, the log goes on after it, and the cut is reported and provable", () =>
  withFolder(async (folder) => {
    const log = new FileAuditLog(path(folder));
    for (const tool of ["one", "two"]) await log.append(record(tool));
    const whole = await Deno.readTextFile(path(folder));
    const begins = whole.indexOf("\n") + 1;
    for (let cut = 1; cut < whole.length; cut += 7) {
      await Deno.writeTextFile(path(folder), whole.slice(0, cut));
      const before = await verifyAudit(log.lines());
      equal(before.ok, true, `cut at ${cut}`);
      const isCut = cut < begins - 1 || (cut > begins && cut < whole.length - 1);
      equal(before.cutOff.length, isCut ? 1 : 0, `cut at ${cut}`);
      const fresh = new FileAuditLog(path(folder));
      await fresh.append(record("after"));
      const after = await verifyAudit(fresh.lines());
      equal(after.ok, true, `cut at ${cut}: ${after.broken?.problem}`);
      equal(after.cutOff.length, isCut ? 1 : 0, `cut at ${cut}`);
      equal(after.entries, before.entries + 1);
      if (isCut) {
        const text = await Deno.readTextFile(path(folder));
        const line = after.cutOff[0]!.line;
        const lines = text.split("\n");
        await Deno.writeTextFile(path(folder), lines.with(line - 1, lines[line - 1] + " ").join("\n"));
        match(
          (await verifyAudit(fresh.lines())).broken?.problem ?? "",
          /the unfinished line before it was changed/,
        );
        await Deno.writeTextFile(path(folder), lines.toSpliced(line - 1, 1).join("\n"));
        match(
          (await verifyAudit(fresh.lines())).broken?.problem ?? "",
          /the unfinished line before it is missing/,
        );
      }
    }
  }));

Deno.test("a file whose last line somebody damaged is not gone on from", () =>
  withFolder(async (folder) => {
    const log = new FileAuditLog(path(folder));
    await log.append(record("one"));
    await Deno.writeTextFile(path(folder), "damaged\n");
    await rejects(log.append(record("two")), /its last line is damaged/);
  }));

Deno.test({
  name: "a full disk takes no entry, and says so",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withFolder(async (folder) => {
      await Deno.symlink("/dev/full", path(folder));
      const log = new FileAuditLog(path(folder));
      await rejects(log.append(record("one")), /Cannot write ".*audit\.jsonl": the disk is full/);
      await rejects(log.append(record("two")), /the disk is full/, "and the next call is refused as well");
    }),
});

Deno.test("a folder that cannot be written to takes no entry", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/file`, "");
    await rejects(new FileAuditLog(`${folder}/file/audit.jsonl`).append(record("one")), /file/);
  }));

/** A record that runs `step` while its entry is made, as others may while this process is suspended. */
function suspended(tool: string, step: () => void): ReturnType<typeof record> {
  const { ...fields } = record(tool);
  return Object.defineProperty(fields, "tool", { enumerable: true, get: () => (step(), tool) });
}

/** The line that another process writes next. */
async function nextLine(folder: string): Promise<string> {
  const text = await Deno.readTextFile(path(folder));
  await Deno.mkdir(`${folder}/other`);
  await Deno.writeTextFile(path(`${folder}/other`), text);
  await new FileAuditLog(path(`${folder}/other`)).append(record("theirs"));
  return (await Deno.readTextFile(path(`${folder}/other`))).slice(text.length);
}

Deno.test("a process that lost its lock while it was suspended makes its entry anew, after that of the others", () =>
  withFolder(async (folder) => {
    const log = new FileAuditLog(path(folder));
    await log.append(record("first"));
    const theirs = await nextLine(folder);
    let isTaken = false;
    const entry = await log.append(suspended("mine", () => {
      if (isTaken) return;
      isTaken = true;
      Deno.removeSync(`${path(folder)}.lock`);
      Deno.writeTextFileSync(path(folder), theirs, { append: true });
    }));
    const verdict = await verifyAudit(log.lines());
    deepEqual([entry.n, verdict.ok, verdict.entries], [3, true, 3]);
    ok(!names(folder).includes("audit.jsonl.lock"));
  }));

Deno.test("an entry that was written at the same time as another one is reported", () =>
  withFolder(async (folder) => {
    const log = new FileAuditLog(path(folder));
    await log.append(record("first"));
    const theirs = await nextLine(folder);
    await log.append(record("mine"));
    await Deno.writeTextFile(path(folder), theirs, { append: true });
    deepEqual((await verifyAudit(log.lines())).broken, {
      source: path(folder),
      line: 3,
      problem: "entry 2 is there again",
    });
  }));

long();
Deno.test("several processes write one chain, and one that is killed leaves it whole", () =>
  withFolder(async (folder) => {
    const writer = new URL("./audit_writer.ts", import.meta.url).href;
    const start = () =>
      new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "-q", "--no-check", writer, path(folder), "40"],
        stdin: "null",
        stdout: "null",
        stderr: "inherit",
      }).spawn();
    const [one, two, killed] = [start(), start(), start()];
    const log = new FileAuditLog(path(folder));
    const isBegun = async () => (await linesOf(log).catch(() => [])).length > 10;
    while (!await isBegun()) await new Promise((done) => setTimeout(done, 20));
    try {
      killed.kill("SIGKILL");
    } catch {
      // It has ended.
    }
    await killed.status;
    const codes = [(await one.status).code, (await two.status).code];
    deepEqual(codes, [0, 0]);
    const verdict = await verifyAudit(log.lines());
    equal(verdict.ok, true, verdict.broken?.problem);
    ok(verdict.entries >= 80 && verdict.entries <= 120, String(verdict.entries));
  }));
