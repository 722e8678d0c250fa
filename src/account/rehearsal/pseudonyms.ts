import type { ProfileCopy } from "../../emulator/state/account_copy.ts";
import { sha256 } from "../../internal/sha256.ts";

/** Fields whose text is words that people wrote. */
const WORDS: ReadonlySet<string> = new Set([
  "keywordText",
  "nativeLanguageKeyword",
  "headline",
  "customText",
]);
/** Fields whose text is the name of something of the advertiser. */
const NAMES: ReadonlySet<string> = new Set([
  "name",
  "brandName",
  "brandEntityId",
  "campaignName",
  "sku",
  "ruleName",
  "entityId",
  "url",
  "landingPageURL",
  "brandLogoAssetID",
  "brandLogoUrl",
  "videoAssetIds",
  "mediaIds",
]);
const ASIN = /^B0[A-Z0-9]{8}$/i;

/**
 * Pseudonyms of one copy: the same word becomes the same one, so that keywords, search terms and products still fit
 * together. Their secret is thrown away, so that words cannot be guessed and compared.
 */
export class Pseudonyms {
  readonly #secret: string = crypto.randomUUID();

  /** The copy with pseudonyms in place of what tells whose it is. */
  profile(copy: ProfileCopy): ProfileCopy {
    const { record, collections } = copy;
    const changed = Object.fromEntries(
      Object.entries(collections).map(([name, entities]) => [
        name,
        entities.map((entity) => this.#value(entity, "")),
      ]),
    );
    const { accountInfo } = record;
    return {
      ...copy,
      record: {
        ...record,
        accountInfo: {
          ...accountInfo,
          id: this.#code("A", accountInfo.id),
          name: this.#name(accountInfo.name),
        },
      },
      collections: changed as ProfileCopy["collections"],
    };
  }

  #value(value: unknown, field: string): unknown {
    if (typeof value === "string") return this.#text(value, field);
    if (Array.isArray(value)) return value.map((one) => this.#value(one, field));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#value(one, name)]));
  }

  #text(text: string, field: string): string {
    if (ASIN.test(text)) return `B0${this.#hash(text.toUpperCase()).slice(0, 8).toUpperCase()}`;
    if (WORDS.has(field)) {
      return text.replace(/[\p{L}\p{N}]+/gu, (word) => `w${this.#hash(word.toLowerCase()).slice(0, 5)}`);
    }
    if (field === "url" || field === "landingPageURL") {
      return `https://example.invalid/${this.#hash(text).slice(0, 12)}`;
    }
    return NAMES.has(field) && text !== "" ? this.#name(text) : text;
  }

  #name(text: string): string {
    return this.#code("name ", text);
  }

  #code(prefix: string, text: string): string {
    return `${prefix}${this.#hash(text).slice(0, 12)}`;
  }

  #hash(text: string): string {
    return sha256(`${this.#secret} ${text}`);
  }
}
