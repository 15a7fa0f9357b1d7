/** The first releases whose media sockets have marks and JSON control; every later branch has them. */
const NEEDED: readonly (readonly [number, number])[] = [
  [20, 18],
  [22, 8],
  [23, 2],
];

export const NEEDED_VERSIONS = "22.8, 20.18 or 23.2";

/** "22.10.1+dfsg~…" and "certified-22.8-cert3" → true. Versions that cannot be read are refused. */
export function isNewEnough(version: string): boolean {
  const [, major, minor] = /^(?:certified[-/])?(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || minor === undefined) return false;
  const needed = NEEDED.find(([branch]) => branch === Number(major));
  return needed === undefined ? Number(major) > 23 : Number(minor) >= needed[1];
}
