/** What the dialplan noted of a dial: when it began and, once it is over, how it ended. */
export type Note = {
  readonly dialledAtMillis: number;
  /** null: it is not over. */
  readonly end: NoteEnd | null;
};

export type NoteEnd = {
  /** DIALSTATUS: ANSWER, BUSY, NOANSWER, CANCEL, CONGESTION, CHANUNAVAIL… */
  readonly status: string;
  /** Since the answer; null: nobody answered. */
  readonly talkedSeconds: number | null;
  /** Q.850. */
  readonly cause: number | null;
  /**
   * The trunk's last response, also a provisional one; its phrase is the trunk's own text and is not read.
   */
  readonly sipCode: number | null;
};

/** Name of the note in Asterisk. */
export function noteName(callId: string): string {
  return `RF_${callId}`;
}

/** When the dial was over, in epoch seconds; a dialplan without it still notes the rest. */
export function endedName(callId: string): string {
  return `${noteName(callId)}_ENDED`;
}

const FORM = /^(?<at>\d{9,11})(?: (?<status>[A-Z]+)? (?<seconds>\d*) (?<cause>\d*)(?: (?<tech>.*))?)?$/;

/** null: there is no note, or it has another form. */
export function parseNote(text: string): Note | null {
  const found = FORM.exec(text)?.groups;
  if (found === undefined) return null;
  const dialledAtMillis = Number(found["at"]) * 1_000;
  if (found["cause"] === undefined) return { dialledAtMillis, end: null };
  return {
    dialledAtMillis,
    end: {
      status: found["status"] ?? "",
      talkedSeconds: wholeNumber(found["seconds"]),
      cause: wholeNumber(found["cause"]),
      sipCode: wholeNumber(/^SIP (\d{3})\b/.exec(found["tech"] ?? "")?.[1]),
    },
  };
}

function wholeNumber(text: string | undefined): number | null {
  return text === undefined || text === "" ? null : Number(text);
}
