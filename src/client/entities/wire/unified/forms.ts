import { addDays, dayIn, isDay, startOfDay } from "../../../../base/time/calendar.ts";
import { fieldsOf } from "../../../../base/json/fields_of.ts";
import type { Fields } from "../../model/resource_wire.ts";
import { NotOnWire, type UnifiedField, type UnifiedForm, type WirePlace } from "./unified_field.ts";

export function words(field: string, table: Readonly<Record<string, unknown>>): UnifiedForm {
  const back = new Map(Object.entries(table).map(([own, wire]) => [wire, own]));
  return {
    toWire: (value) => {
      const name = String(value);
      if (Object.hasOwn(table, name)) return table[name];
      throw new NotOnWire(
        `The unified family has no word for ${field} ${JSON.stringify(value)}: it knows ${
          Object.keys(table).join(", ")
        }`,
      );
    },
    // A word that came later passes through.
    toOwn: (value) => back.get(value) ?? (typeof value === "string" ? value : undefined),
  };
}

export function state(stateCase: "upper" | "lower"): UnifiedForm {
  return {
    toWire: (value) => {
      const word = String(value).toUpperCase();
      if (word === "ENABLED" || word === "PAUSED") return word;
      throw new NotOnWire(
        `The unified family cannot set the state ${JSON.stringify(value)}: it can set ENABLED and PAUSED` +
          (word === "ARCHIVED" ? ", and archives by a delete" : ""),
      );
    },
    toOwn: (value) => stateCase === "upper" ? value : String(value).toLowerCase(),
  };
}

/**
 * Converts a date in the profile's time zone to the first millisecond of a start or the last millisecond of an end.
 * Any time of day is read back as its date.
 */
export function day(edge: "start" | "end", { hyphens = true }: { hyphens?: boolean } = {}): UnifiedForm {
  return {
    toWire: (value, { timeZone }) => {
      const text = hyphens ? String(value) : String(value).replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3");
      // The checks of the plan say what is wrong with any other text.
      if (!isDay(text)) return text;
      const moment = edge === "start"
        ? startOfDay(text, timeZone)
        : startOfDay(addDays(text, 1), timeZone) - 1;
      return new Date(moment).toISOString();
    },
    toOwn: (value, { timeZone }) => {
      const moment = Date.parse(String(value));
      if (Number.isNaN(moment)) return value;
      const text = dayIn(timeZone, moment);
      return hyphens ? text : text.replaceAll("-", "");
    },
  };
}

/** A time in epoch milliseconds; read-only. */
export const MILLISECONDS: UnifiedForm = {
  toWire: () => undefined,
  toOwn: (value) => {
    const moment = Date.parse(String(value));
    return Number.isNaN(moment) ? undefined : moment;
  },
};

export const TAGS: UnifiedField = {
  own: "tags",
  wire: "tags",
  form: {
    toWire: (value) => Object.entries(fieldsOf(value)).map(([key, text]) => ({ key, value: text })),
    toOwn: (value) => {
      if (!Array.isArray(value) || value.length === 0) return undefined;
      return Object.fromEntries(value.map((tag) => [String(fieldsOf(tag)["key"]), fieldsOf(tag)["value"]]));
    },
  },
  clearable: true,
  empty: [],
};

const REASONS: Readonly<Record<string, string>> = {
  CAMPAIGN_PENDING_START_DATE: "PENDING_START_DATE",
  CAMPAIGN_END_DATE_REACHED: "ENDED",
  CAMPAIGN_REJECTED: "REJECTED",
  CAMPAIGN_PENDING_REVIEW: "PENDING_REVIEW",
  AD_GROUP_REJECTED: "REJECTED",
  AD_GROUP_PENDING_REVIEW: "PENDING_REVIEW",
  PORTFOLIO_END_DATE_REACHED: "PORTFOLIO_ENDED",
  SPEND_LIMIT_EXCEEDED: "ADVERTISER_EXCEED_SPENDS_LIMIT",
  AD_MISSING_IMAGE: "MISSING_IMAGE",
  AD_MISSING_DECORATION: "MISSING_DECORATION",
};

/**
 * Read-only.
 *
 * @param live Word for delivered entities, such as `CAMPAIGN_STATUS_ENABLED`.
 * @param own Reasons that this kind spells differently.
 */
export function servingStatus(live: string, own: Readonly<Record<string, string>> = {}): UnifiedForm {
  return {
    toWire: () => undefined,
    toOwn: (value) => {
      const { deliveryStatus, deliveryReasons } = fieldsOf(value);
      const [first] = Array.isArray(deliveryReasons) ? deliveryReasons : [];
      if (deliveryStatus === "DELIVERING") return live;
      return typeof first === "string" ? own[first] ?? olderWord(first) : undefined;
    },
  };
}

export const SERVING_DETAILS: UnifiedForm = {
  toWire: () => undefined,
  toOwn: (value) => {
    if (!Array.isArray(value) || value.length === 0) return undefined;
    return value.map((reason) => ({ name: `${olderWord(String(reason))}_DETAIL` }));
  },
};

function olderWord(reason: string): string {
  return REASONS[reason] ?? reason.replace(/^TARGET_/, "TARGETING_CLAUSE_");
}

export function placements(table: Readonly<Record<string, string>>): UnifiedForm {
  const name = words("the placement", table);
  return {
    toWire: (value, place, op) =>
      (Array.isArray(value) ? value : []).map((one: Fields) => ({
        placement: name.toWire(one["placement"], place, op),
        percentage: one["percentage"],
      })),
    toOwn: (value, place) =>
      Array.isArray(value)
        ? value.map((one: Fields) => ({
          placement: name.toOwn(one["placement"], place),
          percentage: one["percentage"],
        }))
        : undefined,
  };
}

/** Returns the marketplace's code on the wire, where the United Kingdom is `GB`. */
export function marketplaceWord(countryCode: string): string {
  return countryCode === "UK" ? "GB" : countryCode;
}

export function marketplace({ countryCode }: WirePlace): Fields {
  return { marketplaceScope: "SINGLE_MARKETPLACE", marketplaces: [marketplaceWord(countryCode)] };
}

/** Returns the default fields of a new campaign: the profile's marketplace, and today as the start date. */
export function newCampaign(place: WirePlace): Fields {
  return { ...marketplace(place), startDateTime: day("start").toWire(place.today, place, "create") };
}

export const AMOUNT = "budgets[0].budgetValue.monetaryBudgetValue.monetaryBudget";

export function typedBudget(body: Fields): Fields {
  const [budget] = Array.isArray(body["budgets"]) ? body["budgets"].map(fieldsOf) : [];
  return budget === undefined ? body : { ...body, budgets: [{ budgetType: "MONETARY", ...budget }] };
}

export const LOCALE: UnifiedForm = {
  toWire: (value) => {
    if (value === "zh_CN") return value;
    throw new NotOnWire(`The unified family has no locale ${JSON.stringify(value)}: it knows zh_CN`);
  },
  toOwn: (value) => value,
};
