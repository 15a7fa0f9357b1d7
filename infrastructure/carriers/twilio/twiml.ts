const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';

/** The call is over. */
export const HANG_UP = `${HEAD}<Response><Hangup/></Response>`;

/** Voice and language of the assistant; null: Twilio's defaults. */
export type Spoken = { readonly language: string | null; readonly voice: string | null };

/**
 * The talk goes over the relay at that address; when it ends, for any reason, the action
 * is asked how to go on.
 */
export function connectTwiml(relayUrl: string, actionUrl: string, spoken: Spoken | null): string {
  const attributes = {
    url: relayUrl,
    dtmfDetection: "true",
    partialPrompts: "true",
    ...(spoken?.language == null ? {} : { language: spoken.language }),
    ...(spoken?.voice == null ? {} : { voice: spoken.voice }),
  };
  const text = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  const relay = `<ConversationRelay${text.join("")}/>`;
  return `${HEAD}<Response><Connect action="${escaped(actionUrl)}">${relay}</Connect></Response>`;
}

/** The line is transferred. */
export function dialTwiml(to: string, callerId: string): string {
  return `${HEAD}<Response><Dial callerId="${escaped(callerId)}"><Number>${escaped(to)}</Number></Dial></Response>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}
