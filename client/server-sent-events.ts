/** One event of a stream: `data` is null where a block only moved the id on. */
export type ServerSentEvent = {
  readonly id: string | null;
  readonly event: string;
  readonly data: string | null;
};

/** Takes a stream of server-sent events apart (WHATWG HTML §9.2); `push` takes the next piece, wherever it was cut, and answers the events that are whole. */
export function eventParser(): { push(piece: Uint8Array): ServerSentEvent[] } {
  const decoder = new TextDecoder();
  let rest = "";
  let block: string[] = [];

  return {
    push(piece) {
      // A \r at the end may be half of a \r\n: it waits for the next piece.
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
