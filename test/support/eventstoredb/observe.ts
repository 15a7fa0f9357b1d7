import { setTimeout as delay } from "node:timers/promises";
import { observedScenarios } from "./observed-scenarios.ts";
import { runScenario } from "./run-scenario.ts";

/**
 * `node observe.ts <url> <time scale> <scenario>`: one scenario in a process of its own, because the client's
 * batch path may throw out of every handler and is dead for the whole process afterwards (fact 1). Prints
 * `{ answers, uncaught }`.
 */
const [url = "", scale = "1", name = ""] = process.argv.slice(2);
const uncaught: string[] = [];
process.on("uncaughtException", (error) => uncaught.push(`${error.name}: ${error.message}`));
const scenario = observedScenarios().find((known) => known.name === name);
if (scenario === undefined) throw new Error(`no scenario ${name}`);
const answers = await runScenario({ url, timeScale: Number(scale) }, scenario);
await delay(100);
process.stdout.write(`${JSON.stringify({ answers, uncaught })}\n`, () => process.exit(0));
