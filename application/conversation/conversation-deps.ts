import type { ToolArguments } from "../../domain/conversation/script.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { EndWish } from "../call/call-ending.ts";
import type { Calls } from "../log/aggregates.ts";
import type { EventOrigin } from "../log/append-events.ts";
import type { Clock } from "../ports/clock.ts";
import type { EventCodec } from "../ports/event-codec.ts";
import type { EventStore } from "../ports/event-store.ts";
import type { LanguageModels } from "../ports/language-model.ts";
import type { Logger } from "../ports/logger.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { PinnedConversations } from "../ports/pinned-conversations.ts";
import type { ToolRunner } from "../ports/tool-runner.ts";

export type ConversationDeps = {
  readonly calls: Calls;
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  readonly pinnedConversations: Pick<PinnedConversations, "read">;
  readonly models: LanguageModels;
  readonly tools: ToolRunner;
  readonly toolArguments: ToolArguments;
  /** Checks the owner's do-not-call list before a line is transferred. */
  readonly suppressed: (owner: OwnerId, numbers: readonly PhoneNumber[]) => Promise<ReadonlySet<PhoneNumber>>;
  /** Requests the end durably and asks the carrier. */
  readonly hangUp: (callId: CallId, wish: EndWish, origin: EventOrigin) => Promise<void>;
  /**
   * When the process of the call's earlier session was last seen alive; null: not known. Asked before the new
   * session is recorded.
   */
  readonly sessionSeenAt: (callId: CallId) => Promise<Instant | null>;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly processId: string;
};
