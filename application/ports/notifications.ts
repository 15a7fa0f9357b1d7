export type Subscriber = {
  /** A message of another process. */
  readonly onMessage: (message: string) => void;
  /** Messages may have been missed: caches are invalid. */
  readonly onGap?: () => void;
};

/**
 * Messages between processes through the database. At most once, and soon: receivers also poll now and then.
 * A process does not get its own messages.
 */
export type Notifications = {
  readonly subscribe: (topic: string, subscriber: Subscriber) => () => void;
  readonly tell: (topic: string, message: string) => void;
  /** False while messages may be missed. */
  readonly listening: () => boolean;
  /**
   * Resolves when this process listens for the first time. Reconnects by itself when the connection is lost.
   */
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
};
