export const CONNECTION_KINDS = ["model", "postgres", "twilio", "asterisk"] as const;
export type ConnectionKind = (typeof CONNECTION_KINDS)[number];
export const CARRIERS: readonly ConnectionKind[] = ["twilio", "asterisk"];
