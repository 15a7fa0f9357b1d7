import type { FastifyReply, FastifyRequest } from "fastify";
import type { Page, PageRequest } from "../application/ports/queries/pages.ts";
import type { IdOf } from "../domain/shared/ids.ts";
import { data } from "./answers.ts";
import type { ApiDeps } from "./deps.ts";
import { once } from "./idempotency.ts";
import { found, type PathPrefix, parseId, pathId, unknownId } from "./ids.ts";
import { type CursorKey, listAnswer, type PageQuery, pageRequest } from "./pagination.ts";
import { configurationWritten } from "./positions.ts";

// What routes of records answer that are listed, shown, made, changed and deleted alike. `text` is the id in
// the path; what is special about a kind, its refusals too, stands in the functions that its routes give.

type Success<Value> = { readonly success: true; readonly data: Value };

/** The page of a list that the query asks for. */
export async function listed<Row, Key extends string | number>(
  cursor: CursorKey<Key>,
  query: PageQuery,
  read: (page: PageRequest<Key>) => Promise<Page<Row, Key>>,
) {
  const page = pageRequest(cursor, query);
  return listAnswer(cursor, page, await read(page));
}

/** The record, or 404. */
export async function shown<Prefix extends PathPrefix, Value>(
  prefix: Prefix,
  text: string,
  read: (id: IdOf[Prefix]) => Promise<Value | null>,
) {
  return data(found(prefix, await read(pathId(prefix, text))));
}

/**
 * Made once for each Idempotency-Key. Of the new id its prefix, and the name under which it is stored with
 * the key; `kept`: what a repeat is answered, if it differs.
 */
export function made<Prefix extends PathPrefix, Value>(
  deps: Pick<ApiDeps, "eventStore" | "idempotency" | "ids">,
  request: FastifyRequest,
  reply: FastifyReply,
  [prefix, name]: readonly [Prefix, string],
  make: (id: IdOf[Prefix]) => Promise<Value>,
  kept = (value: Value): Value => value,
): Promise<Success<Value>> {
  return once<Success<Value>>(deps, request, reply, {
    ids: { [name]: deps.ids.next(prefix) },
    make: async (ids) => {
      const value = await make(found(prefix, parseId(prefix, String(ids[name]))));
      await configurationWritten(deps, reply);
      return { status: 201, body: data(value) };
    },
    kept: (body) => data(kept(body.data)),
  });
}

/** The record after the change, or 404. */
export async function changed<Prefix extends PathPrefix, Value>(
  deps: Pick<ApiDeps, "eventStore">,
  reply: FastifyReply,
  prefix: Prefix,
  text: string,
  change: (id: IdOf[Prefix]) => Promise<Value | null>,
) {
  const value = found(prefix, await change(pathId(prefix, text)));
  await configurationWritten(deps, reply);
  return data(value);
}

/** `remove` false: 404. */
export async function deleted<Prefix extends PathPrefix>(
  deps: Pick<ApiDeps, "eventStore">,
  reply: FastifyReply,
  prefix: Prefix,
  text: string,
  remove: (id: IdOf[Prefix]) => Promise<boolean>,
) {
  const id = pathId(prefix, text);
  if (!(await remove(id))) throw unknownId(prefix);
  await configurationWritten(deps, reply);
  return data({ id, deleted: true as const });
}
