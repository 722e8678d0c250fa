import type { ProfileClient } from "../../mod.ts";

/** A scene whose exchanges are recorded from the emulator: what a client does, and what it returns. */
export interface RecordedScene {
  /** Name of its folder. */
  readonly name: string;
  /** What the client does. `pass` lets seconds pass on the emulator's clock; without an emulator it does nothing. */
  readonly run: (us: ProfileClient, pass: (seconds: number) => void) => Promise<unknown>;
}

const DAYS = ["2026-09-01", "2026-09-07"] as const;

/** What is recorded. */
export const RECORDED_SCENES: readonly RecordedScene[] = [
  {
    name: "report_life",
    run: async (us, pass) => {
      const reportId = await us.reports.create("sp_campaigns", ...DAYS);
      const pending = await us.reports.status(reportId);
      pass(1);
      const processing = await us.reports.status(reportId);
      pass(5);
      const completed = await us.reports.status(reportId);
      return [pending.status, processing.status, completed.status, completed.fileSize];
    },
  },
  {
    name: "report_refused",
    run: async (us) => {
      try {
        return await us.reports.create("sp_campaigns", "2026-05-01", "2026-05-02", { check: false });
      } catch (error) {
        return error instanceof Error ? error.message.replace(/ \(request id .*$/, "") : error;
      }
    },
  },
  {
    name: "report_cancelled",
    run: async (us) => {
      const reportId = await us.reports.create("sb_campaigns", ...DAYS);
      await us.reports.delete(reportId);
      return (await us.reports.status(reportId)).status;
    },
  },
  {
    name: "keyword_pages",
    run: async (us) => {
      const [campaign] = await us.sp.campaigns.list();
      const options = { campaignIds: campaign === undefined ? [] : [campaign.campaignId], pageSize: 30 };
      return (await us.sp.keywords.list(options)).map((
        { keywordId, keywordText },
      ) => [keywordId, keywordText]);
    },
  },
  {
    name: "keyword_bids",
    run: async (us) => {
      const [campaign] = await us.sp.campaigns.list();
      const campaignIds = campaign === undefined ? [] : [campaign.campaignId];
      const [first, second] = await us.sp.keywords.list({ campaignIds, states: ["ENABLED"] });
      const result = await us.sp.keywords.update([
        { keywordId: first?.keywordId ?? "", bid: 0.71 },
        { keywordId: second?.keywordId ?? "", bid: 5000 },
        { keywordId: "1", bid: 0.5 },
      ]);
      return [...result];
    },
  },
  { name: "portfolios", run: async (us) => (await us.portfolios.list()).map(({ name }) => name) },
  {
    name: "display_campaigns",
    run: (us) => us.call("sponsored-display:listCampaigns", undefined, { query: { count: 3 } }),
  },
];
