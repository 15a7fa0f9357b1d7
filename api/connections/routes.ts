import type { AddressRefused } from "../../application/ports/configuration/connections.ts";
import { connectionRoutes } from "../../contract/connection.ts";
import { connectionCheckRoutes } from "../../contract/connection-check.ts";
import type { ConnectionId } from "../../domain/shared/ids.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import { concurrencyOf } from "../concurrency.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError, validationError } from "../errors.ts";
import { once } from "../idempotency.ts";
import { found, parseId, pathId, unknownId } from "../ids.ts";
import { listAnswer, pageRequest } from "../pagination.ts";
import { configurationWritten } from "../positions.ts";
import { of } from "../route.ts";
import { URL_PROBLEMS } from "../url-problems.ts";
import { changesOf, immutable } from "./changes.ts";
import { draftOf } from "./draft.ts";

const CHECKS_AT_ONCE = 4;

const connections = {
  list: "connections",
  parse: (text: string) => (isOfInstallation(text) ? text : parseId("conn", text)),
};

/** The installation's defaults are named after their kind. */
function isOfInstallation(text: string): text is ConnectionId {
  return /^conn_default_[a-z]+$/.test(text);
}

/** docs/connections.md. */
export function registerConnections(api: Api, deps: ApiDeps): void {
  registerReading(api, deps);
  registerCreating(api, deps);
  registerChanging(api, deps);
  registerChecking(api, deps);
}

function idIn(text: string): ConnectionId {
  return isOfInstallation(text) ? text : pathId("conn", text);
}

function registerReading(api: Api, { configuration }: ApiDeps): void {
  api.route({
    ...of(connectionRoutes.listConnections),
    handler: async (request) => {
      const page = pageRequest<ConnectionId>(connections, request.query);
      const found = await configuration.connections.list(callerOf(request).owner, page);
      return listAnswer(connections, page, found);
    },
  });
  api.route({
    ...of(connectionRoutes.getConnection),
    handler: async (request) => {
      const id = idIn(request.params.id);
      return data(found("conn", await configuration.connections.get(callerOf(request).owner, id)));
    },
  });
}

function registerCreating(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(connectionRoutes.createConnection),
    handler: (request, reply) =>
      once(deps, request, reply, {
        ids: { connectionId: deps.ids.next("conn") },
        make: async (made) => {
          const id = found("conn", parseId("conn", String(made["connectionId"])));
          const draft = draftOf(request.body);
          const created = await deps.configuration.connections.create(callerOf(request).owner, id, draft);
          if (!created.saved) throw addressProblem(created);
          await configurationWritten(deps, reply);
          return { status: 201, body: data(created.value.value) };
        },
      }),
  });
}

function addressProblem({ setting, refusal }: AddressRefused): ApiError {
  const message =
    setting === "tls"
      ? "Must be true: without TLS the host must lie in CONNECTION_ALLOW_CIDRS"
      : URL_PROBLEMS[refusal];
  return validationError("The request body", [{ path: ["settings", setting], message }]);
}

function registerChanging(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(connectionRoutes.changeConnection),
    handler: async (request, reply) => {
      const { owner } = callerOf(request);
      const id = idIn(request.params.id);
      const before = found("conn", await deps.configuration.connections.get(owner, id));
      const changes = changesOf(before, request.body);
      const changed = await deps.configuration.connections.change(owner, id, changes);
      if (!changed.saved)
        throw changed.reason === "address_refused" ? addressProblem(changed) : unknownId("conn");
      await configurationWritten(deps, reply);
      return data(changed.value);
    },
  });
  api.route({
    ...of(connectionRoutes.deleteConnection),
    handler: async (request, reply) => {
      const id = idIn(request.params.id);
      const gone = await deps.configuration.connections.delete(callerOf(request).owner, id);
      if (!gone.saved) throw deletionProblem(gone);
      await configurationWritten(deps, reply);
      return data({ id, deleted: true as const });
    },
  });
}

type Kept = Extract<Awaited<ReturnType<ApiDeps["configuration"]["connections"]["delete"]>>, { saved: false }>;

function deletionProblem(kept: Kept): ApiError {
  if (kept.reason === "not_found") return unknownId("conn");
  if (kept.reason === "default")
    return immutable("The installation's own connection is set in its environment");
  const users = kept.usedBy.slice(0, 10).join(", ");
  return new ApiError("CONNECTION_IN_USE", `This connection is used by: ${users}`);
}

function registerChecking(api: Api, { connectionChecks }: ApiDeps): void {
  const enter = concurrencyOf(CHECKS_AT_ONCE, "connection checks of this owner");
  api.route({
    ...of(connectionCheckRoutes.checkConnection),
    handler: async (request) => {
      const { owner } = callerOf(request);
      const id = idIn(request.params.id);
      const leave = enter(owner);
      try {
        return data(found("conn", await connectionChecks.check(owner, id)));
      } finally {
        leave();
      }
    },
  });
}
