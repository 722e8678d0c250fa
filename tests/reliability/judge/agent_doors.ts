import { McpContext } from "../../../src/interfaces/mcp/context/mcp_context.ts";
import { toolsetNames } from "../../../src/interfaces/mcp/context/toolsets.ts";
import { Agent } from "../../mcp/support/agent.ts";
import { pickSubject, subjects } from "./drawn_values.ts";
import { drawnGlobal } from "./global_doors.ts";
import { type Door, NOW, type World } from "./world.ts";
import { drawnItems, drawnWrite } from "./write_doors.ts";

type Call = readonly [tool: string, args: Record<string, unknown>];

function context({ folder, connect, random }: World, profiles?: readonly string[]): McpContext {
  const wire = random.pick(["legacy", "unified"] as const);
  return new McpContext({
    settings: {
      approval: undefined,
      approvalKey: `${folder}/approval-key.pub.json`,
      demo: false,
      planFolder: folder,
      policyFolder: `${folder}/ledger`,
      ...(profiles === undefined ? {} : { profiles }),
      readOnly: false,
      rows: "both",
      toolsets: toolsetNames(),
      saveFolder: undefined,
      stateFolder: folder,
    },
    connect: () => Promise.resolve(connect(wire, profiles)),
    now: () => Date.parse(NOW),
  });
}

/** A call of a tool by an agent: a plan of some kind, or something to read. */
function drawnCall(world: World, market: string): Call | undefined {
  const { random, clients, image } = world;
  const us = clients.find(({ countryCode }) => countryCode === market)!;
  const way = random.integer(0, 9);
  if (way < 3) {
    const drawn = drawnItems(world, us);
    return drawn === undefined ? undefined : ["plan_update", {
      market,
      entity: drawn.kind.replace(".", "_"),
      items: drawn.items,
    }];
  }
  if (way < 5) {
    const drawn = drawnGlobal(world);
    return drawn === undefined ? undefined : ["plan_update", {
      market,
      entity: drawn.kind.replace(".", "_"),
      items: [drawn.item],
    }];
  }
  if (way < 7) {
    const drawn = drawnWrite(world, us);
    return drawn === undefined ? undefined : ["plan_call", {
      market,
      operation: drawn.write.id,
      body: drawn.body,
      check: "off",
    }];
  }
  if (way === 7) {
    const all = subjects(image, us.profileId).filter(({ kind }) => kind !== "portfolios");
    const subject = pickSubject(all, world);
    return ["plan_archive", { market, entity: subject.kind.replace(".", "_"), ids: [subject.id] }];
  }
  return random.pick<Call>([
    ["list_entities", { market, entity: "sp_global_campaigns" }],
    ["list_entities", { market, entity: "sp_global_ad_groups" }],
    ["list_entities", { market, entity: "sp_campaigns" }],
    ["list_profiles", {}],
    ["call_operation", {
      market,
      operation: "v1-spglobal-campaigns:SPGlobalQueryCampaign",
      body: { adProductFilter: { include: ["SPONSORED_PRODUCTS"] } },
    }],
    ["call_operation", { market, operation: "profiles:listProfiles" }],
    ["get_change_history", { market, since: "-3" }],
  ]);
}

/** An agent whose tenant is limited to one profile. */
export const tenant: Door = async (world, moved) => {
  const { random } = world;
  const { country: market, profileId } = random.pick(world.markets);
  const call = drawnCall(world, random.integer(0, 9) === 0 ? random.pick(world.markets).country : market);
  if (call === undefined) return;
  const heard = { profileId, sent: "", got: "" };
  try {
    await converse(context(world, [market]), call, heard);
  } finally {
    moved({ tenant: heard });
  }
};

/** An agent that may reach every profile of the login; its client can ask a person, or cannot. */
export const agent: Door = async (world, moved) => {
  const call = drawnCall(world, world.random.pick(world.markets).country);
  const isUnasked = world.random.integer(0, 1) === 0;
  moved({ isUnasked });
  if (call !== undefined) await converse(context(world), call, { sent: "", got: "", isUnasked });
};

/** Calls a tool, and applies the plan if one came of it; keeps the texts of both sides. */
async function converse(
  server: McpContext,
  call: Call,
  heard: { sent: string; got: string; isUnasked?: boolean },
): Promise<void> {
  await using client = await Agent.connect(server, heard.isUnasked ? {} : { person: () => "yes" });
  try {
    heard.sent += JSON.stringify(call);
    const answer = await client.call(...call);
    heard.got += `${answer.text} ${JSON.stringify(answer.data)}`;
    const { plan_id: planId, fingerprint } = answer.data;
    if (planId === undefined) return;
    heard.sent += planId;
    const applied = await client.call("apply_plan", { plan_id: planId, fingerprint });
    heard.got += `${applied.text} ${JSON.stringify(applied.data)}`;
  } finally {
    await server.stop();
  }
}
