import { createHash } from "node:crypto";
import { PlatformAds } from "../../src/client/platform_ads.ts";
import type { ProfileClient } from "../../src/client/profile_client.ts";
import type { ReportConfiguration } from "../../src/client/reports/requests/report_configuration.ts";
import type { ReportRow } from "../../src/client/reports/file/report_row.ts";
import { gzip } from "./bytes.ts";

/** A request that reached the host. */
export interface SeenRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Record<string, unknown> | undefined;
}

/** A report as the host keeps it. */
export interface HostedReport {
  readonly reportId: string;
  readonly profileId: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly configuration: ReportConfiguration;
  readonly name: string;
  readonly createdAt: number;
  looks: number;
  /** States at the coming looks; the last one stays. */
  states: string[];
  /** Its file; `undefined` for none. */
  file: Uint8Array | undefined;
  failureReason?: string;
}

/** Answers a request in place of the host, or lets it through by returning nothing. */
export type Intervention = (request: SeenRequest) => Response | undefined | Promise<Response | undefined>;

/**
 * A stand-in for the platform's report service that lives in `fetch`: it remembers what it was asked, builds a report
 * in three looks, and keeps its own time, which every wait moves on.
 */
export class ReportHost {
  /** Every request, in order. */
  readonly seen: SeenRequest[] = [];
  /** Every report, in the order of asking. */
  readonly reports: HostedReport[] = [];
  /** How long each wait was, in seconds. */
  readonly waits: number[] = [];
  /** Milliseconds since the epoch; noon of 30 September 2026 in UTC to begin with. */
  now: number = Date.parse("2026-09-30T12:00:00Z");
  /** Rows of a report; a row a day unless it is replaced. */
  rows: (report: Omit<HostedReport, "file">) => ReportRow[] = (
    report,
  ) => [{ date: report.startDate, campaignId: "1" }];
  /** States of a new report. */
  states: string[] = ["PENDING", "PROCESSING", "COMPLETED"];
  /** Asked before the host answers. */
  intervene: Intervention = () => undefined;
  /** Told of each wait before it is over. */
  onWait: (seconds: number) => void | Promise<void> = () => {};

  /** A client whose world is this host. */
  client(profile: { profileId?: string; countryCode?: string; timezone?: string } = {}): ProfileClient {
    const host = (name: string): { baseUrl: string } => ({ baseUrl: `https://${name}.api.test` });
    const ads = new PlatformAds(
      { clientId: "client-1", clientSecret: "secret-1234567890", refreshToken: "refresh-1234567890" },
      {
        platform: {
          regions: { NA: host("na"), EU: host("eu"), FE: host("fe") },
          tokenUrl: "https://id.test/token",
          authorizeUrl: "https://id.test/consent",
          headers: {
            clientId: "Platform-Advertising-API-ClientId",
            scope: "Platform-Advertising-API-Scope",
            requestId: "x-platform-request-id",
          },
          wireWord: "platform",
        },
        fetch: (input, init) => this.fetch(input, init),
        now: () => this.now,
        random: () => 0.5,
        sleep: (seconds, signal) => this.#sleep(seconds, signal),
      },
    );
    return ads.profileFrom(profile.profileId ?? "1001", profile.countryCode ?? "US");
  }

  /** Requests with this method whose path begins so. */
  asked(method: string, path = "/reporting/reports"): SeenRequest[] {
    return this.seen.filter((request) => request.method === method && request.url.pathname.startsWith(path));
  }

  /** The host's answer. */
  async fetch(input: string, init: RequestInit = {}): Promise<Response> {
    init.signal?.throwIfAborted();
    const url = new URL(input);
    const headers = new Headers(init.headers);
    const json = headers.get("content-type")?.includes("json") === true;
    const body = json ? JSON.parse(String(init.body)) : undefined;
    const request = { method: init.method ?? "GET", url, headers, body };
    this.seen.push(request);
    const intervention = await this.intervene(request);
    if (intervention !== undefined) return intervention;
    if (url.hostname === "id.test") {
      return Response.json({ access_token: "token-abcdefgh", token_type: "bearer", expires_in: 3600 });
    }
    if (url.hostname === "files.test") return this.#file(url);
    return this.#service(request);
  }

  /** The refusal of a duplicate. */
  duplicate(reportId: string): Response {
    return Response.json({ code: "425", detail: `The Request is a duplicate of : ${reportId}` }, {
      status: 425,
    });
  }

  #service(request: SeenRequest): Response {
    const [, , , reportId] = request.url.pathname.split("/");
    if (request.method === "POST") return this.#create(request);
    const report = this.reports.find((one) => one.reportId === reportId);
    if (report === undefined) return Response.json({ code: "404", detail: "Not found" }, { status: 404 });
    if (request.method === "DELETE") {
      report.states = ["CANCELLED"];
      return Response.json({ code: "200", detail: "Cancelled", reportId });
    }
    return Response.json(this.#status(report));
  }

  #create({ headers, body }: SeenRequest): Response {
    const asked = body as unknown as Pick<HostedReport, "configuration" | "startDate" | "endDate" | "name">;
    const profileId = headers.get("Platform-Advertising-API-Scope") ?? "";
    const key = JSON.stringify([profileId, asked.configuration, asked.startDate, asked.endDate]);
    const rival = this.reports.find((one) =>
      one.states.length > 1 &&
      JSON.stringify([one.profileId, one.configuration, one.startDate, one.endDate]) === key
    );
    if (rival !== undefined) return this.duplicate(rival.reportId);
    const id = createHash("sha256").update(`${key}${this.reports.length}`).digest("hex");
    const { configuration, startDate, endDate, name } = asked;
    const report = {
      reportId: `${id.slice(0, 8)}-${id.slice(8, 12)}-4${id.slice(12, 15)}-8${id.slice(15, 18)}-${
        id.slice(18, 30)
      }`,
      profileId,
      configuration,
      startDate,
      endDate,
      name,
      createdAt: this.now,
      looks: 0,
      states: [...this.states],
    };
    this.reports.push({ ...report, file: gzip(JSON.stringify(this.rows(report))) });
    return Response.json({ ...this.#describe(this.reports.at(-1)!), status: "PENDING" });
  }

  #status(report: HostedReport): Record<string, unknown> {
    const status = report.states.length > 1 ? report.states.shift()! : report.states[0]!;
    report.looks++;
    const done = status === "COMPLETED" && report.file !== undefined;
    return {
      ...this.#describe(report),
      status,
      ...(done
        ? {
          url: `https://files.test/${report.reportId}.json.gz?look=${report.looks}&X-Signature=s3cr3t`,
          urlExpiresAt: new Date(this.now + 3600_000).toISOString(),
        }
        : { url: null }),
      failureReason: report.failureReason ?? null,
    };
  }

  #describe(
    { reportId, configuration, startDate, endDate, name, createdAt }: HostedReport,
  ): Record<string, unknown> {
    return {
      reportId,
      configuration,
      startDate,
      endDate,
      name,
      createdAt: new Date(createdAt).toISOString(),
    };
  }

  #file(url: URL): Response {
    const report = this.reports.find((one) => url.pathname.slice(1).startsWith(one.reportId));
    // Two processes may look at the same time; the address of each must work.
    const current = Number(url.searchParams.get("look")) >= (report?.looks ?? 0) - 1;
    if (report?.file === undefined || !current) {
      return new Response("<Error>Request has expired</Error>", { status: 403 });
    }
    return new Response(report.file.slice() as Uint8Array<ArrayBuffer>);
  }

  async #sleep(seconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.waits.push(seconds);
    this.now += seconds * 1000;
    await this.onWait(seconds);
    signal?.throwIfAborted();
  }
}
