import { expect, it } from "vitest";
import { createAppendLanes, type Urgency } from "../../../infrastructure/log/eventstoredb/append-lanes.ts";

/** Appends that have been sent, in order, and how each one is answered. */
function sentThrough(limit: number) {
  const lanes = createAppendLanes(limit);
  const sent: string[] = [];
  const answers = new Map<string, () => void>();
  const append = (urgency: Urgency, name: string) => {
    void lanes.run(urgency, () => {
      sent.push(name);
      return new Promise<void>((resolve) => answers.set(name, resolve));
    });
  };
  const answer = async (name: string) => {
    answers.get(name)?.();
    await settled();
  };
  return { sent, append, answer };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it("a free place goes to a campaign first, then to a dial, then to what waited longest", async () => {
  const { sent, append, answer } = sentThrough(1);
  append("other", "one");
  append("other", "two");
  append("dial", "dial");
  append("campaign", "campaign");
  await settled();
  expect(sent).toEqual(["one"]);
  for (const name of ["one", "campaign", "dial"]) await answer(name);
  expect(sent).toEqual(["one", "campaign", "dial", "two"]);
});

it("beside an append of a campaign 16 others are in flight, and all their places are back after it", async () => {
  const { sent, append, answer } = sentThrough(64);
  append("campaign", "campaign");
  for (let index = 0; index < 100; index += 1) append(index % 2 === 0 ? "dial" : "other", String(index));
  await settled();
  expect(sent).toHaveLength(1 + 16);
  await answer("campaign");
  expect(sent).toHaveLength(1 + 64);
});
