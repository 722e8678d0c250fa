import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import type { AuditEntry, AuditLog, AuditRecord } from "../../src/automation/audit/audit_log.ts";
import { FileAuditLog } from "../../src/automation/audit/file_audit_log.ts";
import { verifyAudit } from "../../src/automation/audit/verify_audit.ts";
import { canonicalJson } from "../../src/base/json/canonical_json.ts";
import { sha256 } from "../../src/base/text/sha256.ts";
import { Agent } from "./support/agent.ts";
import { bidPlan } from "./support/bid_plan.ts";
import { heldApply } from "./support/held_apply.ts";
import { serverCommand } from "./support/server_process.ts";
import { AuthorizationServer } from "./support/authorization_server.ts";
import { TeamServer } from "./support/team_server.ts";
import { World } from "./support/world.ts";
import { long } from "../support/long.ts";

async function entriesOf(log: AuditLog): Promise<AuditEntry[]> {
  return (await Array.fromAsync(log.lines())).map(({ text }) => JSON.parse(text));
}

/** A log that takes no record of which `refuses` is true. */
class FullLog extends FileAuditLog {
  refuses: (record: AuditRecord) => boolean = () => true;

  override append(record: AuditRecord): Promise<AuditEntry> {
    if (this.refuses(record)) return Promise.reject(new Error("the disk is full"));
    return super.append(record);
  }
}

Deno.test("every call is written down with who, what, plan, approval and result, and no secret", async () => {
  await using world = await World.start();
  const { clientSecret } = world.emulator.credentials;
  const audit = new FileAuditLog(`${world.folder}/audit.jsonl`);
  const context = world.context({ toolsets: undefined }, { audit });
  await using agent = await Agent.connect(context);
  const plan = await bidPlan(agent, 0.51);
  equal((await agent.call("apply_plan", plan)).isError, false);
  await agent.call("call_tool", { tool: "api_notes", arguments: {} });
  await agent.call("list_entities", { market: "US", entity: `x ${clientSecret}` });
  await agent.call("call_tool", { tool: "describe_operation", arguments: { nothing: 1 } });
  const entries = await entriesOf(audit);
  deepEqual(
    entries.map(({ tool, phase, verdict }) => [tool, phase, verdict]),
    [
      ["list_entities", "end", "ok"],
      ["plan_update", "begin", undefined],
      ["plan_update", "end", "ok"],
      ["apply_plan", "begin", undefined],
      ["apply_plan", "end", "ok"],
      ["api_notes", "end", "ok"],
      ["list_entities", "end", "failed"],
      ["describe_operation", "end", "failed"],
    ],
  );
  const [listed, , planned, begun, applied] = entries;
  deepEqual(listed!.who, { subject: "local", kind: "local" });
  equal(listed!.result, "100 rows");
  equal(planned!.plan, plan.plan_id);
  deepEqual([begun!.call, begun!.plan], [applied!.call, plan.plan_id]);
  equal(begun!.arguments, sha256(canonicalJson({ ...plan, check_drift: true })));
  equal(applied!.approval, "fingerprint_only");
  match(applied!.result!, /1 succeeded, 0 failed/);
  ok(!JSON.stringify(entries).includes(clientSecret));
  equal((await verifyAudit(audit.lines())).ok, true);
});

Deno.test("a call that cannot be recorded does not plan, apply or store anything; a read says that it is not recorded", async () => {
  await using world = await World.start();
  const audit = new FullLog(`${world.folder}/audit.jsonl`);
  audit.refuses = () => false;
  const context = world.context({ saveFolder: world.folder }, { audit });
  await using agent = await Agent.connect(context);
  const plan = await bidPlan(agent, 0.52);
  audit.refuses = () => true;
  for (
    const [name, args] of [
      ["apply_plan", plan],
      ["plan_create", { market: "US", entity: "portfolios", items: [{ name: "x", state: "enabled" }] }],
      ["save_result", { result_uri: "platform-ads://results/x", file: "x.json" }],
    ] as const
  ) {
    const { isError, text } = await agent.call(name, args);
    equal(isError, true);
    match(text, /cannot be recorded in the audit log, so nothing was done\. the disk is full/);
  }
  deepEqual(world.writes(), []);
  equal((await context.plans.ids()).length, 1);
  const read = await agent.call("list_profiles");
  equal(read.isError, false);
  match(read.text, /Not recorded in the audit log: the disk is full/);
});

Deno.test("what was done and could then not be recorded says so, and its result is on disk", async () => {
  await using world = await World.start();
  const audit = new FullLog(`${world.folder}/audit.jsonl`);
  audit.refuses = ({ tool, phase }) => tool === "apply_plan" && phase === "end";
  await using agent = await Agent.connect(world.context({}, { audit }));
  const plan = await bidPlan(agent, 0.53);
  const { text, data } = await agent.call("apply_plan", plan);
  equal(data.ok, true);
  match(text, /Not recorded in the audit log: the disk is full/);
  equal(world.writes().length, 1);
  ok(world.log.some((line) => line.includes("audit: the disk is full")));
  equal((await verifyAudit(audit.lines())).open, 1, "the log shows a call that began and has no end");
});

Deno.test("a question to a person is written down, and the call that brings the answer too", async () => {
  await using world = await World.start();
  const audit = new FileAuditLog(`${world.folder}/audit.jsonl`);
  await using agent = await Agent.connect(world.context({}, { audit }), { person: () => "yes" });
  equal((await agent.call("apply_plan", await bidPlan(agent, 0.54))).data.approved_by, "person");
  const applies = (await entriesOf(audit)).filter(({ tool, phase }) =>
    tool === "apply_plan" && phase === "end"
  );
  deepEqual(applies.map(({ verdict, approval }) => [verdict, approval]), [["asked", undefined], [
    "ok",
    "person",
  ]]);
});

long();
Deno.test("a server that is killed in the middle of apply_plan leaves a log that is whole and shows the call", async () => {
  await using world = await World.start();
  await using planner = await Agent.connect(world.context());
  const plan = await bidPlan(planner, 0.55);
  const file = `${world.folder}/logs/audit.jsonl`;
  const { child, held, writer } = await heldApply(world, plan, { args: ["--audit", file] });
  child.kill("SIGKILL");
  await child.status;
  held.letIn();
  await writer.close().catch(() => {});
  const log = new FileAuditLog(file);
  const verdict = await verifyAudit(log.lines());
  deepEqual([verdict.ok, verdict.entries, verdict.open], [true, 1, 1]);
  const [entry] = await entriesOf(log);
  deepEqual([entry!.tool, entry!.plan, entry!.phase], ["apply_plan", plan.plan_id, "begin"]);
});

Deno.test("a server whose audit log cannot be written to does not start", async () => {
  await using world = await World.start();
  await Deno.writeTextFile(`${world.folder}/file`, "");
  const { command, args, env } = await serverCommand(world, {
    args: ["--audit", `${world.folder}/file/audit.jsonl`],
  });
  const { code, stderr } = await new Deno.Command(command, { args, env, clearEnv: true, stdin: "null" })
    .output();
  equal(code, 1);
  match(new TextDecoder().decode(stderr), /Cannot serve: Cannot write ".*audit\.jsonl"/);
});

Deno.test("what is read as a resource is written down, and so is who lacked a scope", async () => {
  await using world = await World.start();
  const audit = new FileAuditLog(`${world.folder}/audit.jsonl`);
  await using issuer = await AuthorizationServer.start();
  await using server = await TeamServer.start(world.context({ toolsets: undefined }, { audit }), issuer);
  const token = await server.token({ claims: { sub: "ann", scope: "read" } });
  const client = await server.client({ token });
  await client.readResource({ uri: "platform-ads://notes" });
  await rejects(client.readResource({ uri: "platform-ads://plans/20260101-000000-00000000" }));
  await rejects(client.callTool({ name: "apply_plan", arguments: { plan_id: "x", fingerprint: "y" } }));
  await client.close();
  deepEqual((await entriesOf(audit)).map(({ who, tool, verdict }) => [who.subject, tool, verdict]), [
    ["ann", "resources/read", "ok"],
    ["ann", "resources/read", "failed"],
    ["ann", "apply_plan", "failed"],
  ]);
});

Deno.test("calls with arguments that do not fit are written down, and the answer names each of them", async () => {
  await using world = await World.start();
  const audit = new FileAuditLog(`${world.folder}/audit.jsonl`);
  await using agent = await Agent.connect(world.context({ toolsets: undefined }, { audit }));
  const { isError, text } = await agent.call("list_entities", { market: 7, entity: [], what: "x" });
  equal(isError, true);
  match(
    text,
    /^Cannot call list_entities: market is not text; entity is not text; "what" is not an argument/,
  );
  await agent.call("apply_plan", { plan_id: 1 });
  await agent.call("call_tool", { arguments: {} });
  match((await agent.call("call_tool", { tool: "nothing" })).text, /not a tool that search_tools finds/);
  await agent.call("list_entities", { market: "US", entity: Array(60_000).fill("x") });
  deepEqual((await entriesOf(audit)).map(({ tool, phase, verdict }) => [tool, phase, verdict]), [
    ["list_entities", "end", "failed"],
    ["apply_plan", "end", "failed"],
    ["call_tool", "end", "failed"],
    ["call_tool", "end", "failed"],
    ["list_entities", "end", "failed"],
  ]);
});

Deno.test("a caller that lacks a scope cannot fill the log: of refusals beyond the limit one is written down", async () => {
  await using world = await World.start();
  const audit = new FileAuditLog(`${world.folder}/audit.jsonl`);
  await using issuer = await AuthorizationServer.start();
  const context = world.context({ toolsets: undefined, callLimits: { calls: 2 } }, { audit, now: () => 0 });
  await using server = await TeamServer.start(context, issuer);
  const client = await server.client({
    token: await server.token({ claims: { sub: "ann", scope: "read" } }),
  });
  for (let call = 0; call < 6; call++) {
    await rejects(client.callTool({ name: "apply_plan", arguments: { plan_id: "x", fingerprint: "y" } }));
  }
  await client.close();
  equal((await entriesOf(audit)).length, 3);
});
