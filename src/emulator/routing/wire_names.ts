/**
 * The names that carry the platform's own word: headers, paths and media types. Their spelling is neutral in this
 * code; an emulator can be given another word and then expects it on the wire.
 */
export class WireNames {
  readonly word: string;
  /** Lower-case name of the header with the client id. */
  readonly clientId: string;
  /** Lower-case name of the header with the profile id. */
  readonly scope: string;
  /** Lower-case name of the header with the id of an advertiser account. */
  readonly account: string;
  /** Lower-case name of the header that a response names its request by. */
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
    this.requestId = this.spell("x-platform-request-id");
  }

  /** A path, header name or media type as it is on the wire; capitals stay where they are. */
  spell(text: string): string {
    return text.replace(/platform/gi, (found) => {
      if (found === found.toUpperCase()) return this.word.toUpperCase();
      return found.startsWith("P") ? this.word[0]!.toUpperCase() + this.word.slice(1) : this.word;
    });
  }
}
