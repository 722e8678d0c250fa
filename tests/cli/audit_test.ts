import { deepEqual, equal, match } from "../support/assert.ts";
import { FileAuditLog } from "../../src/automation/audit/file_audit_log.ts";
import type { AuditRecord } from "../../src/automation/audit/audit_log.ts";
import { runCli } from "./support/run_cli.ts";

async function withLog(step: (file: string, log: FileAuditLog) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "audit-cli-" });
  let now = Date.parse("2026-11-20T10:00:00Z");
  const file = `${folder}/audit.jsonl`;
  const log = new FileAuditLog(file, { now: () => now });
  const append = async (subject: string, tool: string, more: Partial<AuditRecord> = {}): Promise<void> => {
    const who = { subject, kind: "oauth", tenant: `of ${subject}` };
    await log.append({ call: "c", phase: "end", who, tool, arguments: "0", verdict: "ok", ...more });
    now += 3_600_000;
  };
  try {
    await append("alice", "list_entities", { result: "3 rows" });
    await append("bob", "plan_update", { plan: "p1" });
    await append("alice", "apply_plan", { plan: "p1", approval: "person", result: "1 succeeded, 0 failed" });
    await step(file, log);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("adsctl auto audit check prints the hash of a whole log, and knows it again", () =>
  withLog(async (file) => {
    const { code, stdout } = await runCli(["auto", "audit", "check", file]);
    equal(code, 0, stdout);
    match(
      stdout,
      /^3 entries follow each other, the last of 2026-11-20T12:00:00\.000Z with hash [0-9a-f]{64}\n$/,
    );
    const hash = stdout.trim().split(" ").at(-1)!;
    equal((await runCli(["auto", "audit", "check", file, "--expect", hash])).code, 0);
    const lines = (await Deno.readTextFile(file)).split("\n");
    await Deno.writeTextFile(file, lines.slice(0, 2).join("\n") + "\n");
    equal(
      (await runCli(["auto", "audit", "check", file])).code,
      0,
      "a chain that is cut off after an entry is whole",
    );
    const cut = await runCli(["auto", "audit", "check", file, "--expect", hash]);
    equal(cut.code, 4);
    match(cut.stdout, /Cut off or written anew: no entry has the hash/);
    const asData = JSON.parse(
      (await runCli(["auto", "audit", "check", file, "--expect", hash, "--json"])).stdout,
    );
    deepEqual([asData.ok, asData.expectedFound, asData.entries], [false, false, 2]);
    equal((await runCli(["auto", "audit", "check", file, "--expect", "xyz"])).code, 2);
  }));

Deno.test("adsctl auto audit check names the first line that was changed, and reports one that was cut off", () =>
  withLog(async (file) => {
    const text = await Deno.readTextFile(file);
    await Deno.writeTextFile(file, text.replace('"tool":"plan_update"', '"tool":"list_plans"'));
    const { code, stdout } = await runCli(["auto", "audit", "check", file]);
    equal(code, 4);
    match(
      stdout,
      /^Broken at line 2 of .*audit\.jsonl: it was changed after it was written\. 1 entry before/,
    );
    await Deno.writeTextFile(file, text.slice(0, -20));
    const cut = await runCli(["auto", "audit", "check", file]);
    equal(cut.code, 0);
    match(cut.stdout, /^Line 3 of .* was not written to its end\n2 entries follow each other/);
  }));

Deno.test("adsctl auto audit show filters by caller, tool, plan and time, and cleans what somebody wrote", () =>
  withLog(async (file, log) => {
    const show = async (...args: string[]) => {
      const { stdout, stderr, code } = await runCli(["auto", "audit", "show", file, "--json", ...args]);
      equal(code, 0, stderr);
      return (JSON.parse(stdout) as { tool: string }[]).map(({ tool }) => tool);
    };
    deepEqual(await show(), ["list_entities", "plan_update", "apply_plan"]);
    deepEqual(await show("--who", "alice"), ["list_entities", "apply_plan"]);
    deepEqual(await show("--who", "of bob"), ["plan_update"]);
    deepEqual(await show("--tool", "apply_plan"), ["apply_plan"]);
    deepEqual(await show("--plan", "p1"), ["plan_update", "apply_plan"]);
    deepEqual(await show("--since", "2026-11-20T11:30:00Z"), ["apply_plan"]);
    deepEqual(await show("--limit", "1"), ["apply_plan"]);
    await Deno.writeTextFile(file, (await Deno.readTextFile(file)).replace("3 rows", "\\u001b[2J"));
    await Deno.writeTextFile(file, "not an entry\n", { append: true });
    const { stdout, stderr } = await runCli(["auto", "audit", "show", file]);
    match(stdout, /\\x1b\[2J/);
    match(stderr, /warning: 1 line is not an entry/);
    await log.close();
  }));

Deno.test("adsctl auto audit without a log says how to name one", async () => {
  const { code, stderr } = await runCli(["auto", "audit", "check"]);
  equal(code, 2);
  match(stderr, /PLATFORM_ADS_MCP_AUDIT/);
  const missing = await runCli(["auto", "audit", "show", "/nowhere/audit.jsonl"]);
  match(missing.stderr, /there is no such file/);
});
