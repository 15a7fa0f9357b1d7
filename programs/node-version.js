// In JavaScript, because an older Node cannot read TypeScript, and its error message helps nobody.
import { existsSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

const OLDEST = 24;
const BROUGHT_ALONG = fileURLToPath(new URL("../node_modules/.bin/node", import.meta.url));

/** Ends the program with exit code 1 if Node is too old, and with one line that says which to use. */
export function requireNode24() {
  if (Number(process.versions.node.split(".")[0]) >= OLDEST) return;
  const mend = existsSync(BROUGHT_ALONG)
    ? `Start it with npm, or name the Node that came with the packages: ${BROUGHT_ALONG} ${process.argv[1]}`
    : 'Run "npm ci" (without --ignore-scripts and --omit=dev): it brings Node 24 along for every npm script';
  process.stderr.write(
    `Ringfold needs Node ${OLDEST}, and ${process.execPath} is ${process.versions.node}. ${mend}\n`,
  );
  process.exit(1);
}
