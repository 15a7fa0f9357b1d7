/** What of an assistant decides how a session listens. */
export type AudioSettings = {
  /** BCP 47; null: the server's own. */
  readonly language: string | null;
  /** So much silence ends a turn of the customer. */
  readonly endSilenceMillis: number;
  /** So much silence of both is told. */
  readonly silenceTimeoutMillis: number;
};
