import type { ProfileScope } from "../transport/profile_scope.ts";
import { KINDS } from "./kinds.ts";

/** The resources of a family for a profile, by their names in camelCase: `adGroups` for `sp.ad_groups`. */
export function familyResources(family: string, scope: ProfileScope): Record<string, unknown> {
  const own = Object.entries(KINDS).filter(([name]) => name.startsWith(`${family}.`));
  return Object.fromEntries(own.map(([name, kind]) => {
    const short = name.slice(family.length + 1);
    return [short.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()), kind.create(scope)];
  }));
}
