import { ServiceState } from "../../../automation/service/model/service_state.ts";
import { readIfThere } from "../../../base/runtime/read_named_file.ts";
import { showService } from "../../../operations/automation/service_status.ts";
import type { ConsoleContext } from "../http/console_context.ts";
import type { Route } from "../http/route.ts";
import { hasStore, withState } from "../http/open_store.ts";

export const SERVICE_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/service",
    about:
      "Shows each timer of the service's file, `service.yaml` in the folder of the console: its last and next run",
    gives:
      "`file`, `exists`, `units` as `adsctl auto status --json` prints them, `is_down`, `unreachable`, `lines`, `now`",
    run: async ({ context }) => await service(context),
  },
];

async function service({ files, ads, serviceStore, now }: ConsoleContext): Promise<unknown> {
  const { service: source } = files;
  const about = { file: source, now: new Date(now()).toISOString() };
  const text = await readIfThere(source);
  if (text === undefined) return { ...about, exists: false, units: [], is_down: false, lines: [] };
  const standing = await showService.run({
    ads,
    now: now(),
    withState: async (file, read) => {
      const storePlace = serviceStore(file);
      return hasStore({ storePlace })
        ? await withState(() => ServiceState.open(storePlace), read)
        : undefined;
    },
  }, { service: { text, source } });
  return { ...about, exists: true, ...standing, lines: showService.lines?.(standing) ?? [] };
}
