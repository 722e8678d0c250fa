/**
 * Refuses what is no profile id, so that a wrong variable never becomes a wrong request.
 *
 * @throws {TypeError} for anything but text of digits.
 */
export function checkProfileId(profileId: unknown): void {
  if (typeof profileId === "string" && /^\d{1,20}$/.test(profileId)) return;
  throw new TypeError(
    `Cannot use ${JSON.stringify(profileId) ?? String(profileId)} as a profile id: it is not a row of digits`,
  );
}
