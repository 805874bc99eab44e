/** What of a change the forms for people and the envelopes speak of. A change of the log fits. */
export interface WebhookChange {
  readonly id: string;
  readonly source: string;
  readonly action: 'create' | 'update' | 'delete';
  readonly url: string;
  readonly anchor?: string;
  readonly time: string;
  readonly title?: string;
  readonly heading?: string;
  readonly summary?: string;
  readonly excerpt?: string;
  readonly before?: string;
}

/** A change on its way, with its JSON on one line, as `/api/v1/changes` shows it. */
export interface WebhookChangeEvent {
  readonly change: WebhookChange;
  readonly json: string;
  /** Its receipt, as JSON on one line, where it goes along. */
  readonly proof?: string;
}

/** What operators are told of a fault, and when it is over. */
export interface WebhookAlert {
  /** What kind of fault it is: `source.broken`. */
  readonly kind: string;
  /** The same for the fault and for its end. */
  readonly id: string;
  /** One sentence for people. */
  readonly summary: string;
  readonly source?: string;
  readonly url?: string;
  readonly [more: string]: unknown;
}

/** All that a subscriber can be told, by its `type`. What happened earlier is never told in another shape later. */
export type WebhookMessage =
  | { readonly type: 'change'; readonly event: WebhookChangeEvent }
  | { readonly type: 'changes'; readonly events: readonly [WebhookChangeEvent, ...WebhookChangeEvent[]] }
  | WebhookNotice<'subscription.verify', { readonly challenge: string; readonly subscription: string }>
  | WebhookNotice<'subscription.test', { readonly subscription: string }>
  | WebhookNotice<'resync', { readonly from: string }>
  | WebhookNotice<'alert.raised' | 'alert.cleared', WebhookAlert>;

interface WebhookNotice<Type extends string, Data> {
  readonly type: Type;
  /** When it happened, RFC 3339. The same in every attempt. */
  readonly timestamp: string;
  readonly data: Data;
}

/** What a form needs to know besides the message. */
export interface WebhookContext {
  /** `webhook-id` of the delivery. */
  readonly id: string;
  /** Where the hub answers, with a final slash. */
  readonly hubUrl: string;
}

export interface WebhookBody {
  readonly body: string;
  readonly contentType: string;
}

/** Turns a message into the body of a form: the same bytes for the same message and context. */
export type EncodeWebhookForm = (message: WebhookMessage, context: WebhookContext) => WebhookBody;

/** When what a message tells happened; of several changes, the newest. */
export function messageTime(message: WebhookMessage): string {
  if (message.type === 'change') return message.event.change.time;
  return message.type === 'changes' ? (message.events.at(-1) ?? message.events[0]).change.time : message.timestamp;
}
