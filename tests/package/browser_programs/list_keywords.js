// The bundle lies beside this file only once both are served.
const { ChangePlan, ConfigurationError, PlatformAds } = await import(
  new URL("./mod.js", import.meta.url).href
);

/** Lists keywords as any program does, and says what it found. Runs in a page and in a worker alike. */
export async function listKeywords() {
  const { platform, credentials } = await (await fetch("/settings.json")).json();
  const ads = new PlatformAds(credentials, { platform });
  const canada = await ads.profile("CA");
  const keywords = await canada.sp.keywords.list({ states: ["ENABLED"] });
  const plan = await canada.sp.keywords.planUpdate([{ keywordId: keywords[0].keywordId, bid: 0.77 }]);
  const read = ChangePlan.fromJson(plan.toJson());
  const save = await plan.save("plan.json").then(() => "saved", (error) => error);
  return {
    window: typeof window,
    keywords: keywords.map(({ keywordId }) => keywordId),
    planIsSame: read.fingerprint === plan.fingerprint,
    saveIsRefused: save instanceof ConfigurationError,
  };
}
