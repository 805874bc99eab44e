/** The fields of a change that the chat forms and the envelopes use. A change of the log has this shape. */
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

/** A change to deliver, with its JSON on one line as `/api/v1/changes` shows it. */
export interface WebhookChangeEvent {
  readonly change: WebhookChange;
  readonly json: string;
  /** Its receipt as JSON on one line, if it is sent too. */
  readonly proof?: string;
}

/** Tells operators about a fault, and later that it is over. */
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

/** Every message that a subscriber can get, by its `type`. The same event is never sent in a different shape later. */
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

/** What a form needs besides the message. */
export interface WebhookContext {
  /** `webhook-id` of the delivery. */
  readonly id: string;
  /** The base URL of the hub, with a final slash. */
  readonly hubUrl: string;
}

export interface WebhookBody {
  readonly body: string;
  readonly contentType: string;
}

/** Encodes a message in one form. The same message and context always give the same bytes. */
export type EncodeWebhookForm = (message: WebhookMessage, context: WebhookContext) => WebhookBody;

/** The time of the event in a message; for several changes, that of the last one. */
export function messageTime(message: WebhookMessage): string {
  if (message.type === 'change') return message.event.change.time;
  return message.type === 'changes' ? (message.events.at(-1) ?? message.events[0]).change.time : message.timestamp;
}
