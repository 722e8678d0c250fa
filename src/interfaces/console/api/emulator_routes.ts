import type { ConsoleContext } from "../http/console_context.ts";
import { ApiProblem } from "../http/responses.ts";
import type { Route } from "../http/route.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";

export const EMULATOR_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/emulator",
    about: "Shows the emulator of the demo account: clock, faults, and the requests after number `after`",
    gives: "`clock`, `faults`, `requests`",
    run: async ({ context, query: { after = "0" } }) => ({
      clock: await control(context, "clock"),
      faults: await control(context, "faults"),
      ...fieldsOf(await control(context, `requests?after=${encodeURIComponent(after)}`)),
    }),
  },
  {
    method: "POST",
    path: "/api/emulator/clock",
    about: "Moves the clock of the emulator",
    takes: { advance: "seconds" },
    gives: "`now`",
    changes: true,
    run: async ({ context, body }) => await control(context, "clock", { advance: body["advance"] }),
  },
  {
    method: "POST",
    path: "/api/emulator/faults",
    about: "Sets fault rules",
    takes: { profile: "calm, busy-day or storm" },
    gives: "`rules`",
    changes: true,
    run: async ({ context, body }) => await control(context, "faults", { profile: body["profile"] }),
  },
  {
    method: "POST",
    path: "/api/emulator/reset",
    about: "Discards all changes and requests",
    gives: "`reset`",
    changes: true,
    run: async ({ context }) => await control(context, "reset", {}),
  },
];

async function control({ emulator }: ConsoleContext, name: string, body?: unknown): Promise<unknown> {
  if (emulator === undefined) {
    throw new ApiProblem(404, "NO_EMULATOR", "There is no emulator behind a real account");
  }
  const response = await fetch(`${emulator}/_emulator/${name}`, {
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  const data: unknown = await response.json();
  if (response.ok) return data;
  throw new ApiProblem(
    400,
    "EMULATOR",
    String(fieldsOf(data)["message"] ?? `The emulator responded with ${response.status}`),
  );
}
