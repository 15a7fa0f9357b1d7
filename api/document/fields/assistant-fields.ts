import type { FieldTable } from "./field-table.ts";

const API_REQUEST = {
  url: "Address; {argument} may stand in its path",
  method: "HTTP method",
  headers: "Headers; {{secrets.NAME}} in a value is replaced by that secret",
  body: "JSON that is sent with POST, PUT or PATCH; {argument} and {{variable}} may stand in its strings",
};
const CONNECTION = "Id of the connection of kind postgres that the query runs on";
const TRANSFER = {
  to: "The number that the call is handed to, E.164; the model never chooses it",
  message: "What is said before; at most 4 KiB",
};
const PARAMETERS = "Values of the query, by name; {argument} and {{variable}} may stand in them";

/** Assistants, tools, secrets. */
export const ASSISTANT_FIELDS: readonly FieldTable[] = [
  {
    of: ["ToolRequest", "ToolChanges", "Tool"],
    fields: {
      name: "Name under which the assistant sees it",
      description: "What it does, for the assistant to judge",
      type: "What kind of tool it is; its config follows from it",
      config: "How it is used",
    },
  },
  {
    of: ["Tool"],
    fields: {
      id: "Id of the tool",
      "config.url": API_REQUEST.url,
      "config.method": API_REQUEST.method,
      "config.headers": API_REQUEST.headers,
      "config.query": "API_REQUEST: the query's values, by name. DATABASE_QUERY: the SQL",
      "config.parameters": PARAMETERS,
      "config.body": API_REQUEST.body,
      "config.connectionId": CONNECTION,
      "config.to": TRANSFER.to,
      "config.message": TRANSFER.message,
    },
  },
  {
    of: ["ApiRequestConfig"],
    fields: { ...API_REQUEST, query: "Values of the address's query, by name; {argument} may stand in them" },
  },
  {
    of: ["DatabaseQueryConfig"],
    fields: {
      connectionId: CONNECTION,
      query: "The SQL: one SELECT, VALUES or TABLE; values stand in it as :name",
      parameters: PARAMETERS,
    },
  },
  {
    of: ["ToolTestRequest"],
    fields: {
      arguments: "What the model would give: a string for each argument",
      variables: "Variables of a call, by name: caller_number, contact fields and the like",
    },
  },
  {
    of: ["ToolTest"],
    fields: {
      outcome: "answered: the other side answered, whatever it said; refused: nothing left this service",
      request: "What left, without secrets; null: nothing could be made",
      "request.method": "HTTP method",
      "request.url": "Address, filled",
      "request.headers": "Headers; [redacted] in place of secrets",
      "request.body": "Body; null: none",
      "request.query": "The SQL, its values as $1, $2 and so on",
      "request.parameters": "The values, in this order",
      response: "What came back, without secrets; null: nothing",
      "response.status": "HTTP status",
      "response.headers": "Headers of the answer",
      "response.body": "Body as far as it was read, 256 KiB at most",
      "response.rows": "At most 50 rows",
      "response.more": "true: there are more rows",
      shown: "What the model would have been shown; at most 4 KiB",
      millis: "Thousandths of seconds that it took",
    },
  },
  { of: ["TransferCallConfig"], fields: TRANSFER },
  { of: ["SecretRequest"], fields: { value: "The secret itself; it is never shown" } },
  {
    of: ["Secret"],
    fields: { name: "Name under which tools use it: A-Z, 0-9 and _" },
  },
  { of: ["deleteAssistant", "deleteTool"], fields: { "data.id": "Id of what is gone" } },
  { of: ["deletePhoneNumber", "deleteTool"], fields: { "data.id": "Id of what is gone" } },
  { of: ["deleteSecret"], fields: { "data.name": "Name of what is gone" } },
];
