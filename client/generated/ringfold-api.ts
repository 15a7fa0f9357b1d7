// Generated from /openapi.json by `npm run client:generate`; never edited.
// @ts-nocheck

export interface TopUpRequest {
  /**
   * @min 0.0001
   * @max 1000000000
   */
  amount: number;
  /**
   * @minLength 1
   * @maxLength 255
   */
  reference: string;
  /**
   * @minLength 1
   * @maxLength 255
   */
  userId?: string;
}

export interface ApiKeyRequest {
  /**
   * @minLength 1
   * @maxLength 255
   */
  name: string;
  /**
   * @maxItems 50
   * @minItems 1
   */
  scopes: (
    | "calls:read"
    | "calls:write"
    | "campaigns:read"
    | "campaigns:write"
    | "squads:read"
    | "squads:write"
    | "tools:read"
    | "tools:write"
    | "assistants:*"
    | "phone-numbers:*"
    | "webhooks:*"
    | "events:read"
    | "account:read"
    | "admin"
    | "operator"
  )[];
  expiresAt?: string | null;
}

export interface AssistantRequest {
  /**
   * @minLength 1
   * @maxLength 255
   */
  name: string;
  /** @maxLength 4096 */
  greetingMessage: string;
  /** @maxLength 32768 */
  systemPrompt: string;
  model?: string | null;
  temperature?: number | null;
  voice?: string | null;
  language?: string | null;
  /** @maxItems 100 */
  toolIds?: string[];
  /**
   * @min 10
   * @max 7200
   */
  maxDurationSeconds?: number;
  voicemailPolicy?: "hang_up" | "leave_message" | "ignore";
  voicemailMessage?: string | null;
}

export interface AssistantChanges {
  /**
   * @minLength 1
   * @maxLength 255
   */
  name?: string;
  /** @maxLength 4096 */
  greetingMessage?: string;
  /** @maxLength 32768 */
  systemPrompt?: string;
  model?: string | null;
  temperature?: number | null;
  voice?: string | null;
  language?: string | null;
  /** @maxItems 100 */
  toolIds?: string[];
  /**
   * @min 10
   * @max 7200
   */
  maxDurationSeconds?: number;
  voicemailPolicy?: "hang_up" | "leave_message" | "ignore";
  voicemailMessage?: string | null;
}

export interface OutboundCallRequest {
  /**
   * @minLength 1
   * @maxLength 255
   */
  phoneNumberId: string;
  /**
   * @minLength 1
   * @maxLength 255
   */
  assistantId: string;
  /**
   * @maxLength 16
   * @pattern ^\+[1-9]\d{6,14}$
   */
  to: string;
  /**
   * @minLength 1
   * @maxLength 255
   */
  squadId?: string;
  /** @maxLength 4096 */
  greetingMessage?: string;
  /** @maxLength 32768 */
  specialInstructions?: string;
  metadata?: Record<string, any>;
}

export interface ContactRequest {
  /** @maxLength 255 */
  phoneNumber: string;
  /** @maxLength 255 */
  name?: string;
  customData?: Record<string, any>;
  /** @maxLength 64 */
  timezone?: string;
  /** @maxLength 255 */
  externalId?: string;
}

export interface CampaignRequest {
  /**
   * @minLength 1
   * @maxLength 255
   */
  name: string;
  maxConcurrentCalls?: number | null;
  maxCallsPerSecond?: number | null;
  maxRetries?: number | null;
  retryIntervalMins?: number | null;
  /** @maxItems 50 */
  retryOn?: (
    | "busy"
    | "no_answer"
    | "unreachable"
    | "voicemail"
    | "declined"
    | "carrier_error"
    | "setup_timeout"
    | "not_placed"
    | "connection_lost"
    | "assistant_error"
  )[];
  /** @maxLength 64 */
  timezone?: string;
  callWindowStart?: number | null;
  callWindowEnd?: number | null;
  /**
   * @minLength 1
   * @maxLength 255
   */
  phoneNumberId: string;
  /**
   * @minLength 1
   * @maxLength 255
   */
  assistantId: string;
  /**
   * @minLength 1
   * @maxLength 255
   */
  squadId?: string;
  /** @maxLength 4096 */
  greetingMessage?: string;
  /** @maxLength 32768 */
  specialInstructions?: string;
  metadata?: Record<string, any>;
  /**
   * @min 10
   * @max 120
   */
  ringTimeoutSeconds?: number;
  skipDuplicates?: boolean;
  /**
   * @maxItems 10000
   * @minItems 1
   */
  contacts: ContactRequest[];
}

export interface AddContactsRequest {
  /**
   * @maxItems 10000
   * @minItems 1
   */
  contacts: ContactRequest[];
  skipDuplicates?: boolean;
}

export interface CampaignChanges {
  /**
   * @minLength 1
   * @maxLength 255
   */
  name?: string;
  maxConcurrentCalls?: number | null;
  maxCallsPerSecond?: number | null;
  maxRetries?: number | null;
  retryIntervalMins?: number | null;
  /** @maxItems 50 */
  retryOn?: (
    | "busy"
    | "no_answer"
    | "unreachable"
    | "voicemail"
    | "declined"
    | "carrier_error"
    | "setup_timeout"
    | "not_placed"
    | "connection_lost"
    | "assistant_error"
  )[];
  /** @maxLength 64 */
  timezone?: string;
  callWindowStart?: number | null;
  callWindowEnd?: number | null;
}

export interface PhoneNumberRequest {
  /**
   * @maxLength 16
   * @pattern ^\+[1-9]\d{6,14}$
   */
  phoneNumber: string;
  label?: string | null;
  active?: boolean;
  carrier?: string | null;
}

export interface PhoneNumberChanges {
  /**
   * @maxLength 16
   * @pattern ^\+[1-9]\d{6,14}$
   */
  phoneNumber?: string;
  label?: string | null;
  active?: boolean;
  carrier?: string | null;
}

export interface SecretRequest {
  /** @maxLength 8192 */
  value: string;
}

export interface SquadMemberRequest {
  /**
   * @minLength 1
   * @maxLength 255
   */
  assistantId: string;
  isEntry?: boolean;
  /**
   * @min 0
   * @max 1000000
   */
  position?: number;
  overrideSettings?: Record<string, any>;
  assistantVersion?: number | null;
}

export interface SquadMemberChanges {
  /**
   * @minLength 1
   * @maxLength 255
   */
  memberId?: string;
  isEntry?: boolean;
  /**
   * @min 0
   * @max 1000000
   */
  position?: number;
  overrideSettings?: Record<string, any>;
  assistantVersion?: number | null;
}

export interface HandoffRequest {
  /**
   * @minLength 1
   * @maxLength 255
   */
  fromMemberId?: string;
  /**
   * @minLength 1
   * @maxLength 255
   */
  fromAssistantId?: string;
  /**
   * @minLength 1
   * @maxLength 255
   */
  toMemberId?: string;
  /**
   * @minLength 1
   * @maxLength 255
   */
  toAssistantId?: string;
  /** @maxLength 32768 */
  description: string;
  /** @pattern ^handoff_to_[a-z0-9_]{1,60}$ */
  toolName?: string;
  message?: string | null;
  contextMode?: "all" | "last_n" | "user_and_assistant" | "previous" | "none";
  contextMaxMessages?: number | null;
  /** @maxItems 50 */
  variables?: {
    /** @pattern ^[A-Za-z_][A-Za-z0-9_]{0,63}$ */
    name: string;
    type: "string" | "number" | "boolean";
    /** @maxLength 1024 */
    description: string;
    required: boolean;
  }[];
  enabled?: boolean;
}

export interface HandoffChanges {
  /**
   * @minLength 1
   * @maxLength 255
   */
  handoffId?: string;
  /** @maxLength 32768 */
  description?: string;
  /** @pattern ^handoff_to_[a-z0-9_]{1,60}$ */
  toolName?: string;
  message?: string | null;
  contextMode?: "all" | "last_n" | "user_and_assistant" | "previous" | "none";
  contextMaxMessages?: number | null;
  /** @maxItems 50 */
  variables?: {
    /** @pattern ^[A-Za-z_][A-Za-z0-9_]{0,63}$ */
    name: string;
    type: "string" | "number" | "boolean";
    /** @maxLength 1024 */
    description: string;
    required: boolean;
  }[];
  enabled?: boolean;
}

export interface SquadRequest {
  /**
   * @minLength 1
   * @maxLength 255
   */
  name: string;
  description?: string | null;
  overrideSettings?: Record<string, any>;
  /** @maxItems 100 */
  members?: SquadMemberRequest[];
  /** @maxItems 1000 */
  handoffs?: HandoffRequest[];
}

export interface SquadChanges {
  /**
   * @minLength 1
   * @maxLength 255
   */
  name?: string;
  description?: string | null;
  overrideSettings?: Record<string, any>;
}

export interface SuppressionRequest {
  /**
   * @maxLength 16
   * @pattern ^\+[1-9]\d{6,14}$
   */
  phoneNumber: string;
  reason?: string | null;
}

export interface ApiRequestConfig {
  /** @maxLength 8192 */
  url: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
  headers?: Partial<Record<string, string>>;
  query?: Partial<Record<string, string>>;
}

export interface DatabaseQueryConfig {
  /** @maxLength 32768 */
  query: string;
  parameters?: Partial<Record<string, string>>;
}

export type ToolRequest =
  | {
      /**
       * @minLength 1
       * @maxLength 255
       */
      name: string;
      /** @maxLength 4096 */
      description?: string;
      type: "API_REQUEST";
      config: ApiRequestConfig;
    }
  | {
      /**
       * @minLength 1
       * @maxLength 255
       */
      name: string;
      /** @maxLength 4096 */
      description?: string;
      type: "DATABASE_QUERY";
      config: DatabaseQueryConfig;
    };

export interface ToolChanges {
  /**
   * @minLength 1
   * @maxLength 255
   */
  name?: string;
  /** @maxLength 4096 */
  description?: string;
  type?: "API_REQUEST" | "DATABASE_QUERY";
  config?: ApiRequestConfig | DatabaseQueryConfig;
}

export interface UserRequest {
  /**
   * @minLength 1
   * @maxLength 255
   */
  name: string;
  plan?: {
    /**
     * @min 1
     * @max 100000
     */
    maxConcurrentCalls?: number;
    /**
     * @min 0.001
     * @max 100000
     */
    maxCallsPerSecond?: number;
  };
  /**
   * @min 0
   * @max 1000000000
   */
  credits?: number;
}

export interface UserChanges {
  /**
   * @minLength 1
   * @maxLength 255
   */
  name?: string;
  plan?: {
    /**
     * @min 1
     * @max 100000
     */
    maxConcurrentCalls?: number;
    /**
     * @min 0.001
     * @max 100000
     */
    maxCallsPerSecond?: number;
  };
  active?: boolean;
}

export interface WebhookRequest {
  /** @maxLength 2048 */
  url: string;
  enabled: boolean;
  /**
   * @maxItems 2
   * @minItems 1
   */
  events?: ("call.started" | "call.ended")[];
}

export interface WebhookTestRequest {
  event: "call.started" | "call.ended";
}

export interface WebhookReplayRequest {
  /**
   * @format date-time
   * @maxLength 40
   */
  from: string;
  /**
   * @format date-time
   * @maxLength 40
   */
  to: string;
  /**
   * @maxItems 2
   * @minItems 1
   */
  events?: ("call.started" | "call.ended")[];
  /**
   * @minLength 1
   * @maxLength 255
   */
  campaignId?: string;
}

export interface Account {
  /** @pattern ^usr_[0-9a-z]{26}$ */
  id: string;
  balance: number;
  reserved: number;
  available: number;
  currency: "credits";
  plan: {
    maxConcurrentCalls: number;
    maxCallsPerSecond: number;
  };
}

export interface LedgerEntry {
  id: string;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  at: string;
  cause: "top_up" | "reserve" | "release" | "charge";
  amount: number;
  balance: number;
  reserved: number;
  callId: string | null;
  reference: string | null;
}

export interface Limits {
  maxConcurrentCalls: number;
  activeCalls: number;
  maxCallsPerSecond: number;
  requestsPerSecond: number;
}

export interface ApiKey {
  /** @pattern ^key_[0-9a-z]{26}$ */
  id: string;
  name: string;
  scopes: (
    | "calls:read"
    | "calls:write"
    | "campaigns:read"
    | "campaigns:write"
    | "squads:read"
    | "squads:write"
    | "tools:read"
    | "tools:write"
    | "assistants:*"
    | "phone-numbers:*"
    | "webhooks:*"
    | "events:read"
    | "account:read"
    | "admin"
    | "operator"
  )[];
  expiresAt: string | null;
  lastUsedAt: string | null;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
}

export interface IssuedApiKey {
  /** @pattern ^key_[0-9a-z]{26}$ */
  id: string;
  name: string;
  scopes: (
    | "calls:read"
    | "calls:write"
    | "campaigns:read"
    | "campaigns:write"
    | "squads:read"
    | "squads:write"
    | "tools:read"
    | "tools:write"
    | "assistants:*"
    | "phone-numbers:*"
    | "webhooks:*"
    | "events:read"
    | "account:read"
    | "admin"
    | "operator"
  )[];
  expiresAt: string | null;
  lastUsedAt: string | null;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  key: string | null;
}

export interface Assistant {
  /** @pattern ^ast_[0-9a-z]{26}$ */
  id: string;
  name: string;
  greetingMessage: string;
  systemPrompt: string;
  model: string | null;
  temperature: number | null;
  voice: string | null;
  language: string | null;
  toolIds: string[];
  /**
   * @min 10
   * @max 7200
   */
  maxDurationSeconds: number;
  voicemailPolicy: "hang_up" | "leave_message" | "ignore";
  voicemailMessage: string | null;
  publishedVersion: number | null;
  versions: number;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  updatedAt: string;
}

export interface AssistantVersion {
  /** @pattern ^ast_[0-9a-z]{26}$ */
  assistantId: string;
  version: number;
  name: string;
  greetingMessage: string;
  systemPrompt: string;
  model: string | null;
  temperature: number | null;
  voice: string | null;
  language: string | null;
  toolIds: string[];
  /**
   * @min 10
   * @max 7200
   */
  maxDurationSeconds: number;
  voicemailPolicy: "hang_up" | "leave_message" | "ignore";
  voicemailMessage: string | null;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  publishedAt: string;
}

export interface OutboundCallStarted {
  success: true;
  /** @pattern ^call_[0-9a-z]{26}$ */
  callId: string;
  status:
    | "initiating"
    | "ringing"
    | "connected"
    | "in_progress"
    | "completed"
    | "failed";
}

export interface CallMessage {
  /**
   * @min 0
   * @max 1000000
   */
  index: number;
  role: "assistant" | "customer" | "tool" | "system";
  assistantId: string | null;
  content: string;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  at: string;
  offsetMs: number;
  toolId?: string;
  toolName?: string;
  arguments?: any;
  result?: any;
  isError?: boolean;
}

export interface CallListRecord {
  /** @pattern ^call_[0-9a-z]{26}$ */
  id: string;
  /** @pattern ^call_[0-9a-z]{26}$ */
  callId: string;
  type: "outbound";
  status:
    | "initiating"
    | "ringing"
    | "connected"
    | "in_progress"
    | "completed"
    | "failed";
  endReason:
    | "customer_ended"
    | "assistant_ended"
    | "api_ended"
    | "max_duration"
    | "silence_timeout"
    | "transferred"
    | "voicemail_message_left"
    | "busy"
    | "no_answer"
    | "unreachable"
    | "voicemail"
    | "declined"
    | "carrier_error"
    | "setup_timeout"
    | "not_placed"
    | "connection_lost"
    | "assistant_error"
    | "invalid_number"
    | "invalid_text"
    | "permission_denied"
    | "suppressed"
    | "assistant_unpublished"
    | "phone_number_inactive"
    | "insufficient_credits"
    | "canceled"
    | "outcome_unknown"
    | null;
  endedBy: "customer" | "assistant" | "api" | "system" | null;
  /** @pattern ^\+[1-9]\d{6,14}$ */
  from: string;
  /** @pattern ^\+[1-9]\d{6,14}$ */
  to: string;
  /** @pattern ^pn_[0-9a-z]{26}$ */
  phoneNumberId: string;
  /** @pattern ^ast_[0-9a-z]{26}$ */
  assistantId: string;
  /** @min 1 */
  assistantVersion: number;
  squadId: string | null;
  campaignId: string | null;
  contactId: string | null;
  /** @min 1 */
  attempt: number;
  greetingMessage: string;
  specialInstructions: string | null;
  metadata: Partial<Record<string, any>>;
  answeredBy: "human" | "machine" | "unknown" | null;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  ringingAt: string | null;
  connectedAt: string | null;
  startedAt: string | null;
  endedAt: string | null;
  durationSeconds: number | null;
  cost: number | null;
  recordingUrl: string | null;
  recordingStatus: "pending" | "available" | "none" | "failed";
  error: {
    code: string;
    message: string;
    carrierCode: string | null;
  } | null;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  updatedAt: string;
}

export interface Call {
  /** @pattern ^call_[0-9a-z]{26}$ */
  id: string;
  /** @pattern ^call_[0-9a-z]{26}$ */
  callId: string;
  type: "outbound";
  status:
    | "initiating"
    | "ringing"
    | "connected"
    | "in_progress"
    | "completed"
    | "failed";
  endReason:
    | "customer_ended"
    | "assistant_ended"
    | "api_ended"
    | "max_duration"
    | "silence_timeout"
    | "transferred"
    | "voicemail_message_left"
    | "busy"
    | "no_answer"
    | "unreachable"
    | "voicemail"
    | "declined"
    | "carrier_error"
    | "setup_timeout"
    | "not_placed"
    | "connection_lost"
    | "assistant_error"
    | "invalid_number"
    | "invalid_text"
    | "permission_denied"
    | "suppressed"
    | "assistant_unpublished"
    | "phone_number_inactive"
    | "insufficient_credits"
    | "canceled"
    | "outcome_unknown"
    | null;
  endedBy: "customer" | "assistant" | "api" | "system" | null;
  /** @pattern ^\+[1-9]\d{6,14}$ */
  from: string;
  /** @pattern ^\+[1-9]\d{6,14}$ */
  to: string;
  /** @pattern ^pn_[0-9a-z]{26}$ */
  phoneNumberId: string;
  /** @pattern ^ast_[0-9a-z]{26}$ */
  assistantId: string;
  /** @min 1 */
  assistantVersion: number;
  squadId: string | null;
  campaignId: string | null;
  contactId: string | null;
  /** @min 1 */
  attempt: number;
  greetingMessage: string;
  specialInstructions: string | null;
  metadata: Partial<Record<string, any>>;
  answeredBy: "human" | "machine" | "unknown" | null;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  ringingAt: string | null;
  connectedAt: string | null;
  startedAt: string | null;
  endedAt: string | null;
  durationSeconds: number | null;
  cost: number | null;
  recordingUrl: string | null;
  recordingStatus: "pending" | "available" | "none" | "failed";
  error: {
    code: string;
    message: string;
    carrierCode: string | null;
  } | null;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  updatedAt: string;
  messages: CallMessage[];
  statusHistory: {
    status:
      | "initiating"
      | "ringing"
      | "connected"
      | "in_progress"
      | "completed"
      | "failed";
    /**
     * @format date-time
     * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
     */
    at: string;
  }[];
}

export interface OutboundCall {
  /** @pattern ^call_[0-9a-z]{26}$ */
  callId: string;
  status:
    | "initiating"
    | "ringing"
    | "connected"
    | "in_progress"
    | "completed"
    | "failed";
  endReason:
    | "customer_ended"
    | "assistant_ended"
    | "api_ended"
    | "max_duration"
    | "silence_timeout"
    | "transferred"
    | "voicemail_message_left"
    | "busy"
    | "no_answer"
    | "unreachable"
    | "voicemail"
    | "declined"
    | "carrier_error"
    | "setup_timeout"
    | "not_placed"
    | "connection_lost"
    | "assistant_error"
    | "invalid_number"
    | "invalid_text"
    | "permission_denied"
    | "suppressed"
    | "assistant_unpublished"
    | "phone_number_inactive"
    | "insufficient_credits"
    | "canceled"
    | "outcome_unknown"
    | null;
  /** @pattern ^\+[1-9]\d{6,14}$ */
  to: string;
  /** @pattern ^pn_[0-9a-z]{26}$ */
  phoneNumberId: string;
  /** @pattern ^ast_[0-9a-z]{26}$ */
  assistantId: string;
  campaignId: string | null;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  connectedAt: string | null;
  endedAt: string | null;
  durationSeconds: number | null;
  endRequestedAt: string | null;
}

export interface CallEnd {
  /** @pattern ^call_[0-9a-z]{26}$ */
  callId: string;
  status:
    | "initiating"
    | "ringing"
    | "connected"
    | "in_progress"
    | "completed"
    | "failed";
  endReason?:
    | "customer_ended"
    | "assistant_ended"
    | "api_ended"
    | "max_duration"
    | "silence_timeout"
    | "transferred"
    | "voicemail_message_left"
    | "busy"
    | "no_answer"
    | "unreachable"
    | "voicemail"
    | "declined"
    | "carrier_error"
    | "setup_timeout"
    | "not_placed"
    | "connection_lost"
    | "assistant_error"
    | "invalid_number"
    | "invalid_text"
    | "permission_denied"
    | "suppressed"
    | "assistant_unpublished"
    | "phone_number_inactive"
    | "insufficient_credits"
    | "canceled"
    | "outcome_unknown"
    | null;
  endRequested?: true;
  alreadyEnded: boolean;
}

export interface Concurrency {
  active: number;
  limit: number;
}

export interface PhoneNumber {
  /** @pattern ^pn_[0-9a-z]{26}$ */
  id: string;
  /** @pattern ^\+[1-9]\d{6,14}$ */
  phoneNumber: string;
  label: string | null;
  active: boolean;
  carrier: string | null;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  updatedAt: string;
}

export interface Secret {
  /** @pattern ^[A-Z0-9_]{1,64}$ */
  name: string;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  updatedAt: string;
}

export interface SquadMember {
  /** @pattern ^mbr_[0-9a-z]{26}$ */
  id: string;
  /** @pattern ^sqd_[0-9a-z]{26}$ */
  squadId: string;
  /** @pattern ^ast_[0-9a-z]{26}$ */
  assistantId: string;
  assistantVersion: number | null;
  isEntry: boolean;
  position: number;
  overrideSettings: Partial<Record<string, any>>;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  updatedAt: string;
}

export interface Handoff {
  /** @pattern ^hnd_[0-9a-z]{26}$ */
  id: string;
  /** @pattern ^sqd_[0-9a-z]{26}$ */
  squadId: string;
  /** @pattern ^mbr_[0-9a-z]{26}$ */
  fromMemberId: string;
  /** @pattern ^mbr_[0-9a-z]{26}$ */
  toMemberId: string;
  /** @pattern ^ast_[0-9a-z]{26}$ */
  fromAssistantId: string;
  /** @pattern ^ast_[0-9a-z]{26}$ */
  toAssistantId: string;
  toolName: string;
  description: string;
  message: string | null;
  contextMode: "all" | "last_n" | "user_and_assistant" | "previous" | "none";
  contextMaxMessages: number | null;
  variables: {
    name: string;
    type: "string" | "number" | "boolean";
    description: string;
    required: boolean;
  }[];
  enabled: boolean;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  updatedAt: string;
}

export interface Squad {
  /** @pattern ^sqd_[0-9a-z]{26}$ */
  id: string;
  name: string;
  description: string | null;
  overrideSettings: Partial<Record<string, any>>;
  members: SquadMember[];
  handoffs: Handoff[];
  /** @pattern ^usr_[0-9a-z]{26}$ */
  userId: string;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  updatedAt: string;
}

export interface Suppression {
  /** @pattern ^\+[1-9]\d{6,14}$ */
  phoneNumber: string;
  reason: string | null;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
}

export interface Tool {
  /** @pattern ^tool_[0-9a-z]{26}$ */
  id: string;
  name: string;
  type: "API_REQUEST" | "DATABASE_QUERY";
  description: string;
  config:
    | {
        url: string;
        method: string;
        headers?: Partial<Record<string, string>>;
        query?: Partial<Record<string, string>>;
      }
    | {
        query: string;
        parameters?: Partial<Record<string, string>>;
      };
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  updatedAt: string;
}

export interface User {
  /** @pattern ^usr_[0-9a-z]{26}$ */
  id: string;
  name: string;
  plan: {
    maxConcurrentCalls: number;
    maxCallsPerSecond: number;
  };
  active: boolean;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  updatedAt: string;
}

export interface NewUser {
  user: User;
  apiKey: {
    /** @pattern ^key_[0-9a-z]{26}$ */
    id: string;
    name: string;
    scopes: (
      | "calls:read"
      | "calls:write"
      | "campaigns:read"
      | "campaigns:write"
      | "squads:read"
      | "squads:write"
      | "tools:read"
      | "tools:write"
      | "assistants:*"
      | "phone-numbers:*"
      | "webhooks:*"
      | "events:read"
      | "account:read"
      | "admin"
      | "operator"
    )[];
    key: string | null;
  };
}

export interface WebhookSettings {
  url: string;
  enabled: boolean;
  events: ("call.started" | "call.ended")[];
}

export interface Webhook {
  url: string;
  enabled: boolean;
  events: ("call.started" | "call.ended")[];
  status: "enabled" | "disabled" | "misconfigured";
  disabledReason: "manual" | "gone" | "failing" | null;
  pending: number;
  held: number;
  dead: number;
  oldestUndeliveredAt: string | null;
}

export interface WebhookSecret {
  secret: string;
}

export interface RotatedWebhookSecret {
  secret: string;
  previousValidUntil: string | null;
}

export interface WebhookTest {
  status: number | null;
  ms: number;
  detail: string | null;
  request: {
    headers: Partial<Record<string, string>>;
    body: string;
  };
  response: string | null;
}

export interface WebhookDelivery {
  /** @pattern ^dlv_[0-9a-z]{26}$ */
  id: string;
  eventId: string;
  event: "call.started" | "call.ended";
  callId: string | null;
  campaignId: string | null;
  status: "pending" | "sending" | "delivered" | "retrying" | "held" | "dead";
  trigger: "auto" | "manual" | "test";
  attempts: number;
  nextAttemptAt: string | null;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  deliveredAt: string | null;
}

export interface WebhookAttempt {
  number: number;
  trigger: "auto" | "manual" | "test" | "recovery";
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  startedAt: string;
  class:
    | "delivered"
    | "gone"
    | "throttled"
    | "redirect"
    | "refused"
    | "unreachable"
    | "blocked"
    | "unknown";
  status: number | null;
  detail: string | null;
  phases: {
    dns: number | null;
    connect: number | null;
    tls: number | null;
    firstByte: number | null;
    total: number;
  } | null;
  response: string | null;
  responseHeaders: Partial<Record<string, string>> | null;
  remoteAddress: string | null;
  secretId: string | null;
  nextAttemptAt: string | null;
}

export interface WebhookDeliveryDetail {
  /** @pattern ^dlv_[0-9a-z]{26}$ */
  id: string;
  eventId: string;
  event: "call.started" | "call.ended";
  callId: string | null;
  campaignId: string | null;
  status: "pending" | "sending" | "delivered" | "retrying" | "held" | "dead";
  trigger: "auto" | "manual" | "test";
  attempts: number;
  nextAttemptAt: string | null;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  deliveredAt: string | null;
  body: string | null;
  attemptLog: WebhookAttempt[];
}

export interface WebhookReplays {
  deliveries: number;
}

export interface HistoryEvent {
  position: string;
  /** @min 0 */
  revision: number;
  type: string;
  data: Partial<
    Record<string, string | number | boolean | null | any[] | object>
  >;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  occurredAt: string;
  correlationId: string;
  causationId: string | null;
}

export interface OwnerEvent {
  stream: string;
  position: string;
  /** @min 0 */
  revision: number;
  type: string;
  data: Partial<
    Record<string, string | number | boolean | null | any[] | object>
  >;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  occurredAt: string;
  correlationId: string;
  causationId: string | null;
}

export interface Campaign {
  /** @pattern ^cmp_[0-9a-z]{26}$ */
  id: string;
  name: string;
  status: "PENDING" | "RUNNING" | "PAUSED" | "COMPLETED" | "CANCELLED";
  /** @pattern ^pn_[0-9a-z]{26}$ */
  phoneNumberId: string;
  /** @pattern ^ast_[0-9a-z]{26}$ */
  assistantId: string;
  /** @min 0 */
  assistantVersion: number;
  squadId: string | null;
  /** @pattern ^usr_[0-9a-z]{26}$ */
  userId: string;
  /** @min 0 */
  totalContacts: number;
  /** @min 0 */
  successfulCalls: number;
  /** @min 0 */
  failedCalls: number;
  /** @min 0 */
  pendingCalls: number;
  /** @min 0 */
  activeCalls: number;
  /** @min 0 */
  skippedContacts: number;
  maxConcurrentCalls: number | null;
  /** @min 0 */
  effectiveMaxConcurrentCalls: number;
  maxRetries: number | null;
  retryIntervalMins: number | null;
  retryOn: (
    | "customer_ended"
    | "assistant_ended"
    | "api_ended"
    | "max_duration"
    | "silence_timeout"
    | "transferred"
    | "voicemail_message_left"
    | "busy"
    | "no_answer"
    | "unreachable"
    | "voicemail"
    | "declined"
    | "carrier_error"
    | "setup_timeout"
    | "not_placed"
    | "connection_lost"
    | "assistant_error"
    | "invalid_number"
    | "invalid_text"
    | "permission_denied"
    | "suppressed"
    | "assistant_unpublished"
    | "phone_number_inactive"
    | "insufficient_credits"
    | "canceled"
    | "outcome_unknown"
  )[];
  timezone: string;
  callWindowStart: number | null;
  callWindowEnd: number | null;
  pauseReason:
    | "manual"
    | "phone_number_inactive"
    | "assistant_unpublished"
    | "outside_call_window"
    | "insufficient_credits"
    | "carrier_unavailable"
    | null;
  nextWindowOpensAt: string | null;
  metadata: Partial<Record<string, any>>;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  updatedAt: string;
  startedAt: string | null;
  completedAt: string | null;
}

export interface CampaignStatistics {
  /** @min 0 */
  totalContacts: number;
  /** @min 0 */
  pendingContacts: number;
  /** @min 0 */
  successfulCalls: number;
  /** @min 0 */
  failedCalls: number;
  /** @min 0 */
  waitingRetry: number;
  averageCallDuration: number | null;
}

export interface CampaignReport {
  campaign: Campaign;
  statistics: CampaignStatistics;
  rejectedContacts: {
    /** @min 0 */
    count: number;
    items: {
      /** @min 0 */
      index: number;
      phoneNumber: string | null;
      reason: string;
      /** @min 0 */
      line?: number;
    }[];
  };
  duplicateContacts: {
    /** @min 0 */
    count: number;
    items: {
      /** @min 0 */
      index: number;
      phoneNumber: string;
    }[];
  };
}

export interface ContactsAdded {
  campaign: Campaign;
  statistics: CampaignStatistics;
  rejectedContacts: {
    /** @min 0 */
    count: number;
    items: {
      /** @min 0 */
      index: number;
      phoneNumber: string | null;
      reason: string;
      /** @min 0 */
      line?: number;
    }[];
  };
}

export interface CampaignImportReport {
  /** @min 0 */
  totalContacts: number;
  rejectedContacts: {
    /** @min 0 */
    count: number;
    items: {
      /** @min 0 */
      index: number;
      phoneNumber: string | null;
      reason: string;
      /** @min 0 */
      line?: number;
    }[];
  };
  duplicateContacts: {
    /** @min 0 */
    count: number;
    items: {
      /** @min 0 */
      index: number;
      phoneNumber: string;
    }[];
  };
}

export interface Contact {
  /** @pattern ^ctc_[0-9a-z]{26}$ */
  id: string;
  /** @pattern ^\+[1-9]\d{6,14}$ */
  phoneNumber: string;
  name: string | null;
  customData: Partial<Record<string, any>>;
  timezone: string | null;
  externalId: string | null;
  status:
    | "pending"
    | "dialing"
    | "waiting_retry"
    | "succeeded"
    | "failed"
    | "skipped";
  attempts: {
    /** @min 0 */
    attempt: number;
    /** @pattern ^call_[0-9a-z]{26}$ */
    callId: string;
    /**
     * @format date-time
     * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
     */
    startedAt: string;
    endedAt: string | null;
    status:
      | "initiating"
      | "ringing"
      | "connected"
      | "in_progress"
      | "completed"
      | "failed";
    endReason:
      | "customer_ended"
      | "assistant_ended"
      | "api_ended"
      | "max_duration"
      | "silence_timeout"
      | "transferred"
      | "voicemail_message_left"
      | "busy"
      | "no_answer"
      | "unreachable"
      | "voicemail"
      | "declined"
      | "carrier_error"
      | "setup_timeout"
      | "not_placed"
      | "connection_lost"
      | "assistant_error"
      | "invalid_number"
      | "invalid_text"
      | "permission_denied"
      | "suppressed"
      | "assistant_unpublished"
      | "phone_number_inactive"
      | "insufficient_credits"
      | "canceled"
      | "outcome_unknown"
      | null;
  }[];
  nextAttemptAt: string | null;
  /**
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
}

export interface Live {
  status: "live";
}

export interface Ready {
  status: "ready";
  checks: {
    name: string;
    ok: boolean;
    detail: Partial<Record<string, string | number | boolean | null>>;
  }[];
}

export interface NotReady {
  success: false;
  error: {
    code: "NOT_READY";
    message: string;
  };
  data: {
    status: "not_ready";
    checks: {
      name: string;
      ok: boolean;
      detail: Partial<Record<string, string | number | boolean | null>>;
    }[];
  };
}

export interface Error {
  success: false;
  error: {
    code:
      | "VALIDATION_ERROR"
      | "INVALID_JSON"
      | "ASSISTANT_NOT_PUBLISHED"
      | "UNAUTHORIZED"
      | "INSUFFICIENT_CREDITS"
      | "FORBIDDEN"
      | "RECIPIENT_SUPPRESSED"
      | "NOT_FOUND"
      | "CALL_NOT_FOUND"
      | "CAMPAIGN_NOT_FOUND"
      | "CONTACT_NOT_FOUND"
      | "SQUAD_NOT_FOUND"
      | "SQUAD_MEMBER_NOT_FOUND"
      | "HANDOFF_NOT_FOUND"
      | "ASSISTANT_NOT_FOUND"
      | "PHONE_NUMBER_NOT_FOUND"
      | "TOOL_NOT_FOUND"
      | "SECRET_NOT_FOUND"
      | "SUPPRESSION_NOT_FOUND"
      | "API_KEY_NOT_FOUND"
      | "DELIVERY_NOT_FOUND"
      | "USER_NOT_FOUND"
      | "REQUEST_TIMEOUT"
      | "CONFLICT"
      | "IDEMPOTENCY_CONFLICT"
      | "CAMPAIGN_INVALID_STATE"
      | "SQUAD_MEMBER_EXISTS"
      | "SQUAD_LIMIT_REACHED"
      | "HANDOFF_EXISTS"
      | "TOOL_IN_USE"
      | "ASSISTANT_IN_USE"
      | "WEBHOOK_NOT_CONFIGURED"
      | "PAYLOAD_TOO_LARGE"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "RATE_LIMIT_EXCEEDED"
      | "CONCURRENCY_LIMIT_REACHED"
      | "HEADERS_TOO_LARGE"
      | "INTERNAL_ERROR"
      | "NOT_READY"
      | "READ_MODEL_BEHIND"
      | "CARRIER_UNAVAILABLE";
    message: string;
    /** @maxItems 100 */
    details?: {
      path: (string | number)[];
      message: string;
    }[];
  };
}

export interface PlainError {
  success: false;
  error: string;
}

export interface WebhookEvent {
  event: string;
  data: Record<string, any>;
}

export type QueryParamsType = Record<string | number, any>;
export type ResponseFormat = "json" | "text" | "blob" | "arrayBuffer";

export interface FullRequestParams extends Omit<RequestInit, "body"> {
  /** set parameter to `true` for call `securityWorker` for this request */
  secure?: boolean;
  /** request path */
  path: string;
  /** content type of request body */
  type?: ContentType;
  /** query params */
  query?: QueryParamsType;
  /** format of response (i.e. response.json() -> format: "json") */
  format?: ResponseFormat;
  /** request body */
  body?: unknown;
  /** base url */
  baseUrl?: string;
  /** request cancellation token */
  cancelToken?: CancelToken;
}

export type RequestParams = Omit<
  FullRequestParams,
  "body" | "method" | "query" | "path"
>;

export interface ApiConfig<SecurityDataType = unknown> {
  baseUrl?: string;
  baseApiParams?: Omit<RequestParams, "baseUrl" | "cancelToken" | "signal">;
  securityWorker?: (
    securityData: SecurityDataType | null,
  ) => Promise<RequestParams | void> | RequestParams | void;
  customFetch?: typeof fetch;
}

export interface HttpResponse<D extends unknown, E extends unknown = unknown>
  extends Response {
  data: D;
  error: E;
}

type CancelToken = Symbol | string | number;

export type ContentType =
  | "application/json"
  | "application/vnd.api+json"
  | "multipart/form-data"
  | "application/x-www-form-urlencoded"
  | "text/plain";

export class HttpClient<SecurityDataType = unknown> {
  public baseUrl: string = "/";
  private securityData: SecurityDataType | null = null;
  private securityWorker?: ApiConfig<SecurityDataType>["securityWorker"];
  private abortControllers = new Map<CancelToken, AbortController>();
  private customFetch = (...fetchParams: Parameters<typeof fetch>) =>
    fetch(...fetchParams);

  private baseApiParams: RequestParams = {
    credentials: "same-origin",
    headers: {},
    redirect: "follow",
    referrerPolicy: "no-referrer",
  };

  constructor(apiConfig: ApiConfig<SecurityDataType> = {}) {
    Object.assign(this, apiConfig);
  }

  public setSecurityData = (data: SecurityDataType | null) => {
    this.securityData = data;
  };

  protected encodeQueryParam(key: string, value: any) {
    const encodedKey = encodeURIComponent(key);
    return `${encodedKey}=${encodeURIComponent(typeof value === "number" ? value : `${value}`)}`;
  }

  protected addQueryParam(query: QueryParamsType, key: string) {
    return this.encodeQueryParam(key, query[key]);
  }

  protected addArrayQueryParam(query: QueryParamsType, key: string) {
    const value = query[key];
    return value.map((v: any) => this.encodeQueryParam(key, v)).join("&");
  }

  protected toQueryString(rawQuery?: QueryParamsType): string {
    const query = rawQuery || {};
    const keys = Object.keys(query).filter(
      (key) => "undefined" !== typeof query[key],
    );
    return keys
      .map((key) =>
        Array.isArray(query[key])
          ? this.addArrayQueryParam(query, key)
          : this.addQueryParam(query, key),
      )
      .join("&");
  }

  protected addQueryParams(rawQuery?: QueryParamsType): string {
    const queryString = this.toQueryString(rawQuery);
    return queryString ? `?${queryString}` : "";
  }

  private contentFormatters: Record<ContentType, (input: any) => any> = {
    ["application/json"]: (input: any) =>
      input !== null && (typeof input === "object" || typeof input === "string")
        ? JSON.stringify(input)
        : input,
    ["application/vnd.api+json"]: (input: any) =>
      input !== null && (typeof input === "object" || typeof input === "string")
        ? JSON.stringify(input)
        : input,
    ["text/plain"]: (input: any) =>
      input !== null && typeof input !== "string"
        ? JSON.stringify(input)
        : input,
    ["multipart/form-data"]: (input: any) => {
      if (input instanceof FormData) {
        return input;
      }

      return Object.keys(input || {}).reduce((formData, key) => {
        const property = input[key];
        formData.append(
          key,
          property instanceof Blob
            ? property
            : typeof property === "object" && property !== null
              ? JSON.stringify(property)
              : `${property}`,
        );
        return formData;
      }, new FormData());
    },
    ["application/x-www-form-urlencoded"]: (input: any) =>
      this.toQueryString(input),
  };

  protected mergeRequestParams(
    params1: RequestParams,
    params2?: RequestParams,
  ): RequestParams {
    return {
      ...this.baseApiParams,
      ...params1,
      ...(params2 || {}),
      headers: {
        ...(this.baseApiParams.headers || {}),
        ...(params1.headers || {}),
        ...((params2 && params2.headers) || {}),
      },
    };
  }

  protected createAbortSignal = (
    cancelToken: CancelToken,
  ): AbortSignal | undefined => {
    if (this.abortControllers.has(cancelToken)) {
      const abortController = this.abortControllers.get(cancelToken);
      if (abortController) {
        return abortController.signal;
      }
      return void 0;
    }

    const abortController = new AbortController();
    this.abortControllers.set(cancelToken, abortController);
    return abortController.signal;
  };

  public abortRequest = (cancelToken: CancelToken) => {
    const abortController = this.abortControllers.get(cancelToken);

    if (abortController) {
      abortController.abort();
      this.abortControllers.delete(cancelToken);
    }
  };

  public request = async <T = any, E = any>({
    body,
    secure,
    path,
    type,
    query,
    format,
    baseUrl,
    cancelToken,
    ...params
  }: FullRequestParams): Promise<HttpResponse<T, E>> => {
    const secureParams =
      ((typeof secure === "boolean" ? secure : this.baseApiParams.secure) &&
        this.securityWorker &&
        (await this.securityWorker(this.securityData))) ||
      {};
    const requestParams = this.mergeRequestParams(params, secureParams);
    const queryString = query && this.toQueryString(query);
    const payloadFormatter = this.contentFormatters[type || "application/json"];
    const responseFormat = format || requestParams.format;

    return this.customFetch(
      `${baseUrl || this.baseUrl || ""}${path}${queryString ? `?${queryString}` : ""}`,
      {
        ...requestParams,
        headers: {
          ...(requestParams.headers || {}),
          ...(type && type !== "multipart/form-data"
            ? { "Content-Type": type }
            : {}),
        },
        signal:
          (cancelToken
            ? this.createAbortSignal(cancelToken)
            : requestParams.signal) || null,
        body:
          typeof body === "undefined" || body === null
            ? null
            : payloadFormatter(body),
      },
    ).then(async (response) => {
      const r = response as HttpResponse<T, E>;
      r.data = null as unknown as T;
      r.error = null as unknown as E;

      const responseToParse = responseFormat ? response.clone() : response;
      const data = !responseFormat
        ? r
        : await responseToParse[responseFormat]()
            .then((data) => {
              if (r.ok) {
                r.data = data;
              } else {
                r.error = data;
              }
              return r;
            })
            .catch((e) => {
              r.error = e;
              return r;
            });

      if (cancelToken) {
        this.abortControllers.delete(cancelToken);
      }

      if (!response.ok) throw data;
      return data;
    });
  };
}

/**
 * @title Ringfold
 * @version 1.0.0
 * @license MIT
 * @baseUrl /
 *
 * Outbound voice calls with assistants: single calls, campaigns, squads and signed webhooks. Every answer carries X-Request-Id; every write answers X-Event-Position, which a GET takes as X-Min-Event-Position.
 */
export class Api<SecurityDataType extends unknown> {
  http: HttpClient<SecurityDataType>;

  constructor(http: HttpClient<SecurityDataType>) {
    this.http = http;
  }

  service = {
    /**
     * No description
     *
     * @tags service
     * @name GetLiveness
     * @summary The process answers
     * @request GET:/health/live
     */
    getLiveness: (params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: Live;
        },
        any
      >({
        path: `/health/live`,
        method: "GET",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags service
     * @name GetReadiness
     * @summary Stores reachable, read models moving
     * @request GET:/health/ready
     */
    getReadiness: (params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: Ready;
        },
        NotReady
      >({
        path: `/health/ready`,
        method: "GET",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags service
     * @name GetMetrics
     * @summary Numbers for Prometheus
     * @request GET:/metrics
     */
    getMetrics: (params: RequestParams = {}) =>
      this.http.request<ReadableStream<Uint8Array>, any>({
        path: `/metrics`,
        method: "GET",
        ...params,
      }),
  };
  calls = {
    /**
     * No description
     *
     * @tags calls
     * @name StartOutboundCall
     * @summary Starts an outbound call with an assistant
     * @request POST:/api/v1/calls/outbound
     * @secure
     */
    startOutboundCall: (
      data: OutboundCallRequest,
      params: RequestParams = {},
    ) =>
      this.http.request<OutboundCallStarted, (Error | PlainError) | Error>({
        path: `/api/v1/calls/outbound`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags calls
     * @name ListActiveCalls
     * @summary Calls that have not ended
     * @request GET:/api/v1/calls/outbound/active
     * @secure
     */
    listActiveCalls: (
      query?: {
        /**
         * @min 1
         * @max 200
         */
        limit?: number;
        /** @maxLength 512 */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: OutboundCall[];
          pagination: {
            /**
             * @min 1
             * @max 200
             */
            limit: number;
            nextCursor: string | null;
          };
          concurrency: Concurrency;
        },
        Error
      >({
        path: `/api/v1/calls/outbound/active`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags calls
     * @name GetOutboundCall
     * @summary Status of an outbound call
     * @request GET:/api/v1/calls/outbound/{callId}
     * @secure
     */
    getOutboundCall: (callId: string, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: OutboundCall;
        },
        Error
      >({
        path: `/api/v1/calls/outbound/${encodeURIComponent(callId)}`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags calls
     * @name EndCall
     * @summary Hangs up; may be repeated
     * @request DELETE:/api/v1/calls/outbound/{callId}
     * @secure
     */
    endCall: (callId: string, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: CallEnd;
        },
        Error
      >({
        path: `/api/v1/calls/outbound/${encodeURIComponent(callId)}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags calls
     * @name ListCalls
     * @summary Calls, newest first
     * @request GET:/api/v1/calls
     * @secure
     */
    listCalls: (
      query?: {
        status?:
          | "initiating"
          | "ringing"
          | "connected"
          | "in_progress"
          | "completed"
          | "failed";
        /**
         * @minLength 1
         * @maxLength 255
         */
        campaignId?: string;
        /**
         * @maxLength 16
         * @pattern ^\+[1-9]\d{6,14}$
         */
        to?: string;
        /**
         * @format date-time
         * @maxLength 40
         */
        from?: string;
        /**
         * @format date-time
         * @maxLength 40
         */
        until?: string;
        /**
         * @min 1
         * @max 200
         */
        limit?: number;
        /** @maxLength 512 */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: CallListRecord[];
          pagination: {
            /**
             * @min 1
             * @max 200
             */
            limit: number;
            nextCursor: string | null;
          };
        },
        Error
      >({
        path: `/api/v1/calls`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags calls
     * @name GetCall
     * @summary Call details and messages
     * @request GET:/api/v1/calls/{callId}
     * @secure
     */
    getCall: (callId: string, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: Call;
        },
        Error
      >({
        path: `/api/v1/calls/${encodeURIComponent(callId)}`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags calls
     * @name ListCallEvents
     * @summary History of a call, oldest first
     * @request GET:/api/v1/calls/{callId}/events
     * @secure
     */
    listCallEvents: (
      callId: string,
      query?: {
        /**
         * @min 1
         * @max 200
         */
        limit?: number;
        /** @maxLength 512 */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: HistoryEvent[];
          pagination: {
            /**
             * @min 1
             * @max 200
             */
            limit: number;
            nextCursor: string | null;
          };
        },
        Error
      >({
        path: `/api/v1/calls/${encodeURIComponent(callId)}/events`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags calls
     * @name GetRecording
     * @summary Recording of a call as a WAV file
     * @request GET:/api/v1/calls/{callId}/recording
     * @secure
     */
    getRecording: (callId: string, params: RequestParams = {}) =>
      this.http.request<ReadableStream<Uint8Array>, Error>({
        path: `/api/v1/calls/${encodeURIComponent(callId)}/recording`,
        method: "GET",
        secure: true,
        ...params,
      }),
  };
  campaigns = {
    /**
     * No description
     *
     * @tags campaigns
     * @name CreateCampaign
     * @summary Creates a campaign of 1 to 10,000 contacts
     * @request POST:/api/v1/campaigns
     * @secure
     */
    createCampaign: (data: CampaignRequest, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: CampaignReport;
        },
        Error
      >({
        path: `/api/v1/campaigns`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags campaigns
     * @name ListCampaigns
     * @summary Campaigns, newest first
     * @request GET:/api/v1/campaigns
     * @secure
     */
    listCampaigns: (
      query?: {
        status?: "PENDING" | "RUNNING" | "PAUSED" | "COMPLETED" | "CANCELLED";
        /**
         * @min 1
         * @max 200
         */
        limit?: number;
        /** @maxLength 512 */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: Campaign[];
          pagination: {
            /**
             * @min 1
             * @max 200
             */
            limit: number;
            nextCursor: string | null;
          };
        },
        Error
      >({
        path: `/api/v1/campaigns`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags campaigns
     * @name AddContacts
     * @summary Adds contacts; 10,000 in all at the most
     * @request POST:/api/v1/campaigns/{id}/contacts
     * @secure
     */
    addContacts: (
      id: string,
      data: AddContactsRequest,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: ContactsAdded;
        },
        Error
      >({
        path: `/api/v1/campaigns/${encodeURIComponent(id)}/contacts`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags campaigns
     * @name ListContacts
     * @summary Contacts in the order of import, now or as they stood
     * @request GET:/api/v1/campaigns/{id}/contacts
     * @secure
     */
    listContacts: (
      id: string,
      query?: {
        status?:
          | "pending"
          | "dialing"
          | "waiting_retry"
          | "succeeded"
          | "failed"
          | "skipped";
        /**
         * @format date-time
         * @maxLength 40
         */
        at?: string;
        /**
         * @min 1
         * @max 200
         */
        limit?: number;
        /** @maxLength 512 */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: Contact[];
          pagination: {
            /**
             * @min 1
             * @max 200
             */
            limit: number;
            nextCursor: string | null;
          };
        },
        Error
      >({
        path: `/api/v1/campaigns/${encodeURIComponent(id)}/contacts`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags campaigns
     * @name StartCampaign
     * @summary Begins to call
     * @request POST:/api/v1/campaigns/{id}/start
     * @secure
     */
    startCampaign: (
      id: string,
      data?: object | null,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: {
            campaign: Campaign;
            statistics: CampaignStatistics;
          };
        },
        Error
      >({
        path: `/api/v1/campaigns/${encodeURIComponent(id)}/start`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags campaigns
     * @name PauseCampaign
     * @summary Nobody is dialled after the answer
     * @request POST:/api/v1/campaigns/{id}/pause
     * @secure
     */
    pauseCampaign: (
      id: string,
      data?: object | null,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: {
            campaign: Campaign;
            statistics: CampaignStatistics;
          };
        },
        Error
      >({
        path: `/api/v1/campaigns/${encodeURIComponent(id)}/pause`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags campaigns
     * @name ResumeCampaign
     * @summary Goes on after a pause
     * @request POST:/api/v1/campaigns/{id}/resume
     * @secure
     */
    resumeCampaign: (
      id: string,
      data?: object | null,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: {
            campaign: Campaign;
            statistics: CampaignStatistics;
          };
        },
        Error
      >({
        path: `/api/v1/campaigns/${encodeURIComponent(id)}/resume`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags campaigns
     * @name CancelCampaign
     * @summary Ends the campaign; live calls finish unless they are hung up
     * @request POST:/api/v1/campaigns/{id}/cancel
     * @secure
     */
    cancelCampaign: (
      id: string,
      data: {
        hangUpActiveCalls?: boolean;
      } | null,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: {
            campaign: Campaign;
            statistics: CampaignStatistics;
          };
        },
        Error
      >({
        path: `/api/v1/campaigns/${encodeURIComponent(id)}/cancel`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags campaigns
     * @name ChangeCampaign
     * @summary Changes settings while PENDING or PAUSED
     * @request PATCH:/api/v1/campaigns/{id}
     * @secure
     */
    changeCampaign: (
      id: string,
      data: CampaignChanges,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: {
            campaign: Campaign;
            statistics: CampaignStatistics;
          };
        },
        Error
      >({
        path: `/api/v1/campaigns/${encodeURIComponent(id)}`,
        method: "PATCH",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags campaigns
     * @name GetCampaign
     * @summary A campaign with its statistics, now or as it stood
     * @request GET:/api/v1/campaigns/{id}
     * @secure
     */
    getCampaign: (
      id: string,
      query?: {
        /**
         * @format date-time
         * @maxLength 40
         */
        at?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: {
            campaign: Campaign;
            statistics: CampaignStatistics;
          };
        },
        Error
      >({
        path: `/api/v1/campaigns/${encodeURIComponent(id)}`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags campaigns
     * @name SkipContact
     * @summary Nobody calls this contact again
     * @request POST:/api/v1/campaigns/{id}/contacts/{contactId}/skip
     * @secure
     */
    skipContact: (
      id: string,
      contactId: string,
      data?: object | null,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: Contact;
        },
        Error
      >({
        path: `/api/v1/campaigns/${encodeURIComponent(id)}/contacts/${encodeURIComponent(contactId)}/skip`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags campaigns
     * @name GetCampaignStatistics
     * @summary Its statistics, now or as they stood
     * @request GET:/api/v1/campaigns/{id}/statistics
     * @secure
     */
    getCampaignStatistics: (
      id: string,
      query?: {
        /**
         * @format date-time
         * @maxLength 40
         */
        at?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: CampaignStatistics;
        },
        Error
      >({
        path: `/api/v1/campaigns/${encodeURIComponent(id)}/statistics`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags campaigns
     * @name ListCampaignEvents
     * @summary The audit log of a campaign, oldest first
     * @request GET:/api/v1/campaigns/{id}/events
     * @secure
     */
    listCampaignEvents: (
      id: string,
      query?: {
        /**
         * @min 1
         * @max 200
         */
        limit?: number;
        /** @maxLength 512 */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: HistoryEvent[];
          pagination: {
            /**
             * @min 1
             * @max 200
             */
            limit: number;
            nextCursor: string | null;
          };
        },
        Error
      >({
        path: `/api/v1/campaigns/${encodeURIComponent(id)}/events`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags campaigns
     * @name GetContact
     * @summary One contact with its attempts
     * @request GET:/api/v1/campaigns/{id}/contacts/{contactId}
     * @secure
     */
    getContact: (id: string, contactId: string, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: Contact;
        },
        Error
      >({
        path: `/api/v1/campaigns/${encodeURIComponent(id)}/contacts/${encodeURIComponent(contactId)}`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags campaigns
     * @name ExportContacts
     * @summary All contacts as a CSV file
     * @request GET:/api/v1/campaigns/{id}/contacts.csv
     * @secure
     */
    exportContacts: (
      id: string,
      query?: {
        status?:
          | "pending"
          | "dialing"
          | "waiting_retry"
          | "succeeded"
          | "failed"
          | "skipped";
      },
      params: RequestParams = {},
    ) =>
      this.http.request<ReadableStream<Uint8Array>, Error>({
        path: `/api/v1/campaigns/${encodeURIComponent(id)}/contacts.csv`,
        method: "GET",
        query: query,
        secure: true,
        ...params,
      }),

    /**
     * @description A CSV file with the columns phone and name (any case); every other column is a customData key. As text/csv with the query `settings`, or as multipart/form-data with the parts `settings` and `file`. `settings` is the body of POST /campaigns without contacts, as JSON.
     *
     * @tags campaigns
     * @name ImportCampaign
     * @summary Creates a campaign from a CSV file
     * @request POST:/api/v1/campaigns/import
     * @secure
     */
    importCampaign: (
      data: {
        /** The body of POST /campaigns without contacts, as JSON */
        settings: string;
        /** @format binary */
        file: File;
      },
      query?: {
        dryRun?: "true" | "false";
        /** With text/csv: JSON */
        settings?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        | {
            success: true;
            data: CampaignImportReport;
          }
        | {
            success: true;
            data: CampaignReport;
          },
        Error
      >({
        path: `/api/v1/campaigns/import`,
        method: "POST",
        query: query,
        body: data,
        secure: true,
        type: "multipart/form-data",
        format: "json",
        ...params,
      }),
  };
  squads = {
    /**
     * No description
     *
     * @tags squads
     * @name ListSquads
     * @summary Squads with members and handoffs, newest first
     * @request GET:/api/v1/squads
     * @secure
     */
    listSquads: (
      query?: {
        /**
         * @min 1
         * @max 200
         */
        limit?: number;
        /** @maxLength 512 */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: Squad[];
          pagination: {
            /**
             * @min 1
             * @max 200
             */
            limit: number;
            nextCursor: string | null;
          };
        },
        Error
      >({
        path: `/api/v1/squads`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags squads
     * @name CreateSquad
     * @summary Creates a squad, with members and handoffs if wanted
     * @request POST:/api/v1/squads
     * @secure
     */
    createSquad: (data: SquadRequest, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: Squad;
        },
        Error
      >({
        path: `/api/v1/squads`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags squads
     * @name GetSquad
     * @summary One squad with members and handoffs
     * @request GET:/api/v1/squads/{id}
     * @secure
     */
    getSquad: (id: string, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: Squad;
        },
        Error
      >({
        path: `/api/v1/squads/${encodeURIComponent(id)}`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags squads
     * @name ChangeSquad
     * @summary Changes name, description or override settings
     * @request PATCH:/api/v1/squads/{id}
     * @secure
     */
    changeSquad: (id: string, data: SquadChanges, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: Squad;
        },
        Error
      >({
        path: `/api/v1/squads/${encodeURIComponent(id)}`,
        method: "PATCH",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags squads
     * @name DeleteSquad
     * @summary Deletes a squad; its history stays in the log
     * @request DELETE:/api/v1/squads/{id}
     * @secure
     */
    deleteSquad: (id: string, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: {
            id: string;
            deleted: true;
          };
        },
        Error
      >({
        path: `/api/v1/squads/${encodeURIComponent(id)}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags squads
     * @name AddSquadMember
     * @summary Adds an assistant to the squad
     * @request POST:/api/v1/squads/{id}/members
     * @secure
     */
    addSquadMember: (
      id: string,
      data: SquadMemberRequest,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: SquadMember;
        },
        Error
      >({
        path: `/api/v1/squads/${encodeURIComponent(id)}/members`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags squads
     * @name ChangeSquadMember
     * @summary Changes the member named by memberId
     * @request PATCH:/api/v1/squads/{id}/members
     * @secure
     */
    changeSquadMember: (
      id: string,
      data: SquadMemberChanges,
      query?: {
        /** @maxLength 64 */
        memberId?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: SquadMember;
        },
        Error
      >({
        path: `/api/v1/squads/${encodeURIComponent(id)}/members`,
        method: "PATCH",
        query: query,
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags squads
     * @name RemoveSquadMember
     * @summary Removes the member named by memberId, with its handoffs
     * @request DELETE:/api/v1/squads/{id}/members
     * @secure
     */
    removeSquadMember: (
      id: string,
      data: {
        /**
         * @minLength 1
         * @maxLength 255
         */
        memberId?: string;
      } | null,
      query?: {
        /** @maxLength 64 */
        memberId?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: {
            /** @pattern ^mbr_[0-9a-z]{26}$ */
            id: string;
            deleted: true;
            removedHandoffIds: string[];
            newEntryMemberId: string | null;
          };
        },
        Error
      >({
        path: `/api/v1/squads/${encodeURIComponent(id)}/members`,
        method: "DELETE",
        query: query,
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags squads
     * @name ChangeSquadMemberById
     * @summary Changes a member
     * @request PATCH:/api/v1/squads/{id}/members/{memberId}
     * @secure
     */
    changeSquadMemberById: (
      id: string,
      memberId: string,
      data: SquadMemberChanges,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: SquadMember;
        },
        Error
      >({
        path: `/api/v1/squads/${encodeURIComponent(id)}/members/${encodeURIComponent(memberId)}`,
        method: "PATCH",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags squads
     * @name RemoveSquadMemberById
     * @summary Removes a member with its handoffs
     * @request DELETE:/api/v1/squads/{id}/members/{memberId}
     * @secure
     */
    removeSquadMemberById: (
      id: string,
      memberId: string,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: {
            /** @pattern ^mbr_[0-9a-z]{26}$ */
            id: string;
            deleted: true;
            removedHandoffIds: string[];
            newEntryMemberId: string | null;
          };
        },
        Error
      >({
        path: `/api/v1/squads/${encodeURIComponent(id)}/members/${encodeURIComponent(memberId)}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags squads
     * @name AddHandoff
     * @summary Links two members
     * @request POST:/api/v1/squads/{id}/handoffs
     * @secure
     */
    addHandoff: (
      id: string,
      data: HandoffRequest,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: Handoff;
        },
        Error
      >({
        path: `/api/v1/squads/${encodeURIComponent(id)}/handoffs`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags squads
     * @name ChangeHandoff
     * @summary Changes the handoff named by handoffId
     * @request PATCH:/api/v1/squads/{id}/handoffs
     * @secure
     */
    changeHandoff: (
      id: string,
      data: HandoffChanges,
      query?: {
        /** @maxLength 64 */
        handoffId?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: Handoff;
        },
        Error
      >({
        path: `/api/v1/squads/${encodeURIComponent(id)}/handoffs`,
        method: "PATCH",
        query: query,
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags squads
     * @name RemoveHandoff
     * @summary Removes the handoff named by handoffId
     * @request DELETE:/api/v1/squads/{id}/handoffs
     * @secure
     */
    removeHandoff: (
      id: string,
      data: {
        /**
         * @minLength 1
         * @maxLength 255
         */
        handoffId?: string;
      } | null,
      query?: {
        /** @maxLength 64 */
        handoffId?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: {
            id: string;
            deleted: true;
          };
        },
        Error
      >({
        path: `/api/v1/squads/${encodeURIComponent(id)}/handoffs`,
        method: "DELETE",
        query: query,
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags squads
     * @name ChangeHandoffById
     * @summary Changes a handoff
     * @request PATCH:/api/v1/squads/{id}/handoffs/{handoffId}
     * @secure
     */
    changeHandoffById: (
      id: string,
      handoffId: string,
      data: HandoffChanges,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: Handoff;
        },
        Error
      >({
        path: `/api/v1/squads/${encodeURIComponent(id)}/handoffs/${encodeURIComponent(handoffId)}`,
        method: "PATCH",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags squads
     * @name RemoveHandoffById
     * @summary Removes a handoff
     * @request DELETE:/api/v1/squads/{id}/handoffs/{handoffId}
     * @secure
     */
    removeHandoffById: (
      id: string,
      handoffId: string,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: {
            id: string;
            deleted: true;
          };
        },
        Error
      >({
        path: `/api/v1/squads/${encodeURIComponent(id)}/handoffs/${encodeURIComponent(handoffId)}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),
  };
  assistants = {
    /**
     * No description
     *
     * @tags assistants
     * @name ListAssistants
     * @summary Assistants, newest first
     * @request GET:/api/v1/assistants
     * @secure
     */
    listAssistants: (
      query?: {
        /**
         * @min 1
         * @max 200
         */
        limit?: number;
        /** @maxLength 512 */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: Assistant[];
          pagination: {
            /**
             * @min 1
             * @max 200
             */
            limit: number;
            nextCursor: string | null;
          };
        },
        Error
      >({
        path: `/api/v1/assistants`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags assistants
     * @name CreateAssistant
     * @summary Creates an assistant, not published yet
     * @request POST:/api/v1/assistants
     * @secure
     */
    createAssistant: (data: AssistantRequest, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: Assistant;
        },
        Error
      >({
        path: `/api/v1/assistants`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags assistants
     * @name GetAssistant
     * @summary One assistant: its draft, and which version is published
     * @request GET:/api/v1/assistants/{id}
     * @secure
     */
    getAssistant: (id: string, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: Assistant;
        },
        Error
      >({
        path: `/api/v1/assistants/${encodeURIComponent(id)}`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags assistants
     * @name ChangeAssistant
     * @summary Changes the draft; what is published stays as it is
     * @request PATCH:/api/v1/assistants/{id}
     * @secure
     */
    changeAssistant: (
      id: string,
      data: AssistantChanges,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: Assistant;
        },
        Error
      >({
        path: `/api/v1/assistants/${encodeURIComponent(id)}`,
        method: "PATCH",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description 503 `NOT_READY` while the read model of squads is being built: nobody knows then whether one uses it.
     *
     * @tags assistants
     * @name DeleteAssistant
     * @summary Deletes an assistant that no squad uses
     * @request DELETE:/api/v1/assistants/{id}
     * @secure
     */
    deleteAssistant: (id: string, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: {
            /** @pattern ^ast_[0-9a-z]{26}$ */
            id: string;
            deleted: true;
          };
        },
        Error
      >({
        path: `/api/v1/assistants/${encodeURIComponent(id)}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags assistants
     * @name PublishAssistant
     * @summary Freezes the draft as the next version
     * @request POST:/api/v1/assistants/{id}/publish
     * @secure
     */
    publishAssistant: (
      id: string,
      data?: object | null,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: Assistant;
        },
        Error
      >({
        path: `/api/v1/assistants/${encodeURIComponent(id)}/publish`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags assistants
     * @name UnpublishAssistant
     * @summary No call begins with it any more
     * @request POST:/api/v1/assistants/{id}/unpublish
     * @secure
     */
    unpublishAssistant: (
      id: string,
      data?: object | null,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: Assistant;
        },
        Error
      >({
        path: `/api/v1/assistants/${encodeURIComponent(id)}/unpublish`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags assistants
     * @name ListAssistantVersions
     * @summary Published versions, newest first
     * @request GET:/api/v1/assistants/{id}/versions
     * @secure
     */
    listAssistantVersions: (
      id: string,
      query?: {
        /**
         * @min 1
         * @max 200
         */
        limit?: number;
        /** @maxLength 512 */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: AssistantVersion[];
          pagination: {
            /**
             * @min 1
             * @max 200
             */
            limit: number;
            nextCursor: string | null;
          };
        },
        Error
      >({
        path: `/api/v1/assistants/${encodeURIComponent(id)}/versions`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  phoneNumbers = {
    /**
     * No description
     *
     * @tags phone numbers
     * @name ListPhoneNumbers
     * @summary Numbers to call from, newest first
     * @request GET:/api/v1/phone-numbers
     * @secure
     */
    listPhoneNumbers: (
      query?: {
        /**
         * @min 1
         * @max 200
         */
        limit?: number;
        /** @maxLength 512 */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: PhoneNumber[];
          pagination: {
            /**
             * @min 1
             * @max 200
             */
            limit: number;
            nextCursor: string | null;
          };
        },
        Error
      >({
        path: `/api/v1/phone-numbers`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags phone numbers
     * @name CreatePhoneNumber
     * @summary Adds a number to call from
     * @request POST:/api/v1/phone-numbers
     * @secure
     */
    createPhoneNumber: (data: PhoneNumberRequest, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: PhoneNumber;
        },
        Error
      >({
        path: `/api/v1/phone-numbers`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags phone numbers
     * @name GetPhoneNumber
     * @summary One number
     * @request GET:/api/v1/phone-numbers/{id}
     * @secure
     */
    getPhoneNumber: (id: string, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: PhoneNumber;
        },
        Error
      >({
        path: `/api/v1/phone-numbers/${encodeURIComponent(id)}`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags phone numbers
     * @name ChangePhoneNumber
     * @summary Changes a number; an inactive one calls nobody
     * @request PATCH:/api/v1/phone-numbers/{id}
     * @secure
     */
    changePhoneNumber: (
      id: string,
      data: PhoneNumberChanges,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: PhoneNumber;
        },
        Error
      >({
        path: `/api/v1/phone-numbers/${encodeURIComponent(id)}`,
        method: "PATCH",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags phone numbers
     * @name DeletePhoneNumber
     * @summary Deletes a number; campaigns that use it pause
     * @request DELETE:/api/v1/phone-numbers/{id}
     * @secure
     */
    deletePhoneNumber: (id: string, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: {
            /** @pattern ^pn_[0-9a-z]{26}$ */
            id: string;
            deleted: true;
          };
        },
        Error
      >({
        path: `/api/v1/phone-numbers/${encodeURIComponent(id)}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),
  };
  tools = {
    /**
     * No description
     *
     * @tags tools
     * @name ListTools
     * @summary Tools, newest first
     * @request GET:/api/v1/tools
     * @secure
     */
    listTools: (
      query?: {
        /**
         * @min 1
         * @max 200
         */
        limit?: number;
        /** @maxLength 512 */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: Tool[];
          pagination: {
            /**
             * @min 1
             * @max 200
             */
            limit: number;
            nextCursor: string | null;
          };
        },
        Error
      >({
        path: `/api/v1/tools`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags tools
     * @name CreateTool
     * @summary Creates a tool
     * @request POST:/api/v1/tools
     * @secure
     */
    createTool: (data: ToolRequest, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: Tool;
        },
        Error
      >({
        path: `/api/v1/tools`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags tools
     * @name GetTool
     * @summary One tool
     * @request GET:/api/v1/tools/{toolId}
     * @secure
     */
    getTool: (toolId: string, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: Tool;
        },
        Error
      >({
        path: `/api/v1/tools/${encodeURIComponent(toolId)}`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags tools
     * @name ChangeTool
     * @summary Changes a tool; a config is given whole
     * @request PATCH:/api/v1/tools/{toolId}
     * @secure
     */
    changeTool: (
      toolId: string,
      data: ToolChanges,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: Tool;
        },
        Error
      >({
        path: `/api/v1/tools/${encodeURIComponent(toolId)}`,
        method: "PATCH",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags tools
     * @name DeleteTool
     * @summary Deletes a tool that no assistant uses
     * @request DELETE:/api/v1/tools/{toolId}
     * @secure
     */
    deleteTool: (toolId: string, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: {
            /** @pattern ^tool_[0-9a-z]{26}$ */
            id: string;
            deleted: true;
          };
        },
        Error
      >({
        path: `/api/v1/tools/${encodeURIComponent(toolId)}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),
  };
  secrets = {
    /**
     * No description
     *
     * @tags secrets
     * @name PutSecret
     * @summary Keeps a secret; its value is never read back
     * @request PUT:/api/v1/secrets/{name}
     * @secure
     */
    putSecret: (
      name: string,
      data: SecretRequest,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: Secret;
        },
        Error
      >({
        path: `/api/v1/secrets/${encodeURIComponent(name)}`,
        method: "PUT",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags secrets
     * @name DeleteSecret
     * @summary Deletes a secret
     * @request DELETE:/api/v1/secrets/{name}
     * @secure
     */
    deleteSecret: (name: string, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: {
            name: string;
            deleted: true;
          };
        },
        Error
      >({
        path: `/api/v1/secrets/${encodeURIComponent(name)}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags secrets
     * @name ListSecrets
     * @summary Names of secrets, by name
     * @request GET:/api/v1/secrets
     * @secure
     */
    listSecrets: (
      query?: {
        /**
         * @min 1
         * @max 200
         */
        limit?: number;
        /** @maxLength 512 */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: Secret[];
          pagination: {
            /**
             * @min 1
             * @max 200
             */
            limit: number;
            nextCursor: string | null;
          };
        },
        Error
      >({
        path: `/api/v1/secrets`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  suppressions = {
    /**
     * No description
     *
     * @tags suppressions
     * @name AddSuppression
     * @summary Nobody calls this number any more
     * @request POST:/api/v1/suppressions
     * @secure
     */
    addSuppression: (data: SuppressionRequest, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: Suppression;
        },
        Error
      >({
        path: `/api/v1/suppressions`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags suppressions
     * @name ListSuppressions
     * @summary Numbers that nobody calls, newest first
     * @request GET:/api/v1/suppressions
     * @secure
     */
    listSuppressions: (
      query?: {
        /**
         * @min 1
         * @max 200
         */
        limit?: number;
        /** @maxLength 512 */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: Suppression[];
          pagination: {
            /**
             * @min 1
             * @max 200
             */
            limit: number;
            nextCursor: string | null;
          };
        },
        Error
      >({
        path: `/api/v1/suppressions`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags suppressions
     * @name DeleteSuppression
     * @summary The number may be called again
     * @request DELETE:/api/v1/suppressions/{phoneNumber}
     * @secure
     */
    deleteSuppression: (phoneNumber: string, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: {
            /** @pattern ^\+[1-9]\d{6,14}$ */
            phoneNumber: string;
            deleted: true;
          };
        },
        Error
      >({
        path: `/api/v1/suppressions/${encodeURIComponent(phoneNumber)}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),
  };
  webhooks = {
    /**
     * No description
     *
     * @tags webhooks
     * @name GetWebhook
     * @summary Where webhooks go and how they fare; null when nothing was ever set
     * @request GET:/api/v1/webhook
     * @secure
     */
    getWebhook: (params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: Webhook | null;
        },
        Error
      >({
        path: `/api/v1/webhook`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags webhooks
     * @name PutWebhook
     * @summary Sets where webhooks go
     * @request PUT:/api/v1/webhook
     * @secure
     */
    putWebhook: (data: WebhookRequest, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: WebhookSettings;
        },
        Error
      >({
        path: `/api/v1/webhook`,
        method: "PUT",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags webhooks
     * @name ShowWebhookSecret
     * @summary Shows the secret; makes it when there is none
     * @request POST:/api/v1/webhook/secret
     * @secure
     */
    showWebhookSecret: (data?: object | null, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: WebhookSecret;
        },
        Error
      >({
        path: `/api/v1/webhook/secret`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags webhooks
     * @name RotateWebhookSecret
     * @summary Makes a new secret; the old one signs as well for a while
     * @request POST:/api/v1/webhook/rotate-secret
     * @secure
     */
    rotateWebhookSecret: (
      data: {
        /**
         * @min 0
         * @max 604800
         */
        overlapSeconds?: number;
      } | null,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: RotatedWebhookSecret;
        },
        Error
      >({
        path: `/api/v1/webhook/rotate-secret`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags webhooks
     * @name TestWebhook
     * @summary Sends a signed sample now
     * @request POST:/api/v1/webhook/test
     * @secure
     */
    testWebhook: (data: WebhookTestRequest, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: WebhookTest;
        },
        Error
      >({
        path: `/api/v1/webhook/test`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags webhooks
     * @name ListDeliveries
     * @summary Deliveries, newest first
     * @request GET:/api/v1/webhook/deliveries
     * @secure
     */
    listDeliveries: (
      query?: {
        event?: "call.started" | "call.ended";
        status?:
          | "pending"
          | "sending"
          | "delivered"
          | "retrying"
          | "held"
          | "dead";
        /** @maxLength 64 */
        callId?: string;
        /**
         * @min 1
         * @max 200
         */
        limit?: number;
        /** @maxLength 512 */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: WebhookDelivery[];
          pagination: {
            /**
             * @min 1
             * @max 200
             */
            limit: number;
            nextCursor: string | null;
          };
        },
        Error
      >({
        path: `/api/v1/webhook/deliveries`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags webhooks
     * @name GetDelivery
     * @summary One delivery with its attempts
     * @request GET:/api/v1/webhook/deliveries/{id}
     * @secure
     */
    getDelivery: (id: string, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: WebhookDeliveryDetail;
        },
        Error
      >({
        path: `/api/v1/webhook/deliveries/${encodeURIComponent(id)}`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags webhooks
     * @name ReplayDelivery
     * @summary Sends the same event again, as a delivery of its own
     * @request POST:/api/v1/webhook/deliveries/{id}/replay
     * @secure
     */
    replayDelivery: (
      id: string,
      data?: object | null,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: WebhookDelivery;
        },
        Error
      >({
        path: `/api/v1/webhook/deliveries/${encodeURIComponent(id)}/replay`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags webhooks
     * @name ReplayRange
     * @summary Sends every event of a range again
     * @request POST:/api/v1/webhook/replays
     * @secure
     */
    replayRange: (data: WebhookReplayRequest, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: WebhookReplays;
        },
        Error
      >({
        path: `/api/v1/webhook/replays`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),
  };
  history = {
    /**
     * @description `cursor` and `after` both take the position to go on after, which is `pagination.nextCursor`. With `Accept: text/event-stream` it follows live; `Last-Event-ID` resumes. A stream that the service ends closes with `event: closing`, whose data says why.
     *
     * @tags history
     * @name ListEvents
     * @summary Everything that happened to this owner's calls, campaigns and squads, oldest first
     * @request GET:/api/v1/events
     * @secure
     */
    listEvents: (
      query?: {
        /** @maxLength 128 */
        after?: string;
        /** @pattern ^[A-Za-z]{1,64}(,[A-Za-z]{1,64}){0,49}$ */
        types?: string;
        /** @maxLength 64 */
        stream?: string;
        /**
         * @min 1
         * @max 200
         */
        limit?: number;
        /** @maxLength 512 */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: OwnerEvent[];
          pagination: {
            /**
             * @min 1
             * @max 200
             */
            limit: number;
            nextCursor: string | null;
          };
        },
        Error
      >({
        path: `/api/v1/events`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  account = {
    /**
     * No description
     *
     * @tags account
     * @name GetAccount
     * @summary Balance, reservations and plan
     * @request GET:/api/v1/account
     * @secure
     */
    getAccount: (params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: Account;
        },
        Error
      >({
        path: `/api/v1/account`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags account
     * @name GetLimits
     * @summary What this owner may do at once
     * @request GET:/api/v1/limits
     * @secure
     */
    getLimits: (params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: Limits;
        },
        Error
      >({
        path: `/api/v1/limits`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags account
     * @name TopUp
     * @summary Adds credits, once for each reference
     * @request POST:/api/v1/account/credits
     * @secure
     */
    topUp: (data: TopUpRequest, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: Account;
        },
        Error
      >({
        path: `/api/v1/account/credits`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags account
     * @name ListLedger
     * @summary Every movement of credits, newest first
     * @request GET:/api/v1/account/ledger
     * @secure
     */
    listLedger: (
      query?: {
        /**
         * @min 1
         * @max 200
         */
        limit?: number;
        /** @maxLength 512 */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: LedgerEntry[];
          pagination: {
            /**
             * @min 1
             * @max 200
             */
            limit: number;
            nextCursor: string | null;
          };
        },
        Error
      >({
        path: `/api/v1/account/ledger`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  apiKeys = {
    /**
     * No description
     *
     * @tags API keys
     * @name CreateApiKey
     * @summary Makes a key; it is shown in this one answer
     * @request POST:/api/v1/api-keys
     * @secure
     */
    createApiKey: (data: ApiKeyRequest, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: IssuedApiKey;
        },
        Error
      >({
        path: `/api/v1/api-keys`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags API keys
     * @name ListApiKeys
     * @summary Keys of this owner, newest first; never their secrets
     * @request GET:/api/v1/api-keys
     * @secure
     */
    listApiKeys: (
      query?: {
        /**
         * @min 1
         * @max 200
         */
        limit?: number;
        /** @maxLength 512 */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: ApiKey[];
          pagination: {
            /**
             * @min 1
             * @max 200
             */
            limit: number;
            nextCursor: string | null;
          };
        },
        Error
      >({
        path: `/api/v1/api-keys`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags API keys
     * @name RevokeApiKey
     * @summary Revokes a key at once
     * @request DELETE:/api/v1/api-keys/{id}
     * @secure
     */
    revokeApiKey: (id: string, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: {
            /** @pattern ^key_[0-9a-z]{26}$ */
            id: string;
            deleted: true;
          };
        },
        Error
      >({
        path: `/api/v1/api-keys/${encodeURIComponent(id)}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),
  };
  users = {
    /**
     * No description
     *
     * @tags users
     * @name CreateUser
     * @summary Makes an owner with a first admin key, which is shown in this one answer
     * @request POST:/api/v1/users
     * @secure
     */
    createUser: (data: UserRequest, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: NewUser;
        },
        Error
      >({
        path: `/api/v1/users`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags users
     * @name ListUsers
     * @summary Owners, newest first
     * @request GET:/api/v1/users
     * @secure
     */
    listUsers: (
      query?: {
        /**
         * @min 1
         * @max 200
         */
        limit?: number;
        /** @maxLength 512 */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: User[];
          pagination: {
            /**
             * @min 1
             * @max 200
             */
            limit: number;
            nextCursor: string | null;
          };
        },
        Error
      >({
        path: `/api/v1/users`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags users
     * @name CreateAdminKey
     * @summary Makes a new admin key for an owner that lost its own; it is shown in this one answer
     * @request POST:/api/v1/users/{id}/api-keys
     * @secure
     */
    createAdminKey: (
      id: string,
      data: {
        /**
         * @minLength 1
         * @maxLength 255
         */
        name?: string;
      } | null,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          success: true;
          data: IssuedApiKey;
        },
        Error
      >({
        path: `/api/v1/users/${encodeURIComponent(id)}/api-keys`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * No description
     *
     * @tags users
     * @name ChangeUser
     * @summary Changes name, plan or whether the owner is active
     * @request PATCH:/api/v1/users/{id}
     * @secure
     */
    changeUser: (id: string, data: UserChanges, params: RequestParams = {}) =>
      this.http.request<
        {
          success: true;
          data: User;
        },
        Error
      >({
        path: `/api/v1/users/${encodeURIComponent(id)}`,
        method: "PATCH",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),
  };
}

/** Paths whose POST takes an Idempotency-Key. */
export const KEYED_POSTS: readonly string[] = [
  "/api/v1/calls/outbound",
  "/api/v1/campaigns",
  "/api/v1/campaigns/{id}/contacts",
  "/api/v1/squads",
  "/api/v1/squads/{id}/members",
  "/api/v1/squads/{id}/handoffs",
  "/api/v1/assistants",
  "/api/v1/phone-numbers",
  "/api/v1/tools",
  "/api/v1/suppressions",
  "/api/v1/api-keys",
  "/api/v1/users",
  "/api/v1/users/{id}/api-keys",
  "/api/v1/campaigns/import",
];
