/** Finds out whether an owner's assistants can speak again: a short question to what their calls need. */
export interface AssistantCheck {
  /** Never rejects; false: not yet. Gives up by itself, within 10 s. */
  check(owner: string): Promise<boolean>;
}
