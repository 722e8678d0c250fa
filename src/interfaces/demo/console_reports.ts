import type { ReportRow } from "../../client/reports/file/report_row.ts";

export interface ConsoleReport {
  readonly file: string;
  /** Excel sheet name; the console truncates it to 31 characters. */
  readonly tab: string;
  readonly preset: "sp_search_terms" | "sp_targeting" | "sp_advertised_products" | "sp_campaigns";
  readonly format: "xlsx" | "csv";
  readonly separator: "," | ";";
  readonly language: "en" | "es" | "de";
  readonly isSummary: boolean;
  readonly headers: string;
}

export interface ConsoleRow {
  readonly row: ReportRow;
  readonly start: string;
  readonly end: string;
  readonly currency: string;
  readonly country: string;
}

export type ConsoleCell =
  | { readonly day: string }
  | { readonly money: number | undefined }
  | { readonly rate: number | undefined }
  | { readonly number: number }
  | string;

export const CONSOLE_REPORTS: readonly ConsoleReport[] = [
  {
    file: "Sponsored Products Search term report",
    tab: "Sponsored Product Search Term R",
    preset: "sp_search_terms",
    format: "xlsx",
    separator: ",",
    language: "en",
    isSummary: false,
    headers: "Date|Portfolio name|Currency|Campaign Name|Ad Group Name|Targeting|Match Type|" +
      "Customer Search Term|Impressions|Clicks|Click-Thru Rate (CTR)|Cost Per Click (CPC)|Spend|" +
      "7 Day Total Sales |Total Advertising Cost of Sales (ACoS) |" +
      "Total Return on Advertising Spend (RoAS)|7 Day Total Orders (#)|7 Day Total Units (#)|" +
      "7 Day Conversion Rate|7 Day Advertised SKU Units (#)|7 Day Other SKU Units (#)|" +
      "7 Day Advertised SKU Sales |7 Day Other SKU Sales ",
  },
  {
    file: "Sponsored Products Targeting report",
    tab: "Sponsored Product Keyword Repor",
    preset: "sp_targeting",
    format: "xlsx",
    separator: ",",
    language: "en",
    isSummary: false,
    headers: "Date|Portfolio name|Currency|Campaign Name|Ad Group Name|Targeting|Match Type|Impressions|" +
      "Clicks|Click-Thru Rate (CTR)|Cost Per Click (CPC)|Spend|" +
      "Total Advertising Cost of Sales (ACoS) |Total Return on Advertising Spend (RoAS)|" +
      "7 Day Total Sales |7 Day Total Orders (#)|7 Day Total Units (#)|7 Day Conversion Rate|" +
      "7 Day Advertised SKU Units (#)|7 Day Other SKU Units (#)|7 Day Advertised SKU Sales |" +
      "7 Day Other SKU Sales ",
  },
  {
    file: "Sponsored Products Advertised product report",
    tab: "Sponsored Product Advertised Pr",
    preset: "sp_advertised_products",
    format: "xlsx",
    separator: ",",
    language: "en",
    isSummary: false,
    headers: "Date|Portfolio name|Currency|Campaign Name|Ad Group Name|Advertised SKU|Advertised ASIN|" +
      "Impressions|Clicks|Click-Thru Rate (CTR)|Cost Per Click (CPC)|Spend|7 Day Total Sales |" +
      "Total Advertising Cost of Sales (ACoS) |Total Return on Advertising Spend (RoAS)|" +
      "7 Day Total Orders (#)|7 Day Total Units (#)|7 Day Conversion Rate|" +
      "7 Day Advertised SKU Units (#)|7 Day Other SKU Units (#)|7 Day Advertised SKU Sales |" +
      "7 Day Other SKU Sales ",
  },
  {
    file: "Sponsored Products Campaign report",
    tab: "",
    preset: "sp_campaigns",
    format: "csv",
    separator: ",",
    language: "en",
    isSummary: false,
    headers: "Date|Start Date|End Date|Portfolio name|Campaign Type|Campaign Name|Status|Currency|Budget|" +
      "Targeting Type|Bidding strategy|Impressions|Last Year Impressions|Clicks|Last Year Clicks|" +
      "Click-Thru Rate (CTR)|Spend|Last Year Spend|Cost Per Click (CPC)|" +
      "Last Year Cost Per Click (CPC)|7 Day Total Orders (#)|Total Advertising Cost of Sales (ACoS) |" +
      "7 Day Total Sales ",
  },
  {
    file: "Sponsored_Products_Search_term_report",
    tab: "Sponsored_Products_Search_term_",
    preset: "sp_search_terms",
    format: "xlsx",
    separator: ",",
    language: "en",
    isSummary: true,
    headers: "Start Date|End Date|Portfolio name|Currency|Campaign Name|Ad Group Name|Retailer|Country|" +
      "Targeting|Match Type|Customer Search Term|Impressions|Clicks|Click-Thru Rate (CTR)|" +
      "Cost Per Click (CPC)|Spend|7 Day Total Sales |Total Advertising Cost of Sales (ACOS) |" +
      "Total Return on Advertising Spend (ROAS)|7 Day Total Orders (#)|7 Day Total Units (#)|" +
      "7 Day Conversion Rate|7 Day Advertised SKU Units (#)|7 Day Other SKU Units (#)|" +
      "7 Day Advertised SKU Sales |7 Day Other SKU Sales ",
  },
  {
    file: "Sponsored_Products_Targeting_report",
    tab: "Sponsored_Products_Targeting_re",
    preset: "sp_targeting",
    format: "xlsx",
    separator: ",",
    language: "en",
    isSummary: true,
    headers: "Start Date|End Date|Portfolio name|Currency|Campaign Name|Country|Ad Group Name|Retailer|" +
      "Targeting|Match Type|Impressions|Top-of-search Impression Share|Clicks|Click-Thru Rate (CTR)|" +
      "Cost Per Click (CPC)|Spend|Total Advertising Cost of Sales (ACOS) |" +
      "Total Return on Advertising Spend (ROAS)|7 Day Total Sales |7 Day Total Orders (#)|" +
      "7 Day Total Units (#)|7 Day Conversion Rate|7 Day Advertised SKU Units (#)|" +
      "7 Day Other SKU Units (#)|7 Day Advertised SKU Sales |7 Day Other SKU Sales ",
  },
  {
    file: "Sponsored_Products_Término_de_búsqueda_Reportar",
    tab: "",
    preset: "sp_search_terms",
    format: "csv",
    separator: ";",
    language: "es",
    isSummary: true,
    headers: "Fecha de inicio|Fecha de finalización|Nombre de la cartera|Divisa|Nombre de campaña|" +
      "Nombre del grupo de anuncios|País|Segmentación|Tipo de coincidencia|" +
      "Término de búsqueda de cliente|Impresiones|Clics|Índice de clics (CTR)|Coste por clic (CPC)|" +
      "Gasto|Ventas totales de 7 días (€)|Coste publicitario de las ventas (ACOS) total |" +
      "Retorno de la inversión publicitaria (ROAS) total|Pedidos totales de 7 días (#)|" +
      "Unidades totales de 7 días (#)|Tasa de conversión de 7 días|Unidades SKU anunciadas 7 días (#)|" +
      "Otras unidades SKU de 7 días (#)|Ventas SKU anunciadas 7 días (€)|" +
      "Otras ventas SKU de 7 días (€)",
  },
  {
    file: "Sponsored_Products_Beworbenes_Produkt_Bericht",
    tab: "Sponsored Products Beworbenes P",
    preset: "sp_advertised_products",
    format: "xlsx",
    separator: ",",
    language: "de",
    isSummary: false,
    headers: "Datum|Portfolioname|Währung|Kampagnen-Name|Anzeigengruppenname|Beworbene SKU|Beworbene ASIN|" +
      "Impressionen|Klicks|Klickrate (CTR)|Kosten pro Klick (CPC)|Ausgaben|7 Tage, Umsatz gesamt (€)|" +
      "Gesamtumsatzkosten für Werbung (ACOS) |" +
      "Gesamtrendite von Werbeausgaben (Return on Advertising Spend, ROAS)|" +
      "7 Tage, Aufträge gesamt (#)|7 Tage, Einheiten gesamt (#)|7-Tage-Konversionsrate|" +
      "7 Tage, Beworbene SKU-Einheiten (#)|7-Tage, Andere SKU-Einheiten (#)|" +
      "7 Tage, Beworbene SKU-Umsätze (€)|7-Tage, Andere SKU-Umsätze (€)",
  },
];

type CellOf = (row: ConsoleRow) => ConsoleCell;

const text = (name: string): CellOf => ({ row }) => String(row[name] ?? "");
const figure = ({ row }: ConsoleRow, name: string): number => Number(row[name] ?? 0);
const count = (name: string): CellOf => (of) => ({ number: figure(of, name) });
const money = (name: string): CellOf => (of) => ({ money: figure(of, name) });
const quotient = (of: ConsoleRow, part: string, whole: string): number | undefined =>
  figure(of, whole) === 0 ? undefined : figure(of, part) / figure(of, whole);
const rate = (part: string, whole: string): CellOf => (of) => ({ rate: quotient(of, part, whole) });

const CELLS: readonly (readonly [header: RegExp, cell: CellOf])[] = [
  [/last year.*(spend|cost)|(other|andere|otras).*(sales|umsätze|ventas)/i, () => ({ money: 0 })],
  [/last year|(other|andere|otras).*(units|einheiten|unidades)/i, () => ({ number: 0 })],
  [/^(date|datum|start date|fecha de inicio)$/i, ({ start }) => ({ day: start })],
  [/^(end date|fecha de finalización)$/i, ({ end }) => ({ day: end })],
  [/^(portfolio ?name|nombre de la cartera)$/i, () => "Not grouped"],
  [/^(currency|währung|divisa)$/i, ({ currency }) => currency],
  [/^(campaign name|kampagnen-name|nombre de campaña)$/i, text("campaignName")],
  [/^(ad group name|anzeigengruppenname|nombre del grupo de anuncios)$/i, text("adGroupName")],
  [/^retailer$/i, () => "Platform"],
  [/^(country|país)$/i, ({ country }) => country],
  [
    /^(targeting|segmentación)$/i,
    ({ row }) => String(row["targeting"] ?? row["keyword"] ?? "").toLowerCase(),
  ],
  [
    /^(match type|tipo de coincidencia)$/i,
    // Targets have a dash here.
    ({ row }) => /^(EXACT|PHRASE|BROAD)$/.test(String(row["matchType"])) ? String(row["matchType"]) : "-",
  ],
  [/^(customer search term|término de búsqueda de cliente)$/i, text("searchTerm")],
  [/^(advertised|beworbene) sku$/i, text("advertisedSku")],
  [/^(advertised|beworbene) asin$/i, text("advertisedAsin")],
  [/^campaign type$/i, () => "Sponsored Products"],
  [/^status$/i, text("campaignStatus")],
  [/^budget$/i, money("campaignBudgetAmount")],
  [/^targeting type$/i, () => "Manual targeting"],
  [/^bidding strategy$/i, () => "Dynamic bids - down only"],
  [/impression share/i, () => "<5%"],
  [/\(ctr\)/i, rate("clicks", "impressions")],
  [/\(cpc\)/i, (of) => ({ money: quotient(of, "cost", "clicks") })],
  [/\(acos\)/i, rate("cost", "sales7d")],
  [/roas\)/i, (of) => ({ number: quotient(of, "sales7d", "cost") ?? 0 })],
  [/conversion|konversion/i, rate("purchases7d", "clicks")],
  [/^(impressions|impressionen|impresiones)$/i, count("impressions")],
  [/^(clicks|klicks|clics)$/i, count("clicks")],
  [/^(spend|ausgaben|gasto)$/i, money("cost")],
  [/sales|umsatz|umsätze|ventas/i, money("sales7d")],
  [/orders|aufträge|pedidos|units|einheiten|unidades/i, count("purchases7d")],
];

export function consoleCells({ headers, isSummary }: ConsoleReport, row: ConsoleRow): ConsoleCell[] {
  const names = headers.split("|").map((header) => header.trim());
  const hasDate = names.includes("Date");
  return names.map((name) => {
    // Beside a date, these two are the days of the campaign.
    if (hasDate && !isSummary && name === "Start Date") return { day: "2025-01-01" };
    if (hasDate && !isSummary && name === "End Date") return "";
    const found = CELLS.find(([header]) => header.test(name));
    if (found === undefined) throw new RangeError(`Cannot fill a column "${name}"`);
    return found[1](row);
  });
}
