/** The request for a WebSocket, before its upgrade. */
export type UpgradeRequest = {
  /** As received, with its query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
};

/** A WebSocket for text. After its end everything is ignored. */
export interface TextSocket {
  send(text: string): void;
  /** Bytes that are queued and not sent yet. */
  waiting(): number;
  /** Codes of RFC 6455, 7.4. */
  close(code: number, reason: string): void;
  /**
   * One listener each. What comes before it is set is not lost, if it is set within the same
   * turn of the event loop.
   */
  onText(listener: (text: string) => void): void;
  onClose(listener: (code: number) => void): void;
}

/** A WebSocket route outside of /api/v1, with its own access rules. */
export interface SocketEntrance {
  /** Path of the route: `/carrier/…/:callId/relay`. */
  readonly path: string;
  /** The answer instead of the upgrade; null: accepted. */
  refuses(request: UpgradeRequest): Promise<{ readonly status: number; readonly message: string } | null>;
  open(request: UpgradeRequest, socket: TextSocket): void;
  /** Closes every socket as going away (1001), and refuses new ones with 503. */
  leave(): void;
}

/** A request of a carrier before parsing: some carriers sign the URL and the body as received. */
export type CarrierRequest = UpgradeRequest & { readonly method: string; readonly rawBody: Uint8Array };

export type CarrierAnswer = {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: string;
};

/** A route outside of /api/v1, with its own access rules. A body is at most 64 KiB. */
export interface RequestEntrance {
  readonly method: "POST" | "GET";
  /** Path of the route: `/carrier/…/:callId/status`. */
  readonly path: string;
  /** Never rejects because of the content of the request. */
  answer(request: CarrierRequest): Promise<CarrierAnswer>;
}
