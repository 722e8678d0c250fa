import type { JsonObject } from "../core/json.ts";
import type { PastValues } from "./past_values.ts";
import type { Timeline } from "./timeline.ts";

export class Life {
  readonly state: Timeline<string>;
  readonly #created: number;

  constructor(entity: JsonObject, id: string, past: PastValues) {
    this.#created = createdAt(entity) ?? past.creationOf(id) ?? -Infinity;
    this.state = past.of(id, "STATUS", { now: upper(entity.state), read: upper });
  }

  isOn(moment: number): boolean {
    return moment >= this.#created && this.state.at(moment) === "ENABLED";
  }

  turnsWithin(from: number, to: number): boolean {
    return (this.#created > from && this.#created < to) || this.state.changesWithin(from, to);
  }

  get everOn(): boolean {
    return this.state.values().includes("ENABLED");
  }
}

function createdAt(entity: JsonObject): number | undefined {
  const { creationDateTime, creationDate } = (entity.extendedData ?? {}) as JsonObject;
  if (typeof creationDateTime === "string") return Date.parse(creationDateTime);
  return typeof creationDate === "number" ? creationDate : undefined;
}

function upper(text: unknown): string {
  return String(text ?? "ENABLED").toUpperCase();
}
