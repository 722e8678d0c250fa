import { deepEqual, equal, match, rejects, throws } from "../support/assert.ts";
import { FileAuditLog } from "../../src/automation/audit/file_audit_log.ts";
import { Identity, LOCAL } from "../../src/interfaces/mcp/access/identity.ts";
import { CallLimits, TooManyCallsError } from "../../src/interfaces/mcp/calls/call_limits.ts";
import { readSettings } from "../../src/interfaces/mcp/context/settings.ts";
import { Agent } from "./support/agent.ts";
import { World } from "./support/world.ts";

const caller = (subject: string): Identity => new Identity({ subject, kind: "oauth" });

Deno.test("each caller may make so many calls a minute, and of these so many that write", () => {
  let now = 0;
  const limits = new CallLimits({ calls: 3, writes: 1 }, () => now);
  const [alice, bob] = [caller("alice"), caller("bob")];
  limits.count(alice, "plan_update", true);
  throws(
    () => limits.count(alice, "plan_update", true),
    /^TooManyCallsError: Cannot call plan_update now: alice may make 1 writes a minute\. Nothing was done\. Try again in 60 s$/,
  );
  limits.count(alice, "list_profiles", false);
  limits.count(alice, "list_profiles", false);
  throws(
    () => limits.count(alice, "list_profiles", false),
    (error: TooManyCallsError) => error.retryAfter === 20,
  );
  limits.count(bob, "list_profiles", false);
  now = 20_000;
  limits.count(alice, "list_profiles", false);
  throws(() => limits.count(alice, "list_profiles", false), TooManyCallsError);
  now = 10 * 60_000;
  for (let call = 0; call < 3; call++) limits.count(alice, "list_profiles", false);
  throws(
    () => limits.count(alice, "list_profiles", false),
    TooManyCallsError,
    "no more than a minute is saved up",
  );
});

Deno.test("a server without limits lets every call through, and one with a clock that goes back waits no longer", () => {
  const free = new CallLimits({}, () => 0);
  for (let call = 0; call < 1_000; call++) free.count(LOCAL, "apply_plan", true);
  let now = 60_000;
  const limits = new CallLimits({ calls: 1 }, () => now);
  limits.count(LOCAL, "list_profiles", false);
  now = 0;
  throws(() => limits.count(LOCAL, "list_profiles", false), /Try again in 60 s/);
  now = 60_000;
  limits.count(LOCAL, "list_profiles", false);
});

Deno.test("callers that were quiet for a minute are forgotten", () => {
  let now = 0;
  const limits = new CallLimits({ calls: 1 }, () => now);
  for (let name = 0; name < 5_000; name++) {
    now += 60_000;
    limits.count(caller(String(name)), "list_profiles", false);
  }
  equal(limits.size <= 1_001, true, `${limits.size} are remembered`);
});

Deno.test("a call that comes too soon says when to try again, and the first in a row is written down", async () => {
  await using world = await World.start();
  let now = 0;
  const audit = new FileAuditLog(`${world.folder}/audit.jsonl`);
  const context = world.context({ callLimits: { calls: 2 } }, { now: () => now, audit });
  await using agent = await Agent.connect(context);
  for (let call = 0; call < 2; call++) equal((await agent.call("api_notes")).isError, false);
  const limited = await agent.client.callTool({ name: "api_notes", arguments: {} });
  equal(limited.isError, true);
  match(
    JSON.stringify(limited.content),
    /local may make 2 calls a minute\. Nothing was done\. Try again in 30 s/,
  );
  deepEqual(limited._meta?.["platform-ads/retry_after"], 30);
  for (let call = 0; call < 5; call++) equal((await agent.call("api_notes")).isError, true);
  now = 30_000;
  equal((await agent.call("api_notes")).isError, false);
  equal((await agent.call("api_notes")).isError, true);
  const entries = (await Array.fromAsync(audit.lines())).map(({ text }) => JSON.parse(text));
  deepEqual(entries.map(({ verdict }) => verdict), ["ok", "ok", "failed", "ok", "failed"]);
  match(entries[2].result, /^Cannot call api_notes now: local may make 2 calls a minute/);
});

Deno.test("resources count as calls, and a read that comes too soon is refused and written down", async () => {
  await using world = await World.start();
  let now = 0;
  const audit = new FileAuditLog(`${world.folder}/audit.jsonl`);
  const context = world.context({ callLimits: { calls: 2 } }, { now: () => now, audit });
  await using agent = await Agent.connect(context);
  const read = () => agent.client.readResource({ uri: "platform-ads://notes" });
  await read();
  equal((await agent.call("api_notes")).isError, false);
  await rejects(
    read(),
    /Cannot call resources\/read now: local may make 2 calls a minute\. Nothing was done\. Try again in 30 s/,
  );
  await rejects(read());
  now = 30_000;
  await read();
  const entries = (await Array.fromAsync(audit.lines())).map(({ text }) => JSON.parse(text));
  deepEqual(entries.map(({ tool, verdict }) => `${tool} ${verdict}`), [
    "resources/read ok",
    "api_notes ok",
    "resources/read failed",
    "resources/read ok",
  ]);
});

Deno.test("the limits are options and variables, and what is no number is refused", async () => {
  const read = async (args: string[], env: Record<string, string> = {}) =>
    (await readSettings(args, { HOME: "/nowhere", ...env })).callLimits;
  deepEqual(await read(["--max-calls", "60", "--max-writes", "5"]), { calls: 60, writes: 5 });
  deepEqual(await read([], { PLATFORM_ADS_MCP_MAX_CALLS: "7" }), { calls: 7, writes: undefined });
  for (const wrong of ["0", "-1", "x", "1.5"]) {
    await read([`--max-calls=${wrong}`]).then(
      () => equal(wrong, "refused"),
      (error: Error) => match(error.message, /Cannot use --max-calls/),
    );
  }
});
