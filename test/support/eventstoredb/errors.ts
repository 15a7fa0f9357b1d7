import { Metadata, type ServiceError, status } from "@grpc/grpc-js";

/** A refusal with the trailers by which the official client knows it. */
export function serviceError(
  code: status,
  details: string,
  trailers: Readonly<Record<string, string>> = {},
): ServiceError {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return Object.assign(new Error(details), { code, details, metadata });
}

export const MAX_APPEND_DATA_BYTES = 1_048_576;

export const unavailable = (): ServiceError => serviceError(status.UNAVAILABLE, "Connection dropped");
export const notReady = (): ServiceError => serviceError(status.UNAVAILABLE, "Server Is Not Ready");
export const tooBusy = (): ServiceError => serviceError(status.UNAVAILABLE, "Server Is Too Busy");
export const cancelledByServer = (): ServiceError =>
  serviceError(status.CANCELLED, "The call was cancelled by the server");
export const timedOut = (): ServiceError =>
  serviceError(status.ABORTED, "Operation timed out: Prepare phase timeout");
export const thrownByHandler = (): ServiceError =>
  serviceError(status.UNKNOWN, "Exception was thrown by handler.");
export const invalidPosition = (): ServiceError =>
  serviceError(status.UNKNOWN, "Unexpected ReadAllResult: Error");

export function consumerTooSlow(): ServiceError {
  return serviceError(
    status.ABORTED,
    "Operation timed out: Consumer too slow to handle event while live. Client resubscription required.",
  );
}

export function streamDeleted(stream: string): ServiceError {
  return serviceError(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: "stream-deleted",
    "stream-name": encodeURIComponent(stream),
  });
}

export function appendTooLarge(): ServiceError {
  return serviceError(status.INVALID_ARGUMENT, `Maximum Append Size of ${MAX_APPEND_DATA_BYTES} Exceeded.`, {
    exception: "maximum-append-size-exceeded",
    "maximum-append-size": String(MAX_APPEND_DATA_BYTES),
  });
}

/** The leader that it names is the server itself, so that the client finds somebody there. */
export function notLeader(port: number): ServiceError {
  return serviceError(status.NOT_FOUND, `Leader info available. 127.0.0.1:${port}`, {
    exception: "not-leader",
    "leader-endpoint-host": "127.0.0.1",
    "leader-endpoint-port": String(port),
  });
}
