/**
 * CloudEvents 1.0, structured: one event as an object, a batch as a list of them.
 *
 *     {"specversion":"1.0","id":"01J…","source":"https://hub.example/","type":"tidings.change","time":"2026-11-17T12:00:00Z",
 *      "subject":"https://docs.example/install#linux","datacontenttype":"application/json","data":{"seq":7,…}}
 *
 * Spec: https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md
 */
import { changeUrl } from './change-url.ts';
import type { EncodeWebhookForm, WebhookChangeEvent, WebhookContext } from './message.ts';
import { slimChangeJson } from './slim-change.ts';
import { dataJson } from './tidings-form.ts';

const ONE = 'application/cloudevents+json';
const BATCH = 'application/cloudevents-batch+json';

export const encodeCloudEventsForm: EncodeWebhookForm = (message, context) => {
  if (message.type === 'change') return { body: changeEvent(message.event, context), contentType: ONE };
  if (message.type === 'changes') {
    return { body: `[${message.events.map((event) => changeEvent(event, context)).join(',')}]`, contentType: BATCH };
  }
  const { type, timestamp: time } = message;
  return { body: envelope({ id: context.id, type, time }, dataJson(message), context), contentType: ONE };
};

/** The event id is the id of the change in every delivery: receivers recognise a repetition by `source` and `id`. */
function changeEvent(event: WebhookChangeEvent, context: WebhookContext): string {
  const { id, time } = event.change;
  const head = { id, type: 'change', time, subject: changeUrl(event.change) };
  return envelope(head, slimChangeJson(event), context);
}

interface EventHead {
  readonly id: string;
  readonly type: string;
  readonly time: string;
  readonly subject?: string;
}

function envelope({ id, type, time, subject }: EventHead, data: string, { hubUrl }: WebhookContext): string {
  const head = { specversion: '1.0', id, source: hubUrl, type: `tidings.${type}`, time, subject };
  return `${JSON.stringify({ ...head, datacontenttype: 'application/json' }).slice(0, -1)},"data":${data}}`;
}
