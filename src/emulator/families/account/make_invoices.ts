import { usualBid } from "../../core/marketplaces.ts";
import { hash, Random } from "../../core/random.ts";
import type { ProfileState } from "../../state/profile_state.ts";

export interface InvoiceLine {
  readonly campaignId: string;
  readonly campaignName: string;
  readonly programName: string;
  readonly portfolioId?: string;
  readonly clicks: number;
  readonly cost: number;
}

export interface Invoice {
  /** Id; absent for the open month. */
  readonly id?: string;
  readonly status: "ACCUMULATING" | "ISSUED" | "PAID_IN_PART" | "PAID_IN_FULL";
  readonly fromDate: string;
  readonly toDate: string;
  readonly invoiceDate: string;
  readonly dueDate: string;
  readonly lines: readonly InvoiceLine[];
  readonly cost: number;
  readonly fee: number;
  /** 0.2 is 20 percent. */
  readonly taxRate: number;
  readonly tax: number;
  readonly total: number;
  readonly remaining: number;
}

const MONTHS = 14;
const DAY = 86_400_000;
const TERMS_DAYS = 30;

const TAX_RATES: Readonly<Record<string, number>> = {
  CA: 0.05,
  MX: 0.16,
  UK: 0.2,
  DE: 0.19,
  JP: 0.1,
  AU: 0.1,
};

const FEE_RATES: Readonly<Record<string, number>> = { CA: 0.03, UK: 0.02 };
const WITHOUT_DECIMALS = ["JPY"];

const PROGRAMS: readonly (readonly [collection: string, programName: string])[] = [
  ["sp.campaigns", "SPONSORED PRODUCT"],
  ["sb.campaigns", "SPONSORED BRANDS"],
];

/**
 * Makes the invoices, newest first: the open month and the 14 months before it. They are derived from campaign ids and
 * start dates, so later budget changes do not affect them.
 *
 * @param today `YYYY-MM-DD` in the profile's time zone.
 */
export function makeInvoices(profile: ProfileState, today: string): Invoice[] {
  const year = Number(today.slice(0, 4));
  const month = Number(today.slice(5, 7)) - 1;
  return Array.from(
    { length: MONTHS + 1 },
    (_, ago) => makeInvoice(profile, { year, month: month - ago, today, ago }),
  );
}

function makeInvoice(
  profile: ProfileState,
  { year, month, today, ago }: { year: number; month: number; today: string; ago: number },
): Invoice {
  const fromDate = dayOf(Date.UTC(year, month, 1));
  const lastDate = dayOf(Date.UTC(year, month + 1, 0));
  const toDate = ago === 0 ? today : lastDate;
  const invoiced = Date.UTC(year, month + 1, 3);
  const lines = makeLines(profile, fromDate, toDate);
  const { countryCode, currencyCode } = profile.record;
  const round = (amount: number) => rounded(amount, currencyCode);
  const cost = round(lines.reduce((sum, line) => sum + line.cost, 0));
  const fee = round(cost * (FEE_RATES[countryCode] ?? 0));
  const taxRate = TAX_RATES[countryCode] ?? 0;
  const tax = round((cost + fee) * taxRate);
  const total = round(cost + fee + tax);
  const status = (["ACCUMULATING", "ISSUED", "PAID_IN_PART"] as const)[ago] ?? "PAID_IN_FULL";
  const remaining = status === "PAID_IN_FULL" ? 0 : status === "PAID_IN_PART" ? round(total / 4) : total;
  return {
    ...(ago === 0 ? {} : { id: invoiceId(profile, fromDate) }),
    status,
    fromDate,
    toDate,
    invoiceDate: dayOf(invoiced),
    dueDate: dayOf(invoiced + TERMS_DAYS * DAY),
    lines,
    cost,
    fee,
    taxRate,
    tax,
    total,
    remaining,
  };
}

function makeLines(profile: ProfileState, fromDate: string, toDate: string): InvoiceLine[] {
  const { countryCode, currencyCode } = profile.record;
  const days = (Date.parse(toDate) - Date.parse(fromDate)) / DAY + 1;
  return PROGRAMS.flatMap(([collection, programName]) => {
    const running = profile.collection(collection).all().filter((each) => String(each.startDate) <= toDate);
    return running.map((campaign) => {
      const random = new Random(`invoice ${campaign.campaignId} ${fromDate}`);
      const clicks = days * random.integer(2, 40);
      const perClick = usualBid(countryCode) * (0.7 + 0.6 * random.next());
      return {
        campaignId: String(campaign.campaignId),
        campaignName: String(campaign.name),
        programName,
        ...(campaign.portfolioId === undefined ? {} : { portfolioId: String(campaign.portfolioId) }),
        clicks,
        cost: rounded(clicks * perClick, currencyCode),
      };
    });
  });
}

function invoiceId(profile: ProfileState, fromDate: string): string {
  const month = fromDate.slice(0, 7).replace("-", "");
  const number = (hash(`invoice ${profile.id} ${month}`) >>> 0).toString(36).toUpperCase();
  return `${profile.record.countryCode}-${month}-${number}`;
}

function rounded(amount: number, currencyCode: string): number {
  return Number(amount.toFixed(WITHOUT_DECIMALS.includes(currencyCode) ? 0 : 2));
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
