import type { Expectation } from "../../../../domain/rehearsal/rehearsal.ts";
import { useTexts } from "../../texts/language.tsx";
import { useEndReason } from "../calls/words.tsx";
import { TEXTS } from "./texts.ts";

/** An expectation as a sentence. */
export function useExpectation(): (expect: Expectation) => string {
  const say = useTexts(TEXTS);
  const ended = useEndReason();
  const answer = (value: unknown) =>
    typeof value === "boolean"
      ? say(value ? "yes" : "no")
      : value === null
        ? say("expect.unknown")
        : String(value);
  return (expect) => {
    if ("outcome" in expect)
      return Object.entries(expect.outcome)
        .map(([field, value]) => say("told.outcome", { field, value: answer(value) }))
        .join(", ");
    if ("success" in expect) return say(expect.success ? "told.success" : "told.no-success");
    if ("says" in expect) return say("told.says", { words: expect.says });
    if ("neverSays" in expect) return say("told.neverSays", { words: expect.neverSays.join("”, “") });
    if ("tool" in expect) {
      const given = expect.arguments === undefined ? "" : ` ${JSON.stringify(expect.arguments)}`;
      return say("told.tool", { tool: expect.tool }) + given;
    }
    if ("noTool" in expect) return say("told.noTool", { tool: expect.noTool });
    if ("handsOffTo" in expect) return say("told.handsOffTo", { name: expect.handsOffTo });
    if ("endReason" in expect) return say("told.endReason", { reason: ended(expect.endReason) });
    if ("optedOut" in expect) return say(expect.optedOut ? "told.optedOut" : "told.not-optedOut");
    if ("callback" in expect) return say(expect.callback ? "told.callback" : "told.no-callback");
    return say("told.turnsAtMost", { count: expect.turnsAtMost });
  };
}
