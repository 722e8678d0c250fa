import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { catalog } from "../../src/platform/catalog/catalog.ts";
import { Agent } from "./support/agent.ts";
import { ReportWorld } from "./support/report_world.ts";
import { long } from "../support/long.ts";

const CREATE = "sponsored-products:CreateSponsoredProductsCampaigns";

Deno.test("describe_operation gives what a model needs to fill a body, part by part, and a body to start from", async () => {
  await using world = new ReportWorld();
  await using agent = await Agent.connect(world.context());
  const whole = await agent.call("describe_operation", { operation: CREATE });
  equal(whole.isError, false, whole.text);
  deepEqual([whole.data.method, whole.data.path, whole.data.read_only], ["POST", "/sp/campaigns", false]);
  match(whole.data.text, /\* campaigns/);
  const part = await agent.call("describe_operation", { operation: CREATE, at: "campaigns.budget" });
  match(part.data.text, /budgetType/);
  const { data } = await agent.call("describe_operation", { operation: CREATE, part: "example" });
  deepEqual(await (await catalog.get(CREATE)).check({ body: data.example }), []);
  const kept = await agent.call("describe_operation", {
    operation: CREATE,
    part: "example",
    at: "campaigns.budget",
  });
  deepEqual([kept.isError, kept.data.example], [false, data.example], kept.text);
  const none = await agent.call("describe_operation", { operation: CREATE, at: "campaigns.nothing" });
  equal(none.isError, true, none.text);
});

long();
Deno.test("no description of an operation takes more than 4 KB, and what is folded says so", async () => {
  await using world = new ReportWorld();
  await using agent = await Agent.connect(world.context());
  const operations = (await catalog.operations()).filter(({ unsupportedReason }) =>
    unsupportedReason === undefined
  );
  let folded = 0;
  // Every third: the largest bodies are among them.
  for (const { id } of operations.filter((_, index) => index % 3 === 0)) {
    const { text, data, isError } = await agent.call("describe_operation", { operation: id });
    ok(!isError && text.length <= 4096, `${id}: ${text.length} characters`);
    if (data.folded) folded += 1;
    if (!data.published) match(text, /Nothing is published/);
  }
  ok(folded > 0, `${folded} folded`);
});
