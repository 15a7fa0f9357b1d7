/** The settings of an assistant that decide how a session listens. */
export type AudioSettings = {
  /** BCP 47; null: the server's own. */
  readonly language: string | null;
  /** Silence that ends a turn of the customer. */
  readonly endSilenceMillis: number;
  /** Silence of both sides that is reported. */
  readonly silenceTimeoutMillis: number;
};
