/** What a connection is for (docs/api.md §3). */
export type ConnectionKind = "twilio" | "asterisk" | "model" | "postgres";
