import type { ToolReply, Tools } from "../judge/task.ts";
import type { Row } from "./drawn_profile.ts";

export async function apply(tools: Tools, { data }: ToolReply): Promise<ToolReply> {
  const { plan_id, fingerprint } = data;
  return await tools.call("apply_plan", { plan_id, fingerprint });
}

export function update(market: string, entity: string, items: readonly Row[]) {
  return async (tools: Tools): Promise<ToolReply> =>
    await apply(tools, await tools.call("plan_update", { market, entity, items }));
}

export async function create(
  tools: Tools,
  market: string,
  entity: string,
  items: readonly Row[],
): Promise<ToolReply> {
  return await apply(tools, await tools.call("plan_create", { market, entity, items }));
}

export async function list(tools: Tools, args: Row): Promise<readonly Row[]> {
  return (await tools.call("list_entities", { limit: 100, ...args })).data.rows ?? [];
}
