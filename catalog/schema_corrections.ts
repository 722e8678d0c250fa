/** How the shape of a value differs from its published description. */
export interface SchemaCorrection {
  /** Slug of the API. */
  readonly api: string;
  /**
   * Way to the shape: `models`, its name, then keywords; or `operations`, its name, `p` and a place, `b` and a media
   * type, or `r`, a status and a media type, then keywords.
   */
  readonly at: readonly (string | number)[];
  /** Keywords to set; `null` takes one away. */
  readonly set: Readonly<Record<string, unknown>>;
  /** Why. */
  readonly reason: string;
}

const BRANDS_BATCHES = [
  "BulkAdGroupOperationResponse",
  "BulkAdOperationResponse",
  "BulkAssociationsOptimizationRuleResponse",
  "BulkCampaignOperationResponse",
  "BulkCreateOptimizationRuleOperationResponse",
  "BulkCreativeResponse",
  "BulkDisassociationsOptimizationRuleResponse",
  "BulkUpdateOptimizationRuleOperationResponse",
];

const WRAPPED = "The live service wraps what is published: { status, payload }";

/** Shapes whose published description is wrong about the live API. They win over what is fetched. */
export const SCHEMA_CORRECTIONS: readonly SchemaCorrection[] = [
  ...["startDate", "endDate"].map((name) => ({
    api: "advertising-billing",
    at: ["models", "CreateBillingStatementRequest", "properties", name],
    set: { pattern: null },
    reason: "The slashes around the published pattern are a way of writing it, and no day matches them",
  })),
  {
    api: "sponsored-brands-v4",
    at: ["models", "ListSponsoredBrandsOptimizationRulesResponseContent", "properties", "optimizationRules"],
    set: { minItems: null },
    reason: "An account without such rules has none to list",
  },
  {
    api: "reporting",
    at: ["models", "AsyncReportConfiguration", "properties", "format"],
    set: { enum: ["GZIP_JSON", "CSV", "XLSX"] },
    reason: "The published guide of the report types names CSV and XLSX for some of them",
  },
  {
    api: "v1-exports",
    at: ["models", "UniversalApiError", "properties", "errorCode"],
    set: { enum: null },
    reason: "The published values are those of an export that failed; a request that is refused has others",
  },
  {
    api: "history",
    at: ["models", "HistoryResponseEvents", "items", "properties", "changeType"],
    set: {
      enum: [
        "BID_AMOUNT",
        "BUDGET_AMOUNT",
        "CREATED",
        "DEFAULT_BID_AMOUNT",
        "END_DATE",
        "IN_BUDGET",
        "NAME",
        "PLACEMENT_GROUP",
        "PORTFOLIO",
        "PORTFOLIO_ID",
        "SMART_BIDDING_STRATEGY",
        "START_DATE",
        "STATUS",
      ],
    },
    reason: "The live history has an event for what was created, and names a portfolio by its id",
  },
  {
    api: "sponsored-brands-v3",
    at: ["operations", "updateNegativeKeywords", "b", "application/json", "items"],
    set: { required: ["keywordId"] },
    reason: "The platform takes an item without its id for a new entity",
  },
  ...[
    ["models", "SBUpdateTargetingClauseRequest"],
    [
      "operations",
      "updateNegativeTargets",
      "b",
      "application/json",
      "properties",
      "negativeTargets",
      "items",
    ],
  ].map((at) => ({
    api: "sponsored-brands-v3",
    at,
    set: { required: ["targetId"] },
    reason: "The platform takes an item without its id for a new entity",
  })),
  {
    api: "sponsored-brands-v3",
    at: ["operations", "createAsset", "p", "header"],
    set: { required: null },
    reason: "The header is one of the parts of the form that the body is, not of the request",
  },
  {
    api: "sponsored-display",
    at: ["operations", "listCreativeModerations", "p", "query", "properties", "language"],
    set: { pattern: null },
    reason:
      "The published pattern escapes its first bracket, so that none of the listed languages matches it",
  },
  ...BRANDS_BATCHES.flatMap((model) =>
    ["success", "error"].map((list) => ({
      api: "sponsored-brands-v4",
      at: ["models", model, "properties", list],
      set: { minItems: null },
      reason: "The live service sends an empty list where no item succeeded, or none failed",
    }))
  ),
  {
    api: "sponsored-brands-v4",
    at: ["models", "Bidding", "properties", "bidAdjustmentsByPlacement"],
    set: { maxItems: null },
    reason: "The live service takes and sends four placements",
  },
  {
    api: "sponsored-brands-v4",
    at: ["models", "Bidding", "properties"],
    set: { bidOptimizationStrategy: { type: "string" } },
    reason: "A campaign is read with it, and the bidding as it was read is accepted back",
  },
  {
    api: "advertising-billing",
    at: ["operations", "getAdvertiserInvoices", "r", "200", "application/vnd.invoices.v1.1+json"],
    set: {
      properties: {
        status: { type: "string" },
        payload: {
          type: "object",
          properties: {
            invoiceSummaries: { type: "array", items: { ref: "invoiceSummary" } },
            nextCursor: { type: "string" },
            previousCursor: { type: "string" },
          },
        },
      },
    },
    reason: WRAPPED,
  },
  {
    api: "advertising-billing",
    at: ["operations", "getInvoice", "r", "200", "application/vnd.invoice.v1.1+json"],
    set: {
      ref: null,
      type: "object",
      properties: { status: { type: "string" }, payload: { ref: "invoice" } },
    },
    reason: WRAPPED,
  },
  {
    api: "advertising-billing",
    at: [
      "operations",
      "GetBillingInvoiceSummaries",
      "r",
      "200",
      "application/vnd.billingInvoiceSummary.v1+json",
    ],
    set: {
      ref: null,
      type: "object",
      properties: {
        invoiceSummaries: { type: "array", items: { ref: "BillingInvoiceSummary" } },
        nextToken: { type: "string" },
      },
    },
    reason: "The live service sends the invoices at the top level, without the published wrapper",
  },
  {
    api: "reporting",
    at: ["models", "AsyncReport", "properties", "status"],
    set: { enum: ["COMPLETED", "FAILED", "PENDING", "PROCESSING", "FAILURE", "CANCELLED"] },
    reason: "The live service also sends FAILURE and CANCELLED",
  },
  ...[[], ...["ePaymentStatus", "paymentMethodType", "status"].map((name) => ["properties", name])].map((
    way,
  ) => ({
    api: "advertising-billing",
    at: ["models", "BillingInvoiceSummary", ...way],
    set: { type: "object" },
    reason: "It is published as a text with fields, which no value can be; it has the fields",
  })),
  {
    api: "workflow-management-service",
    at: ["models", "WorkflowExecution", "properties"],
    set: { statusReason: { type: "string" } },
    reason: "The live service sends the reason of a failure, which is not published",
  },
];
