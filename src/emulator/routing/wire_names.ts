/**
 * Names with the platform's own word: headers, paths and media types. Neutral in this code; an emulator may use another
 * word on the wire.
 */
export class WireNames {
  readonly word: string;
  /** Lowercase header of the client id. */
  readonly clientId: string;
  /** Lowercase header of the profile id. */
  readonly scope: string;
  /** Lowercase header of an advertiser account id. */
  readonly account: string;
  /** Lowercase header of the advertiser of clean-room operations. */
  readonly advertiser: string;
  /** Lowercase header of the marketplace of clean-room operations. */
  readonly marketplace: string;
  /** Lowercase header of a response's request id. */
  readonly requestId: string;

  /**
   * Chooses the word.
   *
   * @throws {RangeError} when it is not one word of lower-case letters and digits.
   */
  constructor(word = "platform") {
    if (!/^[a-z][a-z0-9]*$/.test(word)) {
      throw new RangeError(
        `Cannot use the wire word "${word}": it is not one word of lower-case letters and digits`,
      );
    }
    this.word = word;
    this.clientId = this.spell("platform-advertising-api-clientid");
    this.scope = this.spell("platform-advertising-api-scope");
    this.account = this.spell("platform-ads-accountid");
    this.advertiser = this.spell("platform-advertising-api-advertiserid");
    this.marketplace = this.spell("platform-advertising-api-marketplaceid");
    this.requestId = this.spell("x-platform-request-id");
  }

  /** Wire form of a path, header name or media type; capitals stay. */
  spell(text: string): string {
    return text.replace(/platform/gi, (found) => {
      if (found === found.toUpperCase()) return this.word.toUpperCase();
      return found.startsWith("P") ? this.word[0]!.toUpperCase() + this.word.slice(1) : this.word;
    });
  }
}
