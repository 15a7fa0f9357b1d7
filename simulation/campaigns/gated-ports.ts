import type { Admission } from "../../application/ports/admission.ts";
import type { Analyses } from "../../application/ports/analyses.ts";
import type { CampaignCommandQueue } from "../../application/ports/campaign-commands.ts";
import type { Carrier } from "../../application/ports/carrier.ts";
import type { Checkpoints } from "../../application/ports/checkpoints.ts";
import type { Suppressions } from "../../application/ports/configuration/suppressions.ts";
import type { DeliveryStore } from "../../application/ports/delivery-store.ts";
import type { Directory } from "../../application/ports/directory.ts";
import type { Eligibility } from "../../application/ports/eligibility.ts";
import type { EventStore } from "../../application/ports/event-store.ts";
import type { Imports } from "../../application/ports/imports.ts";
import type { Leases } from "../../application/ports/leases.ts";
import type { OptOuts } from "../../application/ports/opt-outs.ts";
import type { PinnedConversations } from "../../application/ports/pinned-conversations.ts";
import type { Policies } from "../../application/ports/policies.ts";
import type { SuppressionLists } from "../../application/ports/suppression-lists.ts";
import type { WebhookOutbox } from "../../application/ports/webhook-outbox.ts";
import type { Gate } from "./gate.ts";

/** The ports of one process, over the stores that all processes of the world share. */
export function gatedEventStore(store: EventStore, gate: Gate): EventStore {
  return {
    ...store,
    append: (stream, expected, events) =>
      gate.effect(`append ${events.at(-1)?.type ?? ""}`, () => store.append(stream, expected, events)),
    read: (stream, options) => gate.look(() => store.read(stream, options)),
    readAll: (options) => gate.look(() => store.readAll(options)),
    head: () => gate.look(() => store.head()),
  };
}

export function gatedAdmission(admission: Admission, gate: Gate): Admission {
  return {
    admit: (request) => gate.effect("admit", () => admission.admit(request)),
    slowDown: (key, millis) => gate.effect("slow down", () => admission.slowDown(key, millis)),
    tookDial: (key, begunAgo) => gate.look(() => admission.tookDial(key, begunAgo)),
    takeTurn: (connection, before) => gate.effect("take turn", () => admission.takeTurn(connection, before)),
    close: (settlements) => gate.effect("close slots", () => admission.close(settlements)),
    judge: (dial) => gate.look(() => admission.judge(dial)),
    ensure: (slot, price) => gate.look(() => admission.ensure(slot, price)),
    openIntents: (owner, phoneNumber) => gate.look(() => admission.openIntents(owner, phoneNumber)),
    dueLooks: (now, limit) => gate.look(() => admission.dueLooks(now, limit)),
    setNextLooks: (looks) => gate.effect("next looks", () => admission.setNextLooks(looks)),
    expectSession: (callId, by) => gate.effect("session expected", () => admission.expectSession(callId, by)),
    nextLookAt: () => gate.look(() => admission.nextLookAt()),
    account: (owner) => gate.look(() => admission.account(owner)),
    topUp: (owner, amount, reference) => gate.look(() => admission.topUp(owner, amount, reference)),
    onWake: (listener) => admission.onWake((wake) => (gate.life.alive ? listener(wake) : undefined)),
    withdrawDemand: (campaignId) => gate.look(() => admission.withdrawDemand(campaignId)),
  };
}

export function gatedOptOuts(optOuts: OptOuts, gate: Gate): OptOuts {
  return {
    list: (heard) => gate.effect("list", () => optOuts.list(heard)),
    due: (limit) => gate.look(() => optOuts.due(limit)),
    recorded: (heard) => gate.effect("opt-out recorded", () => optOuts.recorded(heard)),
    revoked: (heard) => gate.effect("opt-out revoked", () => optOuts.revoked(heard)),
    unrevoked: (owner, phoneNumber) => gate.look(() => optOuts.unrevoked(owner, phoneNumber)),
    listAgain: () => gate.look(() => optOuts.listAgain()),
    refuse: (call) => gate.effect("refuse", () => optOuts.refuse(call)),
  };
}

export function gatedAnalyses(analyses: Analyses, gate: Gate): Analyses {
  return {
    expect: (analysis, at) => gate.effect("expect analysis", () => analyses.expect(analysis, at)),
    wished: (analysis, at) => gate.effect("analysis wished", () => analyses.wished(analysis, at)),
    claim: (claim) => gate.effect("claim analyses", () => analyses.claim(claim)),
    giveBack: (analysis, at) => gate.effect("give back analysis", () => analyses.giveBack(analysis, at)),
    failed: (analysisId, used, at) =>
      gate.effect("analysis failed", () => analyses.failed(analysisId, used, at)),
    done: (analysisId) => gate.effect("analysis done", () => analyses.done(analysisId)),
    nextDue: (except) => gate.look(() => analyses.nextDue(except)),
  };
}

export function gatedTakeOff({ takeOff }: Suppressions, gate: Gate): Pick<Suppressions, "takeOff"> {
  return { takeOff: (...asked) => gate.effect("take off", () => takeOff(...asked)) };
}

export function gatedOutbox(outbox: WebhookOutbox, gate: Gate): WebhookOutbox {
  return {
    enqueue: (entries) => gate.effect("enqueue webhooks", () => outbox.enqueue(entries)),
    takes: (owner, kind) => gate.look(() => outbox.takes(owner, kind)),
    deferEnds: (ends) => gate.effect("defer ends", () => outbox.deferEnds(ends)),
    dueEnds: (now, limit) => gate.look(() => outbox.dueEnds(now, limit)),
    nextEndDue: () => gate.look(() => outbox.nextEndDue()),
    endWaits: (callId) => gate.look(() => outbox.endWaits(callId)),
    emptyCalls: (callIds) => gate.effect("empty webhooks", () => outbox.emptyCalls(callIds)),
    dropEnds: (callIds) => gate.effect("drop ends", () => outbox.dropEnds(callIds)),
  };
}

export function gatedDeliveryStore(store: DeliveryStore, gate: Gate): DeliveryStore {
  return {
    dueOwners: (worker, now, limit) => gate.look(() => store.dueOwners(worker, now, limit)),
    lease: (worker, owners, ttl) => gate.look(() => store.lease(worker, owners, ttl)),
    release: (worker, owners) => gate.look(() => store.release(worker, owners)),
    claim: (claims, now) => gate.effect("claim deliveries", () => store.claim(claims, now)),
    giveBack: (deliveries) => gate.effect("give back deliveries", () => store.giveBack(deliveries)),
    record: (attempts, healths) => gate.effect("record deliveries", () => store.record(attempts, healths)),
    recoverUnknown: (owners, before, now, underWay) =>
      gate.look(() => store.recoverUnknown(owners, before, now, underWay)),
    hold: (owners, now) => gate.look(() => store.hold(owners, now)),
    retire: (now, limit) => gate.look(() => store.retire(now, limit)),
    oldestUndelivered: () => gate.look(() => store.oldestUndelivered()),
  };
}

export function gatedLeases(leases: Leases, gate: Gate): Leases {
  return {
    acquire: (name, holder, ttl) => gate.effect("acquire lease", () => leases.acquire(name, holder, ttl)),
    renew: (names, holder, ttl) => gate.look(() => leases.renew(names, holder, ttl)),
    release: (name, holder) => gate.effect("release lease", () => leases.release(name, holder)),
    abandoned: (prefix, limit, formerHolder) =>
      gate.look(() => leases.abandoned(prefix, limit, formerHolder)),
  };
}

export function gatedCheckpoints(checkpoints: Checkpoints, gate: Gate): Checkpoints {
  return {
    load: (processor) => gate.look(() => checkpoints.load(processor)),
    save: (processor, checkpoint) =>
      gate.effect(`checkpoint ${processor}`, () => checkpoints.save(processor, checkpoint)),
    park: (processor, event, problem) => gate.look(() => checkpoints.park(processor, event, problem)),
    parked: () => gate.look(() => checkpoints.parked()),
  };
}

export function gatedImports(imports: Imports, gate: Gate): Imports {
  return {
    begin: (row) => gate.effect("import row", () => imports.begin(row)),
    sealed: (importId) => gate.effect("import sealed", () => imports.sealed(importId)),
    unsealedSince: (before, limit) => gate.look(() => imports.unsealedSince(before, limit)),
  };
}

export function gatedCommandQueue(queue: CampaignCommandQueue, gate: Gate): CampaignCommandQueue {
  return {
    enqueue: (command) => gate.effect("enqueue command", () => queue.enqueue(command)),
    waiting: (campaignIds) => gate.look(() => queue.waiting(campaignIds)),
    answer: (id, answer) => gate.effect("answer command", () => queue.answer(id, answer)),
    awaitAnswer: (id, timeout) => gate.look(() => queue.awaitAnswer(id, timeout)),
    onEnqueued: (listener) => queue.onEnqueued((id) => (gate.life.alive ? listener(id) : undefined)),
  };
}

export function gatedDirectory(directory: Directory, gate: Gate): Directory {
  return {
    phoneNumber: (owner, id) => gate.look(() => directory.phoneNumber(owner, id)),
    assistant: (owner, id) => gate.look(() => directory.assistant(owner, id)),
    assistantVersion: (owner, id, version) => gate.look(() => directory.assistantVersion(owner, id, version)),
    suppressions: (owner, numbers) => gate.look(() => directory.suppressions(owner, numbers)),
    tools: (owner, ids) => gate.look(() => directory.tools(owner, ids)),
    suppressed: (owner, numbers) => gate.look(() => directory.suppressed(owner, numbers)),
    onOwnList: (owner, numbers) => gate.look(() => directory.onOwnList(owner, numbers)),
    owner: (owner) => gate.look(() => directory.owner(owner)),
    onChange: (listener) => directory.onChange((owner) => (gate.life.alive ? listener(owner) : undefined)),
  };
}

export function gatedPolicies(policies: Policies, gate: Gate): Policies {
  return {
    inForce: (owner) => gate.look(() => policies.inForce(owner)),
    store: (owner, version, policy) =>
      gate.effect("store policy", () => policies.store(owner, version, policy)),
    replaceAll: (all) => gate.effect("replace policies", () => policies.replaceAll(all)),
    onChange: (listener) => policies.onChange((owner) => (gate.life.alive ? listener(owner) : undefined)),
  };
}

export function gatedLists(lists: SuppressionLists, gate: Gate): SuppressionLists {
  return {
    standing: (owner) => gate.look(() => lists.standing(owner)),
    onChange: (listener) => lists.onChange((owner) => (gate.life.alive ? listener(owner) : undefined)),
    unpublished: (limit) => gate.look(() => lists.unpublished(limit)),
    published: (change) => gate.effect("list change published", () => lists.published(change)),
    follow: (event) => gate.effect("follow list", () => lists.follow(event)),
  };
}

export function gatedEligibility({ ask }: Pick<Eligibility, "ask">, gate: Gate): Pick<Eligibility, "ask"> {
  return { ask: (...asked) => gate.effect("ask address", () => ask(...asked)) };
}

export function gatedPinnedConversations(
  conversations: PinnedConversations,
  gate: Gate,
): PinnedConversations {
  return {
    store: (conversation) => gate.effect("store pinned", () => conversations.store(conversation)),
    read: (sha256) => gate.look(() => conversations.read(sha256)),
  };
}

export function gatedTelephony(telephony: Carrier, gate: Gate): Carrier {
  return {
    kind: telephony.kind,
    can: telephony.can,
    instance: () => gate.look(() => telephony.instance()),
    recording: (ref) => gate.look(() => telephony.recording(ref)),
    deleteRecording: (ref) => gate.effect("delete recording", () => telephony.deleteRecording(ref)),
    placeCall: (call, sendBy) => gate.effect("place call", () => telephony.placeCall(call, sendBy)),
    hangUp: (call) => gate.effect("hang up", () => telephony.hangUp(call)),
    lookup: (call) => gate.effect("look up", () => telephony.lookup(call)),
    callsSince: (since) => gate.look(() => telephony.callsSince(since)),
    available: () => gate.look(() => telephony.available()),
    refuses: () => gate.look(() => telephony.refuses()),
  };
}
