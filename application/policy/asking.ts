import type { EligibilityAnswer } from "../../domain/policy/eligibility-answer.ts";
import type { EligibilityCheck, EligibilityEvidence } from "../../domain/policy/policy.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import type { Clock } from "../ports/clock.ts";
import type { Eligibility, EligibilityQuestion } from "../ports/eligibility.ts";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";

/** Questions of an owner that are under way at once. */
const AT_ONCE = 16;
/** So many in a row without an answer that counts make an address silent. */
const SILENT_AFTER = 5;
/** A silent address is asked again so long after its last question. */
const PROBE_EVERY_MILLIS = 10_000;

/** A person who may be called next. */
export type Person = Omit<EligibilityQuestion, "eventId" | "occurredAt">;

/** What the address said, and that it was asked. */
export type Asked = { readonly answer: EligibilityAnswer; readonly evidence: EligibilityEvidence };

export type WhatToAsk = {
  readonly check: EligibilityCheck;
  /** Read when it is asked; null: nobody has to know any more. */
  readonly person: () => Promise<Person | null>;
  /** Goes before those of campaigns, because somebody waits for it. */
  readonly isUrgent?: boolean;
};

/**
 * Asks owners' addresses whether people may be called, and knows which of them do not answer, as far as this
 * process has asked them.
 */
export type Asking = {
  /** When one of the owner's places is free. Rejects only when `person` does. */
  readonly ask: (owner: OwnerId, what: WhatToAsk) => Promise<Asked | null>;
  /** Addresses of the owner that did not answer five times in a row, and not since. */
  readonly silentUrls: (owner: OwnerId) => readonly string[];
  /** For a campaign that is taken over while it is paused because of it: it must answer first. */
  readonly assumeSilent: (owner: OwnerId, url: string) => void;
  /** Whether a silent address is to be asked now; true counts as a question. */
  readonly takeProbe: (owner: OwnerId, url: string) => boolean;
  /** Calls the listener whenever an address of the owner becomes silent, or answers again. */
  readonly onChange: (listener: (owner: OwnerId) => void) => () => void;
};

export type AskingDeps = {
  readonly eligibility: Pick<Eligibility, "ask">;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
};

export function createAsking({ eligibility, clock, ids, logger }: AskingDeps): Asking {
  const places = createPlaces();
  const health = createAddressHealth(clock, logger);
  const askNow = async (owner: OwnerId, { check, person }: WhatToAsk): Promise<Asked | null> => {
    const about = await person();
    if (about === null) return null;
    const eventId = ids.uuid();
    const askedAt = clock.now();
    const { answer, millis } = await eligibility.ask(owner, check, {
      eventId,
      occurredAt: askedAt,
      ...about,
    });
    health.saw(owner, check.url, answer);
    return { answer, evidence: { eventId, askedAt, millis: Math.round(millis) } };
  };
  return {
    ask: (owner, what) => places(owner, what.isUrgent === true, () => askNow(owner, what)),
    silentUrls: health.silentUrls,
    assumeSilent: health.assumeSilent,
    takeProbe: health.takeProbe,
    onChange: health.onChange,
  };
}

type Places = <T>(owner: OwnerId, isUrgent: boolean, work: () => Promise<T>) => Promise<T>;

function createPlaces(): Places {
  const byOwner = new Map<
    OwnerId,
    { taken: number; readonly urgent: (() => void)[]; readonly others: (() => void)[] }
  >();
  return async (owner, isUrgent, work) => {
    const places = byOwner.get(owner) ?? { taken: 0, urgent: [], others: [] };
    byOwner.set(owner, places);
    if (places.taken < AT_ONCE) places.taken += 1;
    else await new Promise<void>((begin) => (isUrgent ? places.urgent : places.others).push(begin));
    try {
      return await work();
    } finally {
      const next = places.urgent.shift() ?? places.others.shift();
      if (next !== undefined) next();
      else places.taken -= 1;
      if (places.taken === 0) byOwner.delete(owner);
    }
  };
}

type Standing = { unanswered: number; askedMillis: number };
type AddressHealth = Pick<Asking, "silentUrls" | "assumeSilent" | "takeProbe" | "onChange"> & {
  readonly saw: (owner: OwnerId, url: string, answer: EligibilityAnswer) => void;
};

/** Addresses whose last question had no answer that counts. Times are of the monotonic clock. */
function createAddressHealth(
  { monotonicMillis }: Pick<Clock, "monotonicMillis">,
  logger: Logger,
): AddressHealth {
  const listeners = new Set<(owner: OwnerId) => void>();
  const byOwner = new Map<OwnerId, Map<string, Standing>>();
  const isSilent = (standing: Standing | undefined) =>
    standing !== undefined && standing.unanswered >= SILENT_AFTER;
  const become = (owner: OwnerId, url: string, unanswered: number) => {
    const urls = byOwner.get(owner) ?? new Map<string, Standing>();
    const before = isSilent(urls.get(url));
    const standing = { unanswered, askedMillis: monotonicMillis() };
    if (unanswered === 0) urls.delete(url);
    else urls.set(url, standing);
    if (urls.size === 0) byOwner.delete(owner);
    else byOwner.set(owner, urls);
    const isNow = unanswered >= SILENT_AFTER;
    if (before === isNow) return false;
    for (const listener of listeners) listener(owner);
    return true;
  };
  return {
    silentUrls: (owner) =>
      [...(byOwner.get(owner) ?? [])].filter(([, each]) => isSilent(each)).map(([url]) => url),
    assumeSilent: (owner, url) => {
      const unanswered = byOwner.get(owner)?.get(url)?.unanswered ?? 0;
      if (unanswered < SILENT_AFTER) become(owner, url, SILENT_AFTER);
    },
    takeProbe: (owner, url) => {
      const standing = byOwner.get(owner)?.get(url);
      if (standing === undefined || monotonicMillis() - standing.askedMillis < PROBE_EVERY_MILLIS)
        return false;
      standing.askedMillis = monotonicMillis();
      return true;
    },
    saw: (owner, url, answer) => {
      const isAnswer = answer.kind !== "unavailable";
      const unanswered = isAnswer ? 0 : (byOwner.get(owner)?.get(url)?.unanswered ?? 0) + 1;
      if (!become(owner, url, unanswered)) return;
      const why = isAnswer ? null : answer.why;
      logger.warn({ owner, why }, why === null ? ANSWERS_AGAIN : ANSWERS_NOTHING);
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const ANSWERS_AGAIN = "the address that says who may be called answers again";
const ANSWERS_NOTHING = "the address that says who may be called does not answer; its campaigns pause";
