import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller, Outcome } from "../../application/outcome.ts";
import type { IdOf, SquadId } from "../../domain/shared/ids.ts";
import { pathParams } from "../answers.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { pathId } from "../ids.ts";
import { readYourOwnWrite } from "../positions.ts";
import { type ItemNames, NOT_FOUND, namedItem } from "./named-item.ts";

export const TAGS = ["squads"];
const scope = "squads:write" as const;

/** A request about a member or a handoff: whose squad, and how it names it. */
export type AboutPart = { readonly caller: Caller; readonly squad: string; readonly names: ItemNames };

export function aboutPart(
  request: FastifyRequest & { readonly params: { readonly id: string } },
  names: ItemNames,
): AboutPart {
  return { caller: callerOf(request), squad: request.params.id, names };
}

/**
 * What the routes of members and of handoffs share: each is changed and removed by its path, or
 * named by query or body.
 */
export function squadPart<Prefix extends "mbr" | "hnd", Field extends string>(prefix: Prefix, field: Field) {
  const errors = ["SQUAD_NOT_FOUND", NOT_FOUND[prefix]] as const;
  return {
    named: {
      schema: { tags: TAGS, params: pathParams("id") },
      config: { scope, errors: [...errors, `${NOT_FOUND[prefix]}@400` as const] },
    },
    inPath: {
      schema: { tags: TAGS, params: pathParams<"id" | Field>("id", field) },
      config: { scope, errors },
    },
    /** Carries `act` out on the part that is named, and waits until it can be read. */
    write: async <Value>(
      deps: ApiDeps,
      reply: FastifyReply,
      { squad, names }: AboutPart,
      act: (squadId: SquadId, id: IdOf[Prefix]) => Promise<Outcome<Value>>,
    ) => {
      const squadId = pathId("sqd", squad);
      const { id, errorOf } = namedItem(prefix, field, names);
      const outcome = await act(squadId, id);
      if (!outcome.ok) throw errorOf(outcome.refusal);
      await readYourOwnWrite(deps, reply, outcome.position);
      return { squadId, id, value: outcome.value };
    },
  };
}
