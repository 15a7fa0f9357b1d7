import type { OpenCarrier } from "../../application/ports/carrier.ts";
import type {
  CarrierAnswer,
  RequestEntrance,
  SocketEntrance,
  UpgradeRequest,
} from "../../application/ports/entrances.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { isClaimed } from "./twilio/signatures.ts";

/**
 * The open carrier of a call's dial; for a call that was not dialled, and for none (null), one that can check
 * the request. null: there is none, or its connection was deleted.
 */
export type CarrierOfCall = (callId: CallId | null) => Promise<OpenCarrier | null>;

type Path = `/carrier/${string}/:callId/${string}`;

/**
 * Routes for all carriers' requests, whatever connections exist: the call in the path decides
 * which of them answers.
 */
const REQUESTS: readonly { readonly method: RequestEntrance["method"]; readonly path: Path }[] = [
  { method: "POST", path: "/carrier/twilio/:callId/status" },
  { method: "POST", path: "/carrier/twilio/:callId/recording" },
  { method: "POST", path: "/carrier/twilio/:callId/machine" },
  { method: "POST", path: "/carrier/twilio/:callId/action" },
];
const SOCKETS: readonly Path[] = ["/carrier/twilio/:callId/relay"];

/** Without a carrier no signature can be checked: the answer is that for a wrong signature. */
const NOT_SIGNED = { status: 403, message: "The request is not signed by the carrier" };
const REFUSED: CarrierAnswer = { status: 403, contentType: "text/plain", body: NOT_SIGNED.message };

export function carrierRequests(carrierOf: CarrierOfCall): readonly RequestEntrance[] {
  return REQUESTS.map(({ method, path }) => ({
    method,
    path,
    answer: async (request) => {
      const opened = await openedFor(carrierOf, request);
      const entrance = opened?.requests.find((each) => each.method === method && each.path === path);
      return entrance === undefined ? REFUSED : entrance.answer(request);
    },
  }));
}

export function carrierSockets(carrierOf: CarrierOfCall): readonly SocketEntrance[] {
  return SOCKETS.map((path) => socketEntrance(path, carrierOf));
}

function socketEntrance(path: Path, carrierOf: CarrierOfCall): SocketEntrance {
  /**
   * Accepted sockets that are not open yet. The headers object of a request is the same from its
   * check to its upgrade.
   */
  const letIn = new WeakMap<UpgradeRequest["headers"], SocketEntrance>();
  let leaving = false;
  return {
    path,
    refuses: async (request) => {
      if (leaving) return { status: 503, message: "The service is stopping" };
      const opened = await openedFor(carrierOf, request);
      const entrance = opened?.sockets.find((each) => each.path === path);
      if (entrance === undefined) return NOT_SIGNED;
      const refusal = await entrance.refuses(request);
      if (refusal === null) letIn.set(request.headers, entrance);
      return refusal;
    },
    open: (request, socket) => {
      const entrance = letIn.get(request.headers);
      if (entrance === undefined || leaving) socket.close(1_001, "stopping");
      else entrance.open(request, socket);
    },
    // Each open carrier closes its own sockets.
    leave: () => {
      leaving = true;
    },
  };
}

/** A request without a signature is refused without a look at its call. */
function openedFor(carrierOf: CarrierOfCall, request: UpgradeRequest): Promise<OpenCarrier | null> {
  const { callId } = request.params;
  if (callId === undefined || !/^call_[\w-]{1,64}$/.test(callId)) return Promise.resolve(null);
  return carrierOf(isClaimed(request) ? (callId as CallId) : null);
}
