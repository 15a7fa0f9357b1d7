/** The request that asks for a socket, before its upgrade. */
export type UpgradeRequest = {
  /** With its query, as it came. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
};

/** A socket that carries text. After its end everything is ignored. */
export interface TextSocket {
  send(text: string): void;
  /** Bytes that were sent and have not left yet. */
  waiting(): number;
  /** Codes of RFC 6455, 7.4. */
  close(code: number, reason: string): void;
  /** One listener each; nothing is lost that came before it was set within the same turn of the event loop. */
  onText(listener: (text: string) => void): void;
  onClose(listener: (code: number) => void): void;
}

/** A WebSocket outside /api/v1, with a judgement of its own about who may come in. */
export interface SocketEntrance {
  /** Of the route: `/carrier/…/:callId/relay`. */
  readonly path: string;
  /** Answered in place of the upgrade; null: let in. */
  refuses(request: UpgradeRequest): Promise<{ readonly status: number; readonly message: string } | null>;
  open(request: UpgradeRequest, socket: TextSocket): void;
  /** Every socket is closed as going away (1001), and whoever comes after is refused with 503. */
  leave(): void;
}

/** A request that a carrier makes, before anything is read into it: some carriers sign the URL and the body as they came. */
export type CarrierRequest = UpgradeRequest & { readonly method: string; readonly rawBody: Uint8Array };

export type CarrierAnswer = {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: string;
};

/** A route outside /api/v1, with a judgement of its own about who may come in. A body is at most 64 KiB. */
export interface RequestEntrance {
  readonly method: "POST" | "GET";
  /** Of the route: `/carrier/…/:callId/status`. */
  readonly path: string;
  /** Never rejects for what is in the request. */
  answer(request: CarrierRequest): Promise<CarrierAnswer>;
}
