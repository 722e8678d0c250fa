import type { Complain } from "./complain.ts";
import type { Member } from "./tenants_document.ts";

/** Claims that identify members; each belongs to one tenant alone. */
export class MemberClaims {
  readonly #complain: Complain;
  readonly #tenants = new Map<string, string>();

  /** @param complain Takes what is wrong. */
  constructor(complain: Complain) {
    this.#complain = complain;
  }

  /**
   * Notes a member.
   *
   * @param place Where in the file the member stands; the second part is the tenant's name.
   * @param digest Of the member's token, where that was agreed on.
   */
  add(place: readonly PropertyKey[], { claim, subject }: Member, digest: Uint8Array | undefined): void {
    const tenant = String(place[1]);
    const what = claim !== undefined ? "claim" : subject !== undefined ? "subject" : "token";
    const key = JSON.stringify([what, claim ?? subject ?? digest?.join(" ")]);
    const other = this.#tenants.get(key);
    if (other !== undefined) this.#complain(place, `the same ${what} is in tenant "${other}" already`);
    this.#tenants.set(key, tenant);
  }
}
