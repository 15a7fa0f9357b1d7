import type { createClient } from "../../client/client.ts";

/** The typed client of the public API: all that the demo knows of the service. */
export type Client = ReturnType<typeof createClient>;

/** The `data` of an answer; a refusal becomes an error with its message and the places that it names. */
export async function answered<Data>(
  answer: Promise<{ readonly data: { readonly data: Data } }>,
): Promise<Data> {
  return (await orExplained(answer)).data.data;
}

export async function orExplained<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof Response ? new Error(await reasonOf(error)) : error;
  }
}

type Page<Row> = {
  readonly data: {
    readonly data: readonly Row[];
    readonly pagination: { readonly nextCursor: string | null };
  };
};
type PageQuery = { readonly limit: number; readonly cursor?: string };

/** All rows of a list, page after page. */
export async function allPages<Row>(list: (query: PageQuery) => Promise<Page<Row>>): Promise<Row[]> {
  const rows: Row[] = [];
  let query: PageQuery = { limit: 200 };
  for (;;) {
    const { data, pagination } = (await orExplained(list(query))).data;
    rows.push(...data);
    if (pagination.nextCursor === null) return rows;
    query = { limit: 200, cursor: pagination.nextCursor };
  }
}

/** The client leaves a refusal's body in `error`: in one of the two shapes of the contract. */
async function reasonOf(response: Response & { readonly error?: unknown }): Promise<string> {
  const where = `${new URL(response.url).pathname} answered ${response.status}`;
  const body = response.error;
  if (typeof body !== "object" || body === null || !("error" in body)) return where;
  const { error } = body;
  if (typeof error !== "object" || error === null) return `${where}: ${String(error)}`;
  const message = "message" in error ? String(error.message) : "";
  const details = "details" in error && Array.isArray(error.details) ? error.details : [];
  const places = details.map(
    (detail: { readonly path: readonly unknown[]; readonly message: string }) =>
      `${detail.path.join(".") || "body"}: ${detail.message}`,
  );
  return [`${where}: ${message}`, ...places].join("; ");
}
