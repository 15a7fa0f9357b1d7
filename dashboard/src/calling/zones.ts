/** What the service takes as the name of a place: continents and oceans. A browser also names aliases. */
const PLACE = /^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\//;

/** Of the zones that a browser names those that the service takes, with UTC. */
export function zonesToOffer(names: readonly string[]): readonly string[] {
  return [...names.filter((name) => PLACE.test(name)), "UTC"];
}

/** Empty where the browser's zone is no place: what the service takes then stands in its warnings. */
export function zoneOfBrowser(name: string): string {
  return name === "UTC" || PLACE.test(name) ? name : "";
}
