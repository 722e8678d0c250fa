import type { WorkerLogRecord } from "../../../../store/queue/worker_log.ts";
import { command } from "../../shell/command.ts";
import { approvalKeyPath } from "../../shell/connect/command_asker.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { positiveInteger, separated } from "../../shell/options/parse_values.ts";
import { hostAndPort, queueAddress } from "../../shell/options/store_option.ts";
import { QUEUE_PACKAGES, withPackages } from "../../../../store/model/optional_packages.ts";

interface WorkerCommandOptions {
  readonly store?: string;
  readonly concurrency?: number;
  /** Seconds of silence after which other workers take over this worker's jobs. */
  readonly lease?: number;
  /** Seconds that running jobs get to finish on shutdown. */
  readonly drain?: number;
  readonly poll?: number;
  readonly plans?: readonly string[];
  readonly metrics?: string;
}

export const workerCommand = command(
  (kit) =>
    kit.leaf("worker", {
      summary: "Take jobs from the queue of a PostgreSQL store and run them",
      details:
        "Jobs are syncs, rollout plans and drift checks. Run any number of workers on any number of machines. A " +
        "job covers one report or plan of one profile. If a worker dies, others resume its jobs. On SIGTERM or " +
        "Ctrl-C it takes no new jobs, lets running ones finish for a while, and returns the rest to the queue; a " +
        "second signal returns them at once. Logs JSON lines on stderr; -v logs every request.",
      examples: [
        ["adsctl auto worker --store postgres://ads@db.internal/ads", "run four jobs at a time"],
        [
          "adsctl auto worker --concurrency 8 --metrics 127.0.0.1:9464",
          "run eight, with Prometheus metrics",
        ],
      ],
      library: "await runWorker(address, { connect, signal, log })",
    })
      .option(
        "--store <address>",
        "postgres://USER:PASSWORD@HOST:PORT/DATABASE; otherwise PLATFORM_ADS_STORE",
      )
      .option("--concurrency <n>", "parallel jobs (default: 4)", positiveInteger)
      .option(
        "--lease <seconds>",
        "seconds without a sign of life before others take over (default: 60)",
        positiveInteger,
      )
      .option(
        "--drain <seconds>",
        "seconds for running jobs to finish on stop (default: 20)",
        positiveInteger,
      )
      .option(
        "--poll <seconds>",
        "seconds between checks of a report (default: 5, growing to 60)",
        positiveInteger,
      )
      .option(
        "--plans <folders>",
        "plan folders on this machine whose changes count as yours in drift checks",
        separated,
      )
      .option("--metrics <host:port>", "serve Prometheus metrics at http://HOST:PORT/metrics"),
  async (options, context) => {
    const { interruption } = context;
    const address = queueAddress(options.store, context);
    const at = options.metrics === undefined ? undefined : hostAndPort(options.metrics);
    const { serveMetrics } = await import("../../../../store/queue/metrics_server.ts");
    let server: Promise<{ url: string; close(): Promise<void> }> | undefined;
    try {
      await runJobs(address, {
        options,
        signal: interruption.finishFirst(),
        abort: interruption.signal,
        onReady: (metrics, log) => {
          if (at === undefined) return;
          server = serveMetrics(metrics, at);
          server.then(
            ({ url }) => log({ level: "info", event: "metrics_served", url }),
            (error) => log({ level: "error", event: "metrics_not_served", error: error.message }),
          );
        },
      }, context);
    } finally {
      await server?.then((one) => one.close(), () => {});
    }
    return EXIT.done;
  },
);

export async function runJobs(
  address: string,
  { options, signal, abort, onReady }: {
    readonly options: Omit<WorkerCommandOptions, "store" | "metrics">;
    /** Stops taking new jobs. */
    readonly signal: AbortSignal;
    /** Puts running jobs back on the queue. */
    readonly abort: AbortSignal;
    readonly onReady?: (metrics: () => Promise<string>, log: (record: WorkerLogRecord) => void) => void;
  },
  context: CliContext,
): Promise<void> {
  const { io, globals } = context;
  const log = (record: WorkerLogRecord): void => {
    if (record.level === "debug" && !globals.verbose) return;
    if (record.level === "info" && globals.quiet) return;
    void io.stderr.write(JSON.stringify({ time: new Date(io.now()).toISOString(), ...record }) + "\n");
  };
  const { runWorker } = await withPackages(
    "a worker",
    QUEUE_PACKAGES,
    () => import("../../../../automation/worker/run_worker.ts"),
  );
  // The library of the queue writes what it retries past its logger.
  const { warn, error, trace } = console;
  console.warn = console.error = console.trace = (...parts: unknown[]) =>
    log({ level: "warn", event: "queue_library", message: parts.map(String).join(" ") });
  try {
    await runWorker(address, {
      ...options,
      approvalKey: approvalKeyPath(io.env),
      planFolders: options.plans,
      signal,
      abort,
      log,
      connect: (parts) => connectAds(context, parts),
      onReady: (metrics) => onReady?.(metrics, log),
    });
  } finally {
    Object.assign(console, { warn, error, trace });
  }
}
