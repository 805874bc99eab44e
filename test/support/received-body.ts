/** The body of a webhook as tests look into it: what our own form has, whichever of its events it is. */
export interface ReceivedBody {
  readonly type: string;
  readonly timestamp: string;
  readonly data: ReceivedData;
}

/** Each event has some of them. */
interface ReceivedData {
  readonly id: string;
  readonly seq: number;
  readonly from?: number;
  readonly challenge?: string;
}
