export interface ConsoleEvent {
  /**
   * Kind of event: `progress` of a plan being sent, `plan` for a plan whose state changed, `draft` for new edits,
   * `sync` and `rollout` for the progress of a sync or rollout.
   */
  readonly event: "progress" | "plan" | "draft" | "sync" | "rollout";
  readonly data: Readonly<Record<string, unknown>>;
}

/** Milliseconds between two keep-alive comments. A page considers the console gone after it misses two comments. */
const KEEP_ALIVE = 1500;

export class EventHub {
  readonly #listeners = new Set<(event: ConsoleEvent) => void>();

  send(event: ConsoleEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  stream(first: readonly ConsoleEvent[], signal: AbortSignal): Response {
    const encoder = new TextEncoder();
    let close = (): void => {};
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const write = (text: string): void => controller.enqueue(encoder.encode(text));
        const listener = ({ event, data }: ConsoleEvent): void =>
          write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
        const timer = setInterval(() => write(": still here\n\n"), KEEP_ALIVE);
        close = () => {
          clearInterval(timer);
          signal.removeEventListener("abort", end);
          this.#listeners.delete(listener);
        };
        const end = (): void => {
          close();
          controller.close();
        };
        if (signal.aborted) return end();
        signal.addEventListener("abort", end);
        this.#listeners.add(listener);
        write(": open\n\n");
        first.forEach(listener);
      },
      cancel: () => close(),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }
}
