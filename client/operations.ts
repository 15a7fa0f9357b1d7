import type { FileAnswer, Route } from "../contract/route.ts";
import { ROUTES } from "../contract/routes.ts";
import type { Operation } from "./transport.ts";

type Named = Route & { readonly operationId: string };

/** Every operation of the API. The package has them as plain data (build.ts), so that no schema ships. */
export const OPERATIONS: readonly Operation[] = Object.values(ROUTES).map(operationOf);

function operationOf(route: Named): Operation {
  const { operationId: name, method, path, tag, body, query, scope, idempotent, takesFile } = route;
  return {
    group: groupOf(tag),
    name,
    method,
    path,
    takesBody: takesFile !== undefined ? "form" : body === undefined ? "nothing" : "JSON",
    takesQuery: query !== undefined,
    takesIdempotencyKey: idempotent === true,
    needsApiKey: scope !== undefined,
    answers: Object.entries(route.answers).some(isFile) ? "stream" : "JSON",
  };
}

/** `phone numbers` → `phoneNumbers`, `API keys` → `apiKeys`. */
function groupOf(tag: string): string {
  const [first = "", ...rest] = tag.split(" ");
  if (rest.length === 0) return tag;
  return [first.toLowerCase(), ...rest.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)].join(
    "",
  );
}

/** What may be JSON, too, is asked for as JSON. */
function isFile([status, answer]: readonly [string, Route["answers"][number]]): boolean {
  return status.startsWith("2") && hasContent(answer) && !("application/json" in answer.content);
}

function hasContent(answer: Route["answers"][number]): answer is FileAnswer {
  return "content" in answer;
}
