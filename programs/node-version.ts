import process from "node:process";

/** Ends the program with one clear line on a Node that is too old; `npm ci --ignore-scripts` leaves no Node 24 behind without a word. */
export function requireNode24(): void {
  const major = Number(process.versions.node.split(".")[0]);
  if (major >= 24) return;
  process.stderr.write(
    `Ringfold needs Node 24, and this is ${process.versions.node}. Run "npm ci" (without --ignore-scripts): it brings its own Node 24 for every npm script.\n`,
  );
  process.exit(1);
}
