import { planWorkflows } from "../../src/account/runs/plan_workflows.ts";
import { parseWorkflow } from "../../src/account/runs/workflow_file.ts";
import { deepEqual, equal, match } from "../support/assert.ts";
import { Agent } from "./support/agent.ts";
import { World } from "./support/world.ts";

const CLICKS = "SELECT SUM(clicks) AS clicks FROM sponsored_ads_traffic";
const scheduled = (hour: number): string =>
  `/* ---\nschedule: { every: monday, hour: ${hour} }\n--- */\n${CLICKS}`;

Deno.test("agents compare queries and schedules of files with a clean room, and send nothing else", async () => {
  await using world = await World.start();
  const context = world.context({});
  await using agent = await Agent.connect(context);
  const { data: { rows: rooms } } = await agent.call("list_clean_rooms", {});
  const { instanceId: room } = rooms.find(({ region }: { region: string }) => region === "NA");
  const compare = (...files: (readonly [name: string, text: string])[]) =>
    agent.call("compare_clean_room_queries", {
      room,
      files: files.map(([name, text]) => ({ name, text })),
    });
  const file = ["clicks.sql", scheduled(5)] as const;
  const isNew = await compare(file);
  deepEqual(isNew.data.rows, [
    { state: "new", kind: "workflow", id: "clicks", fields: "", source: "clicks.sql" },
    { state: "new", kind: "schedule", id: "clicks", fields: "", source: "clicks.sql" },
  ]);
  const ads = await context.ads();
  const profile = await ads.profile("US");
  const stored = [parseWorkflow(scheduled(5), "clicks.sql"), parseWorkflow(CLICKS, "old.sql")];
  await (await planWorkflows(profile, await ads.cleanRoom(room), stored)).apply(profile);
  const writes = world.writes().length;
  deepEqual((await compare(["clicks.sql", scheduled(7)])).data.rows, [
    { state: "only stored", kind: "workflow", id: "old", fields: "", source: null },
    { state: "changed", kind: "schedule", id: "clicks", fields: "aggregationHourUtc", source: "clicks.sql" },
  ]);
  const same = await compare(file, ["old.sql", CLICKS]);
  deepEqual(same.data.rows, []);
  match(same.text, /The clean room matches the files/);
  equal(world.writes().length, writes);
});

Deno.test("files that are wrong or too many are refused with their lines, before the clean room is read", async () => {
  await using world = await World.start();
  await using agent = await Agent.connect(world.context({}));
  const compare = (files: { name: string; text: string }[]) =>
    agent.call("compare_clean_room_queries", { files });
  const wrong = await compare([
    { name: "one.sql", text: "DELETE FROM sponsored_ads_traffic" },
    { name: "two.sql", text: `${CLICKS}\nORDER BY 1` },
  ]);
  equal(wrong.isError, true);
  match(wrong.text, /one\.sql:1: The query must begin with SELECT or WITH/);
  match(wrong.text, /two\.sql:2: ORDER BY is only supported in a window clause/);
  const many = Array.from({ length: 51 }, (_, at) => ({ name: `${at}.sql`, text: CLICKS }));
  equal((await compare(many)).isError, true);
  match((await compare([{ name: "a.sql", text: " ".repeat(20_001) }])).text, /20000 is the maximum/);
  deepEqual(world.emulator.requests().filter(({ path }) => /workflow|amc/.test(path)), []);
});
