import { readIfThere } from "../../../base/runtime/read_named_file.ts";
import { parseService, profilesOf } from "../../../automation/service/service_file.ts";
import { serviceStatus } from "../../../automation/service/run_service.ts";
import { ServiceState } from "../../../automation/service/service_state.ts";
import type { ConsoleContext } from "../http/console_context.ts";
import type { Route } from "../http/route.ts";
import { hasStore, withState } from "../http/open_store.ts";

export const SERVICE_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/service",
    about:
      "Shows each timer of the service's file, `service.yaml` in the folder of the console: its last and next run",
    gives: "`file`, `exists`, `units` as `adsctl auto status --json` prints them, `now`",
    run: async ({ context }) => await service(context),
  },
];

async function service(context: ConsoleContext): Promise<unknown> {
  const { files: { service: path } } = context;
  const now = new Date(context.now()).toISOString();
  const text = await readIfThere(path);
  if (text === undefined) return { file: path, exists: false, units: [], now };
  const file = parseService(text, path);
  const storePlace = context.serviceStore(file);
  if (!hasStore({ storePlace })) return { file: path, exists: true, units: [], now };
  const profiles = profilesOf(file, await context.ads.profiles()).map(({ profileId, countryCode }) =>
    context.ads.profileFrom(profileId, countryCode)
  );
  const units = await withState(
    () => ServiceState.open(storePlace),
    (state) => serviceStatus(profiles, { file, state }),
  );
  const at = new Map(file.timers.map((timer) => [timer.name, timer.at]));
  return {
    file: path,
    exists: true,
    now,
    units: units.map((unit) => ({
      ...unit,
      at: at.get(unit.timer) ?? "",
      timeZone: profiles.find(({ profileId }) => profileId === unit.profileId)?.timeZone ?? "UTC",
    })),
  };
}
