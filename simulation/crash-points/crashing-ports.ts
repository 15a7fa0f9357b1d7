import type { PostgresPool, PostgresPoolClient } from "kysely";
import type { Admission } from "../../application/ports/admission.ts";
import type { Analyses, AnalysisTokens } from "../../application/ports/analyses.ts";
import type { Carrier, CarrierEventSink } from "../../application/ports/carrier.ts";
import type { Carriers } from "../../application/ports/carriers.ts";
import type { Checkpoints } from "../../application/ports/checkpoints.ts";
import type { DeliveryStore } from "../../application/ports/delivery-store.ts";
import type { ErasureJournal, Erasures } from "../../application/ports/erasures.ts";
import type { EventStore } from "../../application/ports/event-store.ts";
import type { Imports } from "../../application/ports/imports.ts";
import type { Leases } from "../../application/ports/leases.ts";
import type { ListLoad, ListNumbers } from "../../application/ports/list-numbers.ts";
import type { OptOuts } from "../../application/ports/opt-outs.ts";
import type { PastDials } from "../../application/ports/past-dials.ts";
import type { Policies } from "../../application/ports/policies.ts";
import type { RecordingSegments, SegmentIndex } from "../../application/ports/recording-segments.ts";
import type { RecordingFiles, Recordings } from "../../application/ports/recordings.ts";
import type { Rehearsals } from "../../application/ports/rehearsals.ts";
import type { SuppressionLists } from "../../application/ports/suppression-lists.ts";
import type { WebhookOutbox } from "../../application/ports/webhook-outbox.ts";
import type { SendAttempt } from "../../application/ports/webhook-sender.ts";
import type { Around } from "./around.ts";

/**
 * Appends, named by the types of their events: `eventStore.append.CallRequested.before`. An append of several
 * types reaches the points of each.
 */
export function crashingEventStore<P extends EventStore>(port: P, around: Around): P {
  return {
    ...port,
    append: (stream, expected, events) =>
      [...new Set(events.map(({ type }) => type))].reduceRight(
        (work, type) => () => around(`eventStore.append.${type}`, work),
        () => port.append(stream, expected, events),
      )(),
  };
}

export function crashingCheckpoints<P extends Checkpoints>(port: P, around: Around): P {
  return {
    ...port,
    save: (processor, checkpoint) => around("checkpoints.save", () => port.save(processor, checkpoint)),
  };
}

export function crashingAdmission<P extends Admission>(port: P, around: Around): P {
  return {
    ...port,
    admit: (request) => around("admission.admit", () => port.admit(request)),
    close: (settlements) => around("admission.close", () => port.close(settlements)),
    setNextLooks: (looks) => around("admission.setNextLooks", () => port.setNextLooks(looks)),
  };
}

/** A carrier has the same points, however it was opened. */
export function crashingCarriers<P extends Carriers>(port: P, around: Around): P {
  return {
    ...port,
    route: async (owner, connectionId, to) => {
      const route = await port.route(owner, connectionId, to);
      return route === null ? null : { ...route, carrier: crashingCarrier(route.carrier, around) };
    },
    dialledOn: async (owner, identity) => {
      const carrier = await port.dialledOn(owner, identity);
      return carrier === null ? null : crashingCarrier(carrier, around);
    },
    every: async () =>
      (await port.every()).map((route) => ({ ...route, carrier: crashingCarrier(route.carrier, around) })),
  };
}

export function crashingCarrier(carrier: Carrier, around: Around): Carrier {
  return {
    ...carrier,
    placeCall: (call, sendBy) => around("carrier.placeCall", () => carrier.placeCall(call, sendBy)),
    hangUp: (call) => around("carrier.hangUp", () => carrier.hangUp(call)),
    lookup: (call) => around("carrier.lookup", () => carrier.lookup(call)),
    deleteRecording: (ref) => around("carrier.deleteRecording", () => carrier.deleteRecording(ref)),
  };
}

export function crashingCarrierEvents(sink: CarrierEventSink, around: Around): CarrierEventSink {
  return (event) => around("carrierEvents.take", () => sink(event));
}

export function crashingImports<P extends Imports>(port: P, around: Around): P {
  return {
    ...port,
    begin: (row) => around("imports.begin", () => port.begin(row)),
    sealed: (importId) => around("imports.sealed", () => port.sealed(importId)),
  };
}

/**
 * Named by the purpose of the lease: `leases.acquire.campaign.after`, which is reached only if
 * the lease was acquired.
 */
export function crashingLeases<P extends Leases>(port: P, around: Around): P {
  return {
    ...port,
    acquire: (name, holder, ttl) =>
      around(`leases.acquire.${name.split(":")[0]}`, () => port.acquire(name, holder, ttl), Boolean),
  };
}

export function crashingOutbox<P extends WebhookOutbox>(port: P, around: Around): P {
  return {
    ...port,
    enqueue: (entries) => around("outbox.enqueue", () => port.enqueue(entries)),
    deferEnds: (ends) => around("outbox.deferEnds", () => port.deferEnds(ends)),
    dropEnds: (callIds) => around("outbox.dropEnds", () => port.dropEnds(callIds)),
  };
}

/** An empty claim has no after. */
export function crashingDeliveryStore<P extends DeliveryStore>(port: P, around: Around): P {
  return {
    ...port,
    claim: (claims, now) =>
      around(
        "deliveries.claim",
        () => port.claim(claims, now),
        (claimed) => claimed.length > 0,
      ),
    record: (attempts, healths) => around("deliveries.record", () => port.record(attempts, healths)),
  };
}

export function crashingSender(send: SendAttempt, around: Around): SendAttempt {
  return (attempt, nowMillis) => around("webhooks.send", () => send(attempt, nowMillis));
}

export function crashingOptOuts<P extends OptOuts>(port: P, around: Around): P {
  return {
    ...port,
    list: (heard) => around("optOuts.list", () => port.list(heard)),
    recorded: (heard) => around("optOuts.recorded", () => port.recorded(heard)),
  };
}

export function crashingPolicies<P extends Policies>(port: P, around: Around): P {
  return {
    ...port,
    store: (owner, version, policy) => around("policies.store", () => port.store(owner, version, policy)),
  };
}

export function crashingLists<P extends SuppressionLists>(port: P, around: Around): P {
  return { ...port, published: (change) => around("lists.published", () => port.published(change)) };
}

/** The numbers count from somewhere between the two points of `replace` on. */
export function crashingListNumbers(port: ListNumbers, around: Around): ListNumbers {
  return {
    begin: async (owner, listId) => {
      const load = await around("listNumbers.begin", () => port.begin(owner, listId));
      if (typeof load === "string") return load;
      const replace: ListLoad["replace"] = (file, signal) =>
        around("listNumbers.replace", () => load.replace(file, signal));
      return { ...load, replace };
    },
  };
}

export function crashingPastDials<P extends PastDials>(port: P, around: Around): P {
  return {
    ...port,
    count: (dials, readSoFar) => around("pastDials.count", () => port.count(dials, readSoFar)),
  };
}

export function crashingAnalyses<P extends Analyses>(port: P, around: Around): P {
  return {
    ...port,
    expect: (analysis, at) => around("analyses.expect", () => port.expect(analysis, at)),
    wished: (analysis, at) => around("analyses.wished", () => port.wished(analysis, at)),
    claim: (claim) =>
      around(
        "analyses.claim",
        () => port.claim(claim),
        (claimed) => claimed.length > 0,
      ),
    failed: (analysisId, used, at) => around("analyses.failed", () => port.failed(analysisId, used, at)),
    done: (analysisId) => around("analyses.done", () => port.done(analysisId)),
  };
}

export function crashingAnalysisTokens<P extends AnalysisTokens>(port: P, around: Around): P {
  return {
    ...port,
    add: (owner, day, tokens) => around("analysisTokens.add", () => port.add(owner, day, tokens)),
  };
}

export function crashingErasures<P extends Erasures>(port: P, around: Around): P {
  return {
    ...port,
    begin: (erasure, callIds) => around("erasures.begin", () => port.begin(erasure, callIds)),
    eraseKeys: (erased) => around("erasures.eraseKeys", () => port.eraseKeys(erased)),
    clearCampaigns: (campaigns) => around("erasures.clearCampaigns", () => port.clearCampaigns(campaigns)),
    clear: (callIds) => around("erasures.clear", () => port.clear(callIds), Boolean),
    finish: (erasure, at) => around("erasures.finish", () => port.finish(erasure, at)),
  };
}

export function crashingJournal<P extends ErasureJournal>(port: P, around: Around): P {
  return { ...port, add: (erased, at) => around("journal.add", () => port.add(erased, at)) };
}

export function crashingRecordings<P extends Recordings>(port: P, around: Around): P {
  return {
    ...port,
    add: (recordings) => around("recordings.add", () => port.add(recordings)),
    stepped: (steps) => around("recordings.stepped", () => port.stepped(steps)),
    erase: (callIds) => around("recordings.erase", () => port.erase(callIds)),
  };
}

export function crashingRecordingFiles<P extends RecordingFiles>(port: P, around: Around): P {
  return {
    ...port,
    write: (callId, key, contentType, source) =>
      around("recordingFiles.write", () => port.write(callId, key, contentType, source)),
    flush: () => around("recordingFiles.flush", () => port.flush()),
    remove: (recordings) => around("recordingFiles.remove", () => port.remove(recordings)),
  };
}

export function crashingSegments<P extends RecordingSegments>(port: P, around: Around): P {
  return {
    ...port,
    copy: (records) => around("segments.copy", () => port.copy(records)),
    drop: (name) => around("segments.drop", () => port.drop(name)),
  };
}

export function crashingSegmentIndex<P extends SegmentIndex>(port: P, around: Around): P {
  return {
    ...port,
    moved: (moves) => around("segmentIndex.moved", () => port.moved(moves)),
    dropped: (segment) => around("segmentIndex.dropped", () => port.dropped(segment)),
  };
}

/** A take of nothing has no after. */
export function crashingRehearsals<P extends Rehearsals>(port: P, around: Around): P {
  return {
    ...port,
    take: (limits) =>
      around(
        "rehearsals.take",
        () => port.take(limits),
        (taken) => taken !== null,
      ),
    finish: (run, holder, played) => around("rehearsals.finish", () => port.finish(run, holder, played)),
  };
}

type EngineStores = {
  readonly analyses: Analyses;
  readonly analysisTokens: AnalysisTokens;
  readonly admission: Admission;
  readonly checkpoints: Checkpoints;
  readonly imports: Imports;
  readonly leases: Leases;
  readonly optOuts: OptOuts;
  readonly outbox: WebhookOutbox;
  readonly policies: Policies;
  readonly lists: SuppressionLists;
};
type AccountStores = {
  readonly configuration: { readonly listNumbers: ListNumbers };
  readonly pastDials: PastDials;
  readonly rehearsals: Rehearsals;
};
type WordStores = {
  readonly erasures: Erasures;
  readonly journal: ErasureJournal;
  readonly recordings: Recordings;
  readonly files: RecordingFiles;
  readonly segments: RecordingSegments;
  readonly segmentIndex: SegmentIndex;
};

/** The stores of calls and campaigns. */
export function crashingEngineStores<A extends EngineStores>(adapters: A, around: Around): A {
  return {
    ...adapters,
    analyses: crashingAnalyses(adapters.analyses, around),
    analysisTokens: crashingAnalysisTokens(adapters.analysisTokens, around),
    admission: crashingAdmission(adapters.admission, around),
    checkpoints: crashingCheckpoints(adapters.checkpoints, around),
    imports: crashingImports(adapters.imports, around),
    leases: crashingLeases(adapters.leases, around),
    optOuts: crashingOptOuts(adapters.optOuts, around),
    outbox: crashingOutbox(adapters.outbox, around),
    policies: crashingPolicies(adapters.policies, around),
    lists: crashingLists(adapters.lists, around),
  };
}

/** The stores of what belongs to owners. */
export function crashingAccountStores<A extends AccountStores>(adapters: A, around: Around): A {
  const { configuration, pastDials, rehearsals } = adapters;
  return {
    ...adapters,
    pastDials: crashingPastDials(pastDials, around),
    rehearsals: crashingRehearsals(rehearsals, around),
    configuration: { ...configuration, listNumbers: crashingListNumbers(configuration.listNumbers, around) },
  };
}

/** The stores of texts and recordings, and of their erasure. */
export function crashingWordStores<A extends WordStores>(adapters: A, around: Around): A {
  return {
    ...adapters,
    erasures: crashingErasures(adapters.erasures, around),
    journal: crashingJournal(adapters.journal, around),
    recordings: crashingRecordings(adapters.recordings, around),
    files: crashingRecordingFiles(adapters.files, around),
    segments: crashingSegments(adapters.segments, around),
    segmentIndex: crashingSegmentIndex(adapters.segmentIndex, around),
  };
}

const MOVES_A_CHECKPOINT = /\bupdate\b.*\bread\.checkpoints\b/s;

/**
 * The pool of the read models: a transaction that moves a checkpoint commits between
 * `readRows.commit.before` and `.after`.
 */
export function crashingCommits(pool: PostgresPool, around: Around): PostgresPool {
  return { ...pool, connect: async () => crashingConnection(await pool.connect(), around) };
}

function crashingConnection(client: PostgresPoolClient, around: Around): PostgresPoolClient {
  let moves = false;
  return {
    // Kysely calls it with statements only, as in prepared-statements.ts.
    query: ((text: string, values: readonly unknown[]) => {
      moves ||= MOVES_A_CHECKPOINT.test(text);
      const query = () => client.query<never>(text, values);
      return text === "commit" && moves ? around("readRows.commit", query) : query();
    }) as unknown as PostgresPoolClient["query"],
    release: (destroy) => client.release(destroy),
  };
}
