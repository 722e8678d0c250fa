import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { stateFolder } from "../../../../base/runtime/user_folders.ts";
import { dayOf } from "../../../../base/time/calendar.ts";
import { parseJson } from "../../../../base/json/json.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import type { CliContext } from "../context/context.ts";

interface Refusal {
  readonly since: string;
  readonly last: string;
}

type Refusals = Readonly<Record<string, Refusal>>;

export class RefusedProfiles {
  #known: Refusals;
  readonly #context: CliContext;

  private constructor(known: Refusals, context: CliContext) {
    this.#known = known;
    this.#context = context;
  }

  static async read(context: CliContext): Promise<RefusedProfiles> {
    const path = pathOf(context);
    const text = path === undefined ? "{}" : await fileSystem().readText(path).catch(() => "{}");
    return new RefusedProfiles(refusalsOf(text), context);
  }

  async withoutThoseOfToday(profiles: readonly ProfileClient[]): Promise<ProfileClient[]> {
    const { io, globals } = this.#context;
    const today = this.#today();
    const isOfToday = ({ profileId }: ProfileClient): boolean =>
      this.#known[profileId]?.last.startsWith(today) ?? false;
    const left = profiles.filter(isOfToday).map(({ profileId, countryCode }) =>
      `${profileId} (${countryCode})`
    );
    if (left.length > 0 && !globals.quiet) {
      await io.stderr.write(
        `warning: Left out until tomorrow, because the login has no access: ${
          left.length === 1 ? "profile" : "profiles"
        } ${left.join(", ")}. --except leaves them out for good, -m asks again\n`,
      );
    }
    return profiles.filter((profile) => !isOfToday(profile));
  }

  /** True if a run on an earlier day was refused too. */
  isOld(profileId: string): boolean {
    const known = this.#known[profileId];
    return known !== undefined && !known.since.startsWith(this.#today());
  }

  async keep(tried: readonly { readonly profileId: string; readonly isRefused: boolean }[]): Promise<void> {
    const path = pathOf(this.#context);
    const now = new Date(this.#context.io.now()).toISOString();
    const next = new Map(Object.entries(this.#known));
    for (const { profileId, isRefused } of tried) {
      if (isRefused) next.set(profileId, { since: next.get(profileId)?.since ?? now, last: now });
      else next.delete(profileId);
    }
    const isSame = next.size === 0 && Object.keys(this.#known).length === 0;
    if (path === undefined || isSame) return;
    const text = `${JSON.stringify(Object.fromEntries(next), null, 2)}\n`;
    // Where it cannot be kept, the next run asks again.
    await fileSystem().writeText(path, text, { mode: 0o600 }).catch(() => {});
    this.#known = Object.fromEntries(next);
  }

  #today(): string {
    return dayOf(this.#context.io.now());
  }
}

function pathOf({ io, globals }: CliContext): string | undefined {
  if (globals.demo) return undefined;
  try {
    return fileSystem().join(stateFolder(io.env), "refused-profiles.json");
  } catch {
    return undefined;
  }
}

function refusalsOf(text: string): Refusals {
  try {
    const found = parseJson(text);
    if (typeof found !== "object" || found === null) return {};
    return Object.fromEntries(Object.entries(found).filter(([, value]) => isRefusal(value)));
  } catch {
    return {};
  }
}

function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null &&
    ["since", "last"].every((name) => typeof Reflect.get(value, name) === "string");
}
