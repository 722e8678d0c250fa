// @ts-check
/** Combines the rows of one or several profiles, or of a plan, into one table. */
import { wholeRow } from "./grid_columns.js";

/**
 * @typedef {{ profile_id: string, country_code: string, name?: string | null, currency?: string | null }} Profile
 */

/**
 * A profile in few words.
 *
 * @param {Profile | undefined} profile
 * @param {string} id
 */
export function profileWords(profile, id) {
  return profile === undefined ? id : `${profile.country_code} · ${(profile.name ?? id).slice(0, 60)}`;
}

/**
 * Puts the tables of profiles together. A row knows its profile and currency; portfolios are by profile.
 *
 * @param {string} table
 * @param {{ id: string, found: any }[]} parts what the API gave for each profile, or for the plan
 * @param {readonly Profile[]} profiles
 */
export function joinedTables(table, parts, profiles) {
  const byId = new Map(profiles.map((one) => [one.profile_id, one]));
  const [only] = parts.length === 1 ? parts : [];
  const merged = (/** @type {(found: any) => Record<string, any> | undefined} */ of) => Object.assign({}, ...parts.map(({ found }) => of(found)));
  return {
    ...only?.found,
    table,
    fields: merged(({ fields }) => fields),
    names: { campaigns: merged(({ names }) => names.campaigns), ad_groups: merged(({ names }) => names.ad_groups), portfolios: merged(({ names }) => names.portfolios) },
    /** Profiles whose rows come from the store, because the account could not be read. */
    stored: parts.flatMap(({ id, found }) => found.stored ? [{ id, ...found.stored, why: found.why }] : []),
    portfolios_of: Object.fromEntries(parts.map(({ id, found }) => [id, found.names.portfolios])),
    ad_group_campaigns: merged((found) => found.ad_group_campaigns),
    rows: parts.flatMap(({ id, found }) => {
      const own = { profile_id: id, is_stored: Boolean(found.stored), currency: found.currency ?? "", decimals: found.decimals ?? 2, market: profileWords(byId.get(id), id) };
      return found.rows.map((/** @type {any} */ row) => ({ ...wholeRow(row, found.names), ...own }));
    }),
  };
}
