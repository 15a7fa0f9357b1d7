import type { CarrierEvent } from "../../application/ports/carrier.ts";
import type { Logger } from "../../application/ports/logger.ts";
import { DEFAULT_ASSISTANT } from "../../application/settings.ts";
import { creditsToUnits } from "../../domain/shared/credits.ts";
import { ALL_KINDS } from "../../domain/webhook/kinds.ts";
import { createMemoryDatabase } from "../../infrastructure/log/memory/database.ts";
import { createMemoryAdmission } from "../memory/admission.ts";
import { createMemoryAnalyses, createMemoryAnalysisSettings } from "../memory/analyses/analyses.ts";
import { createMemoryCampaignCommandQueue } from "../memory/campaign-command-queue.ts";
import { createMemoryCheckpoints } from "../memory/checkpoints.ts";
import { createMemoryDirectory } from "../memory/directory.ts";
import { createMemoryImports } from "../memory/imports.ts";
import { createMemoryLeases } from "../memory/leases.ts";
import { createMemoryPinnedConversations } from "../memory/pinned-conversations.ts";
import { createMemoryPolicies } from "../memory/policies.ts";
import { createMemorySubjectKeys } from "../memory/subject-keys.ts";
import { createMemoryLists } from "../memory/suppressions/lists.ts";
import { memoryListState } from "../memory/suppressions/suppression-list.ts";
import { memoryOutboxState, putMemoryEndpoint } from "../memory/webhook-outbox.ts";
import { createFaultyAddress } from "./faulty-address.ts";
import { createFaultyAnalysisModels, SIMULATED_OUTCOME } from "./faulty-analysis-models.ts";
import { createFaultyCarrier } from "./faulty-carrier.ts";
import { createFaultyReceiver, RECEIVER_SECRET } from "./faulty-receiver.ts";
import type { Life, Reaper } from "./gate.ts";
import { HEALTHY } from "./mutants.ts";
import { createObserver } from "./observer.ts";
import { createRememberingCodec } from "./remembering-codec.ts";
import type { CarrierFaults, Scenario } from "./scenario.ts";
import { seededRandom } from "./seeded-random.ts";
import type { Mutants, Shared } from "./shared-world.ts";
import { createSimulatedIds } from "./simulated-ids.ts";
import { createSimulatedLists } from "./simulated-lists.ts";
import { ASSISTANT, OTHER_ASSISTANT, OTHER_NUMBER, OWNER, PHONE_NUMBER } from "./simulated-names.ts";
import { type SimulatedProcess, startProcess } from "./simulated-process.ts";
import { createSimulatedUser } from "./simulated-user.ts";
import { bothOf } from "./two-carriers.ts";
import { createVirtualClock } from "./virtual-clock.ts";

const WEEK = 7 * 24 * 3_600_000;
const CALLBACK_AGAIN_MILLIS = 9_000;
const CALLBACK_GIVEN_UP_MILLIS = 600_000;
const NOBODY_THERE_MILLIS = 3_000;
/** More reads than that at one moment mean an endless loop. */
const MOST_LOOKS_AT_ONCE = 20_000;

export type RunOptions = { readonly mutants?: Mutants; readonly traced?: boolean };

/** Everything around the engine for one run, and its observers. */
export function createWorld(scenario: Scenario, { mutants = HEALTHY, traced = false }: RunOptions) {
  const trace: string[] = [];
  const problems: string[] = [];
  const points = new Set<string>();
  const random = seededRandom(scenario.seed, "world");
  const clock = createVirtualClock(scenario.startMillis, seededRandom(scenario.seed, "ties"));
  const line = (text: () => string) => {
    if (traced) trace.push(`${(clock.elapsed() / 1_000).toFixed(3)} ${text()}`);
  };
  let leaseSkip = 0;
  const leaseClock = { ...clock, nowMillis: () => clock.elapsed() + leaseSkip };
  const directory = createMemoryDirectory();
  const policies = createMemoryPolicies();
  const keys = createMemorySubjectKeys();
  const tell = (event: CarrierEvent) => deliver(event, clock.elapsed());
  const carrierOf = (draws: string, name: string, faults: CarrierFaults) =>
    createFaultyCarrier(
      clock,
      seededRandom(scenario.seed, draws),
      {
        name,
        seed: scenario.seed,
        optOuts: scenario.optOuts,
        callbacks: scenario.callbacks?.asked ?? 0,
        faults,
      },
      tell,
    );
  const suppressionLists = createMemoryLists();
  const shared: Shared = {
    clock,
    random,
    ids: createSimulatedIds(),
    logger: loggerTo(line),
    database: createMemoryDatabase(),
    codec: createRememberingCodec(keys),
    admission: createMemoryAdmission({
      ...{ clock, keys, owner: directory.ownerNow },
      ...{ policy: policies.now, lists: suppressionLists.now },
    }),
    directory,
    policies,
    suppressionLists,
    simulatedLists: createSimulatedLists(clock, directory, suppressionLists),
    address:
      scenario.address === null
        ? null
        : createFaultyAddress(clock, seededRandom(scenario.seed, "address"), scenario.address),
    pinnedConversations: createMemoryPinnedConversations(),
    analyses: createMemoryAnalyses(),
    analysisSettings: createMemoryAnalysisSettings(),
    leases: createMemoryLeases(leaseClock),
    leaseMillis: scenario.processes === 2 ? scenario.leaseMillis : WEEK,
    commandQueue: createMemoryCampaignCommandQueue(clock),
    imports: createMemoryImports(keys),
    checkpoints: createMemoryCheckpoints(),
    outbox: memoryOutboxState(),
    lists: memoryListState(),
    carriers: {
      own: carrierOf("carrier", "own", scenario.faults),
      second: scenario.secondFaults === null ? null : carrierOf("carrier 2", "second", scenario.secondFaults),
    },
    analysisModels:
      scenario.analyses === null
        ? null
        : createFaultyAnalysisModels(clock, seededRandom(scenario.seed, "analysis model"), scenario.analyses),
    receiver:
      scenario.receiver === null
        ? null
        : createFaultyReceiver(clock, seededRandom(scenario.seed, "receiver"), scenario.receiver),
    mutants,
    reached: traced ? (point) => void points.add(point) : () => undefined,
    trace: line,
  };
  const observer = createObserver(shared, scenario);
  const processes: (SimulatedProcess | null)[] = [];
  const generations: number[] = [];
  const crashes = [...scenario.crashes];
  const onDeath = new Map<Life, () => void>();
  let placesSinceRestart = 0;
  let places = 0;
  let deaths = 0;
  let calm = false;

  const alive = () =>
    processes.filter((process) => process?.life.alive === true).filter((one) => one !== null);

  const reaper = (): boolean => {
    places += 1;
    placesSinceRestart += 1;
    if (calm || crashes[0] === undefined || placesSinceRestart < crashes[0]) return false;
    crashes.shift();
    placesSinceRestart = 0;
    return true;
  };

  let moment = 0;
  let looks = 0;
  const mayLook = (life: Life): boolean => {
    looks = clock.elapsed() === moment ? looks + 1 : 0;
    moment = clock.elapsed();
    if (looks === MOST_LOOKS_AT_ONCE) problems.push(`${life.name} goes round in circles at ${moment} ms`);
    return looks < MOST_LOOKS_AT_ONCE;
  };

  const start = (index: number) => {
    const generation = (generations[index] ?? 0) + 1;
    generations[index] = generation;
    const life: Life = { alive: true, name: `p${index + 1}.${generation}` };
    line(() => `${life.name} starts`);
    onDeath.set(life, () => buried(index));
    const dies: Reaper = (who) => {
      if (!reaper()) return false;
      queueMicrotask(() => died(who));
      return true;
    };
    processes[index] = startProcess(shared, life, dies, () => mayLook(life));
  };

  const died = (life: Life) => {
    onDeath.get(life)?.();
    onDeath.delete(life);
  };

  const buried = (index: number) => {
    const away = scenario.restartMillis[Math.min(deaths, scenario.restartMillis.length - 1)] ?? 1_000;
    deaths += 1;
    leaseSkip += shared.leaseMillis + 1;
    user.forget();
    clock.after(away, () => start(index));
  };

  const kill = () => {
    const [victim] = alive();
    if (victim === undefined) return;
    line(() => `${victim.life.name} KILLED`);
    victim.die();
    died(victim.life);
  };

  const deliver = (event: CarrierEvent, since: number) => {
    const present = alive();
    const process = present[random.between(0, Math.max(0, present.length - 1))];
    let delivered = false;
    if (process !== undefined) {
      line(() => `carrier tells ${process.life.name} ${event.callId} ${event.type} #${event.sequence}`);
      process.sink(event).then(
        () => {
          delivered = true;
          void process.hears(event);
        },
        () => undefined,
      );
    }
    const wait = process === undefined ? NOBODY_THERE_MILLIS : CALLBACK_AGAIN_MILLIS;
    const givenUp = () => delivered || clock.elapsed() - since > CALLBACK_GIVEN_UP_MILLIS;
    clock.after(wait, () => deliver(event, since), givenUp);
  };

  const user = createSimulatedUser({ shared, scenario, observer, alive, kill, problems });

  return {
    shared,
    observer,
    problems,
    trace,
    points,
    places: () => places,
    deaths: () => deaths,
    begin: () => {
      setUp(shared, scenario);
      for (let index = 0; index < scenario.processes; index += 1) start(index);
      user.begin();
      clock.after(scenario.calmAt, () => {
        calm = true;
        for (const carrier of bothOf(shared.carriers)) carrier.calmDown();
        shared.receiver?.calmDown();
        shared.analysisModels?.calmDown();
        shared.address?.calmDown();
        user.calmDown();
      });
    },
    isOver: () =>
      observer.isQuiet() &&
      user.isDone() &&
      bothOf(shared.carriers).every((carrier) => !carrier.isHangingUp()) &&
      shared.suppressionLists.isTold() &&
      allDelivered(shared),
    end: () => {
      for (const process of alive()) process.die();
    },
  };
}

function allDelivered({ outbox, receiver }: Shared): boolean {
  return receiver === null || [...outbox.deliveries.values()].every(({ status }) => status === "delivered");
}

function setUp({ directory, admission, outbox, clock }: Shared, scenario: Scenario): void {
  const { planConcurrentCalls, planCallsPerSecond, paidCalls, maxDurationSeconds } = scenario;
  const plan = { maxConcurrentCalls: planConcurrentCalls, maxCallsPerSecond: planCallsPerSecond };
  directory.setOwner(OWNER, { active: true, plan });
  directory.setPhoneNumber(OWNER, PHONE_NUMBER, { phoneNumber: "+15005550000", active: true });
  directory.setPhoneNumber(OWNER, OTHER_NUMBER, { phoneNumber: "+15005550001", active: true });
  for (const [assistantId, name] of [
    [ASSISTANT, "Ada"],
    [OTHER_ASSISTANT, "Bo"],
  ] as const)
    directory.publish(OWNER, {
      assistantId,
      version: 1,
      name,
      greetingMessage: "Hello {{name}}",
      systemPrompt: "Be brief.",
      ...DEFAULT_ASSISTANT,
      maxDurationSeconds,
      optOut: scenario.listens ? "listen" : "off",
      callback: assistantId === ASSISTANT ? callbackSettingsOf(scenario) : null,
      outcome: scenario.analyses === null ? null : SIMULATED_OUTCOME,
    });
  void admission.topUp(OWNER, creditsToUnits(paidCalls), "first");
  putMemoryEndpoint(
    outbox,
    OWNER,
    {
      url: "http://127.0.0.1:9/hook",
      inUse: true,
      events: ALL_KINDS,
      secrets: { current: RECEIVER_SECRET, previous: null },
    },
    clock.nowMillis(),
  );
}

function callbackSettingsOf({ callbacks }: Scenario) {
  return callbacks === null ? null : { maxDays: callbacks.maxDays, maxPerContact: callbacks.maxPerContact };
}

function loggerTo(line: (text: () => string) => void): Logger {
  const say = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) =>
    line(() => `  ${level}: ${message} ${String(fields["error"] ?? "")}`);
  const logger: Logger = {
    debug: () => undefined,
    info: say("info"),
    warn: say("warn"),
    error: say("error"),
  };
  return logger;
}
