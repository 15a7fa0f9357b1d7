/** All headers of a request: nothing about this machine. `apiKey` null: the server needs none. */
export function requestHeaders(apiKey: string | null, accept: string): Record<string, string> {
  return {
    accept,
    "user-agent": "ringfold",
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
  };
}
