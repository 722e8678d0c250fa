import { sep } from "node:path";
import { realPlace } from "../results/save_rows.ts";
import type { McpSettings } from "../settings.ts";
import type { Complain } from "./complain.ts";

interface Claimed {
  readonly tenant: string;
  readonly field: string;
  readonly place: string;
}

/** Folders and stores of the tenants; no two tenants share one. */
export class FolderClaims {
  readonly #complain: Complain;
  readonly #claimed: Claimed[] = [];

  /** @param complain Takes what is wrong. */
  constructor(complain: Complain) {
    this.#complain = complain;
  }

  /** Notes where a tenant keeps what it has, unless another tenant keeps something there. */
  add(path: readonly string[], { planFolder, saveFolder, store }: McpSettings): void {
    const tenant = path.at(-1)!;
    const own = [["plan_dir", planFolder], ["save_dir", saveFolder], ["store", store]] as const;
    for (const [field, place] of own) {
      if (place === undefined) continue;
      const isAddress = /^[a-z][a-z+]+:\/\//i.test(place);
      const one = { tenant, field, place: isAddress ? place : realPlace(place) };
      const other = this.#claimed.find((claimed) => overlaps(one, claimed));
      if (other !== undefined) {
        const whose = other.tenant === tenant ? "its own" : `that of tenant "${other.tenant}"`;
        this.#complain(
          [...path, field],
          `it overlaps with ${whose} ${other.field}: give each a place of its own`,
        );
      }
      this.#claimed.push(one);
    }
  }
}

function overlaps(one: Claimed, other: Claimed): boolean {
  if (one.place === other.place) return true;
  // A tenant may well have its store in the folder of its plans, but what agents write stays apart.
  if (one.tenant === other.tenant && (one.field === "store" || other.field === "store")) return false;
  return one.place.startsWith(other.place + sep) || other.place.startsWith(one.place + sep);
}
