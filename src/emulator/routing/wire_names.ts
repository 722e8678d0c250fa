/** Names are neutral in this code; an emulator may use another word on the wire. */
export class WireNames {
  readonly word: string;
  readonly clientId: string;
  readonly scope: string;
  readonly account: string;
  readonly advertiser: string;
  readonly marketplace: string;
  readonly requestId: string;

  /** @throws {RangeError} when the word contains characters other than lower-case letters and digits. */
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

  spell(text: string): string {
    return text.replace(/platform/gi, (found) => {
      if (found === found.toUpperCase()) return this.word.toUpperCase();
      return found.startsWith("P") ? this.word[0]!.toUpperCase() + this.word.slice(1) : this.word;
    });
  }
}
