import { addDays, dayIn, isDay, startOfDay } from "../../../../base/time/calendar.ts";
import { fieldsOf } from "../../../../base/json/fields_of.ts";
import type { Fields } from "../../model/resource_wire.ts";
import { NotOnWire, type UnifiedField, type UnifiedForm, type WirePlace } from "./unified_field.ts";

/** Words that differ on the two wires, by ours; each stands for one word there. */
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

/** States: the same words in the case that the kind has; `ARCHIVED` is read, and written by a delete alone. */
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
 * A day of the profile's time zone as a moment: the first one of a start, the last millisecond of an end. Read back is
 * the day that the moment lies in, whatever its time of day.
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

/** Moments in milliseconds, as the older families of Brands and Display have them. Read only. */
export const MILLISECONDS: UnifiedForm = {
  toWire: () => undefined,
  toOwn: (value) => {
    const moment = Date.parse(String(value));
    return Number.isNaN(moment) ? undefined : moment;
  },
};

/** Tags: an object of texts for us, a list of keys and values there. */
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

/** Reasons of the unified family that the older ones word otherwise. */
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
 * Serving status: one word for us, a delivery status with reasons there. Read only.
 *
 * @param live The word of the kind for what is delivered, for example `CAMPAIGN_STATUS_ENABLED`.
 * @param own Reasons that the kind words otherwise than all others.
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

/** Reasons in the form of the older families: a list of names. */
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

/** A list of percentages by placement. */
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

/** A marketplace as the family spells it: the United Kingdom is GB. */
export function marketplaceWord(countryCode: string): string {
  return countryCode === "UK" ? "GB" : countryCode;
}

/** Marketplace of a new campaign. */
export function marketplace({ countryCode }: WirePlace): Fields {
  return { marketplaceScope: "SINGLE_MARKETPLACE", marketplaces: [marketplaceWord(countryCode)] };
}

/** Fields of a new campaign that the item may leave out: the marketplace, and today as the first day. */
export function newCampaign(place: WirePlace): Fields {
  return { ...marketplace(place), startDateTime: day("start").toWire(place.today, place, "create") };
}

/** Path of the amount of a budget. */
export const AMOUNT = "budgets[0].budgetValue.monetaryBudgetValue.monetaryBudget";

/** Names the type of a budget whose amount alone was set. */
export function typedBudget(body: Fields): Fields {
  const [budget] = Array.isArray(body["budgets"]) ? body["budgets"].map(fieldsOf) : [];
  return budget === undefined ? body : { ...body, budgets: [{ budgetType: "MONETARY", ...budget }] };
}

/** The one language that the family knows. */
export const LOCALE: UnifiedForm = {
  toWire: (value) => {
    if (value === "zh_CN") return value;
    throw new NotOnWire(`The unified family has no locale ${JSON.stringify(value)}: it knows zh_CN`);
  },
  toOwn: (value) => value,
};
