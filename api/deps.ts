import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "../application/outcome.ts";
import type { Erasing } from "../application/personal-data/erasing.ts";
import type { Admission } from "../application/ports/admission.ts";
import type { CampaignProgressReports } from "../application/ports/campaign-progress.ts";
import type { Clock } from "../application/ports/clock.ts";
import type { Configuration } from "../application/ports/configuration.ts";
import type { ConnectionChecks } from "../application/ports/connection-checks.ts";
import type { Directory } from "../application/ports/directory.ts";
import type { Eligibility } from "../application/ports/eligibility.ts";
import type { RequestEntrance, SocketEntrance } from "../application/ports/entrances.ts";
import type { EventStore } from "../application/ports/event-store.ts";
import type { Idempotency } from "../application/ports/idempotency.ts";
import type { Ids } from "../application/ports/ids.ts";
import type { Logger } from "../application/ports/logger.ts";
import type { Metrics } from "../application/ports/metrics.ts";
import type { Phones } from "../application/ports/phones.ts";
import type { Queries } from "../application/ports/queries.ts";
import type { Rehearsals } from "../application/ports/rehearsals.ts";
import type { Retention } from "../application/ports/retention.ts";
import type { ToolTester } from "../application/ports/tool-tester.ts";
import type { Verification, Verifications } from "../application/ports/verifications.ts";
import type { WebhookSettings } from "../application/ports/webhook-settings.ts";
import type { Hearing } from "../application/recordings/hear-recording.ts";
import type { AskedRehearsal, RehearsalAnswer } from "../application/rehearsal/begin-rehearsal.ts";
import type { NumbersReplaced, ReplaceNumbersRequest } from "../application/suppression/replace-numbers.ts";
import type { UseCases } from "../application/use-cases.ts";
import type { AskedVerification } from "../application/verification/begin-verification.ts";
import type { ConnectionKind } from "../contract/connection-settings.ts";
import type { ReadinessRecord } from "../contract/service.ts";
import type { CallId, ConnectionId, OwnerId } from "../domain/shared/ids.ts";
import type { PhoneNumber } from "../domain/shared/phone-number.ts";
import type { DashboardPages } from "./dashboard/pages.ts";
import type { OpenStreams } from "./open-streams.ts";

export type ReadinessCheck = {
  readonly name: string;
  /** Must end within some seconds; a rejection counts as not ready. */
  readonly check: () => Promise<Omit<ReadinessRecord, "name">>;
};

/** Callbacks of the standalone carrier, outside /api/v1. */
export interface CarrierCallbackReceiver {
  receive(
    headers: IncomingHttpHeaders,
    rawBody: string,
  ): Promise<{ readonly status: number; readonly message: string }>;
}

/** `publicUrl`: address for browsers; null: the one that they used. */
export type DashboardSettings = { readonly publicUrl: string | null };

export type ApiDeps = {
  readonly useCases: UseCases;
  readonly queries: Queries;
  readonly configuration: Configuration;
  readonly idempotency: Idempotency;
  readonly webhooks: WebhookSettings;
  readonly eligibility: Pick<Eligibility, "judgeUrl">;
  readonly connectionChecks: ConnectionChecks;
  /** Takes a number off the do-not-call list; false: it was not listed. */
  readonly takeOff: (caller: Caller, phoneNumber: PhoneNumber) => Promise<boolean>;
  /** Replaces the numbers of a list. It takes as long as its file takes to arrive, and some ten seconds. */
  readonly replaceNumbers: (caller: Caller, request: ReplaceNumbersRequest) => Promise<NumbersReplaced>;
  readonly erasing: Erasing;
  readonly verifications: Pick<Verifications, "find" | "list" | "violations">;
  /** null: two of the owner are under way. */
  readonly beginVerification: (caller: Caller, asked: AskedVerification) => Promise<Verification | null>;
  readonly rehearsals: Pick<Rehearsals, "find" | "given" | "list" | "runs" | "run" | "cancel" | "delete">;
  readonly beginRehearsal: (caller: Caller, asked: AskedRehearsal) => Promise<RehearsalAnswer>;
  readonly retention: Pick<Retention, "contentDays" | "change">;
  readonly admission: Pick<Admission, "account" | "topUp">;
  readonly directory: Pick<Directory, "owner" | "suppressions">;
  readonly toolTester: ToolTester;
  /** null: neither this owner nor the installation has this connection. */
  readonly connectionKind: (owner: OwnerId, id: ConnectionId) => Promise<ConnectionKind | null>;
  readonly progress: Pick<CampaignProgressReports, "find">;
  readonly eventStore: Pick<EventStore, "head">;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: readonly ReadinessCheck[];
  /** The text of GET /metrics. */
  readonly metricsText: () => Promise<string>;
  /** The recording of a call that its carrier has reported. */
  readonly recording: (callId: CallId) => Promise<Hearing>;
  /** null: the carrier is inside this process. */
  readonly carrierCallbacks: CarrierCallbackReceiver | null;
  readonly phones: Phones;
  /** null: there is none (DASHBOARD=off, ROLE=worker). */
  readonly dashboard: DashboardPages | null;
  /** WebSockets outside of /api/v1. */
  readonly entrances: readonly SocketEntrance[];
  /** Requests of carriers, outside of /api/v1; absent: there are none. */
  readonly requestEntrances?: readonly RequestEntrance[];
  readonly openStreams: OpenStreams;
  readonly settings: {
    /** perSecond 0: no rate limit. */
    readonly rateLimit: { readonly perSecond: number; readonly burst: number };
    /** Ranges of addresses in CIDR notation that many clients share. */
    readonly trustedProxies?: readonly string[];
    /** PUBLIC_URL; null or absent: what the Host header says. */
    readonly publicUrl?: string | null;
    /** null or absent: no sessions. */
    readonly dashboard?: DashboardSettings | null;
  };
};
