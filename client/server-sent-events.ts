/** One event of a stream; `data` is null when a block only changed the id. */
export type ServerSentEvent = {
  readonly id: string | null;
  readonly event: string;
  readonly data: string | null;
};

/**
 * Parses a stream of server-sent events (WHATWG HTML §9.2); `push` takes the next piece, cut anywhere, and
 * returns the complete events.
 */
export function eventParser(): { push(piece: Uint8Array): ServerSentEvent[] } {
  const decoder = new TextDecoder();
  let rest = "";
  let block: string[] = [];

  return {
    push(piece) {
      // A \r at the end may be half of a \r\n, so it waits for the next piece.
      const lines = `${rest}${decoder.decode(piece, { stream: true })}`.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      const events: ServerSentEvent[] = [];
      for (const line of lines) {
        if (line !== "") block.push(line);
        else {
          events.push(eventOf(block));
          block = [];
        }
      }
      return events;
    },
  };
}

function eventOf(lines: readonly string[]): ServerSentEvent {
  const valuesOf = (name: string) =>
    lines.flatMap((line) =>
      line === name
        ? [""]
        : line.startsWith(`${name}:`)
          ? [line.slice(name.length + 1).replace(/^ /, "")]
          : [],
    );
  const data = valuesOf("data");
  return {
    id: valuesOf("id").at(-1) ?? null,
    event: valuesOf("event").at(-1) ?? "message",
    data: data.length === 0 ? null : data.join("\n"),
  };
}
