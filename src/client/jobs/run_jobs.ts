import { ThrottledError } from "../../errors.ts";
import type { CreatedJob } from "./create_job.ts";
import { isGone, type JobLook } from "./job_status.ts";
import type { Poller } from "./poller.ts";

/** Jobs that were requested but not completely read, by their items, so that a later run can use them. */
export interface EarlierJobs<Item> {
  readonly find: (item: Item) => Promise<string | undefined>;
  /** Remembers it. */
  readonly add: (item: Item, jobId: string) => Promise<void>;
  /** Forgets it. */
  readonly remove: (item: Item) => Promise<void>;
}

/** Progress of a single job among several. */
export interface JobStep {
  readonly kind: "requested" | "adopted" | "waiting" | "reading" | "done";
  readonly jobId: string;
  /** The platform's last status word. */
  readonly status: string;
  /** Seconds since waiting began. */
  readonly seconds: number;
  /** Rows read so far. */
  readonly rows: number;
}

/** How to request, await and read several jobs; an item is the subject of one job. */
export interface JobsWork<Item, Row> {
  /**
   * Requests the job of an item. If `retryThrottled` is false, the retry of a throttled request is left to the caller.
   */
  readonly ask: (item: Item, retryThrottled: boolean) => Promise<CreatedJob>;
  readonly wait: (
    jobId: string,
    item: Item,
    onLook: (look: JobLook, seconds: number) => void,
  ) => Promise<JobLook>;
  readonly rows: (look: JobLook, item: Item) => AsyncIterable<Row[]>;
  readonly tell: (step: JobStep, item: Item) => void;
  /** True if an error means that the job will never have rows. */
  readonly isOver: (error: unknown) => boolean;
  readonly earlier?: EarlierJobs<Item> | undefined;
  /**
   * Creates a poller that waits while requests are throttled and none of these jobs is in progress. Without it, a
   * throttled request is an error. With it, remaining requests are sent after an earlier job has been read.
   */
  readonly whileThrottled?: (() => Poller) | undefined;
}

/**
 * Yields the rows of several jobs, one job after the other. All jobs are requested before waiting for any, as far as
 * the platform allows. A job that is not read completely is remembered, and a job that the platform has forgotten is
 * requested anew.
 */
export async function* runJobs<Item, Row>(
  items: readonly Item[],
  { ask, wait, rows, tell, isOver, earlier, whileThrottled }: JobsWork<Item, Row>,
): AsyncGenerator<Row[]> {
  const open = items.map((item) => ({ item }));
  const asked: { readonly item: Item; jobId: string }[] = [];
  const request = async (item: Item, retryThrottled = true): Promise<string> => {
    const known = await earlier?.find(item);
    const { jobId, adopted } = known === undefined
      ? await ask(item, retryThrottled)
      : { jobId: known, adopted: true };
    if (known === undefined) await earlier?.add(item, jobId);
    tell({ kind: adopted ? "adopted" : "requested", jobId, status: "PENDING", seconds: 0, rows: 0 }, item);
    return jobId;
  };
  const requestMore = async (): Promise<void> => {
    const waiting = whileThrottled?.();
    for (let next = open[0]; next !== undefined; next = open[0]) {
      try {
        const retryThrottled = waiting === undefined || asked.length === 0;
        asked.push({ ...next, jobId: await request(next.item, retryThrottled) });
        open.shift();
      } catch (error) {
        if (!(error instanceof ThrottledError) || waiting === undefined) throw error;
        if (asked.length > 0) return;
        // Jobs of others are under way.
        if (!await waiting.wait()) throw error;
      }
    }
  };
  await requestMore();
  for (let job = asked[0]; job !== undefined; job = asked[0]) {
    const { item } = job;
    let seconds = 0;
    let read = 0;
    const step = (kind: JobStep["kind"], status: string): void =>
      tell({ kind, jobId: job.jobId, status, seconds, rows: read }, item);
    const completed = async (): Promise<JobLook> =>
      await wait(job.jobId, item, ({ status }, since) => {
        seconds = since;
        step("waiting", status.status);
      });
    try {
      const look = await completed().catch(async (error: unknown) => {
        if (earlier === undefined || !isGone(error)) throw error;
        // The platform has forgotten the one that was remembered.
        await earlier.remove(item);
        job.jobId = await request(item);
        return await completed();
      });
      for await (const batch of rows(look, item)) {
        read += batch.length;
        step("reading", look.status.status);
        yield batch;
      }
      await earlier?.remove(item);
      step("done", look.status.status);
    } catch (error) {
      if (isOver(error)) await earlier?.remove(item);
      throw error;
    }
    asked.shift();
    await requestMore();
  }
}
