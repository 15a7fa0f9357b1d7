// Generated from /openapi.json by `npm run client:generate`; never edited.
// @ts-nocheck

export interface TopUpRequest {
  /**
   * Credits to add, with at most 4 decimals
   * @min 0.0001
   * @max 1000000000
   */
  amount: number;
  /**
   * Your name for this top-up; the same one again adds nothing
   * @minLength 1
   * @maxLength 255
   */
  reference: string;
  /**
   * Id of the owner that gets them; left out: your own
   * @minLength 1
   * @maxLength 255
   */
  userId?: string;
}

export interface AccountChanges {
  /** For how long what is said on calls, and recordings, are kept */
  retention: {
    /** Number of days from a call's end, 1 to 3650; null: for ever */
    contentDays: number | null;
  };
}

export interface ApiKeyRequest {
  /**
   * What the key is for
   * @minLength 1
   * @maxLength 255
   */
  name: string;
  /**
   * What the key may do
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
  /** Until when it works; ISO 8601; null: without end */
  expiresAt?: string | null;
}

export interface AssistantRequest {
  /**
   * Name of the assistant
   * @minLength 1
   * @maxLength 255
   */
  name: string;
  /**
   * The first words of a call; at most 4 KiB
   * @maxLength 4096
   */
  greetingMessage: string;
  /**
   * Who the assistant is and what it does; at most 32 KiB
   * @maxLength 32768
   */
  systemPrompt: string;
  /** Name of the language model; null: the installation's */
  model?: string | null;
  /** How freely the model speaks, from 0 (always alike) to 2; null: the model's own */
  temperature?: number | null;
  /** Name of the voice; null: the default one */
  voice?: string | null;
  /** Language spoken, for example tr-TR; null: not set */
  language?: string | null;
  /**
   * Ids of the tools that it may use
   * @maxItems 100
   */
  toolIds?: string[];
  /**
   * Seconds after the answer at which the call is ended (default 600)
   * @min 10
   * @max 7200
   */
  maxDurationSeconds?: number;
  /** What to do when a machine answers (default hang_up) */
  voicemailPolicy?: "hang_up" | "leave_message" | "ignore";
  /** What is said to a machine with leave_message; null: nothing */
  voicemailMessage?: string | null;
  /** Id of a connection of kind model; null: the installation's model */
  modelConnectionId?: string | null;
  /** What is said when the model fails; at most 4 KiB; null: a line of the language's own */
  fallbackMessage?: string | null;
  /**
   * Seconds of silence after which the assistant speaks again; the third time the call ends (default 8)
   * @min 3
   * @max 60
   */
  silenceTimeoutSeconds?: number;
  /**
   * Thousandths of seconds of silence by which the customer has finished (default 500)
   * @min 200
   * @max 2000
   */
  endSilenceMs?: number;
  /** false: the customer cannot cut the assistant short (default true) */
  interruptible?: boolean;
  /** Whether calls are recorded; null: not set, which is off except for simulated calls */
  recording?: "on" | "off" | null;
  /** What is said before the greeting, for example that the call is recorded; null: nothing */
  recordingNotice?: string | null;
}

export interface AssistantChanges {
  /**
   * Name of the assistant
   * @minLength 1
   * @maxLength 255
   */
  name?: string;
  /**
   * The first words of a call; at most 4 KiB
   * @maxLength 4096
   */
  greetingMessage?: string;
  /**
   * Who the assistant is and what it does; at most 32 KiB
   * @maxLength 32768
   */
  systemPrompt?: string;
  /** Name of the language model; null: the installation's */
  model?: string | null;
  /** How freely the model speaks, from 0 (always alike) to 2; null: the model's own */
  temperature?: number | null;
  /** Name of the voice; null: the default one */
  voice?: string | null;
  /** Language spoken, for example tr-TR; null: not set */
  language?: string | null;
  /**
   * Ids of the tools that it may use
   * @maxItems 100
   */
  toolIds?: string[];
  /**
   * Seconds after the answer at which the call is ended (default 600)
   * @min 10
   * @max 7200
   */
  maxDurationSeconds?: number;
  /** What to do when a machine answers (default hang_up) */
  voicemailPolicy?: "hang_up" | "leave_message" | "ignore";
  /** What is said to a machine with leave_message; null: nothing */
  voicemailMessage?: string | null;
  /** Id of a connection of kind model; null: the installation's model */
  modelConnectionId?: string | null;
  /** What is said when the model fails; at most 4 KiB; null: a line of the language's own */
  fallbackMessage?: string | null;
  /**
   * Seconds of silence after which the assistant speaks again; the third time the call ends (default 8)
   * @min 3
   * @max 60
   */
  silenceTimeoutSeconds?: number;
  /**
   * Thousandths of seconds of silence by which the customer has finished (default 500)
   * @min 200
   * @max 2000
   */
  endSilenceMs?: number;
  /** false: the customer cannot cut the assistant short (default true) */
  interruptible?: boolean;
  /** Whether calls are recorded; null: not set, which is off except for simulated calls */
  recording?: "on" | "off" | null;
  /** What is said before the greeting, for example that the call is recorded; null: nothing */
  recordingNotice?: string | null;
}

export interface OutboundCallRequest {
  /**
   * Id of the phone number from which the call goes out
   * @minLength 1
   * @maxLength 255
   */
  phoneNumberId: string;
  /**
   * Id of a published assistant, who talks
   * @minLength 1
   * @maxLength 255
   */
  assistantId: string;
  /**
   * Whom to call: a number in E.164 format
   * @maxLength 16
   * @pattern ^\+[1-9]\d{6,14}$
   */
  to: string;
  /** Id of a squad; `assistantId` is then one of its members and speaks first */
  squadId?: string | null;
  /** The first words, in place of the assistant's own; at most 4 KiB */
  greetingMessage?: string | null;
  /** Instructions for this call, besides the assistant's own; at most 32 KiB */
  specialInstructions?: string | null;
  /** A JSON object of your own, at most 16 KiB; it comes back in the call and its webhooks */
  metadata?: Record<string, any> | null;
}

export interface ContactRequest {
  /**
   * The number to call, E.164
   * @maxLength 255
   */
  phoneNumber: string;
  /** Fills {{name}}; null: none */
  name?: string | null;
  /** A JSON object, at most 16 KiB, whose values fill the placeholders */
  customData?: Record<string, any> | null;
  /** IANA time zone of this contact; left out or null: the campaign's */
  timezone?: string | null;
  /** Your own id of this contact; null: none */
  externalId?: string | null;
}

export interface CampaignRequest {
  /**
   * Name of the campaign, 1 to 255 characters
   * @minLength 1
   * @maxLength 255
   */
  name: string;
  /** Number of calls at once, at most; null: as many as the plan allows */
  maxConcurrentCalls?: number | null;
  /** New calls a second, at most; null: as many as the plan allows */
  maxCallsPerSecond?: number | null;
  /** Number of further attempts after the first one fails; null: 3 */
  maxRetries?: number | null;
  /** Minutes from the end of a failed attempt to the next one; null: 5 */
  retryIntervalMins?: number | null;
  /**
   * Ends of a call after which the contact is called again; an empty list: none. An attempt that the carrier never had (`not_placed`) is repeated whatever it says
   * @maxItems 50
   */
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
  /**
   * IANA time zone in which the call window is judged; a contact's own goes before it
   * @maxLength 64
   */
  timezone?: string;
  /** Local hour at which the window opens; null: people are called at any hour */
  callWindowStart?: number | null;
  /** Local hour at which it closes, not the start hour; an earlier one: overnight */
  callWindowEnd?: number | null;
  /**
   * Minutes after callWindowStart, 0 unless given; only with hours
   * @min 0
   * @max 59
   */
  callWindowStartMinute?: number;
  /**
   * Minutes after callWindowEnd, 0 unless given; only with hours
   * @min 0
   * @max 59
   */
  callWindowEndMinute?: number;
  /** ISO weekdays on which a window may begin, 1 Monday to 7 Sunday; null: every day. Without hours: whole days */
  callWindowDays?: number[] | null;
  /**
   * Local dates of each contact on which nobody is called, nor in the rest of a window that began on one of them
   * @maxItems 100
   */
  callWindowExcludedDates?: string[];
  /** When the campaign starts by itself while it is PENDING: ISO 8601 with an offset, at most a year ahead, at most 60 seconds in the past. null: when it is started. It changes only while PENDING. */
  startAt?: string | null;
  /**
   * Id of the phone number from which the call goes out
   * @minLength 1
   * @maxLength 255
   */
  phoneNumberId: string;
  /**
   * Id of a published assistant; its version of now stays this campaign's
   * @minLength 1
   * @maxLength 255
   */
  assistantId: string;
  /** Id of a squad; `assistantId` is then one of its members and speaks first */
  squadId?: string | null;
  /** The first words; {{name}} is filled from each contact; at most 4 KiB */
  greetingMessage?: string | null;
  /** Instructions; {{key}} is filled from each contact's customData; at most 32 KiB */
  specialInstructions?: string | null;
  /** A JSON object of your own, at most 16 KiB; it comes back in every call and webhook */
  metadata?: Record<string, any> | null;
  /**
   * Seconds that it may ring (default 60)
   * @min 10
   * @max 120
   */
  ringTimeoutSeconds?: number;
  /** true: of equal numbers only the first is called (default false) */
  skipDuplicates?: boolean;
  /**
   * Whom to call, 1 to 10,000
   * @maxItems 10000
   * @minItems 1
   */
  contacts: ContactRequest[];
}

export interface AddContactsRequest {
  /**
   * Whom to call, 1 to 10,000
   * @maxItems 10000
   * @minItems 1
   */
  contacts: ContactRequest[];
  /** true: of equal numbers only the first is called (default false) */
  skipDuplicates?: boolean;
}

export interface CampaignChanges {
  /**
   * Name of the campaign, 1 to 255 characters
   * @minLength 1
   * @maxLength 255
   */
  name?: string;
  /** Number of calls at once, at most; null: as many as the plan allows */
  maxConcurrentCalls?: number | null;
  /** New calls a second, at most; null: as many as the plan allows */
  maxCallsPerSecond?: number | null;
  /** Number of further attempts after the first one fails; null: 3 */
  maxRetries?: number | null;
  /** Minutes from the end of a failed attempt to the next one; null: 5 */
  retryIntervalMins?: number | null;
  /**
   * Ends of a call after which the contact is called again; an empty list: none. An attempt that the carrier never had (`not_placed`) is repeated whatever it says
   * @maxItems 50
   */
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
  /**
   * IANA time zone in which the call window is judged; a contact's own goes before it
   * @maxLength 64
   */
  timezone?: string;
  /** Local hour at which the window opens; null: people are called at any hour */
  callWindowStart?: number | null;
  /** Local hour at which it closes, not the start hour; an earlier one: overnight */
  callWindowEnd?: number | null;
  /**
   * Minutes after callWindowStart, 0 unless given; only with hours
   * @min 0
   * @max 59
   */
  callWindowStartMinute?: number;
  /**
   * Minutes after callWindowEnd, 0 unless given; only with hours
   * @min 0
   * @max 59
   */
  callWindowEndMinute?: number;
  /** ISO weekdays on which a window may begin, 1 Monday to 7 Sunday; null: every day. Without hours: whole days */
  callWindowDays?: number[] | null;
  /**
   * Local dates of each contact on which nobody is called, nor in the rest of a window that began on one of them
   * @maxItems 100
   */
  callWindowExcludedDates?: string[];
  /** When the campaign starts by itself while it is PENDING: ISO 8601 with an offset, at most a year ahead, at most 60 seconds in the past. null: when it is started. It changes only while PENDING. */
  startAt?: string | null;
}

export interface TestCallRequest {
  /**
   * Who is called, in E.164 format
   * @maxLength 16
   * @pattern ^\+[1-9]\d{6,14}$
   */
  to: string;
  /**
   * The contact whose values fill the texts; left out: the first one
   * @minLength 1
   * @maxLength 255
   */
  contactId?: string;
}

export interface CampaignPreviewRequest {
  /** The first words; {{name}} is filled from each contact; at most 4 KiB */
  greetingMessage?: string | null;
  /** Instructions; {{key}} is filled from each contact's customData; at most 32 KiB */
  specialInstructions?: string | null;
  /**
   * Id of the assistant
   * @minLength 1
   * @maxLength 255
   */
  assistantId?: string;
  /**
   * Whose values fill the texts, at most 20
   * @maxItems 20
   */
  contacts: {
    /**
     * The number of the contact; nobody is called
     * @maxLength 255
     */
    phoneNumber?: string;
    /** Fills {{name}} */
    name?: string | null;
    /** A JSON object, at most 16 KiB, whose values fill the placeholders */
    customData?: Record<string, any> | null;
    /** IANA time zone of the contact */
    timezone?: string | null;
    /** Your own id of the contact */
    externalId?: string | null;
  }[];
}

export interface ModelSettings {
  /**
   * Where an OpenAI-compatible server answers, with its version
   * @maxLength 2048
   */
  baseUrl: string;
  /**
   * The model of assistants that name none
   * @minLength 1
   * @maxLength 255
   */
  defaultModel: string;
}

export interface ModelSecrets {
  /**
   * The server's key; any text where it wants none
   * @maxLength 4096
   */
  apiKey: string;
}

export interface PostgresSettings {
  /**
   * Name or address of the server
   * @minLength 1
   * @maxLength 253
   */
  host: string;
  /**
   * Number of its TCP port
   * @min 1
   * @max 65535
   */
  port: number;
  /**
   * Name of the database
   * @minLength 1
   * @maxLength 255
   */
  database: string;
  /**
   * Name of the user that queries run as
   * @minLength 1
   * @maxLength 255
   */
  user: string;
  /** true: with TLS and a certificate that is verified; false: only in ranges that the operator opened */
  tls: boolean;
}

export interface PostgresSecrets {
  /**
   * The user's password
   * @minLength 1
   * @maxLength 1000
   */
  password: string;
}

export interface TwilioSettings {
  /**
   * The account; another one is another connection
   * @pattern ^AC[0-9a-fA-F]{32}$
   */
  accountSid: string;
  /**
   * Number of dials per second that go through it at the most (1 where it is left out)
   * @min 0.001
   * @max 1000
   */
  callsPerSecond?: number;
  /** A stand-in that every REST request goes to; null: Twilio itself */
  baseUrl?: string | null;
}

export interface TwilioSecrets {
  /**
   * The account's token
   * @maxLength 4096
   */
  authToken: string;
}

export interface AsteriskSettings {
  /**
   * Where its HTTP server answers; another one is another connection
   * @maxLength 2048
   */
  url: string;
  /**
   * The ARI user
   * @minLength 1
   * @maxLength 255
   */
  user: string;
  /**
   * Context of the dialplan that its calls are dialled in (`ringfold-dial` where it is left out)
   * @pattern ^[A-Za-z0-9_-]{1,79}$
   */
  context?: string;
  /** Number of dials per second that go through it at the most; null: as many as come */
  callsPerSecond?: number | null;
  /** Number of calls at once that go through it at the most; null: as many as come */
  maxConcurrentCalls?: number | null;
}

export interface AsteriskSecrets {
  /**
   * The user's password
   * @minLength 1
   * @maxLength 1000
   */
  password: string;
}

export type ConnectionRequest =
  | {
      /** What is on the other side; it never changes */
      kind: "model";
      /**
       * A name for it
       * @minLength 1
       * @maxLength 255
       */
      name: string;
      /** How it is reached; which fields there are follows from the kind */
      settings: ModelSettings;
      /** What must not be read back: they are sealed, and no answer shows them */
      secrets: ModelSecrets;
    }
  | {
      /** What is on the other side; it never changes */
      kind: "postgres";
      /**
       * A name for it
       * @minLength 1
       * @maxLength 255
       */
      name: string;
      /** How it is reached; which fields there are follows from the kind */
      settings: PostgresSettings;
      /** What must not be read back: they are sealed, and no answer shows them */
      secrets: PostgresSecrets;
    }
  | {
      /** What is on the other side; it never changes */
      kind: "twilio";
      /**
       * A name for it
       * @minLength 1
       * @maxLength 255
       */
      name: string;
      /** How it is reached; which fields there are follows from the kind */
      settings: TwilioSettings;
      /** What must not be read back: they are sealed, and no answer shows them */
      secrets: TwilioSecrets;
    }
  | {
      /** What is on the other side; it never changes */
      kind: "asterisk";
      /**
       * A name for it
       * @minLength 1
       * @maxLength 255
       */
      name: string;
      /** How it is reached; which fields there are follows from the kind */
      settings: AsteriskSettings;
      /** What must not be read back: they are sealed, and no answer shows them */
      secrets: AsteriskSecrets;
    };

export interface ConnectionChanges {
  /**
   * A name for it
   * @minLength 1
   * @maxLength 255
   */
  name?: string;
  /**
   * What is on the other side; it never changes
   * @minLength 1
   * @maxLength 255
   */
  kind?: string;
  /** How it is reached; which fields there are follows from the kind */
  settings?: {
    /** Where the model's server answers, with its version; of twilio a stand-in, or null */
    baseUrl?: string | null;
    /**
     * The model of assistants that name none
     * @minLength 1
     * @maxLength 255
     */
    defaultModel?: string;
    /**
     * Name or address of the server
     * @minLength 1
     * @maxLength 253
     */
    host?: string;
    /**
     * Number of its TCP port
     * @min 1
     * @max 65535
     */
    port?: number;
    /**
     * Name of the database
     * @minLength 1
     * @maxLength 255
     */
    database?: string;
    /**
     * The ARI user
     * @minLength 1
     * @maxLength 255
     */
    user?: string;
    /** true: with TLS and a certificate that is verified; false: only in ranges that the operator opened */
    tls?: boolean;
    /**
     * The account; another one is another connection
     * @pattern ^AC[0-9a-fA-F]{32}$
     */
    accountSid?: string;
    /** Number of dials per second that go through it at the most; null: as many as come (asterisk) */
    callsPerSecond?: number | null;
    /**
     * Where its HTTP server answers; another one is another connection
     * @maxLength 2048
     */
    url?: string;
    /**
     * Context of the dialplan that its calls are dialled in (`ringfold-dial` where it is left out)
     * @pattern ^[A-Za-z0-9_-]{1,79}$
     */
    context?: string;
    /** Number of calls at once that go through it at the most; null: as many as come */
    maxConcurrentCalls?: number | null;
  };
  /** What must not be read back: they are sealed, and no answer shows them */
  secrets?: {
    /**
     * The server's key; any text where it wants none
     * @maxLength 4096
     */
    apiKey?: string;
    /**
     * The user's password
     * @minLength 1
     * @maxLength 1000
     */
    password?: string;
    /**
     * The account's token
     * @maxLength 4096
     */
    authToken?: string;
  };
}

export interface ErasureRequest {
  /** Id of the call whose words are erased */
  callId?: string | null;
  /** Number, E.164: the words of every call to it are erased */
  phoneNumber?: string | null;
}

export interface PhoneNumberRequest {
  /**
   * The number, E.164
   * @maxLength 16
   * @pattern ^\+[1-9]\d{6,14}$
   */
  phoneNumber: string;
  /** A name for it; null: none */
  label?: string | null;
  /** false: no call goes out from it (default true) */
  active?: boolean;
  /** Name of the carrier that owns it; null: not set */
  carrier?: string | null;
  /** Connection of kind twilio or asterisk that it calls through; null: the installation's carrier */
  connectionId?: string | null;
  /** true: other programs call from it as well, so calls from it that we do not know prove nothing (default false) */
  shared?: boolean;
}

export interface PhoneNumberChanges {
  /**
   * The number, E.164
   * @maxLength 16
   * @pattern ^\+[1-9]\d{6,14}$
   */
  phoneNumber?: string;
  /** A name for it; null: none */
  label?: string | null;
  /** false: no call goes out from it (default true) */
  active?: boolean;
  /** Name of the carrier that owns it; null: not set */
  carrier?: string | null;
  /** Connection of kind twilio or asterisk that it calls through; null: the installation's carrier */
  connectionId?: string | null;
  /** true: other programs call from it as well, so calls from it that we do not know prove nothing (default false) */
  shared?: boolean;
}

export interface SecretRequest {
  /**
   * The secret itself; it is never shown
   * @maxLength 8192
   */
  value: string;
}

export interface SignIn {
  /**
   * An API key; it is not kept
   * @minLength 1
   * @maxLength 512
   */
  apiKey: string;
}

export interface OverrideSettings {
  /** Name of the language model; null: the installation's */
  model?: string | null;
  /** How freely the model speaks, from 0 (always alike) to 2; null: the model's own */
  temperature?: number | null;
  /** Name of the voice; null: the default one */
  voice?: string | null;
  /** Language spoken, for example tr-TR; null: not set */
  language?: string | null;
  /**
   * The first words; at most 4 KiB
   * @maxLength 4096
   */
  greetingMessage?: string;
}

export interface SquadMemberRequest {
  /**
   * Id of the assistant
   * @minLength 1
   * @maxLength 255
   */
  assistantId: string;
  /** true: this member speaks first; exactly one does */
  isEntry?: boolean;
  /**
   * Place in the order of members; the lowest follows an entry that is removed
   * @min 0
   * @max 1000000
   */
  position?: number;
  /** model, temperature, voice, language, greetingMessage: what is changed of the assistants'; before the squad's */
  overrideSettings?: OverrideSettings;
  /** Version of the assistant, counted from 1; null: the latest published one */
  assistantVersion?: number | null;
}

export interface SquadMemberChanges {
  /**
   * Id of the member; needed when the path does not name it
   * @minLength 1
   * @maxLength 255
   */
  memberId?: string;
  /** true: this member speaks first; exactly one does */
  isEntry?: boolean;
  /**
   * Place in the order of members; the lowest follows an entry that is removed
   * @min 0
   * @max 1000000
   */
  position?: number;
  /** model, temperature, voice, language, greetingMessage: what is changed of the assistants'; before the squad's */
  overrideSettings?: OverrideSettings;
  /** Version of the assistant, counted from 1; null: the latest published one */
  assistantVersion?: number | null;
}

export interface HandoffRequest {
  /**
   * Id of the member that hands over
   * @minLength 1
   * @maxLength 255
   */
  fromMemberId?: string;
  /**
   * Id of the assistant that hands over
   * @minLength 1
   * @maxLength 255
   */
  fromAssistantId?: string;
  /**
   * Id of the member that takes over
   * @minLength 1
   * @maxLength 255
   */
  toMemberId?: string;
  /**
   * Id of the assistant that takes over
   * @minLength 1
   * @maxLength 255
   */
  toAssistantId?: string;
  /**
   * When to hand over, for the assistant to judge
   * @maxLength 32768
   */
  description: string;
  /**
   * Name under which the assistant sees it: handoff_to_ and a word
   * @pattern ^handoff_to_[a-z0-9_]{1,60}$
   */
  toolName?: string;
  /** What is said before; null: nothing */
  message?: string | null;
  /** How much of the conversation the next assistant gets */
  contextMode?: "all" | "last_n" | "user_and_assistant" | "previous" | "none";
  /** Number of messages that it gets with last_n; null: not set */
  contextMaxMessages?: number | null;
  /**
   * What has to be known for the next assistant
   * @maxItems 50
   */
  variables?: {
    /**
     * Name of the variable
     * @pattern ^[A-Za-z_][A-Za-z0-9_]{0,63}$
     */
    name: string;
    /** What its value is */
    type: "string" | "number" | "boolean";
    /**
     * What it means, for the assistant to find it
     * @maxLength 1024
     */
    description: string;
    /** true: no hand-over without it */
    required: boolean;
  }[];
  /** false: it is not used */
  enabled?: boolean;
}

export interface HandoffChanges {
  /**
   * Id of the handoff; needed when the path does not name it
   * @minLength 1
   * @maxLength 255
   */
  handoffId?: string;
  /**
   * When to hand over, for the assistant to judge
   * @maxLength 32768
   */
  description?: string;
  /**
   * Name under which the assistant sees it: handoff_to_ and a word
   * @pattern ^handoff_to_[a-z0-9_]{1,60}$
   */
  toolName?: string;
  /** What is said before; null: nothing */
  message?: string | null;
  /** How much of the conversation the next assistant gets */
  contextMode?: "all" | "last_n" | "user_and_assistant" | "previous" | "none";
  /** Number of messages that it gets with last_n; null: not set */
  contextMaxMessages?: number | null;
  /**
   * What has to be known for the next assistant
   * @maxItems 50
   */
  variables?: {
    /**
     * Name of the variable
     * @pattern ^[A-Za-z_][A-Za-z0-9_]{0,63}$
     */
    name: string;
    /** What its value is */
    type: "string" | "number" | "boolean";
    /**
     * What it means, for the assistant to find it
     * @maxLength 1024
     */
    description: string;
    /** true: no hand-over without it */
    required: boolean;
  }[];
  /** false: it is not used */
  enabled?: boolean;
}

export interface SquadRequest {
  /**
   * Name of the squad
   * @minLength 1
   * @maxLength 255
   */
  name: string;
  /** What the squad is for; null: nothing said */
  description?: string | null;
  /** model, temperature, voice, language, greetingMessage: what is changed of the assistants' */
  overrideSettings?: OverrideSettings;
  /**
   * Its assistants, at most 20
   * @maxItems 100
   */
  members?: SquadMemberRequest[];
  /**
   * Who hands over to whom
   * @maxItems 1000
   */
  handoffs?: HandoffRequest[];
}

export interface SquadChanges {
  /**
   * Name of the squad
   * @minLength 1
   * @maxLength 255
   */
  name?: string;
  /** What the squad is for; null: nothing said */
  description?: string | null;
  /** model, temperature, voice, language, greetingMessage: what is changed of the assistants' */
  overrideSettings?: OverrideSettings;
}

export interface SuppressionItem {
  /**
   * In E.164 format; any other is rejected and reported
   * @maxLength 255
   */
  phoneNumber: string;
  /** Why it is not called, 1 to 255 characters */
  reason?: string | null;
}

export interface SuppressionRequest {
  /**
   * The number that is not called, E.164
   * @maxLength 16
   * @pattern ^\+[1-9]\d{6,14}$
   */
  phoneNumber?: string;
  /** Why it is not called, 1 to 255 characters */
  reason?: string | null;
  /**
   * Many numbers at once, in place of phoneNumber and reason
   * @maxItems 10000
   * @minItems 1
   */
  items?: SuppressionItem[];
}

export interface ApiRequestConfig {
  /**
   * Address; {argument} may stand in its path
   * @maxLength 8192
   */
  url: string;
  /** HTTP method */
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
  /** Headers; {{secrets.NAME}} in a value is replaced by that secret */
  headers?: Partial<Record<string, string>>;
  /** Values of the address's query, by name; {argument} may stand in them */
  query?: Partial<Record<string, string>>;
  /** JSON that is sent with POST, PUT or PATCH; {argument} and {{variable}} may stand in its strings */
  body?: any;
}

export interface DatabaseQueryConfig {
  /**
   * Id of the connection of kind postgres that the query runs on
   * @minLength 1
   * @maxLength 255
   */
  connectionId?: string;
  /**
   * The SQL: one SELECT, VALUES or TABLE; values stand in it as :name
   * @maxLength 32768
   */
  query: string;
  /** Values of the query, by name; {argument} and {{variable}} may stand in them */
  parameters?: Partial<Record<string, string>>;
}

export type EndCallConfig = object;

export interface TransferCallConfig {
  /**
   * The number that the call is handed to, E.164; the model never chooses it
   * @maxLength 16
   * @pattern ^\+[1-9]\d{6,14}$
   */
  to: string;
  /**
   * What is said before; at most 4 KiB
   * @maxLength 4096
   */
  message?: string;
}

export type ToolRequest =
  | {
      /**
       * Name under which the assistant sees it
       * @minLength 1
       * @maxLength 255
       */
      name: string;
      /**
       * What it does, for the assistant to judge
       * @maxLength 4096
       */
      description?: string;
      /** What kind of tool it is; its config follows from it */
      type: "API_REQUEST";
      /** How it is used */
      config: ApiRequestConfig;
    }
  | {
      /**
       * Name under which the assistant sees it
       * @minLength 1
       * @maxLength 255
       */
      name: string;
      /**
       * What it does, for the assistant to judge
       * @maxLength 4096
       */
      description?: string;
      /** What kind of tool it is; its config follows from it */
      type: "DATABASE_QUERY";
      /** How it is used */
      config: DatabaseQueryConfig;
    }
  | {
      /**
       * Name under which the assistant sees it
       * @minLength 1
       * @maxLength 255
       */
      name: string;
      /**
       * What it does, for the assistant to judge
       * @maxLength 4096
       */
      description?: string;
      /** What kind of tool it is; its config follows from it */
      type: "END_CALL";
      /** How it is used */
      config?: EndCallConfig;
    }
  | {
      /**
       * Name under which the assistant sees it
       * @minLength 1
       * @maxLength 255
       */
      name: string;
      /**
       * What it does, for the assistant to judge
       * @maxLength 4096
       */
      description?: string;
      /** What kind of tool it is; its config follows from it */
      type: "TRANSFER_CALL";
      /** How it is used */
      config: TransferCallConfig;
    };

export interface ToolChanges {
  /**
   * Name under which the assistant sees it
   * @minLength 1
   * @maxLength 255
   */
  name?: string;
  /**
   * What it does, for the assistant to judge
   * @maxLength 4096
   */
  description?: string;
  /** What kind of tool it is; its config follows from it */
  type?: "API_REQUEST" | "DATABASE_QUERY" | "END_CALL" | "TRANSFER_CALL";
  /** How it is used */
  config?:
    | ApiRequestConfig
    | DatabaseQueryConfig
    | TransferCallConfig
    | EndCallConfig;
}

export interface ToolTestRequest {
  /** What the model would give: a string for each argument */
  arguments?: Record<string, any>;
  /** Variables of a call, by name: caller_number, contact fields and the like */
  variables?: Record<string, any>;
}

export interface UserRequest {
  /**
   * Name of the owner
   * @minLength 1
   * @maxLength 255
   */
  name: string;
  /** What this owner may do at once */
  plan?: {
    /**
     * Number of calls at once
     * @min 1
     * @max 100000
     */
    maxConcurrentCalls?: number;
    /**
     * New calls a second
     * @min 0.001
     * @max 100000
     */
    maxCallsPerSecond?: number;
    /** Number of tokens that language models may read and write on a UTC day; null: no limit */
    maxModelTokensPerDay?: number | null;
  };
  /**
   * Credits to begin with, with at most 4 decimals
   * @min 0
   * @max 1000000000
   */
  credits?: number;
}

export interface UserChanges {
  /**
   * Name of the owner
   * @minLength 1
   * @maxLength 255
   */
  name?: string;
  /** What this owner may do at once */
  plan?: {
    /**
     * Number of calls at once
     * @min 1
     * @max 100000
     */
    maxConcurrentCalls?: number;
    /**
     * New calls a second
     * @min 0.001
     * @max 100000
     */
    maxCallsPerSecond?: number;
    /** Number of tokens that language models may read and write on a UTC day; null: no limit */
    maxModelTokensPerDay?: number | null;
  };
  /** false: its keys are refused, and its campaigns dial nobody */
  active?: boolean;
}

export interface WebhookRequest {
  /**
   * Where events are sent: an https address
   * @maxLength 2048
   */
  url: string;
  /** false: deliveries are held, for 7 days */
  enabled: boolean;
  /**
   * Kinds of events that are sent; left out: call.started and call.ended
   * @maxItems 7
   * @minItems 1
   */
  events?: (
    | "call.started"
    | "call.ended"
    | "campaign.started"
    | "campaign.paused"
    | "campaign.resumed"
    | "campaign.completed"
    | "campaign.cancelled"
  )[];
}

export interface WebhookTestRequest {
  /** Kind of the sample that is sent */
  event:
    | "call.started"
    | "call.ended"
    | "campaign.started"
    | "campaign.paused"
    | "campaign.resumed"
    | "campaign.completed"
    | "campaign.cancelled";
}

export interface WebhookReplayRequest {
  /**
   * Events from this time on; ISO 8601 with offset
   * @format date-time
   * @maxLength 40
   */
  from: string;
  /**
   * Events before this time; ISO 8601 with offset
   * @format date-time
   * @maxLength 40
   */
  to: string;
  /**
   * Kinds of events that are sent; left out: call.started and call.ended
   * @maxItems 7
   * @minItems 1
   */
  events?: (
    | "call.started"
    | "call.ended"
    | "campaign.started"
    | "campaign.paused"
    | "campaign.resumed"
    | "campaign.completed"
    | "campaign.cancelled"
  )[];
  /** Only events of this campaign */
  campaignId?: string | null;
}

export interface Account {
  /**
   * Id of the owner
   * @pattern ^usr_[0-9a-z]{26}$
   */
  id: string;
  /** Credits, with 4 decimals; below 0 when calls ran on */
  balance: number;
  /** Credits held for calls that have not ended */
  reserved: number;
  /** Credits that new calls can use: balance less reserved */
  available: number;
  /** Always `credits` */
  currency: "credits";
  /** What this owner may do at once */
  plan: {
    /** Number of calls at once */
    maxConcurrentCalls: number;
    /** New calls a second */
    maxCallsPerSecond: number;
    /** Number of tokens that language models may read and write on a UTC day; null: no limit */
    maxModelTokensPerDay: number | null;
  };
  /** For how long what is said on calls, and recordings, are kept */
  retention: {
    /** Number of days from a call's end, 1 to 3650; null: for ever */
    contentDays: number | null;
  };
}

export interface LedgerEntry {
  /** Id of the entry */
  id: string;
  /**
   * When it was written; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  at: string;
  /** What moved: top_up and charge the balance, reserve and release what is held */
  cause: "top_up" | "reserve" | "release" | "charge";
  /** Credits that moved, above 0 */
  amount: number;
  /** Credits after it */
  balance: number;
  /** Credits held after it */
  reserved: number;
  /** Id of the call that it is for; null: none */
  callId: string | null;
  /** The name that the top-up was given; null: not a top-up */
  reference: string | null;
}

export interface Limits {
  /** Number of calls at once */
  maxConcurrentCalls: number;
  /** Number of calls that have not ended */
  activeCalls: number;
  /** New calls a second */
  maxCallsPerSecond: number;
  /** Requests a second that one key may send; 0: no limit */
  requestsPerSecond: number;
}

export interface Usage {
  /** A row for each day, oldest first, also for days without a call */
  days: {
    /**
     * The UTC day on which the calls were created
     * @format date
     */
    day: string;
    /**
     * Number of calls, answered or not
     * @min 0
     */
    calls: number;
    /** Seconds from answer to end, of all calls that have ended */
    talkSeconds: number;
    /**
     * Number of tokens that language models read
     * @min 0
     */
    inputTokens: number;
    /**
     * Number of tokens that language models wrote
     * @min 0
     */
    outputTokens: number;
  }[];
}

export interface ApiKey {
  /**
   * Id of the key
   * @pattern ^key_[0-9a-z]{26}$
   */
  id: string;
  /** What the key is for */
  name: string;
  /** What the key may do */
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
  /** Until when it works; ISO 8601; null: without end */
  expiresAt: string | null;
  /** When it was used last; ISO 8601, UTC; null: never */
  lastUsedAt: string | null;
  /**
   * When it was made; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
}

export interface IssuedApiKey {
  /**
   * Id of the key
   * @pattern ^key_[0-9a-z]{26}$
   */
  id: string;
  /** What the key is for */
  name: string;
  /** What the key may do */
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
  /** Until when it works; ISO 8601; null: without end */
  expiresAt: string | null;
  /** When it was used last; ISO 8601, UTC; null: never */
  lastUsedAt: string | null;
  /**
   * When it was made; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  /** The key itself; shown this once, null in a repeated answer */
  key: string | null;
}

export interface Assistant {
  /**
   * Id of the assistant
   * @pattern ^ast_[0-9a-z]{26}$
   */
  id: string;
  /** Name of the assistant */
  name: string;
  /** The first words of a call; at most 4 KiB */
  greetingMessage: string;
  /** Who the assistant is and what it does; at most 32 KiB */
  systemPrompt: string;
  /** Name of the language model; null: the installation's */
  model: string | null;
  /** How freely the model speaks, from 0 (always alike) to 2; null: the model's own */
  temperature: number | null;
  /** Name of the voice; null: the default one */
  voice: string | null;
  /** Language spoken, for example tr-TR; null: not set */
  language: string | null;
  /** Ids of the tools that it may use */
  toolIds: string[];
  /**
   * Seconds after the answer at which the call is ended (default 600)
   * @min 10
   * @max 7200
   */
  maxDurationSeconds: number;
  /** What to do when a machine answers (default hang_up) */
  voicemailPolicy: "hang_up" | "leave_message" | "ignore";
  /** What is said to a machine with leave_message; null: nothing */
  voicemailMessage: string | null;
  /** Id of a connection of kind model; null: the installation's model */
  modelConnectionId: string | null;
  /** What is said when the model fails; at most 4 KiB; null: a line of the language's own */
  fallbackMessage: string | null;
  /**
   * Seconds of silence after which the assistant speaks again; the third time the call ends (default 8)
   * @min 3
   * @max 60
   */
  silenceTimeoutSeconds: number;
  /**
   * Thousandths of seconds of silence by which the customer has finished (default 500)
   * @min 200
   * @max 2000
   */
  endSilenceMs: number;
  /** false: the customer cannot cut the assistant short (default true) */
  interruptible: boolean;
  /** Whether calls are recorded; null: not set, which is off except for simulated calls */
  recording: "on" | "off" | null;
  /** What is said before the greeting, for example that the call is recorded; null: nothing */
  recordingNotice: string | null;
  /** Version that calls use, counted from 1; null: it is not published */
  publishedVersion: number | null;
  /** Number of versions published so far */
  versions: number;
  /**
   * When it was made; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  /**
   * When it changed last; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  updatedAt: string;
}

export interface AssistantVersion {
  /**
   * Id of the assistant
   * @pattern ^ast_[0-9a-z]{26}$
   */
  assistantId: string;
  /** Number of this version, counted from 1 */
  version: number;
  /** Name of the assistant */
  name: string;
  /** The first words of a call; at most 4 KiB */
  greetingMessage: string;
  /** Who the assistant is and what it does; at most 32 KiB */
  systemPrompt: string;
  /** Name of the language model; null: the installation's */
  model: string | null;
  /** How freely the model speaks, from 0 (always alike) to 2; null: the model's own */
  temperature: number | null;
  /** Name of the voice; null: the default one */
  voice: string | null;
  /** Language spoken, for example tr-TR; null: not set */
  language: string | null;
  /** Ids of the tools that it may use */
  toolIds: string[];
  /**
   * Seconds after the answer at which the call is ended (default 600)
   * @min 10
   * @max 7200
   */
  maxDurationSeconds: number;
  /** What to do when a machine answers (default hang_up) */
  voicemailPolicy: "hang_up" | "leave_message" | "ignore";
  /** What is said to a machine with leave_message; null: nothing */
  voicemailMessage: string | null;
  /** Id of a connection of kind model; null: the installation's model */
  modelConnectionId: string | null;
  /** What is said when the model fails; at most 4 KiB; null: a line of the language's own */
  fallbackMessage: string | null;
  /**
   * Seconds of silence after which the assistant speaks again; the third time the call ends (default 8)
   * @min 3
   * @max 60
   */
  silenceTimeoutSeconds: number;
  /**
   * Thousandths of seconds of silence by which the customer has finished (default 500)
   * @min 200
   * @max 2000
   */
  endSilenceMs: number;
  /** false: the customer cannot cut the assistant short (default true) */
  interruptible: boolean;
  /** Whether calls are recorded; null: not set, which is off except for simulated calls */
  recording: "on" | "off" | null;
  /** What is said before the greeting, for example that the call is recorded; null: nothing */
  recordingNotice: string | null;
  /**
   * When it was published; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  publishedAt: string;
}

export interface CallMessage {
  /**
   * Place in the conversation, counted from 0
   * @min 0
   * @max 1000000
   */
  index: number;
  /** Who spoke, or which tool was used */
  role: "assistant" | "customer" | "tool" | "system";
  /** Id of the assistant that spoke; null: not an assistant */
  assistantId: string | null;
  /** The words, as they were heard; null: erased */
  content: string | null;
  /**
   * When it was said; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  at: string;
  /** Milliseconds from the answer of the call */
  offsetMs: number;
  /** Why the assistant said it */
  kind?:
    | "greeting"
    | "answer"
    | "filler"
    | "prompt"
    | "fallback"
    | "warning"
    | "handoff"
    | "voicemail"
    | "notice";
  /** true: not heard to its end; `content` is what was heard */
  interrupted?: true;
  /** The whole text of an interrupted message; null: erased */
  intended?: string | null;
  /**
   * Number of the customer's turn that it belongs to, counted from 1; 0: before the first
   * @min 0
   * @max 1000000
   */
  turn?: number;
  /** Language that it was said in (BCP 47) */
  language?: string;
  /** How long the customer waited for it, since the end of the turn */
  timing?: {
    /** Milliseconds until the model's first word; null: not known */
    firstTokenMillis: number | null;
    /** Milliseconds until the first sound; null: not known */
    firstAudioMillis: number | null;
  };
  /** The language model that made it */
  model?: {
    /** Name of the model */
    name: string;
    /** Number of tokens that the model read; null: its server counts none */
    inputTokens: number | null;
    /** Number of tokens that the model wrote; null: its server counts none */
    outputTokens: number | null;
  };
  /** Id of the tool that was used */
  toolId?: string;
  /** Name of the tool that was used */
  toolName?: string;
  /** What the tool was given: any JSON */
  arguments?: any;
  /** What the assistant was shown of the tool's answer: any JSON; null: nothing (yet), or erased */
  result?: any;
  /** true: the tool failed */
  isError?: boolean;
}

export interface Conversation {
  /**
   * Number of turns of the customer that the assistant was asked to answer
   * @min 0
   */
  turns: number;
  /**
   * Number of messages that were not heard to their end
   * @min 0
   */
  interruptions: number;
  /**
   * Number of times that another assistant took over
   * @min 0
   */
  handoffs: number;
  /**
   * Number of tools that were asked
   * @min 0
   */
  toolCalls: number;
  /** From the end of a turn to the model's first word */
  firstTokenMs: {
    /** Milliseconds that half of the turns stayed within; null: not measured */
    p50: number | null;
    /** Milliseconds that 95 of 100 turns stayed within; null: not measured */
    p95: number | null;
  };
  /** From the end of a turn to the first sound */
  firstAudioMs: {
    /** Milliseconds that half of the turns stayed within; null: not measured */
    p50: number | null;
    /** Milliseconds that 95 of 100 turns stayed within; null: not measured */
    p95: number | null;
  };
  /** Name of the language model that answered last; null: none did */
  model: string | null;
  /** Number of tokens that the model read; null: its server counts none */
  inputTokens: number | null;
  /** Number of tokens that the model wrote; null: its server counts none */
  outputTokens: number | null;
  /**
   * Number of times that the line to the conversation was lost
   * @min 0
   */
  sessionsLost: number;
}

export interface CallStarted {
  /**
   * Id of the call; null where no single call is meant
   * @pattern ^call_[0-9a-z]{26}$
   */
  callId: string;
  /** As it is when the carrier has it, or after 5 seconds */
  status:
    | "initiating"
    | "ringing"
    | "connected"
    | "in_progress"
    | "completed"
    | "failed";
}

export interface OutboundCallStarted {
  /** true: it was done; false: it was refused, and `error` says why */
  success: true;
  /**
   * Id of the call; null where no single call is meant
   * @pattern ^call_[0-9a-z]{26}$
   */
  callId: string;
  /** How far the call has come; `completed` and `failed` are the ends */
  status:
    | "initiating"
    | "ringing"
    | "connected"
    | "in_progress"
    | "completed"
    | "failed";
}

export interface CallListRecord {
  /**
   * Id of the call, the same as callId
   * @pattern ^call_[0-9a-z]{26}$
   */
  id: string;
  /**
   * Id of the call; null where no single call is meant
   * @pattern ^call_[0-9a-z]{26}$
   */
  callId: string;
  /** Always `outbound` */
  type: "outbound";
  /** How far the call has come; `completed` and `failed` are the ends */
  status:
    | "initiating"
    | "ringing"
    | "connected"
    | "in_progress"
    | "completed"
    | "failed";
  /** Why the call ended; null until then */
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
  /** Which side ended the call; null until then */
  endedBy: "customer" | "assistant" | "api" | "system" | null;
  /**
   * The number that was shown, E.164
   * @pattern ^\+[1-9]\d{6,14}$
   */
  from: string;
  /**
   * The number that was called, E.164
   * @pattern ^\+[1-9]\d{6,14}$
   */
  to: string;
  /**
   * Id of the phone number from which the call goes out
   * @pattern ^pn_[0-9a-z]{26}$
   */
  phoneNumberId: string;
  /**
   * Id of the assistant
   * @pattern ^ast_[0-9a-z]{26}$
   */
  assistantId: string;
  /**
   * Version of the assistant that talked, counted from 1
   * @min 1
   */
  assistantVersion: number;
  /** Id of the squad; null: none */
  squadId: string | null;
  /** Id of the campaign; null: none */
  campaignId: string | null;
  /** Id of the contact in its campaign; null: none */
  contactId: string | null;
  /**
   * Number of this attempt to reach the contact, counted from 1; a single call is attempt 1
   * @min 1
   */
  attempt: number;
  /** The first words, with every placeholder filled */
  greetingMessage: string | null;
  /** The instructions of this call, with every placeholder filled; null: none */
  specialInstructions: string | null;
  /** The caller's own JSON object, given back as it came */
  metadata: Partial<Record<string, any>>;
  /** Who answered, as far as the carrier can tell; null before the answer */
  answeredBy: "human" | "machine" | "unknown" | null;
  /**
   * When it was made; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  /** When the carrier said that it rings; ISO 8601, UTC; null: not (yet) */
  ringingAt: string | null;
  /** When it was answered; ISO 8601, UTC; null: not (yet) */
  connectedAt: string | null;
  /** The same as connectedAt; ISO 8601, UTC */
  startedAt: string | null;
  /** When it ended; ISO 8601, UTC; null until then */
  endedAt: string | null;
  /** Seconds from the answer to the end; null before the end, and for calls never answered */
  durationSeconds: number | null;
  /** Credits that the call cost, with 4 decimals; null until its end */
  cost: number | null;
  /** Where the recording is; null: there is none (yet) */
  recordingUrl: string | null;
  /** Whether there is a recording, or will be */
  recordingStatus: "pending" | "available" | "none" | "failed";
  /** What went wrong; null: nothing */
  error: {
    /** Our name for the problem */
    code: string;
    /** The problem in words */
    message: string;
    /** The carrier's name for it; null: it gave none */
    carrierCode: string | null;
  } | null;
  /** The conversation in figures; null: nobody answered */
  conversation: Conversation | null;
  /** true: what was said and written for this call has been erased for good */
  erased: boolean;
  /**
   * When it changed last; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  updatedAt: string;
}

export interface Call {
  /**
   * Id of the call, the same as callId
   * @pattern ^call_[0-9a-z]{26}$
   */
  id: string;
  /**
   * Id of the call; null where no single call is meant
   * @pattern ^call_[0-9a-z]{26}$
   */
  callId: string;
  /** Always `outbound` */
  type: "outbound";
  /** How far the call has come; `completed` and `failed` are the ends */
  status:
    | "initiating"
    | "ringing"
    | "connected"
    | "in_progress"
    | "completed"
    | "failed";
  /** Why the call ended; null until then */
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
  /** Which side ended the call; null until then */
  endedBy: "customer" | "assistant" | "api" | "system" | null;
  /**
   * The number that was shown, E.164
   * @pattern ^\+[1-9]\d{6,14}$
   */
  from: string;
  /**
   * The number that was called, E.164
   * @pattern ^\+[1-9]\d{6,14}$
   */
  to: string;
  /**
   * Id of the phone number from which the call goes out
   * @pattern ^pn_[0-9a-z]{26}$
   */
  phoneNumberId: string;
  /**
   * Id of the assistant
   * @pattern ^ast_[0-9a-z]{26}$
   */
  assistantId: string;
  /**
   * Version of the assistant that talked, counted from 1
   * @min 1
   */
  assistantVersion: number;
  /** Id of the squad; null: none */
  squadId: string | null;
  /** Id of the campaign; null: none */
  campaignId: string | null;
  /** Id of the contact in its campaign; null: none */
  contactId: string | null;
  /**
   * Number of this attempt to reach the contact, counted from 1; a single call is attempt 1
   * @min 1
   */
  attempt: number;
  /** The first words, with every placeholder filled */
  greetingMessage: string | null;
  /** The instructions of this call, with every placeholder filled; null: none */
  specialInstructions: string | null;
  /** The caller's own JSON object, given back as it came */
  metadata: Partial<Record<string, any>>;
  /** Who answered, as far as the carrier can tell; null before the answer */
  answeredBy: "human" | "machine" | "unknown" | null;
  /**
   * When it was made; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  /** When the carrier said that it rings; ISO 8601, UTC; null: not (yet) */
  ringingAt: string | null;
  /** When it was answered; ISO 8601, UTC; null: not (yet) */
  connectedAt: string | null;
  /** The same as connectedAt; ISO 8601, UTC */
  startedAt: string | null;
  /** When it ended; ISO 8601, UTC; null until then */
  endedAt: string | null;
  /** Seconds from the answer to the end; null before the end, and for calls never answered */
  durationSeconds: number | null;
  /** Credits that the call cost, with 4 decimals; null until its end */
  cost: number | null;
  /** Where the recording is; null: there is none (yet) */
  recordingUrl: string | null;
  /** Whether there is a recording, or will be */
  recordingStatus: "pending" | "available" | "none" | "failed";
  /** What went wrong; null: nothing */
  error: {
    /** Our name for the problem */
    code: string;
    /** The problem in words */
    message: string;
    /** The carrier's name for it; null: it gave none */
    carrierCode: string | null;
  } | null;
  /** The conversation in figures; null: nobody answered */
  conversation: Conversation | null;
  /** true: what was said and written for this call has been erased for good */
  erased: boolean;
  /**
   * When it changed last; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  updatedAt: string;
  /** What was said, in order */
  messages: CallMessage[];
  /** Every status with its time, in order */
  statusHistory: {
    /** A status that the call had */
    status:
      | "initiating"
      | "ringing"
      | "connected"
      | "in_progress"
      | "completed"
      | "failed";
    /**
     * Since when it had it; ISO 8601, UTC
     * @format date-time
     * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
     */
    at: string;
  }[];
}

export interface OutboundCall {
  /**
   * Id of the call; null where no single call is meant
   * @pattern ^call_[0-9a-z]{26}$
   */
  callId: string;
  /** How far the call has come; `completed` and `failed` are the ends */
  status:
    | "initiating"
    | "ringing"
    | "connected"
    | "in_progress"
    | "completed"
    | "failed";
  /** Why the call ended; null until then */
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
  /**
   * The number that was called, E.164
   * @pattern ^\+[1-9]\d{6,14}$
   */
  to: string;
  /**
   * Id of the phone number from which the call goes out
   * @pattern ^pn_[0-9a-z]{26}$
   */
  phoneNumberId: string;
  /**
   * Id of the assistant
   * @pattern ^ast_[0-9a-z]{26}$
   */
  assistantId: string;
  /** Id of the campaign; null: none */
  campaignId: string | null;
  /**
   * When it was made; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  /** When it was answered; ISO 8601, UTC; null: not (yet) */
  connectedAt: string | null;
  /** When it ended; ISO 8601, UTC; null until then */
  endedAt: string | null;
  /** Seconds from the answer to the end; null before the end, and for calls never answered */
  durationSeconds: number | null;
  /** When it was asked to end; ISO 8601, UTC; null: it was not */
  endRequestedAt: string | null;
}

export interface CallEnd {
  /**
   * Id of the call; null where no single call is meant
   * @pattern ^call_[0-9a-z]{26}$
   */
  callId: string;
  /** How far the call has come; `completed` and `failed` are the ends */
  status:
    | "initiating"
    | "ringing"
    | "connected"
    | "in_progress"
    | "completed"
    | "failed";
  /** Why the call ended; only when it has ended already */
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
  /** The carrier is asked to hang up; only when the call had not ended */
  endRequested?: true;
  /** true: the call was over before */
  alreadyEnded: boolean;
}

export interface Concurrency {
  /** Number of calls that have not ended */
  active: number;
  /** Number of calls that the plan allows at once */
  limit: number;
}

export interface Connection {
  /**
   * Id of the connection
   * @pattern ^conn_([0-9a-z]{26}|default_(model|twilio|asterisk))$
   */
  id: string;
  /** What is on the other side; it never changes */
  kind: "model" | "postgres" | "twilio" | "asterisk";
  /** A name for it */
  name: string;
  /** true: the installation's own, which nobody changes here */
  default: boolean;
  /** How it is reached; which fields there are follows from the kind */
  settings:
    | {
        /** Where the model's server answers, with its version; of twilio a stand-in, or null */
        baseUrl: string;
        /** The model of assistants that name none */
        defaultModel: string;
      }
    | {
        /** Name or address of the server */
        host: string;
        /** Number of its TCP port */
        port: number;
        /** Name of the database */
        database: string;
        /** The ARI user */
        user: string;
        /** true: with TLS and a certificate that is verified; false: only in ranges that the operator opened */
        tls: boolean;
      }
    | {
        /** The account; another one is another connection */
        accountSid: string;
        /** Number of dials per second that go through it at the most; null: as many as come (asterisk) */
        callsPerSecond: number;
        /** Where the model's server answers, with its version; of twilio a stand-in, or null */
        baseUrl: string | null;
      }
    | {
        /** Where its HTTP server answers; another one is another connection */
        url: string;
        /** The ARI user */
        user: string;
        /** Context of the dialplan that its calls are dialled in (`ringfold-dial` where it is left out) */
        context: string;
        /** Number of dials per second that go through it at the most; null: as many as come (asterisk) */
        callsPerSecond: number | null;
        /** Number of calls at once that go through it at the most; null: as many as come */
        maxConcurrentCalls: number | null;
      };
  /** When it was made; ISO 8601, UTC; null: it comes from the environment */
  createdAt: string | null;
  /** When it changed last; ISO 8601, UTC; null: it comes from the environment */
  updatedAt: string | null;
}

export interface ConnectionCheck {
  /** Every finding is */
  ok: boolean;
  /** Milliseconds that it took */
  millis: number;
  /** What was found, in the order in which it was looked at; what lies behind a failure is not looked at */
  findings: {
    /** What was looked at */
    name: string;
    /** It is as it must be */
    ok: boolean;
    /** What was found, in a sentence */
    detail: string;
  }[];
}

export interface Erasure {
  /**
   * Id of the erasure
   * @pattern ^ers_[0-9a-z]{26}$
   */
  id: string;
  /** What was named: a call, or a number; `retention`: calls that the account keeps no longer */
  kind: "call" | "phone_number" | "retention";
  /** Id of the call whose words are erased; null: none was named */
  callId: string | null;
  /** Number, E.164: the words of every call to it are erased; null: none was named */
  phoneNumber: string | null;
  /** `done`: no copy that the service holds has a word any more; `running`: it goes on by itself */
  status: "running" | "done";
  /**
   * Number of calls whose words it erases
   * @min 0
   */
  calls: number;
  /**
   * Number of recordings among them
   * @min 0
   */
  recordings: number;
  /**
   * Number of webhook messages that were emptied
   * @min 0
   */
  deliveries: number;
  /**
   * When it began; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  /** When it was done; ISO 8601, UTC; null: not yet */
  completedAt: string | null;
}

export interface PhoneNumber {
  /**
   * Id of the phone number
   * @pattern ^pn_[0-9a-z]{26}$
   */
  id: string;
  /**
   * The number, E.164
   * @pattern ^\+[1-9]\d{6,14}$
   */
  phoneNumber: string;
  /** A name for it; null: none */
  label: string | null;
  /** false: no call goes out from it (default true) */
  active: boolean;
  /** Name of the carrier that owns it; null: not set */
  carrier: string | null;
  /** Connection of kind twilio or asterisk that it calls through; null: the installation's carrier */
  connectionId: string | null;
  /** true: other programs call from it as well, so calls from it that we do not know prove nothing (default false) */
  shared: boolean;
  /**
   * When it was made; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  /**
   * When it changed last; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  updatedAt: string;
}

export interface Secret {
  /**
   * Name under which tools use it: A-Z, 0-9 and _
   * @pattern ^[A-Z0-9_]{1,64}$
   */
  name: string;
  /**
   * When it changed last; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  updatedAt: string;
}

export interface Session {
  /**
   * Id of the API key whose session it is
   * @pattern ^key_[0-9a-z]{26}$
   */
  keyId: string;
  /** Name of that key */
  keyName: string;
  /** What the key may do, and the session with it */
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
  /** Whose calls these are */
  owner: {
    /**
     * Id of the owner
     * @pattern ^usr_[0-9a-z]{26}$
     */
    id: string;
    /** Name of the owner */
    name: string;
  };
  /**
   * When it ends unless it is used before; 7 days after its beginning at the latest
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  expiresAt: string;
}

export interface SignedOut {
  /** The session is over */
  signedOut: true;
}

export interface SquadMember {
  /**
   * Id of the member
   * @pattern ^mbr_[0-9a-z]{26}$
   */
  id: string;
  /**
   * Id of its squad
   * @pattern ^sqd_[0-9a-z]{26}$
   */
  squadId: string;
  /**
   * Id of the assistant
   * @pattern ^ast_[0-9a-z]{26}$
   */
  assistantId: string;
  /** Version of the assistant, counted from 1; null: the latest published one */
  assistantVersion: number | null;
  /** true: this member speaks first; exactly one does */
  isEntry: boolean;
  /** Place in the order of members; the lowest follows an entry that is removed */
  position: number;
  /** model, temperature, voice, language, greetingMessage: what is changed of the assistants'; before the squad's */
  overrideSettings: Partial<Record<string, any>>;
  /**
   * When it was made; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  /**
   * When it changed last; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  updatedAt: string;
}

export interface Handoff {
  /**
   * Id of the handoff
   * @pattern ^hnd_[0-9a-z]{26}$
   */
  id: string;
  /**
   * Id of its squad
   * @pattern ^sqd_[0-9a-z]{26}$
   */
  squadId: string;
  /**
   * Id of the member that hands over
   * @pattern ^mbr_[0-9a-z]{26}$
   */
  fromMemberId: string;
  /**
   * Id of the member that takes over
   * @pattern ^mbr_[0-9a-z]{26}$
   */
  toMemberId: string;
  /**
   * Id of the assistant that hands over
   * @pattern ^ast_[0-9a-z]{26}$
   */
  fromAssistantId: string;
  /**
   * Id of the assistant that takes over
   * @pattern ^ast_[0-9a-z]{26}$
   */
  toAssistantId: string;
  /** Name under which the assistant sees it: handoff_to_ and a word */
  toolName: string;
  /** When to hand over, for the assistant to judge */
  description: string;
  /** What is said before; null: nothing */
  message: string | null;
  /** How much of the conversation the next assistant gets */
  contextMode: "all" | "last_n" | "user_and_assistant" | "previous" | "none";
  /** Number of messages that it gets with last_n; null: not set */
  contextMaxMessages: number | null;
  /** What has to be known for the next assistant */
  variables: {
    /** Name of the variable */
    name: string;
    /** What its value is */
    type: "string" | "number" | "boolean";
    /** What it means, for the assistant to find it */
    description: string;
    /** true: no hand-over without it */
    required: boolean;
  }[];
  /** false: it is not used */
  enabled: boolean;
  /**
   * When it was made; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  /**
   * When it changed last; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  updatedAt: string;
}

export interface Squad {
  /**
   * Id of the squad
   * @pattern ^sqd_[0-9a-z]{26}$
   */
  id: string;
  /** Name of the squad */
  name: string;
  /** What the squad is for; null: nothing said */
  description: string | null;
  /** model, temperature, voice, language, greetingMessage: what is changed of the assistants' */
  overrideSettings: Partial<Record<string, any>>;
  /** Its assistants, at most 20 */
  members: SquadMember[];
  /** Who hands over to whom */
  handoffs: Handoff[];
  /**
   * Id of the owner
   * @pattern ^usr_[0-9a-z]{26}$
   */
  userId: string;
  /**
   * When it was made; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  /**
   * When it changed last; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  updatedAt: string;
}

export interface Suppression {
  /**
   * The number that is not called, E.164
   * @pattern ^\+[1-9]\d{6,14}$
   */
  phoneNumber: string;
  /** Why it is not called; null: not said */
  reason: string | null;
  /**
   * When it was made; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
}

export interface SuppressionReport {
  /**
   * Number of entries that are on the list since now
   * @min 0
   */
  added: number;
  /**
   * Number of items whose number was on the list already, or stands in an item before
   * @min 0
   */
  existing: number;
  /** Items whose number cannot be one: how many, and the first 100 */
  rejected: {
    /**
     * Number of items that were left out
     * @min 0
     */
    count: number;
    /** The first 100 of them */
    items: {
      /**
       * Place in the request, counted from 0
       * @min 0
       */
      index: number;
      /** The number as it was given */
      phoneNumber: string;
      /** Why it can be no number */
      reason: "not_e164" | "not_possible";
    }[];
  };
}

export interface Tool {
  /**
   * Id of the tool
   * @pattern ^tool_[0-9a-z]{26}$
   */
  id: string;
  /** Name under which the assistant sees it */
  name: string;
  /** What kind of tool it is; its config follows from it */
  type: "API_REQUEST" | "DATABASE_QUERY" | "END_CALL" | "TRANSFER_CALL";
  /** What it does, for the assistant to judge */
  description: string;
  /** How it is used */
  config:
    | {
        /** Address; {argument} may stand in its path */
        url: string;
        /** HTTP method */
        method: string;
        /** Headers; {{secrets.NAME}} in a value is replaced by that secret */
        headers?: Partial<Record<string, string>>;
        /** API_REQUEST: the query's values, by name. DATABASE_QUERY: the SQL */
        query?: Partial<Record<string, string>>;
        /** JSON that is sent with POST, PUT or PATCH; {argument} and {{variable}} may stand in its strings */
        body?: any;
      }
    | {
        /** Id of the connection of kind postgres that the query runs on */
        connectionId?: string;
        /** API_REQUEST: the query's values, by name. DATABASE_QUERY: the SQL */
        query: string;
        /** Values of the query, by name; {argument} and {{variable}} may stand in them */
        parameters?: Partial<Record<string, string>>;
      }
    | {
        /** The number that the call is handed to, E.164; the model never chooses it */
        to: string;
        /** What is said before; at most 4 KiB */
        message?: string;
      }
    | object;
  /**
   * When it was made; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  /**
   * When it changed last; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  updatedAt: string;
}

export interface ToolTest {
  /** answered: the other side answered, whatever it said; refused: nothing left this service */
  outcome: "answered" | "failed" | "timed_out" | "refused";
  /** What left, without secrets; null: nothing could be made */
  request:
    | (
        | {
            /** HTTP method */
            method: string;
            /** Address, filled */
            url: string;
            /** Headers; [redacted] in place of secrets */
            headers: Partial<Record<string, string>>;
            /** Body; null: none */
            body: string | null;
          }
        | {
            /** The SQL, its values as $1, $2 and so on */
            query: string;
            /** The values, in this order */
            parameters: (string | null)[];
          }
      )
    | null;
  /** What came back, without secrets; null: nothing */
  response:
    | (
        | {
            /** HTTP status */
            status: number;
            /** Headers of the answer */
            headers: Partial<Record<string, string>>;
            /** Body as far as it was read, 256 KiB at most */
            body: string;
          }
        | {
            /** At most 50 rows */
            rows: Partial<Record<string, any>>[];
            /** true: there are more rows */
            more: boolean;
          }
      )
    | null;
  /** What the model would have been shown; at most 4 KiB */
  shown: string;
  /** Thousandths of seconds that it took */
  millis: number;
}

export interface User {
  /**
   * Id of the owner
   * @pattern ^usr_[0-9a-z]{26}$
   */
  id: string;
  /** Name of the owner */
  name: string;
  /** What this owner may do at once */
  plan: {
    /** Number of calls at once */
    maxConcurrentCalls: number;
    /** New calls a second */
    maxCallsPerSecond: number;
    /** Number of tokens that language models may read and write on a UTC day; null: no limit */
    maxModelTokensPerDay: number | null;
  };
  /** false: its keys are refused, and its campaigns dial nobody */
  active: boolean;
  /**
   * When it was made; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  /**
   * When it changed last; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  updatedAt: string;
}

export interface NewUser {
  /** The new owner */
  user: User;
  /** Its first key */
  apiKey: {
    /**
     * Id of the key
     * @pattern ^key_[0-9a-z]{26}$
     */
    id: string;
    /** What the key is for */
    name: string;
    /** What the key may do */
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
    /** The key itself; shown this once, null in a repeated answer */
    key: string | null;
  };
}

export interface WebhookSettings {
  /** Where events are sent: an https address */
  url: string;
  /** false: deliveries are held, for 7 days */
  enabled: boolean;
  /** Kinds of events that are sent there */
  events: (
    | "call.started"
    | "call.ended"
    | "campaign.started"
    | "campaign.paused"
    | "campaign.resumed"
    | "campaign.completed"
    | "campaign.cancelled"
  )[];
}

export interface Webhook {
  /** Where events are sent: an https address */
  url: string;
  /** false: deliveries are held, for 7 days */
  enabled: boolean;
  /** Kinds of events that are sent there */
  events: (
    | "call.started"
    | "call.ended"
    | "campaign.started"
    | "campaign.paused"
    | "campaign.resumed"
    | "campaign.completed"
    | "campaign.cancelled"
  )[];
  /** misconfigured: the address may not be used */
  status: "enabled" | "disabled" | "misconfigured";
  /** Why it is disabled; null: it is not */
  disabledReason: "manual" | "gone" | "failing" | null;
  /** Number of deliveries that are still to be made */
  pending: number;
  /** Number of deliveries held because the endpoint is disabled */
  held: number;
  /** Number of deliveries given up */
  dead: number;
  /** When the oldest event happened that is not delivered; ISO 8601, UTC; null: none */
  oldestUndeliveredAt: string | null;
}

export interface WebhookSecret {
  /** The key of the signature, `whsec_` and base64 */
  secret: string;
}

export interface RotatedWebhookSecret {
  /** The key of the signature, `whsec_` and base64 */
  secret: string;
  /** Until when the secret before is used as well; ISO 8601, UTC; null: not at all */
  previousValidUntil: string | null;
}

export interface WebhookTest {
  /** HTTP status of the receiver; null: it did not answer */
  status: number | null;
  /** Milliseconds that the attempt took */
  ms: number;
  /** What went wrong; null: nothing */
  detail: string | null;
  /** What was sent */
  request: {
    /** Its headers, signature included */
    headers: Partial<Record<string, string>>;
    /** Its body, byte for byte */
    body: string;
  };
  /** The beginning of the answer; null: none */
  response: string | null;
}

export interface WebhookDelivery {
  /**
   * Id of the delivery
   * @pattern ^dlv_[0-9a-z]{26}$
   */
  id: string;
  /** Id of the event, the same in every delivery of it */
  eventId: string;
  /** Kind of the event */
  event:
    | "call.started"
    | "call.ended"
    | "campaign.started"
    | "campaign.paused"
    | "campaign.resumed"
    | "campaign.completed"
    | "campaign.cancelled";
  /** Id of the call; null where no single call is meant */
  callId: string | null;
  /** Id of the campaign; null: none */
  campaignId: string | null;
  /** How far the delivery has come */
  status: "pending" | "sending" | "delivered" | "retrying" | "held" | "dead";
  /** What began it: the event itself, a replay, or a test */
  trigger: "auto" | "manual" | "test";
  /** Number of attempts so far */
  attempts: number;
  /** When the next attempt is made; ISO 8601, UTC; null: none is planned */
  nextAttemptAt: string | null;
  /**
   * When it was made; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  /** When the receiver took it; ISO 8601, UTC; null: not (yet) */
  deliveredAt: string | null;
}

export interface WebhookAttempt {
  /** Number of the attempt, counted from 1 */
  number: number;
  /** What began it; recovery: the attempt before ended unknown */
  trigger: "auto" | "manual" | "test" | "recovery";
  /**
   * When it began; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  startedAt: string;
  /** How it ended */
  class:
    | "delivered"
    | "gone"
    | "throttled"
    | "redirect"
    | "refused"
    | "unreachable"
    | "blocked"
    | "unknown";
  /** HTTP status of the receiver; null: it did not answer */
  status: number | null;
  /** What went wrong; null: nothing */
  detail: string | null;
  /** How long each step took; null: not known */
  phases: {
    /** Milliseconds for the name; null: not reached */
    dns: number | null;
    /** Milliseconds for the connection; null: not reached */
    connect: number | null;
    /** Milliseconds for TLS; null: not reached, or not used */
    tls: number | null;
    /** Milliseconds to the first byte of the answer; null: not reached */
    firstByte: number | null;
    /** Milliseconds in all */
    total: number;
  } | null;
  /** The beginning of the answer; null: none */
  response: string | null;
  /** Headers of the answer; null: none */
  responseHeaders: Partial<Record<string, string>> | null;
  /** IP address that was connected to; null: none */
  remoteAddress: string | null;
  /** Which secret signed it; null: not signed */
  secretId: string | null;
  /** When the attempt after it was planned; ISO 8601, UTC; null: none */
  nextAttemptAt: string | null;
}

export interface WebhookDeliveryDetail {
  /**
   * Id of the delivery
   * @pattern ^dlv_[0-9a-z]{26}$
   */
  id: string;
  /** Id of the event, the same in every delivery of it */
  eventId: string;
  /** Kind of the event */
  event:
    | "call.started"
    | "call.ended"
    | "campaign.started"
    | "campaign.paused"
    | "campaign.resumed"
    | "campaign.completed"
    | "campaign.cancelled";
  /** Id of the call; null where no single call is meant */
  callId: string | null;
  /** Id of the campaign; null: none */
  campaignId: string | null;
  /** How far the delivery has come */
  status: "pending" | "sending" | "delivered" | "retrying" | "held" | "dead";
  /** What began it: the event itself, a replay, or a test */
  trigger: "auto" | "manual" | "test";
  /** Number of attempts so far */
  attempts: number;
  /** When the next attempt is made; ISO 8601, UTC; null: none is planned */
  nextAttemptAt: string | null;
  /**
   * When it was made; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  /** When the receiver took it; ISO 8601, UTC; null: not (yet) */
  deliveredAt: string | null;
  /** What is sent, byte for byte; null: it is no longer kept */
  body: string | null;
  /** Every attempt, in order */
  attemptLog: WebhookAttempt[];
}

export interface WebhookReplays {
  /** Number of deliveries that were made */
  deliveries: number;
}

export interface HistoryEvent {
  /** Its place in the whole log; opaque */
  position: string;
  /**
   * Place in its stream, counted from 0
   * @min 0
   */
  revision: number;
  /** What happened */
  type: string;
  /** What the event says, by its type; amounts are credits with 4 decimals, durations seconds */
  data: Partial<Record<string, any>>;
  /**
   * When it happened; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  occurredAt: string;
  /** The same for everything that one request led to */
  correlationId: string;
  /** Id of what led to it; null: a request */
  causationId: string | null;
  /** Who made it happen */
  actor: {
    /** An API key, or a process of the service by itself */
    kind: "key" | "process";
    /** The key's id, or the name of the process */
    id: string;
    /** The key's name; left out where none is known */
    name?: string;
  };
}

export interface OwnerEvent {
  /** Id of the call, campaign or squad */
  stream: string;
  /** Its place in the whole log; opaque */
  position: string;
  /**
   * Place in its stream, counted from 0
   * @min 0
   */
  revision: number;
  /** What happened */
  type: string;
  /** What the event says, by its type; amounts are credits with 4 decimals, durations seconds */
  data: Partial<Record<string, any>>;
  /**
   * When it happened; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  occurredAt: string;
  /** The same for everything that one request led to */
  correlationId: string;
  /** Id of what led to it; null: a request */
  causationId: string | null;
  /** Who made it happen */
  actor: {
    /** An API key, or a process of the service by itself */
    kind: "key" | "process";
    /** The key's id, or the name of the process */
    id: string;
    /** The key's name; left out where none is known */
    name?: string;
  };
}

export interface CallSeries {
  /**
   * Where the first bucket begins; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  from: string;
  /**
   * Where the last bucket ends; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  until: string;
  /** How long a bucket is */
  step: "1m" | "1h" | "1d";
  /** By status or endReason, number of calls of each bucket in order; values that do not occur are left out */
  series: Partial<Record<string, number[]>>;
}

export interface Campaign {
  /**
   * Id of the campaign
   * @pattern ^cmp_[0-9a-z]{26}$
   */
  id: string;
  /** Name of the campaign, 1 to 255 characters */
  name: string;
  /** What the campaign does now */
  status: "PENDING" | "RUNNING" | "PAUSED" | "COMPLETED" | "CANCELLED";
  /**
   * Id of the phone number from which the call goes out
   * @pattern ^pn_[0-9a-z]{26}$
   */
  phoneNumberId: string;
  /**
   * Id of the assistant
   * @pattern ^ast_[0-9a-z]{26}$
   */
  assistantId: string;
  /**
   * Version of the assistant that talks, counted from 1
   * @min 0
   */
  assistantVersion: number;
  /** Id of the squad; null: none */
  squadId: string | null;
  /**
   * Id of the owner
   * @pattern ^usr_[0-9a-z]{26}$
   */
  userId: string;
  /**
   * Number of contacts that were accepted
   * @min 0
   */
  totalContacts: number;
  /**
   * Number of contacts that were reached
   * @min 0
   */
  successfulCalls: number;
  /**
   * Number of contacts given up: no attempt is left, or none would help
   * @min 0
   */
  failedCalls: number;
  /**
   * Number of contacts still to be called, those that wait for a retry among them
   * @min 0
   */
  pendingCalls: number;
  /**
   * Number of contacts that are in a call now
   * @min 0
   */
  activeCalls: number;
  /**
   * Number of contacts that were never called and never will be
   * @min 0
   */
  skippedContacts: number;
  /** Number of calls at once, at most; null: as many as the plan allows */
  maxConcurrentCalls: number | null;
  /**
   * Number of calls at once after the plan is taken into account
   * @min 0
   */
  effectiveMaxConcurrentCalls: number;
  /** Number of further attempts after the first one fails; null: 3 */
  maxRetries: number | null;
  /** Minutes from the end of a failed attempt to the next one; null: 5 */
  retryIntervalMins: number | null;
  /** Ends of a call after which the contact is called again; an empty list: none. An attempt that the carrier never had (`not_placed`) is repeated whatever it says */
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
  /** IANA time zone in which the call window is judged; a contact's own goes before it */
  timezone: string;
  /** First hour (0 to 23, local) in which people may be called; null: at any time */
  callWindowStart: number | null;
  /** Hour (0 to 23, local) from which nobody is called any more; null: at any time */
  callWindowEnd: number | null;
  /**
   * Minutes after callWindowStart at which the window opens
   * @min 0
   */
  callWindowStartMinute: number;
  /**
   * Minutes after callWindowEnd at which it closes
   * @min 0
   */
  callWindowEndMinute: number;
  /** ISO weekdays in order, null: every day */
  callWindowDays: number[] | null;
  /** Local dates of each contact on which nobody is called */
  callWindowExcludedDates: string[];
  /** When it starts by itself while it is PENDING, as given; null: when it is started */
  startAt: string | null;
  /** Why it is PAUSED; null: it is not */
  pauseReason:
    | "manual"
    | "phone_number_inactive"
    | "assistant_unpublished"
    | "outside_call_window"
    | "insufficient_credits"
    | "carrier_unavailable"
    | "assistant_unavailable"
    | null;
  /** When the next call window opens; ISO 8601, UTC; null: it is open, or unknown */
  nextWindowOpensAt: string | null;
  /** What the creation was given, with greetingMessage and specialInstructions */
  metadata: Partial<Record<string, any>>;
  /**
   * When it was made; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
  /**
   * When it changed last; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  updatedAt: string;
  /** When it was started; ISO 8601, UTC; null: not yet */
  startedAt: string | null;
  /** When it was COMPLETED; ISO 8601, UTC; null: not yet */
  completedAt: string | null;
}

export interface CampaignStatistics {
  /**
   * Number of contacts that were accepted
   * @min 0
   */
  totalContacts: number;
  /**
   * Number of contacts still to be called
   * @min 0
   */
  pendingContacts: number;
  /**
   * Number of contacts that were reached
   * @min 0
   */
  successfulCalls: number;
  /**
   * Number of contacts given up: no attempt is left, or none would help
   * @min 0
   */
  failedCalls: number;
  /**
   * Number of pendingContacts that wait for a retry
   * @min 0
   */
  waitingRetry: number;
  /**
   * Number of dials so far: activeCalls of the campaign and the sum of byEndReason
   * @min 0
   */
  attempts: number;
  /** Ended attempts by how they ended, not_placed too; only reasons that occurred */
  byEndReason: Partial<
    Record<
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
      | "outcome_unknown",
      number
    >
  >;
  /**
   * Seconds from answer to end of all ended attempts, also of those that failed
   * @min 0
   */
  talkSeconds: number;
  /** Credits, 4 decimals, of all ended attempts; null when one of them is older than the telling of its cost */
  cost: number | null;
  /** Mean seconds of the completed calls; null while there is none */
  averageCallDuration: number | null;
}

export interface CampaignProgress {
  /** When the process that runs the campaign reported this; null with all other fields when that is more than 5 s ago, or nobody runs it */
  asOf: string | null;
  /** Contacts that could be dialled now if slots, pace, credits and carrier allowed it */
  dueNow: number | null;
  /** What keeps the campaign from dialling, the first that holds: window (closed for everybody who is due), credits, carrier, assistant, capacity (of all processes for conversations), slots (of the plan or the campaign, or another campaign's turn), pace; null: nothing */
  waitingFor:
    | "window"
    | "credits"
    | "carrier"
    | "assistant"
    | "capacity"
    | "slots"
    | "pace"
    | null;
  /** When the last contact will be done with at the pace of the last five minutes of calling, in the hours in which the window of the campaign's own zone is open; null while fewer than 5 s of calling are known, and while it waits for credits or the carrier */
  estimatedEndAt: string | null;
}

export interface Contact {
  /**
   * Id of the contact
   * @pattern ^ctc_[0-9a-z]{26}$
   */
  id: string;
  /**
   * The number to call, E.164
   * @pattern ^\+[1-9]\d{6,14}$
   */
  phoneNumber: string;
  /** Fills {{name}}; null: none */
  name: string | null;
  /** A JSON object, at most 16 KiB, whose values fill the placeholders */
  customData: Partial<Record<string, any>>;
  /** IANA time zone of this contact; left out or null: the campaign's */
  timezone: string | null;
  /** Your own id of this contact; null: none */
  externalId: string | null;
  /** What happened to this contact so far */
  status:
    | "pending"
    | "dialing"
    | "waiting_retry"
    | "succeeded"
    | "failed"
    | "skipped";
  /** Every attempt to reach it, in order */
  attempts: {
    /**
     * Number of the attempt, counted from 1
     * @min 0
     */
    attempt: number;
    /**
     * Id of its call
     * @pattern ^call_[0-9a-z]{26}$
     */
    callId: string;
    /**
     * When it was dialled; ISO 8601, UTC
     * @format date-time
     * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
     */
    startedAt: string;
    /** When it ended; ISO 8601, UTC; null until then */
    endedAt: string | null;
    /** How far the call has come */
    status:
      | "initiating"
      | "ringing"
      | "connected"
      | "in_progress"
      | "completed"
      | "failed";
    /** Why the call ended; null until then */
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
    /** Seconds from answer to end; null before the end, and when nobody answered */
    durationSeconds: number | null;
    /** Credits, 4 decimals; null before the end, and when the attempt is older than the telling of its cost */
    cost: number | null;
  }[];
  /** When it is called again at the earliest; ISO 8601, UTC; null: no time is set */
  nextAttemptAt: string | null;
  /**
   * When it was made; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  createdAt: string;
}

export interface PausedCampaigns {
  /** true: it was done; false: it was refused, and `error` says why */
  success: true;
  /** The campaigns that were paused, newest first */
  data: Campaign[];
  /** Where this page ends */
  pagination: {
    /**
     * Number of campaigns in the answer: all of them
     * @min 0
     */
    limit: number;
    /** Send it as `cursor` for the next page; null: this is the last one */
    nextCursor: null;
  };
}

/** Never a refusal; judged over the accepted contacts */
export interface CampaignWarning {
  /** What it warns of, for a program */
  code:
    | "bad_characters"
    | "credits_short"
    | "never_open"
    | "no_call_window"
    | "placeholder_other_form"
    | "placeholder_too_long"
    | "placeholder_unclosed"
    | "placeholder_unfilled"
    | "retries_declined"
    | "timezone_defaulted";
  /** The same in words, for a person */
  message: string;
  /**
   * Number of contacts that it is about
   * @min 0
   */
  count?: number;
  /** Where it arises in the request that made the campaign */
  path?: string[];
  /** With credits_short: credits for a minute with each contact */
  needed?: number;
  /** With credits_short: credits of the account that are not reserved */
  available?: number;
}

export interface CampaignReport {
  /** The campaign as it stands now */
  campaign: Campaign;
  /** How far the campaign has come */
  statistics: CampaignStatistics;
  /** Contacts that were left out */
  rejectedContacts: {
    /**
     * Number of contacts left out
     * @min 0
     */
    count: number;
    /** The first 100 of them */
    items: {
      /**
       * Place in the request, counted from 0
       * @min 0
       */
      index: number;
      /** The number as it was given; null: there was none */
      phoneNumber: string | null;
      /** Why: not_e164, not_possible, duplicate, text_too_long and the like */
      reason: string;
      /**
       * Line of the file on which the row begins, counted from 1
       * @min 0
       */
      line?: number;
    }[];
  };
  /** Numbers that occur more than once */
  duplicateContacts: {
    /**
     * Number of contacts that repeat an earlier one
     * @min 0
     */
    count: number;
    /** The first 100 of them */
    items: {
      /**
       * Place in the request, counted from 0
       * @min 0
       */
      index: number;
      /** The number that occurred before */
      phoneNumber: string;
    }[];
  };
  /** At most one of each code, sorted by code; empty when there are none */
  warnings: CampaignWarning[];
}

export interface CampaignImportAnswer {
  /** The campaign as it stands now */
  campaign: Campaign;
  /** How far the campaign has come */
  statistics: CampaignStatistics;
  /** Contacts that were left out */
  rejectedContacts: {
    /**
     * Number of contacts left out
     * @min 0
     */
    count: number;
    /** The first 100 of them */
    items: {
      /**
       * Place in the request, counted from 0
       * @min 0
       */
      index: number;
      /** The number as it was given; null: there was none */
      phoneNumber: string | null;
      /** Why: not_e164, not_possible, duplicate, text_too_long and the like */
      reason: string;
      /**
       * Line of the file on which the row begins, counted from 1
       * @min 0
       */
      line?: number;
    }[];
  };
  /** Numbers that occur more than once */
  duplicateContacts: {
    /**
     * Number of contacts that repeat an earlier one
     * @min 0
     */
    count: number;
    /** The first 100 of them */
    items: {
      /**
       * Place in the request, counted from 0
       * @min 0
       */
      index: number;
      /** The number that occurred before */
      phoneNumber: string;
    }[];
  };
  /** Accepted numbers that stood otherwise in the file; the first 100 are named */
  normalized: {
    /**
     * Number of cells that were read as a number of the country
     * @min 0
     */
    count: number;
    /** The first 100 of them */
    items: {
      /**
       * Line of the file, counted from 1
       * @min 0
       */
      line: number;
      /** As it stands in the file */
      from: string;
      /**
       * The number that it was read as, E.164
       * @pattern ^\+[1-9]\d{6,14}$
       */
      to: string;
    }[];
  };
  /** At most one of each code, sorted by code; empty when there are none */
  warnings: CampaignWarning[];
}

export interface CampaignStartAnswer {
  /** The campaign as it stands now */
  campaign: Campaign;
  /** How far the campaign has come */
  statistics: CampaignStatistics;
  /** At most one of each code, sorted by code; empty when there are none */
  warnings: CampaignWarning[];
}

export interface CampaignPreview {
  /** The texts as they would be said, a contact each */
  items: {
    /** As it would be said; null: neither a greeting nor an assistant was given */
    greetingMessage: string | null;
    /** null: none were given */
    specialInstructions: string | null;
    /** Both texts are null: the contact would be rejected for this */
    reason?: "text_too_long";
  }[];
  /** At most one of each code, sorted by code; empty when there are none */
  warnings: CampaignWarning[];
}

export interface ContactsAdded {
  /** The campaign as it stands now */
  campaign: Campaign;
  /** How far the campaign has come */
  statistics: CampaignStatistics;
  /** Contacts that were left out */
  rejectedContacts: {
    /**
     * Number of contacts left out
     * @min 0
     */
    count: number;
    /** The first 100 of them */
    items: {
      /**
       * Place in the request, counted from 0
       * @min 0
       */
      index: number;
      /** The number as it was given; null: there was none */
      phoneNumber: string | null;
      /** Why: not_e164, not_possible, duplicate, text_too_long and the like */
      reason: string;
      /**
       * Line of the file on which the row begins, counted from 1
       * @min 0
       */
      line?: number;
    }[];
  };
  /** At most one of each code, sorted by code; empty when there are none */
  warnings: CampaignWarning[];
}

export interface CampaignImportReport {
  /**
   * Number of contacts that would be accepted
   * @min 0
   */
  totalContacts: number;
  /** Contacts that were left out */
  rejectedContacts: {
    /**
     * Number of contacts left out
     * @min 0
     */
    count: number;
    /** The first 100 of them */
    items: {
      /**
       * Place in the request, counted from 0
       * @min 0
       */
      index: number;
      /** The number as it was given; null: there was none */
      phoneNumber: string | null;
      /** Why: not_e164, not_possible, duplicate, text_too_long and the like */
      reason: string;
      /**
       * Line of the file on which the row begins, counted from 1
       * @min 0
       */
      line?: number;
    }[];
  };
  /** Numbers that occur more than once */
  duplicateContacts: {
    /**
     * Number of contacts that repeat an earlier one
     * @min 0
     */
    count: number;
    /** The first 100 of them */
    items: {
      /**
       * Place in the request, counted from 0
       * @min 0
       */
      index: number;
      /** The number that occurred before */
      phoneNumber: string;
    }[];
  };
  /** Accepted numbers that stood otherwise in the file; the first 100 are named */
  normalized: {
    /**
     * Number of cells that were read as a number of the country
     * @min 0
     */
    count: number;
    /** The first 100 of them */
    items: {
      /**
       * Line of the file, counted from 1
       * @min 0
       */
      line: number;
      /** As it stands in the file */
      from: string;
      /**
       * The number that it was read as, E.164
       * @pattern ^\+[1-9]\d{6,14}$
       */
      to: string;
    }[];
  };
  /** At most one of each code, sorted by code; empty when there are none */
  warnings: CampaignWarning[];
}

export interface Explanation {
  /**
   * Id of the campaign; null: none
   * @pattern ^cmp_[0-9a-z]{26}$
   */
  campaignId: string;
  /**
   * Id of the contact in its campaign; null: none
   * @pattern ^ctc_[0-9a-z]{26}$
   */
  contactId: string;
  /**
   * Of which moment it tells
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  at: string;
  /** The first of these that holds */
  verdict:
    | "rejected"
    | "suppressed"
    | "skipped"
    | "cancelled"
    | "reached"
    | "in_call"
    | "failed_for_good"
    | "budget_used"
    | "not_started"
    | "paused"
    | "waiting_retry"
    | "outside_own_window"
    | "due";
  /** In English or Turkish, by Accept-Language; claims nothing but what `because` says */
  sentence: string;
  /** When it may change by itself; null: not by itself */
  until: string | null;
  /** The events that it rests on */
  because: {
    /** Its place in the log */
    position: string;
    /** What happened */
    type: string;
    /**
     * When
     * @format date-time
     * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
     */
    at: string;
  }[];
}

export interface CampaignStory {
  /** Of the last event; the feed goes on behind it */
  position: string;
  /**
   * When the first event happened
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  startsAt: string;
  /**
   * Number of contacts there are by the last event
   * @min 0
   */
  contacts: number;
  /** Types of events, to which `kind` points */
  kinds: string[];
  /** Texts to which `reason` points */
  reasons: string[];
  /** A row for each event, in their order */
  columns: {
    /** Milliseconds after the row before; of the first row after startsAt */
    at: number[];
    /** Place in `kinds` */
    kind: number[];
    /** The contact's place in the order of import, from 0; -1: none */
    contact: number[];
    /** Place in `reasons`; -1: none. endReason of an attempt, pauseReason of a pause, outcome of a ContactSkipped */
    reason: number[];
    /** How many contacts an import brought; of ContactAttemptFailed the next attempt in milliseconds after the row, null: none; else the attempt, or null */
    value: (number | null)[];
  };
}

export interface NumberVerdict {
  /**
   * Id of the campaign; null: none
   * @pattern ^cmp_[0-9a-z]{26}$
   */
  campaignId: string;
  /** null: an import refused the number */
  contactId: string | null;
  /**
   * Of which moment it tells
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  at: string;
  /** The first of these that holds */
  verdict:
    | "rejected"
    | "suppressed"
    | "skipped"
    | "cancelled"
    | "reached"
    | "in_call"
    | "failed_for_good"
    | "budget_used"
    | "not_started"
    | "paused"
    | "waiting_retry"
    | "outside_own_window"
    | "due";
  /** In English or Turkish, by Accept-Language; claims nothing but what `because` says */
  sentence: string;
  /** When it may change by itself; null: not by itself */
  until: string | null;
  /** The events that it rests on */
  because: {
    /** Its place in the log */
    position: string;
    /** What happened */
    type: string;
    /**
     * When
     * @format date-time
     * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
     */
    at: string;
  }[];
}

export interface NumberHistory {
  /** The number as it was asked for */
  phoneNumber: string;
  /** Its entry of the do-not-call list; null: it has none */
  suppression: {
    /** Why it is not called; null: nobody said */
    reason: string | null;
    /**
     * Since when it is on the list; ISO 8601, UTC
     * @format date-time
     * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
     */
    createdAt: string;
  } | null;
  /** Contacts with this number, newest first */
  contacts: {
    /**
     * Id of its campaign
     * @pattern ^cmp_[0-9a-z]{26}$
     */
    campaignId: string;
    /**
     * Id of the contact
     * @pattern ^ctc_[0-9a-z]{26}$
     */
    contactId: string;
    /** Name of the contact; null: none was given */
    name: string | null;
    /** How far the campaign has come with it */
    status:
      | "pending"
      | "dialing"
      | "waiting_retry"
      | "succeeded"
      | "failed"
      | "skipped";
  }[];
  /** Calls to this number, newest first */
  calls: CallListRecord[];
  /** Why each contact is as it is now, and which imports refused the number */
  verdicts: NumberVerdict[];
}

export interface CallStartedWebhook {
  /** Kind of the event */
  event: "call.started";
  /** The answer itself */
  data: {
    /** Id of the event, a UUID: the same on every attempt and replay, and in X-Service-Event-Id */
    eventId: string;
    /**
     * Place in the order of the events of its call, counted from 1
     * @min 1
     */
    sequence: number;
    /**
     * When it happened (ISO 8601, UTC)
     * @format date-time
     * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
     */
    occurredAt: string;
    /**
     * Id of the call; null where no single call is meant
     * @pattern ^call_[0-9a-z]{26}$
     */
    callId: string;
    /** How far the call had come */
    status: "connected";
    /** Always `outbound` */
    type: "outbound";
    /**
     * The number that was shown, E.164
     * @pattern ^\+[1-9]\d{6,14}$
     */
    from: string;
    /**
     * The number that was called, E.164
     * @pattern ^\+[1-9]\d{6,14}$
     */
    to: string;
    /**
     * Id of the phone number from which the call goes out
     * @pattern ^pn_[0-9a-z]{26}$
     */
    phoneNumberId: string;
    /**
     * Id of the assistant
     * @pattern ^ast_[0-9a-z]{26}$
     */
    assistantId: string;
    /**
     * Version of the assistant that talked, counted from 1
     * @min 1
     */
    assistantVersion: number;
    /** Id of the squad; null: none */
    squadId: string | null;
    /** Id of the campaign; null: none */
    campaignId: string | null;
    /** Id of the contact in its campaign; null: none */
    contactId: string | null;
    /**
     * Number of this attempt to reach the contact, counted from 1; a single call is attempt 1
     * @min 1
     */
    attempt: number;
    /** Who answered, as far as the carrier can tell; null before the answer */
    answeredBy: "human" | "machine" | "unknown" | null;
    /**
     * When it was made; ISO 8601, UTC
     * @format date-time
     * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
     */
    createdAt: string;
    /** The same as connectedAt; ISO 8601, UTC */
    startedAt: string | null;
    /** The caller's own JSON object, given back as it came */
    metadata: Partial<Record<string, any>>;
  };
}

export interface CallEndedWebhook {
  /** Kind of the event */
  event: "call.ended";
  /** The answer itself */
  data: {
    /** Id of the event, a UUID: the same on every attempt and replay, and in X-Service-Event-Id */
    eventId: string;
    /**
     * Place in the order of the events of its call, counted from 1
     * @min 1
     */
    sequence: number;
    /**
     * When it happened (ISO 8601, UTC)
     * @format date-time
     * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
     */
    occurredAt: string;
    /**
     * Id of the call; null where no single call is meant
     * @pattern ^call_[0-9a-z]{26}$
     */
    callId: string;
    /** How far the call had come */
    status: "completed" | "failed";
    /** Always `outbound` */
    type: "outbound";
    /**
     * The number that was shown, E.164
     * @pattern ^\+[1-9]\d{6,14}$
     */
    from: string;
    /**
     * The number that was called, E.164
     * @pattern ^\+[1-9]\d{6,14}$
     */
    to: string;
    /**
     * Id of the phone number from which the call goes out
     * @pattern ^pn_[0-9a-z]{26}$
     */
    phoneNumberId: string;
    /**
     * Id of the assistant
     * @pattern ^ast_[0-9a-z]{26}$
     */
    assistantId: string;
    /**
     * Version of the assistant that talked, counted from 1
     * @min 1
     */
    assistantVersion: number;
    /** Id of the squad; null: none */
    squadId: string | null;
    /** Id of the campaign; null: none */
    campaignId: string | null;
    /** Id of the contact in its campaign; null: none */
    contactId: string | null;
    /**
     * Number of this attempt to reach the contact, counted from 1; a single call is attempt 1
     * @min 1
     */
    attempt: number;
    /** Who answered, as far as the carrier can tell; null before the answer */
    answeredBy: "human" | "machine" | "unknown" | null;
    /**
     * When it was made; ISO 8601, UTC
     * @format date-time
     * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
     */
    createdAt: string;
    /** The same as connectedAt; ISO 8601, UTC */
    startedAt: string | null;
    /** The caller's own JSON object, given back as it came */
    metadata: Partial<Record<string, any>>;
    /** Why the call ended; null until then */
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
      | "outcome_unknown";
    /** Which side ended the call; null until then */
    endedBy: "customer" | "assistant" | "api" | "system" | null;
    /** When it was answered; ISO 8601, UTC; null: not (yet) */
    connectedAt: string | null;
    /**
     * When it ended; ISO 8601, UTC; null until then
     * @format date-time
     * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
     */
    endedAt: string;
    /** Seconds from the answer to the end; null before the end, and for calls never answered */
    durationSeconds: number | null;
    /** What was said, in order */
    messages: CallMessage[];
    /** There when the last messages were left out, to keep the body within 256 KiB */
    messagesTruncated?: true;
    /** Where the recording is; null: there is none (yet) */
    recordingUrl: string | null;
    /** Whether there is a recording, or will be */
    recordingStatus: "pending" | "available" | "none" | "failed";
    /** Credits that the call cost, with 4 decimals */
    cost: number | null;
    /** What went wrong; null: nothing */
    error: {
      /** Our name for the problem */
      code: string;
      /** The problem in words */
      message: string;
      /** The carrier's name for it; null: it gave none */
      carrierCode: string | null;
    } | null;
    /** Number of attempts of this contact, at the most; a single call: 1; null: unknown */
    maxAttempts: number | null;
    /** The contact is not called again; null: unknown */
    isFinalAttempt: boolean | null;
    /** When the contact is due again (ISO 8601, UTC) */
    nextAttemptAt: string | null;
    /** Name of the contact; null: none, or a single call */
    contactName: string | null;
    /** Data of the contact; null for a single call */
    customData: Partial<Record<string, any>> | null;
  };
}

export interface CampaignStartedWebhook {
  /** Kind of the event */
  event: "campaign.started";
  /** The answer itself */
  data: {
    /** Id of the event, a UUID: the same on every attempt and replay, and in X-Service-Event-Id */
    eventId: string;
    /**
     * When it happened (ISO 8601, UTC)
     * @format date-time
     * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
     */
    occurredAt: string;
    /** The campaign as it stands now */
    campaign: Campaign;
    /** How far the campaign has come */
    statistics: CampaignStatistics;
    /** Why it was paused; null for every kind but campaign.paused */
    reason:
      | "manual"
      | "phone_number_inactive"
      | "assistant_unpublished"
      | "outside_call_window"
      | "insufficient_credits"
      | "carrier_unavailable"
      | "assistant_unavailable"
      | null;
  };
}

export interface CampaignPausedWebhook {
  /** Kind of the event */
  event: "campaign.paused";
  /** The answer itself */
  data: {
    /** Id of the event, a UUID: the same on every attempt and replay, and in X-Service-Event-Id */
    eventId: string;
    /**
     * When it happened (ISO 8601, UTC)
     * @format date-time
     * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
     */
    occurredAt: string;
    /** The campaign as it stands now */
    campaign: Campaign;
    /** How far the campaign has come */
    statistics: CampaignStatistics;
    /** Why it was paused; null for every kind but campaign.paused */
    reason:
      | "manual"
      | "phone_number_inactive"
      | "assistant_unpublished"
      | "outside_call_window"
      | "insufficient_credits"
      | "carrier_unavailable"
      | "assistant_unavailable"
      | null;
  };
}

export interface CampaignResumedWebhook {
  /** Kind of the event */
  event: "campaign.resumed";
  /** The answer itself */
  data: {
    /** Id of the event, a UUID: the same on every attempt and replay, and in X-Service-Event-Id */
    eventId: string;
    /**
     * When it happened (ISO 8601, UTC)
     * @format date-time
     * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
     */
    occurredAt: string;
    /** The campaign as it stands now */
    campaign: Campaign;
    /** How far the campaign has come */
    statistics: CampaignStatistics;
    /** Why it was paused; null for every kind but campaign.paused */
    reason:
      | "manual"
      | "phone_number_inactive"
      | "assistant_unpublished"
      | "outside_call_window"
      | "insufficient_credits"
      | "carrier_unavailable"
      | "assistant_unavailable"
      | null;
  };
}

export interface CampaignCompletedWebhook {
  /** Kind of the event */
  event: "campaign.completed";
  /** The answer itself */
  data: {
    /** Id of the event, a UUID: the same on every attempt and replay, and in X-Service-Event-Id */
    eventId: string;
    /**
     * When it happened (ISO 8601, UTC)
     * @format date-time
     * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
     */
    occurredAt: string;
    /** The campaign as it stands now */
    campaign: Campaign;
    /** How far the campaign has come */
    statistics: CampaignStatistics;
    /** Why it was paused; null for every kind but campaign.paused */
    reason:
      | "manual"
      | "phone_number_inactive"
      | "assistant_unpublished"
      | "outside_call_window"
      | "insufficient_credits"
      | "carrier_unavailable"
      | "assistant_unavailable"
      | null;
  };
}

export interface CampaignCancelledWebhook {
  /** Kind of the event */
  event: "campaign.cancelled";
  /** The answer itself */
  data: {
    /** Id of the event, a UUID: the same on every attempt and replay, and in X-Service-Event-Id */
    eventId: string;
    /**
     * When it happened (ISO 8601, UTC)
     * @format date-time
     * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
     */
    occurredAt: string;
    /** The campaign as it stands now */
    campaign: Campaign;
    /** How far the campaign has come */
    statistics: CampaignStatistics;
    /** Why it was paused; null for every kind but campaign.paused */
    reason:
      | "manual"
      | "phone_number_inactive"
      | "assistant_unpublished"
      | "outside_call_window"
      | "insufficient_credits"
      | "carrier_unavailable"
      | "assistant_unavailable"
      | null;
  };
}

export interface SearchHit {
  /** Id of what was found */
  id: string;
  /** What a person knows it by: its name, its number, or both */
  title: string;
  /**
   * Of a contact, and of a call of a campaign: the campaign
   * @pattern ^cmp_[0-9a-z]{26}$
   */
  campaignId?: string;
  /**
   * When it was made; ISO 8601, UTC
   * @format date-time
   * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
   */
  at: string;
}

export interface SearchAnswer {
  /** Campaigns with this name */
  campaigns: SearchHit[];
  /** Contacts with this name or number */
  contacts: SearchHit[];
  /** Calls to this number, or to a contact of this name */
  calls: SearchHit[];
  /** Assistants with this name */
  assistants: SearchHit[];
  /** Squads with this name */
  squads: SearchHit[];
  /** Numbers to call from, with these digits or this label */
  phoneNumbers: SearchHit[];
}

export interface Live {
  /** The process answers */
  status: "live";
}

export interface Ready {
  /** It can do its work */
  status: "ready";
  /** Everything that was looked at */
  checks: {
    /** What was looked at */
    name: string;
    /** false: this is why it is not ready */
    ok: boolean;
    /** What was measured: position, lag in milliseconds, last movement and the like */
    detail: Partial<Record<string, string | number | boolean | null>>;
  }[];
}

export interface NotReady {
  /** true: it was done; false: it was refused, and `error` says why */
  success: false;
  /** What is missing */
  error: {
    /** NOT_READY */
    code: "NOT_READY";
    /** Names the checks that failed */
    message: string;
  };
  /** The answer itself */
  data: {
    /** It cannot do all of its work */
    status: "not_ready";
    /** Everything that was looked at */
    checks: {
      /** What was looked at */
      name: string;
      /** false: this is why it is not ready */
      ok: boolean;
      /** What was measured: position, lag in milliseconds, last movement and the like */
      detail: Partial<Record<string, string | number | boolean | null>>;
    }[];
  };
}

export interface Error {
  /** true: it was done; false: it was refused, and `error` says why */
  success: false;
  /** Why it was refused */
  error: {
    /** Name of the problem, for programs */
    code:
      | "VALIDATION_ERROR"
      | "INVALID_JSON"
      | "ASSISTANT_NOT_PUBLISHED"
      | "CONNECTION_REQUIRED"
      | "UNAUTHORIZED"
      | "INSUFFICIENT_CREDITS"
      | "FORBIDDEN"
      | "CROSS_SITE"
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
      | "CONNECTION_NOT_FOUND"
      | "SECRET_NOT_FOUND"
      | "SUPPRESSION_NOT_FOUND"
      | "API_KEY_NOT_FOUND"
      | "DELIVERY_NOT_FOUND"
      | "USER_NOT_FOUND"
      | "REQUEST_TIMEOUT"
      | "CONFLICT"
      | "CALL_IS_LIVE"
      | "CALL_ERASED"
      | "IDEMPOTENCY_CONFLICT"
      | "CAMPAIGN_INVALID_STATE"
      | "SQUAD_MEMBER_EXISTS"
      | "SQUAD_LIMIT_REACHED"
      | "HANDOFF_EXISTS"
      | "TOOL_IN_USE"
      | "CONNECTION_IN_USE"
      | "CONNECTION_IMMUTABLE"
      | "ASSISTANT_IN_USE"
      | "WEBHOOK_NOT_CONFIGURED"
      | "PAYLOAD_TOO_LARGE"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "RANGE_NOT_SATISFIABLE"
      | "RECORDING_PENDING"
      | "RATE_LIMIT_EXCEEDED"
      | "CONCURRENCY_LIMIT_REACHED"
      | "HEADERS_TOO_LARGE"
      | "INTERNAL_ERROR"
      | "NOT_READY"
      | "READ_MODEL_BEHIND"
      | "CARRIER_UNAVAILABLE"
      | "ASSISTANT_UNAVAILABLE"
      | "RECORDING_UNAVAILABLE";
    /** The problem in words, for people */
    message: string;
    /**
     * With VALIDATION_ERROR: every problem of the request, the first 100
     * @maxItems 100
     */
    details?: {
      /** Where in the request: names of fields and places in lists, counted from 0 */
      path: (string | number)[];
      /** What is wrong there */
      message: string;
    }[];
  };
}

export interface PlainError {
  /** true: it was done; false: it was refused, and `error` says why */
  success: false;
  /** The problem in words */
  error: string;
}

export type WebhookEvent =
  | CallStartedWebhook
  | CallEndedWebhook
  | CampaignStartedWebhook
  | CampaignPausedWebhook
  | CampaignResumedWebhook
  | CampaignCompletedWebhook
  | CampaignCancelledWebhook;

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
 * @version 0.1.0
 * @license MIT
 * @baseUrl /
 * @contact The operator of this installation
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
     * @description The process answers. Needs no key.
     *
     * @tags service
     * @name GetLiveness
     * @summary The process answers
     * @request GET:/health/live
     */
    getLiveness: (params: RequestParams = {}) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: Live;
        },
        Error
      >({
        path: `/health/live`,
        method: "GET",
        format: "json",
        ...params,
      }),

    /**
     * @description Stores reachable, read models moving. Needs no key.
     *
     * @tags service
     * @name GetReadiness
     * @summary Stores reachable, read models moving
     * @request GET:/health/ready
     */
    getReadiness: (params: RequestParams = {}) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: Ready;
        },
        Error | NotReady
      >({
        path: `/health/ready`,
        method: "GET",
        format: "json",
        ...params,
      }),

    /**
     * @description Numbers for Prometheus. Needs no key.
     *
     * @tags service
     * @name GetMetrics
     * @summary Numbers for Prometheus
     * @request GET:/metrics
     */
    getMetrics: (params: RequestParams = {}) =>
      this.http.request<ReadableStream<Uint8Array>, Error>({
        path: `/metrics`,
        method: "GET",
        ...params,
      }),
  };
  calls = {
    /**
     * @description Starts an outbound call with an assistant. Needs a key with the scope `calls:write`. With an Idempotency-Key the same request is carried out once.
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
     * @description Calls that have not ended. Needs a key with the scope `calls:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
         * Number of rows on a page
         * @min 1
         * @max 200
         */
        limit?: number;
        /**
         * The nextCursor of the page before
         * @maxLength 512
         */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: OutboundCall[];
          /** Where this page ends */
          pagination: {
            /**
             * Number of rows that a page holds at most
             * @min 1
             * @max 200
             */
            limit: number;
            /** Send it as `cursor` for the next page; null: this is the last one */
            nextCursor: string | null;
          };
          /** How much of the plan is in use */
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
     * @description Status of an outbound call. Needs a key with the scope `calls:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Hangs up; may be repeated. Needs a key with the scope `calls:write`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Calls, newest first. Needs a key with the scope `calls:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
     *
     * @tags calls
     * @name ListCalls
     * @summary Calls, newest first
     * @request GET:/api/v1/calls
     * @secure
     */
    listCalls: (
      query?: {
        /** Only those with this status */
        status?:
          | "initiating"
          | "ringing"
          | "connected"
          | "in_progress"
          | "completed"
          | "failed";
        /**
         * Only what belongs to this campaign
         * @minLength 1
         * @maxLength 255
         */
        campaignId?: string;
        /**
         * Only calls to this number, E.164
         * @maxLength 16
         * @pattern ^\+[1-9]\d{6,14}$
         */
        to?: string;
        /**
         * Only calls made at this time or later: ISO 8601 with offset
         * @format date-time
         * @maxLength 40
         */
        from?: string;
        /**
         * Only calls made before this time: ISO 8601 with offset
         * @format date-time
         * @maxLength 40
         */
        until?: string;
        /**
         * 3 to 100 characters: digits of a number, or the beginning of a word of a name
         * @minLength 3
         * @maxLength 100
         */
        q?: string;
        /**
         * Number of rows on a page
         * @min 1
         * @max 200
         */
        limit?: number;
        /**
         * The nextCursor of the page before
         * @maxLength 512
         */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: CallListRecord[];
          /** Where this page ends */
          pagination: {
            /**
             * Number of rows that a page holds at most
             * @min 1
             * @max 200
             */
            limit: number;
            /** Send it as `cursor` for the next page; null: this is the last one */
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
     * @description Call details and messages. Needs a key with the scope `calls:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description History of a call, oldest first. Needs a key with the scope `calls:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
         * Number of rows on a page
         * @min 1
         * @max 200
         */
        limit?: number;
        /**
         * The nextCursor of the page before
         * @maxLength 512
         */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: HistoryEvent[];
          /** Where this page ends */
          pagination: {
            /**
             * Number of rows that a page holds at most
             * @min 1
             * @max 200
             */
            limit: number;
            /** Send it as `cursor` for the next page; null: this is the last one */
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
     * @description Recording of a call, as its carrier made it; takes Range and If-None-Match. Needs a key with the scope `calls:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
     *
     * @tags calls
     * @name GetRecording
     * @summary Recording of a call, as its carrier made it; takes Range and If-None-Match
     * @request GET:/api/v1/calls/{callId}/recording
     * @secure
     */
    getRecording: (callId: string, params: RequestParams = {}) =>
      this.http.request<ReadableStream<Uint8Array>, void | Error>({
        path: `/api/v1/calls/${encodeURIComponent(callId)}/recording`,
        method: "GET",
        secure: true,
        ...params,
      }),

    /**
     * @description How many calls were made when, and what became of them. Needs a key with the scope `calls:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most. Calls in buckets of the moment at which they were made, by the clock of `timezone`: a day has the 23, 24 or 25 hours that it had there. `from` and `until` are widened to whole buckets, as the answer says; left out: the 24 hours before `until`, until now. At most 1,500 buckets. With `by=endReason` calls that have not ended are left out.
     *
     * @tags calls
     * @name GetCallSeries
     * @summary How many calls were made when, and what became of them
     * @request GET:/api/v1/calls/series
     * @secure
     */
    getCallSeries: (
      query?: {
        /**
         * From the bucket that holds this time: ISO 8601 with offset
         * @format date-time
         * @maxLength 40
         */
        from?: string;
        /**
         * To the bucket that holds what is before this time: ISO 8601 with offset
         * @format date-time
         * @maxLength 40
         */
        until?: string;
        /**
         * How long a bucket is: a minute, an hour, a day
         * @default "1h"
         */
        step?: "1m" | "1h" | "1d";
        /**
         * IANA time zone whose hours and days they are
         * @maxLength 64
         * @default "UTC"
         * @example "Europe/Istanbul"
         */
        timezone?: string;
        /**
         * What the calls of a bucket are told apart by
         * @default "status"
         */
        by?: "status" | "endReason";
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: CallSeries;
        },
        Error
      >({
        path: `/api/v1/calls/series`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  campaigns = {
    /**
     * @description Creates a campaign of 1 to 10,000 contacts. Needs a key with the scope `campaigns:write`. With an Idempotency-Key the same request is carried out once.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Campaigns, newest first. Needs a key with the scope `campaigns:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
     *
     * @tags campaigns
     * @name ListCampaigns
     * @summary Campaigns, newest first
     * @request GET:/api/v1/campaigns
     * @secure
     */
    listCampaigns: (
      query?: {
        /** Only those with this status */
        status?: "PENDING" | "RUNNING" | "PAUSED" | "COMPLETED" | "CANCELLED";
        /**
         * Number of rows on a page
         * @min 1
         * @max 200
         */
        limit?: number;
        /**
         * The nextCursor of the page before
         * @maxLength 512
         */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: Campaign[];
          /** Where this page ends */
          pagination: {
            /**
             * Number of rows that a page holds at most
             * @min 1
             * @max 200
             */
            limit: number;
            /** Send it as `cursor` for the next page; null: this is the last one */
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
     * @description Adds contacts; 10,000 in all at the most. Needs a key with the scope `campaigns:write`. With an Idempotency-Key the same request is carried out once.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Contacts in the order of import, now or as they stood. Needs a key with the scope `campaigns:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
        /** Only those with this status */
        status?:
          | "pending"
          | "dialing"
          | "waiting_retry"
          | "succeeded"
          | "failed"
          | "skipped";
        /** Only those whose last attempt ended so */
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
          | "outcome_unknown";
        /**
         * Only those with these digits in their number, or a word of their name that begins so
         * @minLength 1
         * @maxLength 100
         */
        q?: string;
        /**
         * From this place in the order of import on, counted from 0; in place of cursor
         * @min 0
         */
        from?: number;
        /**
         * As it stood at this time: ISO 8601 with offset
         * @format date-time
         * @maxLength 40
         */
        at?: string;
        /**
         * Number of rows on a page
         * @min 1
         * @max 1000
         */
        limit?: number;
        /**
         * The nextCursor of the page before
         * @maxLength 512
         */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: Contact[];
          /** Where this page ends */
          pagination: {
            /**
             * Number of rows that a page holds at most
             * @min 1
             * @max 1000
             */
            limit: number;
            /** Send it as `cursor` for the next page; null: this is the last one */
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
     * @description What would be said to each of up to 20 contacts; nothing is made. Needs a key with the scope `campaigns:write`.
     *
     * @tags campaigns
     * @name PreviewCampaign
     * @summary What would be said to each of up to 20 contacts; nothing is made
     * @request POST:/api/v1/campaigns/preview
     * @secure
     */
    previewCampaign: (
      data: CampaignPreviewRequest,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: CampaignPreview;
        },
        Error
      >({
        path: `/api/v1/campaigns/preview`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description Begins to call. Needs a key with the scope `campaigns:write`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: CampaignStartAnswer;
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
     * @description Nobody is dialled after the answer. Needs a key with the scope `campaigns:write`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: {
            /** The campaign as it stands now */
            campaign: Campaign;
            /** How far the campaign has come */
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
     * @description Goes on after a pause. Needs a key with the scope `campaigns:write`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: {
            /** The campaign as it stands now */
            campaign: Campaign;
            /** How far the campaign has come */
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
     * @description Ends the campaign; live calls finish unless they are hung up. Needs a key with the scope `campaigns:write`.
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
        /** true: live calls are ended as well (default false) */
        hangUpActiveCalls?: boolean;
      } | null,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: {
            /** The campaign as it stands now */
            campaign: Campaign;
            /** How far the campaign has come */
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
     * @description Changes settings while PENDING or PAUSED. Needs a key with the scope `campaigns:write`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: {
            /** The campaign as it stands now */
            campaign: Campaign;
            /** How far the campaign has come */
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
     * @description A campaign with its statistics, now or as it stood. Needs a key with the scope `campaigns:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
         * As it stood at this time: ISO 8601 with offset
         * @format date-time
         * @maxLength 40
         */
        at?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: {
            /** The campaign as it stands now */
            campaign: Campaign;
            /** How far the campaign has come */
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
     * @description Nobody calls this contact again. Needs a key with the scope `campaigns:write`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Pauses everything that calls somebody. Needs a key with the scope `campaigns:write`. Pauses every campaign that is RUNNING, and every one that is PAUSED for an automatic reason: each becomes PAUSED with pauseReason manual, and only resume ends that. Nobody is dialled after the answer; live calls go on. Campaigns that are PENDING stay so, also those with a startAt. READ_MODEL_BEHIND: what was known is paused, ask again.
     *
     * @tags campaigns
     * @name PauseAllCampaigns
     * @summary Pauses everything that calls somebody
     * @request POST:/api/v1/campaigns/pause-all
     * @secure
     */
    pauseAllCampaigns: (data?: object | null, params: RequestParams = {}) =>
      this.http.request<PausedCampaigns, Error>({
        path: `/api/v1/campaigns/pause-all`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description Calls somebody to hear what the campaign says. Needs a key with the scope `campaigns:write`. With an Idempotency-Key the same request is carried out once. A single call with the campaign's own assistant, number and texts, filled for the contact that is named, or for the first one. It is billed as a single call; it is no attempt of the campaign and not in its counts. It is refused as the outbound start is, in the usual shape of errors.
     *
     * @tags campaigns
     * @name TestCampaignCall
     * @summary Calls somebody to hear what the campaign says
     * @request POST:/api/v1/campaigns/{id}/test-call
     * @secure
     */
    testCampaignCall: (
      id: string,
      data: TestCallRequest,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: CallStarted;
        },
        Error
      >({
        path: `/api/v1/campaigns/${encodeURIComponent(id)}/test-call`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description Its statistics, now or as they stood. Needs a key with the scope `campaigns:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
         * As it stood at this time: ISO 8601 with offset
         * @format date-time
         * @maxLength 40
         */
        at?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description The audit log of a campaign, oldest first. Needs a key with the scope `campaigns:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
         * Number of rows on a page
         * @min 1
         * @max 200
         */
        limit?: number;
        /**
         * The nextCursor of the page before
         * @maxLength 512
         */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: HistoryEvent[];
          /** Where this page ends */
          pagination: {
            /**
             * Number of rows that a page holds at most
             * @min 1
             * @max 200
             */
            limit: number;
            /** Send it as `cursor` for the next page; null: this is the last one */
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
     * @description What a campaign waits for now, and when it may be done. Needs a key with the scope `campaigns:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most. Of now alone: a query with `at` is refused, because what a campaign waits for is no event.
     *
     * @tags campaigns
     * @name GetCampaignProgress
     * @summary What a campaign waits for now, and when it may be done
     * @request GET:/api/v1/campaigns/{id}/progress
     * @secure
     */
    getCampaignProgress: (id: string, params: RequestParams = {}) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: CampaignProgress;
        },
        Error
      >({
        path: `/api/v1/campaigns/${encodeURIComponent(id)}/progress`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Everything that happened to a campaign, in columns. Needs a key with the scope `campaigns:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most. Without names, numbers and ids of calls; compressed where the client takes gzip or br.
     *
     * @tags campaigns
     * @name GetCampaignStory
     * @summary Everything that happened to a campaign, in columns
     * @request GET:/api/v1/campaigns/{id}/story
     * @secure
     */
    getCampaignStory: (id: string, params: RequestParams = {}) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: CampaignStory;
        },
        Error
      >({
        path: `/api/v1/campaigns/${encodeURIComponent(id)}/story`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Why this contact is, or then was, as it is. Needs a key with the scope `campaigns:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most. From the log alone. Of `due` it says that nobody dialled: what kept the campaign from it (pace, slots, the carrier) is no event; for now GET /campaigns/:id/progress tells it.
     *
     * @tags campaigns
     * @name ExplainContact
     * @summary Why this contact is, or then was, as it is
     * @request GET:/api/v1/campaigns/{id}/contacts/{contactId}/explain
     * @secure
     */
    explainContact: (
      id: string,
      contactId: string,
      query?: {
        /**
         * As it stood at this time: ISO 8601 with offset
         * @format date-time
         * @maxLength 40
         */
        at?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: Explanation;
        },
        Error
      >({
        path: `/api/v1/campaigns/${encodeURIComponent(id)}/contacts/${encodeURIComponent(contactId)}/explain`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description One contact with its attempts. Needs a key with the scope `campaigns:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description What happened to a contact, and in all of its calls, oldest first. Needs a key with the scope `campaigns:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
     *
     * @tags campaigns
     * @name ListContactEvents
     * @summary What happened to a contact, and in all of its calls, oldest first
     * @request GET:/api/v1/campaigns/{id}/contacts/{contactId}/events
     * @secure
     */
    listContactEvents: (
      id: string,
      contactId: string,
      query?: {
        /**
         * Number of rows on a page
         * @min 1
         * @max 200
         */
        limit?: number;
        /**
         * The nextCursor of the page before
         * @maxLength 512
         */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: OwnerEvent[];
          /** Where this page ends */
          pagination: {
            /**
             * Number of rows that a page holds at most
             * @min 1
             * @max 200
             */
            limit: number;
            /** Send it as `cursor` for the next page; null: this is the last one */
            nextCursor: string | null;
          };
        },
        Error
      >({
        path: `/api/v1/campaigns/${encodeURIComponent(id)}/contacts/${encodeURIComponent(contactId)}/events`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description All contacts as a CSV file. Needs a key with the scope `campaigns:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
        /** Only those with this status */
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
     * @description Creates a campaign from a CSV file. Needs a key with the scope `campaigns:write`. With an Idempotency-Key the same request is carried out once. A CSV file with the columns phone and name (any case); every other column is a customData key. As text/csv with the query `settings`, or as multipart/form-data with the parts `settings` and `file`. `settings` is the body of POST /campaigns without contacts, as JSON. Beside that it takes `columns` {phone?, name?, timezone?, externalId?}, the names of these columns in the file, and `defaultCountry`, an ISO code: numbers that are not in E.164 form are then read as they are dialled in that country, when exactly one valid number can be meant. The file is UTF-8, UTF-16 with its mark, or of the charset in its content type. `rejected=all` with `dryRun=true` names every rejected row (100,000 at the most), with Accept: text/csv as a file of their line, reason and own cells. Reasons: missing_phone, not_e164, not_possible, spreadsheet_number (9.05E+11), bad_timezone, duplicate, text_too_long, too_many_cells, too_few_cells, bad_row (it cannot be read), invalid_character, name_too_long, external_id_too_long, custom_data_too_large.
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
        /**
         * The CSV file, with its column names in the first line
         * @format binary
         */
        file: File;
      },
      query?: {
        /** true: answers the report and makes nothing */
        dryRun?: "true" | "false";
        /** With dryRun=true: every rejected row is named, not only the first 100 */
        rejected?: "all";
        /** With text/csv: JSON */
        settings?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        | {
            /** true: it was done; false: it was refused, and `error` says why */
            success: true;
            /** The answer itself */
            data: CampaignImportReport;
          }
        | {
            /** true: it was done; false: it was refused, and `error` says why */
            success: true;
            /** The answer itself */
            data: CampaignImportAnswer;
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
     * @description Squads with members and handoffs, newest first. Needs a key with the scope `squads:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
         * Number of rows on a page
         * @min 1
         * @max 200
         */
        limit?: number;
        /**
         * The nextCursor of the page before
         * @maxLength 512
         */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: Squad[];
          /** Where this page ends */
          pagination: {
            /**
             * Number of rows that a page holds at most
             * @min 1
             * @max 200
             */
            limit: number;
            /** Send it as `cursor` for the next page; null: this is the last one */
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
     * @description Creates a squad, with members and handoffs if wanted. Needs a key with the scope `squads:write`. With an Idempotency-Key the same request is carried out once.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description One squad with members and handoffs. Needs a key with the scope `squads:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Changes name, description or override settings. Needs a key with the scope `squads:write`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Deletes a squad; its history stays in the log. Needs a key with the scope `squads:write`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: {
            /** Id of what is gone */
            id: string;
            /** It is gone */
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
     * @description Adds an assistant to the squad. Needs a key with the scope `squads:write`. With an Idempotency-Key the same request is carried out once.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Changes the member named by memberId. Needs a key with the scope `squads:write`.
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
        /**
         * Id of the member
         * @maxLength 64
         */
        memberId?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Removes the member named by memberId, with its handoffs. Needs a key with the scope `squads:write`.
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
         * Id of the member; needed when the query does not name it
         * @minLength 1
         * @maxLength 255
         */
        memberId?: string;
      } | null,
      query?: {
        /**
         * Id of the member
         * @maxLength 64
         */
        memberId?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: {
            /**
             * Id of what is gone
             * @pattern ^mbr_[0-9a-z]{26}$
             */
            id: string;
            /** It is gone */
            deleted: true;
            /** Ids of the handoffs that went with it */
            removedHandoffIds: string[];
            /** Id of the member that speaks first from now on; null: as before, or nobody */
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
     * @description Changes a member. Needs a key with the scope `squads:write`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Removes a member with its handoffs. Needs a key with the scope `squads:write`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: {
            /**
             * Id of what is gone
             * @pattern ^mbr_[0-9a-z]{26}$
             */
            id: string;
            /** It is gone */
            deleted: true;
            /** Ids of the handoffs that went with it */
            removedHandoffIds: string[];
            /** Id of the member that speaks first from now on; null: as before, or nobody */
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
     * @description Links two members. Needs a key with the scope `squads:write`. With an Idempotency-Key the same request is carried out once.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Changes the handoff named by handoffId. Needs a key with the scope `squads:write`.
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
        /**
         * Id of the handoff
         * @maxLength 64
         */
        handoffId?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Removes the handoff named by handoffId. Needs a key with the scope `squads:write`.
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
         * Id of the handoff; needed when the query does not name it
         * @minLength 1
         * @maxLength 255
         */
        handoffId?: string;
      } | null,
      query?: {
        /**
         * Id of the handoff
         * @maxLength 64
         */
        handoffId?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: {
            /** Id of what is gone */
            id: string;
            /** It is gone */
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
     * @description Changes a handoff. Needs a key with the scope `squads:write`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Removes a handoff. Needs a key with the scope `squads:write`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: {
            /** Id of what is gone */
            id: string;
            /** It is gone */
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
     * @description Assistants, newest first. Needs a key with the scope `assistants:*`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
         * Number of rows on a page
         * @min 1
         * @max 200
         */
        limit?: number;
        /**
         * The nextCursor of the page before
         * @maxLength 512
         */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: Assistant[];
          /** Where this page ends */
          pagination: {
            /**
             * Number of rows that a page holds at most
             * @min 1
             * @max 200
             */
            limit: number;
            /** Send it as `cursor` for the next page; null: this is the last one */
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
     * @description Creates an assistant, not published yet. Needs a key with the scope `assistants:*`. With an Idempotency-Key the same request is carried out once.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description One assistant: its draft, and which version is published. Needs a key with the scope `assistants:*`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Changes the draft; what is published stays as it is. Needs a key with the scope `assistants:*`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Deletes an assistant that no squad uses. Needs a key with the scope `assistants:*`. 503 `NOT_READY` while the read model of squads is being built: nobody knows then whether one uses it.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: {
            /**
             * Id of what is gone
             * @pattern ^ast_[0-9a-z]{26}$
             */
            id: string;
            /** It is gone */
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
     * @description Freezes the draft as the next version. Needs a key with the scope `assistants:*`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description No call begins with it any more. Needs a key with the scope `assistants:*`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Published versions, newest first. Needs a key with the scope `assistants:*`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
         * Number of rows on a page
         * @min 1
         * @max 200
         */
        limit?: number;
        /**
         * The nextCursor of the page before
         * @maxLength 512
         */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: AssistantVersion[];
          /** Where this page ends */
          pagination: {
            /**
             * Number of rows that a page holds at most
             * @min 1
             * @max 200
             */
            limit: number;
            /** Send it as `cursor` for the next page; null: this is the last one */
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
     * @description Numbers to call from, newest first. Needs a key with the scope `phone-numbers:*`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
         * Number of rows on a page
         * @min 1
         * @max 200
         */
        limit?: number;
        /**
         * The nextCursor of the page before
         * @maxLength 512
         */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: PhoneNumber[];
          /** Where this page ends */
          pagination: {
            /**
             * Number of rows that a page holds at most
             * @min 1
             * @max 200
             */
            limit: number;
            /** Send it as `cursor` for the next page; null: this is the last one */
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
     * @description Adds a number to call from. Needs a key with the scope `phone-numbers:*`. With an Idempotency-Key the same request is carried out once.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description One number. Needs a key with the scope `phone-numbers:*`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Changes a number; an inactive one calls nobody. Needs a key with the scope `phone-numbers:*`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Deletes a number; campaigns that use it pause. Needs a key with the scope `phone-numbers:*`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: {
            /**
             * Id of what is gone
             * @pattern ^pn_[0-9a-z]{26}$
             */
            id: string;
            /** It is gone */
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
     * @description Tools, newest first. Needs a key with the scope `tools:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
         * Number of rows on a page
         * @min 1
         * @max 200
         */
        limit?: number;
        /**
         * The nextCursor of the page before
         * @maxLength 512
         */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: Tool[];
          /** Where this page ends */
          pagination: {
            /**
             * Number of rows that a page holds at most
             * @min 1
             * @max 200
             */
            limit: number;
            /** Send it as `cursor` for the next page; null: this is the last one */
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
     * @description Creates a tool. Needs a key with the scope `tools:write`. With an Idempotency-Key the same request is carried out once.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description One tool. Needs a key with the scope `tools:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Changes a tool; a config is given whole. Needs a key with the scope `tools:write`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Deletes a tool that no assistant uses. Needs a key with the scope `tools:write`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: {
            /**
             * Id of what is gone
             * @pattern ^tool_[0-9a-z]{26}$
             */
            id: string;
            /** It is gone */
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

    /**
     * @description Runs a tool now, really, and shows what left, what came back and what the model would see. Needs a key with the scope `tools:write`.
     *
     * @tags tools
     * @name TestTool
     * @summary Runs a tool now, really, and shows what left, what came back and what the model would see
     * @request POST:/api/v1/tools/{toolId}/test
     * @secure
     */
    testTool: (
      toolId: string,
      data: ToolTestRequest,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: ToolTest;
        },
        Error
      >({
        path: `/api/v1/tools/${encodeURIComponent(toolId)}/test`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),
  };
  secrets = {
    /**
     * @description Keeps a secret; its value is never read back. Needs a key with the scope `tools:write`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Deletes a secret. Needs a key with the scope `tools:write`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: {
            /** Name of what is gone */
            name: string;
            /** It is gone */
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
     * @description Names of secrets, by name. Needs a key with the scope `tools:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
         * Number of rows on a page
         * @min 1
         * @max 200
         */
        limit?: number;
        /**
         * The nextCursor of the page before
         * @maxLength 512
         */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: Secret[];
          /** Where this page ends */
          pagination: {
            /**
             * Number of rows that a page holds at most
             * @min 1
             * @max 200
             */
            limit: number;
            /** Send it as `cursor` for the next page; null: this is the last one */
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
  connections = {
    /**
     * @description Connections, newest first; before them the installation's own. Needs a key with the scope `admin`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
     *
     * @tags connections
     * @name ListConnections
     * @summary Connections, newest first; before them the installation's own
     * @request GET:/api/v1/connections
     * @secure
     */
    listConnections: (
      query?: {
        /**
         * Number of rows on a page
         * @min 1
         * @max 200
         */
        limit?: number;
        /**
         * The nextCursor of the page before
         * @maxLength 512
         */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: Connection[];
          /** Where this page ends */
          pagination: {
            /**
             * Number of rows that a page holds at most
             * @min 1
             * @max 200
             */
            limit: number;
            /** Send it as `cursor` for the next page; null: this is the last one */
            nextCursor: string | null;
          };
        },
        Error
      >({
        path: `/api/v1/connections`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Makes a connection; its secrets are never shown again. Needs a key with the scope `admin`. With an Idempotency-Key the same request is carried out once.
     *
     * @tags connections
     * @name CreateConnection
     * @summary Makes a connection; its secrets are never shown again
     * @request POST:/api/v1/connections
     * @secure
     */
    createConnection: (data: ConnectionRequest, params: RequestParams = {}) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: Connection;
        },
        Error
      >({
        path: `/api/v1/connections`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description One connection, without its secrets. Needs a key with the scope `admin`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
     *
     * @tags connections
     * @name GetConnection
     * @summary One connection, without its secrets
     * @request GET:/api/v1/connections/{id}
     * @secure
     */
    getConnection: (id: string, params: RequestParams = {}) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: Connection;
        },
        Error
      >({
        path: `/api/v1/connections/${encodeURIComponent(id)}`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Changes a connection; of settings and secrets what is left out stays. Needs a key with the scope `admin`.
     *
     * @tags connections
     * @name ChangeConnection
     * @summary Changes a connection; of settings and secrets what is left out stays
     * @request PATCH:/api/v1/connections/{id}
     * @secure
     */
    changeConnection: (
      id: string,
      data: ConnectionChanges,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: Connection;
        },
        Error
      >({
        path: `/api/v1/connections/${encodeURIComponent(id)}`,
        method: "PATCH",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description Deletes a connection that nothing uses. Needs a key with the scope `admin`.
     *
     * @tags connections
     * @name DeleteConnection
     * @summary Deletes a connection that nothing uses
     * @request DELETE:/api/v1/connections/{id}
     * @secure
     */
    deleteConnection: (id: string, params: RequestParams = {}) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: {
            /**
             * Id of what is gone
             * @pattern ^conn_[0-9a-z]{26}$
             */
            id: string;
            /** It is gone */
            deleted: true;
          };
        },
        Error
      >({
        path: `/api/v1/connections/${encodeURIComponent(id)}`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Asks the other side now; 200 also when that goes wrong. Needs a key with the scope `admin`.
     *
     * @tags connections
     * @name CheckConnection
     * @summary Asks the other side now; 200 also when that goes wrong
     * @request POST:/api/v1/connections/{id}/check
     * @secure
     */
    checkConnection: (
      id: string,
      data?: object | null,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: ConnectionCheck;
        },
        Error
      >({
        path: `/api/v1/connections/${encodeURIComponent(id)}/check`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),
  };
  suppressions = {
    /**
     * @description Nobody calls this number any more, or these 1 to 10,000. Needs a key with the scope `calls:write`. With an Idempotency-Key the same request is carried out once.
     *
     * @tags suppressions
     * @name AddSuppression
     * @summary Nobody calls this number any more, or these 1 to 10,000
     * @request POST:/api/v1/suppressions
     * @secure
     */
    addSuppression: (data: SuppressionRequest, params: RequestParams = {}) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: Suppression | SuppressionReport;
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
     * @description Numbers that nobody calls, newest first. Needs a key with the scope `calls:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
         * Number of rows on a page
         * @min 1
         * @max 200
         */
        limit?: number;
        /**
         * The nextCursor of the page before
         * @maxLength 512
         */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: Suppression[];
          /** Where this page ends */
          pagination: {
            /**
             * Number of rows that a page holds at most
             * @min 1
             * @max 200
             */
            limit: number;
            /** Send it as `cursor` for the next page; null: this is the last one */
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
     * @description The number may be called again. Needs a key with the scope `calls:write`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: {
            /**
             * The number that may be called again, E.164
             * @pattern ^\+[1-9]\d{6,14}$
             */
            phoneNumber: string;
            /** It is gone */
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
     * @description Where webhooks go and how they fare; null when nothing was ever set. Needs a key with the scope `webhooks:*`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Sets where webhooks go. Needs a key with the scope `webhooks:*`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Shows the secret; makes it when there is none. Needs a key with the scope `webhooks:*`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Makes a new secret; the old one signs as well for a while. Needs a key with the scope `webhooks:*`.
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
         * Seconds in which both secrets sign (default 86400)
         * @min 0
         * @max 604800
         */
        overlapSeconds?: number;
      } | null,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Sends a signed sample now. Needs a key with the scope `webhooks:*`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Deliveries, newest first. Needs a key with the scope `webhooks:*`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
     *
     * @tags webhooks
     * @name ListDeliveries
     * @summary Deliveries, newest first
     * @request GET:/api/v1/webhook/deliveries
     * @secure
     */
    listDeliveries: (
      query?: {
        /** Only this kind of event */
        event?:
          | "call.started"
          | "call.ended"
          | "campaign.started"
          | "campaign.paused"
          | "campaign.resumed"
          | "campaign.completed"
          | "campaign.cancelled";
        /** Only those with this status */
        status?:
          | "pending"
          | "sending"
          | "delivered"
          | "retrying"
          | "held"
          | "dead";
        /**
         * Only deliveries of this call
         * @maxLength 64
         */
        callId?: string;
        /**
         * Number of rows on a page
         * @min 1
         * @max 200
         */
        limit?: number;
        /**
         * The nextCursor of the page before
         * @maxLength 512
         */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: WebhookDelivery[];
          /** Where this page ends */
          pagination: {
            /**
             * Number of rows that a page holds at most
             * @min 1
             * @max 200
             */
            limit: number;
            /** Send it as `cursor` for the next page; null: this is the last one */
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
     * @description One delivery with its attempts. Needs a key with the scope `webhooks:*`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Sends the same event again, as a delivery of its own. Needs a key with the scope `webhooks:*`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Sends every event of a range again. Needs a key with the scope `webhooks:*`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Everything that happened to this owner's calls, campaigns and squads, oldest first. Needs a key with the scope `events:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most. `cursor` and `after` both take the position to go on after, which is `pagination.nextCursor`; with `order=desc` `cursor` and `before` take the one to go on in front of. With `Accept: text/event-stream` it follows live; `Last-Event-ID` resumes. A stream begins with the id that it goes on after; one that the service ends closes with `event: closing`, whose data says why.
     *
     * @tags history
     * @name ListEvents
     * @summary Everything that happened to this owner's calls, campaigns and squads, oldest first
     * @request GET:/api/v1/events
     * @secure
     */
    listEvents: (
      query?: {
        /**
         * Events behind this position; `now`: none that was, X-Event-Position says where to go on
         * @maxLength 128
         */
        after?: string;
        /**
         * Events in front of this position; not for a stream
         * @maxLength 128
         */
        before?: string;
        /** desc: the newest first, the cursor goes backward; not for a stream */
        order?: "asc" | "desc";
        /**
         * Events of a campaign and of its calls, at most 10,000 positions back; calls that began before the upgrade to this release are left out
         * @maxLength 64
         */
        campaignId?: string;
        /**
         * Only events of these types, separated by commas
         * @pattern ^[A-Za-z]{1,64}(,[A-Za-z]{1,64}){0,49}$
         */
        types?: string;
        /**
         * Only events of the call, campaign or squad with this id
         * @maxLength 64
         */
        stream?: string;
        /**
         * Number of rows on a page
         * @min 1
         * @max 200
         */
        limit?: number;
        /**
         * The nextCursor of the page before
         * @maxLength 512
         */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: OwnerEvent[];
          /** Where this page ends */
          pagination: {
            /**
             * Number of rows that a page holds at most
             * @min 1
             * @max 200
             */
            limit: number;
            /** Send it as `cursor` for the next page; null: this is the last one */
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

    /**
     * @description What has this name or number, newest first, at most 10 of a kind. Needs a key, of any scope. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most. Digits match any part of a number, letters the beginning of a word of a name, whatever their case and marks. Kinds that the key may not read are empty. What was said is never searched. 503 while the index is built after an upgrade.
     *
     * @tags history
     * @name Search
     * @summary What has this name or number, newest first, at most 10 of a kind
     * @request GET:/api/v1/search
     * @secure
     */
    search: (
      query: {
        /**
         * 3 to 100 characters: digits of a number, or the beginning of a word of a name
         * @minLength 3
         * @maxLength 100
         */
        q: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: SearchAnswer;
        },
        Error
      >({
        path: `/api/v1/search`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Why this number was, or was not, called. Needs a key with the scope `calls:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most. Its entry of the do-not-call list, the contacts that have it, the calls to it, and for each contact why it is as it is now; newest first, at most 200 of each. Of a number that an import refused, as its file had it, a verdict tells; of each import the first 100 refused rows are known. A number that nobody knows has empty lists. Contacts and verdicts need the scope campaigns:read and are empty without it.
     *
     * @tags history
     * @name GetNumber
     * @summary Why this number was, or was not, called
     * @request GET:/api/v1/numbers/{phoneNumber}
     * @secure
     */
    getNumber: (phoneNumber: string, params: RequestParams = {}) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: NumberHistory;
        },
        Error
      >({
        path: `/api/v1/numbers/${encodeURIComponent(phoneNumber)}`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),
  };
  account = {
    /**
     * @description Balance, reservations and plan. Needs a key with the scope `account:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Changes for how long what is said on calls is kept. Needs a key with the scope `admin`.
     *
     * @tags account
     * @name ChangeAccount
     * @summary Changes for how long what is said on calls is kept
     * @request PATCH:/api/v1/account
     * @secure
     */
    changeAccount: (data: AccountChanges, params: RequestParams = {}) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: Account;
        },
        Error
      >({
        path: `/api/v1/account`,
        method: "PATCH",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description What this owner may do at once. Needs a key with the scope `account:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Adds credits, once for each reference. Needs a key with the scope `operator`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Every movement of credits, newest first. Needs a key with the scope `account:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
         * Number of rows on a page
         * @min 1
         * @max 200
         */
        limit?: number;
        /**
         * The nextCursor of the page before
         * @maxLength 512
         */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: LedgerEntry[];
          /** Where this page ends */
          pagination: {
            /**
             * Number of rows that a page holds at most
             * @min 1
             * @max 200
             */
            limit: number;
            /** Send it as `cursor` for the next page; null: this is the last one */
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

    /**
     * @description Calls, talk and tokens of each UTC day, oldest first. Needs a key with the scope `account:read`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most. Every UTC day that `from` (inclusive) to `until` (exclusive) touches, 366 at the most; left out: the last 30, today included. A call counts on the day on which it was created, with all its talk and tokens.
     *
     * @tags account
     * @name GetUsage
     * @summary Calls, talk and tokens of each UTC day, oldest first
     * @request GET:/api/v1/account/usage
     * @secure
     */
    getUsage: (
      query?: {
        /**
         * From the day of this time: ISO 8601 with offset
         * @format date-time
         * @maxLength 40
         */
        from?: string;
        /**
         * To the day of this time; the time itself is excluded: ISO 8601 with offset
         * @format date-time
         * @maxLength 40
         */
        until?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: Usage;
        },
        Error
      >({
        path: `/api/v1/account/usage`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  apiKeys = {
    /**
     * @description Makes a key; it is shown in this one answer. Needs a key with the scope `admin`. With an Idempotency-Key the same request is carried out once.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Keys of this owner, newest first; never their secrets. Needs a key with the scope `admin`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
         * Number of rows on a page
         * @min 1
         * @max 200
         */
        limit?: number;
        /**
         * The nextCursor of the page before
         * @maxLength 512
         */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: ApiKey[];
          /** Where this page ends */
          pagination: {
            /**
             * Number of rows that a page holds at most
             * @min 1
             * @max 200
             */
            limit: number;
            /** Send it as `cursor` for the next page; null: this is the last one */
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
     * @description Revokes a key at once. Needs a key with the scope `admin`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: {
            /**
             * Id of what is gone
             * @pattern ^key_[0-9a-z]{26}$
             */
            id: string;
            /** It is gone */
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
  personalData = {
    /**
     * @description Erases what was said on a call, for good. Needs a key with the scope `admin`.
     *
     * @tags personal data
     * @name EraseCallContent
     * @summary Erases what was said on a call, for good
     * @request DELETE:/api/v1/calls/{callId}/content
     * @secure
     */
    eraseCallContent: (callId: string, params: RequestParams = {}) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: Erasure;
        },
        Error
      >({
        path: `/api/v1/calls/${encodeURIComponent(callId)}/content`,
        method: "DELETE",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Erases what was said on a call, or on all calls to a number, for good. Needs a key with the scope `admin`. With an Idempotency-Key the same request is carried out once.
     *
     * @tags personal data
     * @name Erase
     * @summary Erases what was said on a call, or on all calls to a number, for good
     * @request POST:/api/v1/erasures
     * @secure
     */
    erase: (data: ErasureRequest, params: RequestParams = {}) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: Erasure;
        },
        Error
      >({
        path: `/api/v1/erasures`,
        method: "POST",
        body: data,
        secure: true,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description What was erased, newest first. Needs a key with the scope `admin`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
     *
     * @tags personal data
     * @name ListErasures
     * @summary What was erased, newest first
     * @request GET:/api/v1/erasures
     * @secure
     */
    listErasures: (
      query?: {
        /**
         * Number of rows on a page
         * @min 1
         * @max 200
         */
        limit?: number;
        /**
         * The nextCursor of the page before
         * @maxLength 512
         */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: Erasure[];
          /** Where this page ends */
          pagination: {
            /**
             * Number of rows that a page holds at most
             * @min 1
             * @max 200
             */
            limit: number;
            /** Send it as `cursor` for the next page; null: this is the last one */
            nextCursor: string | null;
          };
        },
        Error
      >({
        path: `/api/v1/erasures`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  users = {
    /**
     * @description Makes an owner with a first admin key, which is shown in this one answer. Needs a key with the scope `operator`. With an Idempotency-Key the same request is carried out once.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Owners, newest first. Needs a key with the scope `operator`. X-Min-Event-Position makes it wait for an earlier write, 2 seconds at most.
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
         * Number of rows on a page
         * @min 1
         * @max 200
         */
        limit?: number;
        /**
         * The nextCursor of the page before
         * @maxLength 512
         */
        cursor?: string;
      },
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: User[];
          /** Where this page ends */
          pagination: {
            /**
             * Number of rows that a page holds at most
             * @min 1
             * @max 200
             */
            limit: number;
            /** Send it as `cursor` for the next page; null: this is the last one */
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
     * @description Makes a new admin key for an owner that lost its own; it is shown in this one answer. Needs a key with the scope `operator`. With an Idempotency-Key the same request is carried out once.
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
         * What the key is for
         * @minLength 1
         * @maxLength 255
         */
        name?: string;
      } | null,
      params: RequestParams = {},
    ) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
     * @description Changes name, plan or whether the owner is active. Needs a key with the scope `operator`.
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
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
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
  sessions = {
    /**
     * @description Signs a browser in with an API key. Needs no key. The answer sets a cookie, which stands for the key in every request without Authorization. Ten failures a minute from one address, and it is asked to wait.
     *
     * @tags sessions
     * @name StartSession
     * @summary Signs a browser in with an API key
     * @request POST:/api/v1/session
     */
    startSession: (data: SignIn, params: RequestParams = {}) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: Session;
        },
        Error
      >({
        path: `/api/v1/session`,
        method: "POST",
        body: data,
        type: "application/json",
        format: "json",
        ...params,
      }),

    /**
     * @description Whose session the cookie is. Needs no key. A request with Authorization has none: its cookie is not looked at.
     *
     * @tags sessions
     * @name GetSession
     * @summary Whose session the cookie is
     * @request GET:/api/v1/session
     */
    getSession: (params: RequestParams = {}) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: Session;
        },
        Error
      >({
        path: `/api/v1/session`,
        method: "GET",
        format: "json",
        ...params,
      }),

    /**
     * @description Signs out; may be repeated. Needs no key.
     *
     * @tags sessions
     * @name EndSession
     * @summary Signs out; may be repeated
     * @request DELETE:/api/v1/session
     */
    endSession: (params: RequestParams = {}) =>
      this.http.request<
        {
          /** true: it was done; false: it was refused, and `error` says why */
          success: true;
          /** The answer itself */
          data: SignedOut;
        },
        Error
      >({
        path: `/api/v1/session`,
        method: "DELETE",
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
  "/api/v1/campaigns/{id}/test-call",
  "/api/v1/squads",
  "/api/v1/squads/{id}/members",
  "/api/v1/squads/{id}/handoffs",
  "/api/v1/assistants",
  "/api/v1/phone-numbers",
  "/api/v1/tools",
  "/api/v1/connections",
  "/api/v1/suppressions",
  "/api/v1/api-keys",
  "/api/v1/erasures",
  "/api/v1/users",
  "/api/v1/users/{id}/api-keys",
  "/api/v1/campaigns/import",
];
