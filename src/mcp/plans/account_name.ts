import type { ProfileClient } from "../../client/profile_client.ts";
import { platformText } from "../results/platform_text.ts";

/** `Shoes Ltd (seller)`: what tells accounts of one country apart; `undefined` for one without a name. */
export function accountName(
  { profile: { accountInfo } }: Pick<ProfileClient, "profile">,
): string | undefined {
  const { name, type } = accountInfo;
  if (name === undefined) return undefined;
  return platformText(type === undefined ? name : `${name} (${type})`);
}
