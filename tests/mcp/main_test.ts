import { equal, match, ok } from "../support/assert.ts";
import { ChangePlan, PlanStore, PlatformAds } from "../../mod.ts";
import { rememberFolder } from "../../src/account/rollout/known_folders.ts";
import { Agent } from "./support/agent.ts";
import { bidPlan } from "./support/bid_plan.ts";
import { heldApply, INITIALIZE, lines } from "./support/held_apply.ts";
import { serverCommand } from "./support/server_process.ts";
import { World } from "./support/world.ts";
import { long } from "../support/long.ts";

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(
  world: World,
  options: { args?: readonly string[]; env?: Record<string, string>; input?: string } = {},
): Promise<Ended> {
  const { command, args, env } = await serverCommand(world, options);
  const child = new Deno.Command(command, {
    args,
    env,
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  })
    .spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(options.input ?? ""));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

/** What a server answers to a call with the id 2; then its input ends. */
async function answerOf(
  world: World,
  call: object,
  options: { env?: Record<string, string> } = {},
  // deno-lint-ignore no-explicit-any -- an answer of the protocol
): Promise<any> {
  const { command, args, env } = await serverCommand(world, options);
  const child = new Deno.Command(command, {
    args,
    env,
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  })
    .spawn();
  const writer = child.stdin.getWriter();
  const input = lines(INITIALIZE, { method: "notifications/initialized" }, call).join("");
  await writer.write(new TextEncoder().encode(input));
  let output = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += chunk;
    if (output.includes('"id":2')) break;
  }
  await writer.close();
  equal((await child.status).code, 0);
  const answer = JSON.parse(output.trimEnd().split("\n").at(-1)!);
  return answer.result;
}

long();
Deno.test("the process: help, version, and settings that cannot be used", async () => {
  await using world = await World.start();
  const help = await run(world, { args: ["--help"] });
  equal(help.code, 0);
  match(help.stdout, /^Usage: platform-ads-mcp/);
  match((await run(world, { args: ["--version"] })).stdout, /^\d+\.\d+\.\d+\n$/);
  const wrong = await run(world, { args: ["--htttp"] });
  equal(wrong.code, 2);
  equal(wrong.stdout, "");
  match(wrong.stderr, /^platform-ads-mcp: .*See --help\n$/);
});

Deno.test("over stdio nothing but the protocol is on standard output, and the end of input ends the process", async () => {
  await using world = await World.start();
  const call = {
    id: 2,
    method: "tools/call",
    params: { name: "list_entities", arguments: { market: "DE", entity: "x" } },
  };
  const input = [...lines(INITIALIZE, { method: "notifications/initialized" }, call), "this is no message\n"]
    .join("");
  const { code, stdout, stderr } = await run(world, { input });
  equal(code, 0);
  for (const line of stdout.trimEnd().split("\n")) equal(JSON.parse(line).jsonrpc, "2.0");
  for (const line of stderr.trimEnd().split("\n")) match(line, /^platform-ads-mcp: /);
});

Deno.test("a server without settings starts, and its tools say what is missing", async () => {
  await using world = await World.start();
  const call = { id: 2, method: "tools/call", params: { name: "list_profiles", arguments: {} } };
  const result = await answerOf(world, call, { env: { PLATFORM_ADS_CLIENT_ID: "" } });
  equal(result.isError, true);
  match(result.content[0].text, /PLATFORM_ADS_CLIENT_ID/);
});

Deno.test("a call that a plan of another known folder put back is not sent by the server", async () => {
  await using world = await World.start();
  const { emulator, folder, planFolder } = world;
  const ads = new PlatformAds(emulator.credentials, { platform: emulator.platform });
  const us = await ads.profile("US");
  const [{ instanceId } = {}] = await ads.cleanRooms({ region: "NA" });
  const { place } = await ads.cleanRoom(String(instanceId));
  const body = { workflowId: "reach", sqlQuery: "SELECT campaign FROM sponsored_ads_traffic" };
  const plan = await us.planCall<string>("workflow-management-service:createWorkflow", body, place);
  const apply = async (one: ChangePlan, path: string) => {
    const store = PlanStore.open(path);
    await store.save(one);
    return (await store.apply(one, us)).rollback!;
  };
  const undo = await apply(plan, planFolder);
  await apply(new ChangePlan({ ...undo, id: "copy" }), `${folder}/elsewhere`);
  const writes = world.writes().length;
  const call = {
    id: 2,
    method: "tools/call",
    params: { name: "apply_plan", arguments: { plan_id: undo.id, fingerprint: undo.fingerprint } },
  };
  await rememberFolder(`${folder}/elsewhere`, { env: { HOME: folder }, demo: false });
  match((await answerOf(world, call)).content[0].text, /plan copy put it back at/);
  equal(world.writes().length, writes);
});

long();
Deno.test("a client that goes away in the middle of apply_plan: the process ends when the result is on disk", async () => {
  await using world = await World.start();
  await using planner = await Agent.connect(world.context());
  const plan = await bidPlan(planner, 0.37);
  const { child, held, writer } = await heldApply(world, plan);
  await writer.close();
  child.kill("SIGTERM");
  held.letIn();
  equal((await child.status).code, 0);
  const { data } = await planner.call("get_plan", { plan_id: plan.plan_id });
  equal(data.state, "applied");
  match(data.result, /1 succeeded, 0 failed/);
});

Deno.test("over HTTP it says where it listens, and ends in good order when asked to", async () => {
  await using world = await World.start();
  const { command, args, env } = await serverCommand(world, { args: ["--http", "127.0.0.1:0"] });
  const child = new Deno.Command(command, {
    args,
    env,
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  })
    .spawn();
  const reader = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
  let told = "";
  while (!/Listening on \S+\n/.test(told)) told += (await reader.read()).value ?? "";
  const [, url] = /Listening on (\S+)\n/.exec(told)!;
  const response = await fetch(url!, {
    method: "POST",
    headers: { "content-type": "application/json", "accept": "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", ...INITIALIZE }),
  });
  match(await response.text(), /platform-ads-mcp/);
  ok(response.headers.get("mcp-session-id"));
  child.kill("SIGTERM");
  await reader.cancel();
  await child.stdout.cancel();
  equal((await child.status).code, 0);
});
