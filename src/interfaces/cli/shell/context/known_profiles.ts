import type { Profile } from "../../../../client/profile.ts";
import { parseJson } from "../../../../base/json/json.ts";
import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { stateFolder } from "../../../../base/runtime/user_folders.ts";

type Variables = Readonly<Record<string, string | undefined>>;

interface KnownProfile {
  readonly countryCode: string;
  readonly profileId: string;
  readonly name: string;
}

/** Stored separately for the demo account. Failures are ignored. */
export async function rememberProfiles(
  profiles: readonly Profile[],
  env: Variables,
  { demo }: { demo: boolean },
): Promise<void> {
  const known: KnownProfile[] = profiles.map(({ countryCode, profileId, accountInfo }) => ({
    countryCode,
    profileId,
    name: accountInfo.name ?? "",
  }));
  try {
    const text = JSON.stringify(known) + "\n";
    if (await fileSystem().readText(path(env, demo)).catch(() => "") === text) return;
    await fileSystem().writeText(path(env, demo), text, { mode: 0o600 });
  } catch {
    // Completion then offers every marketplace.
  }
}

export async function knownProfiles(env: Variables, { demo }: { demo: boolean }): Promise<KnownProfile[]> {
  try {
    const found = parseJson(await fileSystem().readText(path(env, demo)));
    return Array.isArray(found) ? found.filter(isKnownProfile) : [];
  } catch {
    return [];
  }
}

function path(env: Variables, demo: boolean): string {
  return fileSystem().join(stateFolder(env), demo ? "demo-profiles.json" : "profiles.json");
}

function isKnownProfile(value: unknown): value is KnownProfile {
  return typeof value === "object" && value !== null &&
    ["countryCode", "profileId", "name"].every((name) => typeof Reflect.get(value, name) === "string");
}
