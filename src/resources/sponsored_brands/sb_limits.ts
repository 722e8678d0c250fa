import type { JsonWireOptions } from "../wire/json_wire.ts";

/** Sponsored Brands v4 takes ten of everything: items of a write, ids of any filter. Its pages hold a hundred. */
export const SB_LIMITS: Pick<
  JsonWireOptions,
  "idLimit" | "campaignLimit" | "adGroupLimit" | "writeLimit" | "pageSize"
> = { pageSize: 100, idLimit: 10, campaignLimit: 10, adGroupLimit: 10, writeLimit: 10 };
