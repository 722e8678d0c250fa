import { counted } from "../../../../base/text/money_text.ts";

const BAR = 20;

const SHOWN = 5;

export interface WorkNames {
  readonly noun: string;
  readonly yields?: string;
  /**
   * Number of parts, if known from the start.
   *
   * @default the parts reported so far
   */
  readonly total?: number;
}

export interface WorkPart {
  readonly name: string;
  readonly profile?: { readonly profileId: string; readonly countryCode: string };
  readonly state: "waiting" | "running" | "done" | "failed";
  readonly step?: string;
  /**
   * Seconds taken by the part.
   *
   * @default time since its first report other than `waiting`
   */
  readonly seconds?: number;
  readonly amount?: number;
}

export interface WorkCount {
  readonly done: number;
  readonly total?: number | undefined;
  readonly amount?: number;
  readonly name?: string;
}

interface Followed extends WorkPart {
  readonly startedAt: number;
  readonly at: number;
}

export class WorkTally {
  readonly #names: WorkNames;
  readonly #begunAt: number;
  readonly #parts = new Map<string, Followed>();
  #count: WorkCount | undefined;

  constructor(names: WorkNames, begunAt: number) {
    this.#names = names;
    this.#begunAt = begunAt;
  }

  part(key: string, part: WorkPart, at: number): void {
    const before = this.#parts.get(key);
    const startedAt = before === undefined || before.state === "waiting" ? at : before.startedAt;
    this.#parts.set(key, { ...part, startedAt, at });
  }

  count(count: WorkCount): void {
    this.#count = count;
  }

  lines(now: number): string[] {
    const { running, total } = this.#totals();
    const [only] = running;
    // Counts of one say nothing.
    if (total === 1 && only !== undefined) {
      return [[this.#openText(only, now), ...this.#amountText([only])].join(", ")];
    }
    const shown = slowestFirst(running, now).slice(0, SHOWN);
    const rest = running.length - shown.length;
    const also = this.#also();
    const order = shown.length > 1 ? [...also, "slowest first:"] : also;
    return [
      this.#head(now, { bar: true }),
      ...order.length === 0 ? [] : [`  ${order.join(", ")}`],
      ...shown.map((part) => `  ${this.#openText(part, now)}`),
      ...rest === 0 ? [] : [`  and ${rest} more`],
    ];
  }

  summary(now: number): string {
    const [slowest] = slowestFirst(this.#totals().running, now);
    return [this.#head(now, { bar: false }), ...this.#also()].join(", ") +
      (slowest === undefined ? "" : `; slowest: ${this.#openText(slowest, now)}`);
  }

  results(now: number): string[] {
    if (now - this.#begunAt < 1000) return [];
    const profiles = new Map<string, Followed[]>();
    for (const part of this.#parts.values()) {
      if (part.profile === undefined) continue;
      const { profileId } = part.profile;
      profiles.set(profileId, [...profiles.get(profileId) ?? [], part]);
    }
    return [...profiles.values()].map((parts) => {
      const ended = parts.filter(({ state }) => state === "done");
      const [slowest] = slowestFirst(parts.filter(({ state }) => state !== "waiting"), now);
      const seconds = (Math.max(...parts.map(({ at }) => at)) - this.#begunAt) / 1000;
      const failed = parts.length - ended.length;
      return `${this.#profileText(parts[0]?.profile)}: ` + [
        `${counted(ended.length, this.#names.noun)}`,
        ...this.#amountText(parts),
        ...failed === 0 ? [] : [`${failed} not done`],
      ].join(", ") + ` in ${durationText(seconds)}` +
        (slowest === undefined || parts.length === 1
          ? ""
          : `; slowest: ${slowest.name}, ${durationText(secondsOf(slowest, now))}`);
    });
  }

  #head(now: number, { bar }: { bar: boolean }): string {
    const { noun } = this.#names;
    const { done, total } = this.#totals();
    const seconds = (now - this.#begunAt) / 1000;
    const rate = done === 0 || seconds < 1 ? [] : [rateText(done / seconds)];
    const time = seconds < 1 ? [] : [durationText(seconds)];
    if (total === undefined) return [counted(done, noun, grouped(done)), ...time, ...rate].join(", ");
    const left = rate.length === 0 || done >= total
      ? []
      : [`about ${durationText(seconds / done * (total - done))} left`];
    const full = total === 0 ? 0 : Math.min(BAR, Math.floor(done / total * BAR));
    const text = bar
      ? `${"█".repeat(full)}${"░".repeat(BAR - full)} ${grouped(done)}/${grouped(total)} ${plural(noun)}`
      : `${grouped(done)} of ${grouped(total)} ${plural(noun)}`;
    return [text, ...time, ...rate, ...left].join(", ");
  }

  #also(): string[] {
    const { running, failed } = this.#totals();
    return [
      ...running.length === 0 ? [] : [`${running.length} under way`],
      ...this.#amountText([...this.#parts.values()]),
      ...failed === 0 ? [] : [`${failed} not done`],
      ...this.#count?.name === undefined ? [] : [this.#count.name],
    ];
  }

  #amountText(parts: readonly WorkPart[]): string[] {
    const { yields } = this.#names;
    if (yields === undefined) return [];
    const amount = this.#count?.amount ?? parts.reduce((sum, part) => sum + (part.amount ?? 0), 0);
    return [counted(amount, yields, grouped(amount))];
  }

  #totals(): { done: number; total: number | undefined; failed: number; running: readonly Followed[] } {
    if (this.#count !== undefined) {
      const { done, total = this.#names.total } = this.#count;
      return { done, total, failed: 0, running: [] };
    }
    const parts = [...this.#parts.values()];
    const failed = parts.filter(({ state }) => state === "failed").length;
    return {
      done: failed + parts.filter(({ state }) => state === "done").length,
      total: this.#names.total ?? parts.length,
      failed,
      running: parts.filter(({ state }) => state === "running"),
    };
  }

  #openText(part: Followed, now: number): string {
    const { name, step, profile } = part;
    const where = profile === undefined ? "" : `${this.#profileText(profile)} `;
    return [`${where}${name}`, ...step === undefined ? [] : [step], durationText(secondsOf(part, now))].join(
      ", ",
    );
  }

  #profileText(profile: WorkPart["profile"]): string {
    if (profile === undefined) return "";
    const { countryCode, profileId } = profile;
    const isTwin = [...this.#parts.values()].some((other) =>
      other.profile?.countryCode === countryCode && other.profile.profileId !== profileId
    );
    return isTwin ? `${countryCode} ${profileId}` : countryCode;
  }
}

export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

function secondsOf({ state, seconds, startedAt, at }: Followed, now: number): number {
  const until = state === "running" ? now : at;
  return seconds === undefined ? (until - startedAt) / 1000 : seconds + (until - at) / 1000;
}

function slowestFirst(parts: readonly Followed[], now: number): Followed[] {
  return [...parts].sort((a, b) => secondsOf(b, now) - secondsOf(a, now));
}

function rateText(perSecond: number): string {
  for (const [unit, length] of [["second", 1], ["minute", 60]] as const) {
    const rate = perSecond * length;
    if (rate >= 1) return `${grouped(Math.round(rate))} a ${unit}`;
  }
  return `${Math.round(perSecond * 3600)} an hour`;
}

function plural(noun: string): string {
  return counted(2, noun, "").trim();
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
