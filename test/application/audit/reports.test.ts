import { expect, it } from "vitest";
import type { BrokenRule } from "../../../application/audit/broken-rule.ts";
import { verifyCampaign } from "../../../application/audit/verify-campaign.ts";
import { recorded, wholeStory } from "./example-history.ts";
import { PLANTED_CALLBACKS } from "./planted-callbacks.ts";
import { ASKED, PLANTED_CONVERSATIONS } from "./planted-conversations.ts";
import { PLANTED } from "./planted-violations.ts";

/** As people read it: the rule, what is wrong, and the events that show it (type, stream, revision). */
function line({ rule, problem, events }: BrokenRule): string {
  const because = events.map(({ event, stream, revision }) => `${event.type} ${stream}@${revision}`);
  return `  ${rule}: ${problem} (${because.join(", ")})`;
}

it("reports each planted violation in these words, by these events, and nothing else", async () => {
  const { log } = wholeStory();
  const pages = [...PLANTED, ...PLANTED_CONVERSATIONS, ...PLANTED_CALLBACKS].map(([problem, , plant]) => {
    const broken = verifyCampaign(recorded(plant(log)), { now: null, outcomes: ASKED });
    return [problem, ...broken.map(line)].join("\n");
  });
  await expect(`${pages.join("\n\n")}\n`).toMatchFileSnapshot("planted-reports.txt");
});
