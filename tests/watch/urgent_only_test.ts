import { deepEqual } from "../support/assert.ts";
import type { Alert, WatchState } from "../../src/automation/watch/mod.ts";
import { deliverAlerts } from "../../src/automation/watch/deliver_alerts.ts";

Deno.test("in quiet hours urgent alerts are delivered, and the others wait for the next look", async () => {
  const waiting = (["note", "urgent", "warning"] as const).map((severity) => ({
    alert: { id: severity, severity, title: severity } as unknown as Alert,
    channel: "out",
    attempts: 0,
  }));
  const state = {
    waiting: () => Promise.resolve(waiting),
    delivered: ({ alert }: { alert: Alert }) => {
      waiting.splice(waiting.findIndex((one) => one.alert.id === alert.id), 1);
      return Promise.resolve();
    },
  } as unknown as WatchState;
  const written: string[] = [];
  const deliver = (urgentOnly: boolean) =>
    deliverAlerts({
      state,
      profileId: "1",
      channels: [{ name: "out", kind: "stdout" }],
      env: {},
      write: ({ id }) => void written.push(id),
      urgentOnly,
      now: 0,
    });
  await deliver(true);
  deepEqual(written, ["urgent"]);
  await deliver(false);
  deepEqual(written, ["urgent", "warning", "note"]);
});
