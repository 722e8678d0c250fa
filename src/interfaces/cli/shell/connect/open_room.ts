import { Option } from "@commander-js/extra-typings";
import type { CleanRoom } from "../../../../client/clean_room/clean_room.ts";
import type { RoomContext } from "../../../../operations/reads/clean_rooms.ts";
import { connectAds } from "./connect.ts";
import type { CliContext } from "../context/context.ts";

export function roomOption() {
  return new Option("--room <id>", "id or name of the clean room (default: the only one)");
}

export async function openRoom(room: string | undefined, context: CliContext): Promise<CleanRoom> {
  const ads = await connectAds(context);
  return await ads.cleanRoom(room, { signal: context.interruption.signal });
}

/** Login and clock for operations on clean rooms. */
export async function roomContext(context: CliContext): Promise<RoomContext> {
  return {
    ads: await connectAds(context),
    signal: context.interruption.signal,
    now: () => context.io.now(),
  };
}
