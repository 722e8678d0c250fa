import { Option } from "@commander-js/extra-typings";
import { DEFAULT_STORE } from "../core/store_place.ts";

export function storeOption(): Option<"--store <place>"> {
  return new Option(
    "--store <place>",
    `path of an SQLite file, or postgres://...; otherwise PLATFORM_ADS_STORE, otherwise ${DEFAULT_STORE}`,
  );
}
