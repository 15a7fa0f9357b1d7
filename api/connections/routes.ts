import type { AddressRefused } from "../../application/ports/configuration/connections.ts";
import { connectionRoutes } from "../../contract/connection.ts";
import { connectionCheckRoutes } from "../../contract/connection-check.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import { concurrencyOf } from "../concurrency.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError, validationError } from "../errors.ts";
import { found, parseId, pathId } from "../ids.ts";
import { changed, deleted, listed, made, shown } from "../records.ts";
import { of } from "../route.ts";
import { URL_PROBLEMS } from "../url-problems.ts";
import { changesOf, immutable } from "./changes.ts";
import { draftOf } from "./draft.ts";

const CHECKS_AT_ONCE = 4;

const connections = { list: "connections", parse: (text: string) => parseId("conn", text) };

/** docs/connections.md. */
export function registerConnections(api: Api, deps: ApiDeps): void {
  registerReading(api, deps);
  registerWriting(api, deps);
  registerChecking(api, deps);
}

function registerReading(api: Api, { configuration }: ApiDeps): void {
  api.route({
    ...of(connectionRoutes.listConnections),
    handler: (request) =>
      listed(connections, request.query, (page) =>
        configuration.connections.list(callerOf(request).owner, page),
      ),
  });
  api.route({
    ...of(connectionRoutes.getConnection),
    handler: (request) =>
      shown("conn", request.params.id, (id) => configuration.connections.get(callerOf(request).owner, id)),
  });
}

function registerWriting(api: Api, deps: ApiDeps): void {
  const { connections } = deps.configuration;
  api.route({
    ...of(connectionRoutes.createConnection),
    handler: (request, reply) =>
      made(deps, request, reply, ["conn", "connectionId"], async (id) => {
        const created = await connections.create(callerOf(request).owner, id, draftOf(request.body));
        if (!created.saved) throw addressProblem(created);
        return created.value.value;
      }),
  });
  api.route({
    ...of(connectionRoutes.changeConnection),
    handler: (request, reply) =>
      changed(deps, reply, "conn", request.params.id, async (id) => {
        const { owner } = callerOf(request);
        const before = found("conn", await connections.get(owner, id));
        const saved = await connections.change(owner, id, changesOf(before, request.body));
        if (saved.saved) return saved.value;
        if (saved.reason === "address_refused") throw addressProblem(saved);
        return null;
      }),
  });
  api.route({
    ...of(connectionRoutes.deleteConnection),
    handler: (request, reply) =>
      deleted(deps, reply, "conn", request.params.id, async (id) => {
        const deletion = await connections.delete(callerOf(request).owner, id);
        if (!deletion.saved && deletion.reason !== "not_found") throw deletionProblem(deletion);
        return deletion.saved;
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

type Kept = Extract<
  Awaited<ReturnType<ApiDeps["configuration"]["connections"]["delete"]>>,
  { saved: false; reason: "default" | "in_use" }
>;

function deletionProblem(kept: Kept): ApiError {
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
      const id = pathId("conn", request.params.id);
      const leave = enter(owner);
      try {
        return data(found("conn", await connectionChecks.check(owner, id)));
      } finally {
        leave();
      }
    },
  });
}
