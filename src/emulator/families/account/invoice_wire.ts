import type { JsonObject } from "../../core/json.ts";
import type { ProfileRecord } from "../../state/profile_record.ts";
import type { Invoice, InvoiceLine } from "./make_invoices.ts";

/** The open month lacks the id, dates, fees and taxes. */
export function toWireSummary(invoice: Invoice, record: ProfileRecord): JsonObject {
  const money = moneyIn(record);
  const common = {
    status: invoice.status,
    fromDate: invoice.fromDate,
    amountDue: money(invoice.status === "ACCUMULATING" ? invoice.cost : invoice.total),
    remainingAmountDue: money(invoice.status === "ACCUMULATING" ? invoice.cost : invoice.remaining),
    paymentMethod: paymentMethodOf(record),
    adProductGroup: "SPONSORED_ADS",
    countryCode: record.countryCode,
  };
  if (invoice.id === undefined) return common;
  const openShare = invoice.total === 0 ? 0 : invoice.remaining / invoice.total;
  return {
    id: invoice.id,
    ...common,
    toDate: invoice.toDate,
    invoiceDate: invoice.invoiceDate,
    dueDate: invoice.dueDate,
    paymentTermsDays: 30,
    paymentTermsType: "NET",
    taxRate: invoice.taxRate,
    taxAmountDue: money(invoice.tax),
    remainingTaxAmountDue: money(invoice.tax * openShare),
    fees: feesOf(invoice.fee, record),
    remainingFees: feesOf(invoice.fee * openShare, record),
    downloadableDocuments: ["INVOICE"],
  };
}

export function toWireInvoice(
  invoice: Invoice,
  record: ProfileRecord,
  portfolioNames: ReadonlyMap<string, string>,
): JsonObject {
  const money = moneyIn(record);
  const paid = invoice.total - invoice.remaining;
  return {
    invoiceSummary: toWireSummary(invoice, record),
    issuerContactInformation: contact("Platform Advertising", "billing@platform.example", record),
    payerContactInformation: contact(record.accountInfo.name, "accounts@advertiser.example", record),
    thirdPartyContactInformation: [],
    invoiceLines: invoice.lines.map((line) => toWireLine(line, record)),
    portfolios: [...costsByPortfolio(invoice)].map(([id, cost]) => ({
      id: BigInt(id),
      name: portfolioNames.get(id) ?? "",
      totalAmount: money(cost),
    })),
    payments: paid <= 0 ? [] : [{
      id: Number(invoice.invoiceDate.replaceAll("-", "")),
      amount: money(paid),
      paymentMethod: paymentMethodOf(record),
      lastPaymentAttemptDate: invoice.dueDate,
      refundedAmount: money(0),
      status: "SUCCEEDED",
    }],
    adjustments: [],
    promotions: [],
    taxDetail: {
      taxCalculationDate: invoice.invoiceDate,
      taxBreakups: invoice.tax === 0 ? [] : [{
        taxName: "Sales tax",
        taxRate: invoice.taxRate,
        taxAmount: money(invoice.tax),
        taxedJurisdictionName: record.countryCode,
        issuerJurisdiction: record.countryCode,
        issuerTaxInformation: { taxId: {} },
        payerTaxInformation: {},
      }],
    },
  };
}

export function moneyIn({ currencyCode }: ProfileRecord): (amount: number) => JsonObject {
  return (amount) => ({ amount: Number(amount.toFixed(2)), currencyCode });
}

export function paymentMethodOf({ accountInfo }: ProfileRecord): string {
  return accountInfo.type === "seller" ? "CREDIT_CARD" : "ELECTRONIC_FUNDS_TRANSFER";
}

function toWireLine(line: InvoiceLine, record: ProfileRecord): JsonObject {
  return {
    name: line.campaignName,
    campaignName: line.campaignName,
    // The console's id, which is not an id of the API.
    campaignAID: `A${BigInt(line.campaignId).toString(36).toUpperCase()}`,
    programName: line.programName,
    ...(line.portfolioId === undefined ? {} : { portfolioId: BigInt(line.portfolioId) }),
    priceType: "CPC",
    costEventType: "CLICKS",
    costEventCount: line.clicks,
    costPerUnit: Number((line.cost / line.clicks).toFixed(4)),
    cost: moneyIn(record)(line.cost),
    fees: [],
  };
}

function costsByPortfolio({ lines }: Invoice): Map<string, number> {
  const costs = new Map<string, number>();
  for (const { portfolioId, cost } of lines) {
    if (portfolioId !== undefined) costs.set(portfolioId, (costs.get(portfolioId) ?? 0) + cost);
  }
  return costs;
}

function feesOf(fee: number, record: ProfileRecord): JsonObject[] {
  if (fee === 0) return [];
  const { countryCode } = record;
  return [{
    feeType: "REGULATORY_ADVERTISING_FEE",
    cost: moneyIn(record)(fee),
    feeIdentifiers: { countryCode },
  }];
}

function contact(companyName: string, emailAddress: string, { countryCode }: ProfileRecord): JsonObject {
  return {
    address: {
      companyName,
      addressLine1: "1 Example Street",
      addressLine2: "",
      addressLine3: "",
      city: "Exampleton",
      stateOrRegion: "",
      postalCode: "00001",
      countryCode,
    },
    email: { displayName: companyName, emailAddress },
  };
}
