import { PlanStore } from "../../../mod.ts";
import { serveConsole } from "../../../src/interfaces/console/serve_console.ts";
import { approvalKeyFiles } from "../../../src/plans/review/approval_key.ts";
import type { Finding } from "../../../src/plans/model/finding.ts";
import { signIn } from "../../console/support/console_world.ts";
import { shownBy } from "./plan_doors.ts";
import { type Door, NOW } from "./world.ts";
import { drawnUpdates } from "./write_doors.ts";

/** Applies a plan from its page in the console, whose warnings a person accepted, or never saw. */
export const page: Door = async (world, moved) => {
  const { random, folder } = world;
  const us = random.pick(world.clients);
  const draft = us.plan();
  for (const { kind, item } of drawnUpdates(world, us)) draft.update(kind as never, item as never);
  const plan = await draft.build();
  if (plan.changes.length === 0) return;
  const store = PlanStore.open(folder);
  await store.save(plan);
  const readOnly = random.integer(0, 9) === 0;
  const stopping = new AbortController();
  const running = await serveConsole({
    ads: world.connect(random.pick(["legacy", "unified"] as const)),
    folders: [{ maker: "person", store }],
    key: approvalKeyFiles(`${folder}/config`),
    storePlace: `${folder}/none.sqlite`,
    serviceStore: () => `${folder}/none.sqlite`,
    files: {
      schedules: `${folder}/no-schedules.yaml`,
      pacing: `${folder}/no-pacing.yaml`,
      service: `${folder}/no-service.yaml`,
    },
    readOnly,
    now: () => Date.parse(NOW),
    stop: stopping.signal,
  });
  try {
    const person = await signIn({ console: running });
    const { data: review } = await person.ask(`/api/plans/${plan.id}/review`);
    const findings: readonly Finding[] = review.findings ?? [];
    const isUnasked = random.integer(0, 2) === 0;
    const accepted = findings.map(({ code, change }) => change === undefined ? code : `${code} ${change}`);
    const read = findings.map(({ level, message, change }) =>
      `${level}: ${plan.changes[change ?? -1]?.id} ${message}`
    ).join("\n");
    moved({
      ...{ shown: shownBy(plan), isLook: readOnly },
      ...(isUnasked ? { isUnasked } : { read }),
    });
    const { status } = await person.ask(`/api/plans/${plan.id}/apply`, {
      fingerprint: plan.fingerprint,
      accepted: isUnasked ? [] : accepted,
      shown: review.shown,
    });
    if (status === 200) world.applied.push(plan);
  } finally {
    stopping.abort();
    await running.close();
  }
};
