/**
 * A local emulator of the platform for experiments and tests: start it, connect a client, and inspect the requests it
 * received.
 *
 * @module
 */

export type { Credentials } from "../platform/connection/credentials.ts";
export type { Platform, PlatformHeaders } from "../platform/connection/platform.ts";
export type { Region } from "../base/markets/markets.ts";
export { Clock, type ClockOptions, type ClockRecord } from "./core/clock.ts";
export type { ApiHost } from "./core/marketplaces.ts";
export { type DeliveryStreamSettings, Emulator, type QueueSettings } from "./emulator.ts";
export { FAULT_PROFILES, type FaultProfileName } from "./faults/fault_profiles.ts";
export type { CountedRule } from "./faults/fault_engine.ts";
export type {
  FaultEffects,
  FaultItemErrors,
  FaultMatch,
  FaultResponse,
  FaultRule,
} from "./faults/fault_rule.ts";
export type { JournalEntry } from "./http/journal.ts";
export type { Json, JsonObject } from "./core/json.ts";
export type { EmulatorOptions } from "./state/emulator_options.ts";
export { DEFAULT_QUIRKS, type Quirks } from "./core/quirks.ts";
export type { AccountCopy, ProfileCopy } from "./state/account_copy.ts";
export { diffRecording, type RecordingDiff, type RecordingDifference } from "./diff_recording.ts";
export type { DisguiseOptions } from "./hosts/disguise.ts";
export { type RecordingOptions, RecordingProxy } from "./hosts/recording_proxy.ts";
export { Collection } from "./state/collection.ts";
export type { DemoAccount, DemoSource, IdSource } from "./state/demo_account.ts";
export { EmulatorState, type EmulatorStateOptions } from "./state/emulator_state.ts";
export type { HistoryEvent } from "./state/history_event.ts";
export type { AccountInfo, PlacedProfile, ProfileRecord } from "./state/profile_record.ts";
export { type ProfileContents, type ProfileSnapshot, ProfileState } from "./state/profile_state.ts";
export { type ConsentCode, EmulatorStateError } from "./state/state_file.ts";
export type { ShopperLevel, TrafficLevels } from "./state/traffic_levels.ts";
