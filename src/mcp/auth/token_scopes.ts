import { type Scope, SCOPES } from "../identity/identity.ts";

/** The scopes that a token grants here: in `scope` or `scp`, as a text parted by spaces or as a list. */
export function tokenScopes({ scope, scp }: Readonly<Record<string, unknown>>): Scope[] {
  const granted = [scope, scp].flatMap((claim) => typeof claim === "string" ? claim.split(" ") : claim);
  return SCOPES.filter((one) => granted.includes(one));
}
