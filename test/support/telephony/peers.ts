import { existsSync, globSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";

/** Unpacked by .ci/telephony: Asterisk, baresip and sipp with all that they need. */
export type Peers = {
  readonly root: string;
  /** Their own loader and libraries: nothing of the machine's is used. */
  readonly loader: string;
  readonly libraries: string;
};

/** TELEPHONY_PEERS, else where .ci/telephony puts them. null: not on this machine. */
export const PEERS = found();
/** Where they must be, their tests are there also without them, and fail. */
export const PEERS_REQUIRED = process.env["REQUIRE_TELEPHONY"] === "1";

function found(): Peers | null {
  const named = process.env["TELEPHONY_PEERS"];
  const usual = join(import.meta.dirname, "../../../node_modules/.cache/telephony/root");
  const root = named === undefined || named === "" ? usual : named;
  if (!existsSync(join(root, "complete"))) return null;
  const [loader] = globSync(join(root, "usr/lib/*/ld-linux*.so.*"));
  return loader === undefined ? null : { root, loader, libraries: dirname(loader) };
}
