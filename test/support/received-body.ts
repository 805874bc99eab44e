/** The body of a webhook as tests read it: the members of our own format, for any of its events. */
export interface ReceivedBody {
  readonly type: string;
  readonly timestamp: string;
  readonly data: ReceivedData;
}

/** Each event has some of these. */
interface ReceivedData {
  readonly id: string;
  readonly seq: number;
  readonly from?: number;
  readonly challenge?: string;
}
