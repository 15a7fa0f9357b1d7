export type Listeners<Message> = {
  readonly add: (listener: (message: Message) => void) => () => void;
  readonly tell: (message: Message) => void;
};

/**
 * Who wants to hear of something. A listener is told from a task of its own, so that it never runs inside the
 * change that it is told of.
 */
export function createListeners<Message>(): Listeners<Message> {
  const listeners = new Set<{ readonly tell: (message: Message) => void }>();
  return {
    add: (tell) => {
      const listener = { tell };
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    tell: (message) => {
      for (const listener of listeners) {
        queueMicrotask(() => {
          if (listeners.has(listener)) listener.tell(message);
        });
      }
    },
  };
}
