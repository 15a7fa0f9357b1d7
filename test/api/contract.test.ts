import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callWindows } from "./contract/call-windows.ts";
import { calls } from "./contract/calls.ts";
import { campaignStart } from "./contract/campaign-start.ts";
import { campaigns } from "./contract/campaigns.ts";
import { configuration } from "./contract/configuration.ts";
import { connections } from "./contract/connections.ts";
import { feed } from "./contract/feed.ts";
import { figures } from "./contract/figures.ts";
import { head } from "./contract/head.ts";
import { history } from "./contract/history.ts";
import { imports } from "./contract/imports.ts";
import { isolation, unknownUsers } from "./contract/isolation.ts";
import { listNumbers } from "./contract/list-numbers.ts";
import { lockOuts } from "./contract/lock-outs.ts";
import { outcomeSettings } from "./contract/outcome-settings.ts";
import { owners } from "./contract/owners.ts";
import { pauseAll } from "./contract/pause-all.ts";
import { personalData } from "./contract/personal-data.ts";
import { policies } from "./contract/policies.ts";
import { rareAnswers } from "./contract/rare.ts";
import { refusals } from "./contract/refusals.ts";
import { rehearsals } from "./contract/rehearsals.ts";
import { retryPlans } from "./contract/retry-plans.ts";
import { search } from "./contract/search.ts";
import { sessions } from "./contract/sessions.ts";
import { squads } from "./contract/squads.ts";
import { suppressionLists } from "./contract/suppression-lists.ts";
import { testCall } from "./contract/test-call.ts";
import { toolTests } from "./contract/tool-tests.ts";
import { warnings } from "./contract/warnings.ts";
import { webhooks } from "./contract/webhooks.ts";
import { startTestService, type TestService } from "./support/service.ts";

let running: TestService;
beforeAll(async () => {
  running = await startTestService({ TRUSTED_PROXIES: "127.0.0.0/8,::1/128" });
});
afterAll(() => running.stop());

const service = () => running;
const refused = new Set<string>();

calls(service);
callWindows(service);
campaigns(service);
figures(service);
campaignStart(service);
retryPlans(service);
pauseAll(service);
testCall(service);
imports(service);
squads(service);
configuration(service);
outcomeSettings(service);
connections(service);
toolTests(service);
rehearsals(service);
owners(service);
personalData(service);
policies(service);
suppressionLists(service);
warnings(service);
webhooks(service);
history(service);
feed(service);
listNumbers(service);
search(service);
sessions(service);
head(service);
isolation(service);
unknownUsers(service);
refusals(refused);
rareAnswers(refused);
lockOuts(service);

describe("the document", () => {
  it("lists no answer that was not given in this file", () => {
    const given = new Set([...running.operator.seen, ...refused]);
    const missing = running.document.operations.flatMap(({ operationId, answers }) =>
      [...answers.keys()].map((status) => `${operationId} ${status}`).filter((answer) => !given.has(answer)),
    );
    expect(missing).toEqual([]);
  });
});
