import { it } from "vitest";
import { rehearsedAgain } from "./rehearsed-again.ts";

it("dump", { timeout: 600000 }, async () => {
  const one = process.env["SEED"];
  if (one) {
    await rehearsedAgain(Number(one), true);
  }
  let bad = 0;
  for (
    let seed = Number(one ?? process.env["FROM"]);
    seed < Number(one ?? process.env["FROM"]) + (one ? 1 : Number(process.env["N"]));
    seed++
  ) {
    const r = await rehearsedAgain(seed);
    if (JSON.stringify(r.call) !== JSON.stringify(r.again)) {
      bad++;
      const i = r.call.findIndex((e, i) => e !== r.again[i]);
      console.log(
        "BAD",
        seed,
        r.call.slice(Math.max(0, i - 3), i + 3).join("\n"),
        "\n---\n",
        r.again.slice(i, i + 3).join("\n"),
      );
    }
  }
  console.log("bad", bad, process.cpuUsage());
});
