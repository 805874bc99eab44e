import { encodeDiscordForm, encodeNtfyForm, encodeSlackForm } from './chat-forms.ts';
import { encodeCloudEventsForm } from './cloudevents-form.ts';
import { encodeFirecrawlForm } from './firecrawl-form.ts';
import type { EncodeWebhookForm, WebhookBody, WebhookContext, WebhookMessage } from './message.ts';
import { encodeTidingsForm } from './tidings-form.ts';

export const WEBHOOK_FORMS = ['tidings', 'cloudevents', 'slack', 'discord', 'ntfy', 'firecrawl'] as const;
export type WebhookForm = (typeof WEBHOOK_FORMS)[number];

const ENCODERS: Readonly<Record<WebhookForm, EncodeWebhookForm>> = {
  tidings: encodeTidingsForm,
  cloudevents: encodeCloudEventsForm,
  slack: encodeSlackForm,
  discord: encodeDiscordForm,
  ntfy: encodeNtfyForm,
  firecrawl: encodeFirecrawlForm,
};

/**
 * Encodes the body of a delivery in one of the forms that receivers understand. Deterministic, and under 20 kB.
 *
 * A batch with more events than `webhookBatchLength` allows can exceed that size.
 */
export function encodeWebhookBody(form: WebhookForm, message: WebhookMessage, context: WebhookContext): WebhookBody {
  return ENCODERS[form](message, context);
}
