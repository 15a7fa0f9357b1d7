import type { Outcome } from "../../application/outcome.ts";
import type { Suppressions } from "../../application/ports/configuration/suppressions.ts";
import type { NumberEntry } from "../../application/ports/directory.ts";
import { START } from "../../application/ports/event-store.ts";
import type { UseCases } from "../../application/use-cases.ts";
import type { Policy } from "../../domain/policy/policy.ts";
import { creditsToUnits } from "../../domain/shared/credits.ts";
import type { CampaignId, ContactId } from "../../domain/shared/ids.ts";
import { memorySuppressions } from "../memory/suppressions/suppression-list.ts";
import { memoryOutbox } from "../memory/webhook-outbox.ts";
import { createRequest, firstOf, inputOf, type NewCampaign, secondOf } from "./campaign-requests.ts";
import type { Observer } from "./observer.ts";
import { consentGiven } from "./random-permission.ts";
import type { Scenario, ScenarioAction } from "./scenario.ts";
import type { Shared } from "./shared-world.ts";
import {
  ASSISTANT,
  CAMPAIGN,
  OTHER_ASSISTANT,
  OTHER_NUMBER,
  OWNER,
  PHONE_NUMBER,
  SECOND_CAMPAIGN,
} from "./simulated-names.ts";
import type { SimulatedProcess } from "./simulated-process.ts";
import { SECOND_CONNECTION } from "./two-carriers.ts";

const AGAIN_MILLIS = 1_000;
const KEEP_RESUMED_MILLIS = 30_000;
const CALLER = { owner: OWNER, actor: "key_sim", correlationId: "req_sim" } as const;

export type SimulatedUser = {
  readonly begin: () => void;
  /** Repairs everything that a user can repair, and resumes what does not resume by itself. */
  readonly calmDown: () => void;
  /** A process died: its unanswered requests are sent to the next one. */
  readonly forget: () => void;
  readonly isDone: () => boolean;
};

export type UserDeps = {
  readonly shared: Shared;
  readonly scenario: Scenario;
  readonly observer: Observer;
  readonly alive: () => readonly SimulatedProcess[];
  readonly kill: () => void;
  readonly problems: string[];
};

type Wish = {
  readonly what: string;
  readonly ask: (process: SimulatedProcess) => Promise<Outcome<unknown>>;
  readonly onOutcome: (ok: boolean) => void;
};

/**
 * Creates and starts the campaign, does what the scenario says, and repeats a request whenever a
 * process died during it.
 */
export function createSimulatedUser(deps: UserDeps): SimulatedUser {
  const { shared, scenario, observer, alive, problems } = deps;
  const { clock, directory } = shared;
  const { handBook } = observer;
  const list = listOf(shared);
  const open = new Map<Wish, SimulatedProcess>();
  let started = false;
  let calm = false;
  const keeping = new Set<CampaignId>();
  let asking = 0;
  const isCalm = () => calm;

  const later = (millis: number, run: () => void): void => {
    asking += 1;
    clock.after(millis, () => {
      asking -= 1;
      run();
    });
  };

  const ask = (wish: Wish): void => {
    const present = alive();
    const process = present[shared.random.between(0, Math.max(0, present.length - 1))];
    if (process === undefined) {
      later(AGAIN_MILLIS, () => ask(wish));
      return;
    }
    open.set(wish, process);
    shared.trace(() => `user asks ${process.life.name} to ${wish.what}`);
    wish.ask(process).then(
      (outcome) => {
        if (!open.delete(wish)) return;
        shared.trace(() => `user is told: ${wish.what} ${outcome.ok ? "done" : outcome.refusal.code}`);
        wish.onOutcome(outcome.ok);
      },
      (error: unknown) => {
        if (open.delete(wish)) problems.push(`${wish.what} failed: ${String(error)}`);
      },
    );
  };

  const command = (what: string, run: (useCases: UseCases) => Promise<Outcome<unknown>>, onDone = () => {}) =>
    ask({ what, ask: ({ useCases }) => run(useCases), onOutcome: (ok) => (ok ? onDone() : undefined) });

  const begin = (): void =>
    create(firstOf(scenario), (ok) => {
      if (!ok) problems.push("the campaign was not created");
      else if (scenario.startAtMillis !== null) afterStart();
      else start(CAMPAIGN, afterStart);
    });

  const create = (campaign: NewCampaign, onOutcome: Wish["onOutcome"]): void =>
    ask({
      what: `create ${campaign.campaignId}`,
      ask: ({ useCases: { createCampaign } }) =>
        createCampaign(CALLER, createRequest(scenario, campaign, clock.nowMillis())),
      onOutcome,
    });

  const start = (campaignId: CampaignId, onOutcome: Wish["onOutcome"]): void =>
    ask({
      what: `start ${campaignId}`,
      ask: ({ useCases: { startCampaign } }) => startCampaign(CALLER, campaignId),
      onOutcome,
    });

  /** Its number or assistant may be unusable, and credits may lack: then it is asked for again. */
  const createSecond = (contacts: NewCampaign["contacts"]): void =>
    create(secondOf(contacts), (ok) =>
      ok ? startSecond() : later(KEEP_RESUMED_MILLIS, () => createSecond(contacts)),
    );
  const startSecond = (): void =>
    start(SECOND_CAMPAIGN, (ok) => {
      if (!ok && observer.waitsForUser(SECOND_CAMPAIGN)) later(KEEP_RESUMED_MILLIS, startSecond);
    });

  const afterStart = (): void => {
    started = true;
    const { secondCampaign: second } = scenario;
    if (second !== null) clock.after(second.at, () => createSecond(second.contacts), isCalm);
    for (const action of scenario.actions) clock.after(action.at, () => act(action), isCalm);
  };

  /** An earlier request may take effect late: a campaign that only a user can resume is resumed again. */
  const keepResumed = (campaignId: CampaignId): void => {
    keeping.delete(campaignId);
    if (!observer.waitsForUser(campaignId)) return;
    command("resume", ({ resumeCampaign }) => resumeCampaign(CALLER, campaignId));
    keepResumedLater(campaignId);
  };
  const keepResumedLater = (campaignId: CampaignId): void => {
    keeping.add(campaignId);
    clock.after(KEEP_RESUMED_MILLIS, () => keepResumed(campaignId));
  };
  observer.onPaused((campaignId) => {
    if (calm && !keeping.has(campaignId)) keepResumedLater(campaignId);
  });

  const contactAt = (index: number): ContactId | null => observer.contactId(index);

  /** As the user last wanted it. */
  let policy: Policy | null = null;
  let isPolicyAsked = false;
  let number: NumberEntry = { phoneNumber: "+15005550000", active: true, connectionId: null };

  const act = (action: ScenarioAction): unknown => {
    switch (action.kind) {
      case "pause":
        return command(
          "pause",
          ({ pauseCampaign }) => pauseCampaign(CALLER, CAMPAIGN),
          observer.pauseAnswered,
        );
      case "resume":
        return command("resume", ({ resumeCampaign }) => resumeCampaign(CALLER, CAMPAIGN));
      case "cancel": {
        const { hangUpActiveCalls } = action;
        return command(
          "cancel",
          ({ cancelCampaign }) => cancelCampaign(CALLER, CAMPAIGN, { hangUpActiveCalls }),
          observer.cancelAnswered,
        );
      }
      case "suppress": {
        const number = scenario.contacts[action.contact]?.phoneNumber;
        if (number === undefined) return;
        // Whoever takes it off waits for the answer before the number is listed again.
        if (handBook.isTakingOff(number)) return clock.after(AGAIN_MILLIS, () => act(action), isCalm);
        handBook.listed(number, clock.elapsed());
        return void list.add(OWNER, number, null, CALLER.actor);
      }
      case "take off": {
        const number = scenario.contacts[action.contact]?.phoneNumber;
        if (number === undefined || handBook.isTakingOff(number)) return;
        handBook.asksOff(number, clock.elapsed());
        return ask({
          what: "take off",
          ask: async (process) => ({
            ok: true,
            value: await process.takeOff(CALLER, number),
            position: START,
          }),
          onOutcome: () => handBook.isOff(number, clock.elapsed()),
        });
      }
      case "call": {
        const called = scenario.contacts[action.contact];
        if (called === undefined) return;
        return command("call", ({ startOutboundCall }) =>
          startOutboundCall(CALLER, {
            reservedCallId: `call_at${action.at}`,
            phoneNumberId: PHONE_NUMBER,
            assistantId: ASSISTANT,
            squadId: null,
            to: called.phoneNumber,
            ...consentGiven(scenario, called),
            greetingMessage: null,
            specialInstructions: null,
            metadata: {},
          }),
        );
      }
      case "skip": {
        const contactId = contactAt(action.contact);
        if (contactId === null) return;
        return command("skip", ({ skipContact }) => skipContact(CALLER, CAMPAIGN, contactId));
      }
      case "add contacts":
        return command("add contacts", ({ addContacts }) =>
          addContacts(CALLER, CAMPAIGN, {
            reservedImportId: `imp_at${action.at}`,
            contacts: action.contacts.map(inputOf(scenario)),
            refusedRows: [],
            skipDuplicates: false,
          }),
        );
      case "change settings": {
        const { maxConcurrentCalls, maxRetries } = action;
        return command("change settings", ({ changeCampaign }) =>
          changeCampaign(CALLER, CAMPAIGN, { maxConcurrentCalls, maxRetries }),
        );
      }
      case "change plan": {
        const { retryPlan } = action;
        return command("change plan", ({ changeCampaign }) =>
          changeCampaign(CALLER, CAMPAIGN, { retryPlan }),
        );
      }
      case "change texts":
        return command("change texts", ({ changeCampaign }) =>
          changeCampaign(CALLER, CAMPAIGN, {
            greetingMessage: `Hello {{name|there}}, ${action.round}`,
            specialInstructions: action.round === 0 ? null : `Ask {{index}}, ${action.round}`,
            phoneNumberId: action.round % 2 === 0 ? OTHER_NUMBER : PHONE_NUMBER,
            ...(action.round === 1 ? {} : { assistantId: OTHER_ASSISTANT }),
          }),
        );
      case "number":
        return setNumber(action.usable);
      case "assistant":
        return setAssistant(action.usable);
      case "top up":
        return void shared.admission.topUp(OWNER, creditsToUnits(action.calls), `at ${action.at}`);
      case "clock step":
        return clock.stepWall(action.millis);
      case "carrier away":
        return shared.carriers.own.goAway(action.millis);
      case "connection":
        number = { ...number, connectionId: action.second ? SECOND_CONNECTION : null };
        return directory.setPhoneNumber(OWNER, PHONE_NUMBER, number);
      case "second carrier away":
        return shared.carriers.second?.goAway(action.millis);
      case "second carrier replaced":
        return shared.carriers.second?.replace();
      case "kill":
        return deps.kill();
      case "policy":
        return changePolicy(action.policy);
      case "list":
        return shared.simulatedLists.put(action);
      case "address away":
        return shared.address?.goAway(action.millis);
    }
  };

  /** The next one is sent when the one before it is answered: a repeat must not undo it. */
  const changePolicy = (wanted: Policy): void => {
    policy = wanted;
    if (isPolicyAsked) return;
    isPolicyAsked = true;
    ask({
      what: "change policy",
      ask: ({ useCases }) => useCases.changePolicy(CALLER, { policy: wanted, expectedVersion: null }),
      onOutcome: () => {
        isPolicyAsked = false;
        if (policy !== null && policy !== wanted) changePolicy(policy);
      },
    });
  };

  const setNumber = (active: boolean) => {
    number = { ...number, active };
    directory.setPhoneNumber(OWNER, PHONE_NUMBER, number);
  };

  const setAssistant = (usable: boolean): void => {
    if (!usable) directory.unpublish(OWNER, ASSISTANT);
    else
      void directory.assistantVersion(OWNER, ASSISTANT, 1).then((version) => {
        if (version !== null) directory.publish(OWNER, version);
      });
  };

  return {
    begin,
    forget: () => {
      for (const [wish, process] of open) {
        if (process.life.alive) continue;
        open.delete(wish);
        later(AGAIN_MILLIS, () => ask(wish));
      }
    },
    calmDown: () => {
      setNumber(true);
      setAssistant(true);
      if (policy !== null) {
        // Hours that no window of a campaign shares would keep it closed for ever, and lists grow old.
        const { listMaxAgeDays, ...rest } = policy;
        const hours = scenario.window === null ? policy.callableHours : null;
        if (listMaxAgeDays !== undefined || hours !== policy.callableHours)
          changePolicy({ ...rest, callableHours: hours });
      }
      void shared.admission.topUp(OWNER, creditsToUnits(10_000), "calm");
      calm = true;
      for (const campaignId of observer.campaignIds()) keepResumed(campaignId);
    },
    isDone: () => started && open.size + asking === 0,
  };
}

/** The list as the API's route writes it. */
function listOf({ lists: state, directory, outbox, clock, ids }: Shared): Suppressions {
  const told = memoryOutbox(outbox, { clock, ids, onQueued: () => undefined });
  return memorySuppressions({ state, directory, outbox: told, clock, ids });
}
