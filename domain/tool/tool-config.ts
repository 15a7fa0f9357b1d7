import type { JsonObject, JsonValue } from "../shared/json.ts";

/** END_CALL and TRANSFER_CALL are for the engine itself; the others ask another system. */
export type ToolType = "API_REQUEST" | "DATABASE_QUERY" | "END_CALL" | "TRANSFER_CALL";

export type ApiRequestMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";

export type ApiRequestConfig = {
  readonly url: string;
  readonly method: ApiRequestMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** undefined: none. */
  readonly body: JsonValue | undefined;
};

export type DatabaseQueryConfig = {
  /** null: older than tools that name a connection. */
  readonly connectionId: string | null;
  readonly query: string;
  readonly parameters: Readonly<Record<string, string>>;
};

/** As checked when it was written; null: it cannot be read. */
export function apiRequestConfig({ url, method, headers, query, body }: JsonObject): ApiRequestConfig | null {
  if (typeof url !== "string" || !isMethod(method)) return null;
  return { url, method, headers: textsOf(headers), query: textsOf(query), body };
}

export function databaseQueryConfig(config: JsonObject): DatabaseQueryConfig | null {
  const { connectionId, query, parameters } = config;
  if (typeof query !== "string") return null;
  return {
    connectionId: typeof connectionId === "string" ? connectionId : null,
    query,
    parameters: textsOf(parameters),
  };
}

/** Methods that may carry a body. */
export function takesBody(method: string): boolean {
  return method === "POST" || method === "PUT" || method === "PATCH";
}

function isMethod(value: JsonValue | undefined): value is ApiRequestMethod {
  return typeof value === "string" && ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"].includes(value);
}

function textsOf(value: JsonValue | undefined): Readonly<Record<string, string>> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : [])),
  );
}
