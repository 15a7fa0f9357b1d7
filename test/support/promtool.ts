import { spawnSync } from "node:child_process";
import process from "node:process";

/** Prometheus' own checker, where it is: PROMTOOL, else on the PATH. null: not on this machine. */
export const PROMTOOL = found();

function found(): string | null {
  const program = process.env["PROMTOOL"] ?? "promtool";
  return spawnSync(program, ["--version"]).status === 0 ? program : null;
}

/** What it complains of; "" when it has nothing to say. */
export function promtool(options: readonly string[], input?: string): string {
  if (PROMTOOL === null) throw new Error("promtool is not on this machine");
  const { status, stdout, stderr } = spawnSync(PROMTOOL, options, { input, encoding: "utf8" });
  return status === 0 && options[1] === "rules" ? "" : `${stdout}${stderr}`;
}
