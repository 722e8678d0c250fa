import { counted } from "../../../base/text/money_text.ts";
import type { Unit } from "./unit.ts";

/** Stores the records of the hourly stream. */
export const stream = {
  isShared: true,
  run: async ({ timer, now, until, once, signal }, { store, stream }) => {
    const { consumeStream } = await import("../../../store/stream/consume_stream.ts");
    if (stream === undefined) {
      throw new Error("No queue is known: name it under queue, or in PLATFORM_ADS_QUEUE");
    }
    const over = new AbortController();
    const isContinuous = !once && timer.timer.kind === "every" && timer.timer.isContinuous === true;
    const end = isContinuous ? setTimeout(() => over.abort(), Math.max(0, until - now)) : undefined;
    try {
      const { stored, duplicates, rejected } = await consumeStream(store, await stream(), {
        once: !isContinuous,
        signal: AbortSignal.any([signal, over.signal]),
        now: () => now,
      });
      signal.throwIfAborted();
      return `${counted(stored, "record")} stored, ${duplicates} came again, ${rejected} set aside`;
    } finally {
      clearTimeout(end);
    }
  },
} satisfies Unit;
