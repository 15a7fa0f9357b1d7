/** All that goes out besides the body: nothing about this machine. `apiKey` null: the server wants none. */
export function requestHeaders(apiKey: string | null, accept: string): Record<string, string> {
  return {
    accept,
    "user-agent": "ringfold",
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
  };
}
