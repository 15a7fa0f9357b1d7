import { expect, it } from "vitest";
import { played } from "./rehearsed-run.ts";

it("plays a conversation as a call has it", async () => {
  const run = await played({ says: ["Yes, I am here.", "What is your name?", "Goodbye"] });
  console.log(run);
  expect(run.status).toBe("passed");
});
