import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import type { ConsoleContext } from "../http/console_context.ts";
import { ApiProblem } from "../http/responses.ts";

export async function savePlan(plan: ChangePlan, { folders, events }: ConsoleContext): Promise<void> {
  const [folder] = folders;
  if (folder === undefined) throw new ApiProblem(409, "NO_FOLDER", "There is no plan folder");
  await folder.store.save(plan);
  events.send({ event: "plan", data: { id: plan.id } });
}
