import { describe, expect, it } from "vitest";
import { verifyCampaign } from "../../../../application/audit/verify-campaign.ts";
import type { DomainEvent } from "../../../../domain/events.ts";
import { recorded } from "../example-history.ts";
import { askedStory } from "./example-asked.ts";
import { ended, judged, policyStory, single } from "./example-policies.ts";
import { LEGAL_ASKED, PLANTED_ASKED } from "./planted-asked.ts";
import { PLANTED_POLICIES } from "./planted-policies.ts";

/** The campaign, with what happened elsewhere beside it. */
function findings(log: readonly DomainEvent[]) {
  const all = recorded(log);
  const own = new Set(
    log.flatMap((event) => (event.type === "ContactDialed" ? [`call-${event.data.callId}`] : [])),
  );
  const ofCampaign = all.filter(({ stream }) => stream.startsWith("campaign-") || own.has(stream));
  return verifyCampaign(ofCampaign, { now: null, withPolicies: all });
}

describe("a history under a policy", () => {
  it("has nothing to report when every rule was kept", () => {
    expect(findings(policyStory())).toEqual([]);
  });

  it("asks for no evidence of a single call whose slot was freed before it was stored", () => {
    const [request] = single("call_7", "+905321234501", 90, judged(90, 0));
    if (request?.type !== "CallRequested") throw new Error("no call");
    const { evidence: _evidence, ...data } = request.data;
    const call: DomainEvent = { type: "CallRequested", data };
    expect(findings([...policyStory(), call, ended("call_7", 90, "not_placed")])).toEqual([]);
  });

  it("reports each planted violation in these words, and nothing else", async () => {
    const pages = PLANTED_POLICIES.map(([problem, , plant]) => {
      const lines = findings(plant(policyStory())).map(({ rule, problem }) => `  ${rule}: ${problem}`);
      return [problem, ...lines].join("\n");
    });
    await expect(`${pages.join("\n\n")}\n`).toMatchFileSnapshot("planted-policy-reports.txt");
  });

  it.each(PLANTED_POLICIES)("%s: %s", (_problem, rule, plant) => {
    const found = findings(plant(policyStory())).filter((finding) => finding.rule === rule);
    expect(found).not.toEqual([]);
  });
});

describe("a history with consent, lists and an address that is asked", () => {
  it("has nothing to report when every rule was kept", () => {
    expect(findings(askedStory())).toEqual([]);
  });

  it.each(PLANTED_ASKED)("%s: %s", (_problem, rule, plant) => {
    const found = findings(plant(askedStory())).filter((finding) => finding.rule === rule);
    expect(found).not.toEqual([]);
  });

  it.each(LEGAL_ASKED)("%s, which %s allows", (_what, rule, plant) => {
    const found = findings(plant(askedStory())).filter((finding) => finding.rule === rule);
    expect(found).toEqual([]);
  });
});
