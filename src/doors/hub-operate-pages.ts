import { ADMIN_FORMS, adminView } from '../hub/dashboard/admin/admin-page.ts';
import { alertsView } from '../hub/dashboard/alerts/alerts-page.ts';
import type { Form } from '../hub/dashboard/form.ts';
import type { KeySight } from '../hub/dashboard/keys/key-facts.ts';
import { KEY_FORMS } from '../hub/dashboard/keys/key-forms.ts';
import { keyListView } from '../hub/dashboard/keys/key-list.ts';
import { keyView } from '../hub/dashboard/keys/key-page.ts';
import { SUBSCRIPTION_FORMS } from '../hub/dashboard/subscriptions/subscription-forms.ts';
import { subscriptionListView } from '../hub/dashboard/subscriptions/subscription-list.ts';
import { subscriptionView } from '../hub/dashboard/subscriptions/subscription-page.ts';
import type { AnyView } from '../hub/dashboard/view.ts';
import type { HubSignIn } from './hub-sign-in.ts';
import type { PushSights } from './push-part.ts';

export interface OperateParts extends KeySight {
  /** What the push channels show on pages. */
  readonly sights: PushSights;
  readonly signIn: Pick<HubSignIn, 'log' | 'sessions'>;
}

/** The pages about subscribers, keys, alerts and the actions of admins. */
export function operateViews({ sights, signIn, keys, usage }: OperateParts, now: () => number): readonly AnyView[] {
  const { alerts, webhooks, webSub } = sights;
  const views: AnyView[] = [adminView(signIn), keyListView({ keys, usage }, now), keyView({ keys, usage }, now)];
  if (webhooks !== undefined)
    views.push(subscriptionListView({ webhooks, webSub, now }), subscriptionView(webhooks, now));
  if (alerts !== undefined) views.push(alertsView(alerts));
  return views;
}

export const OPERATE_FORMS: readonly Form[] = [...SUBSCRIPTION_FORMS, ...KEY_FORMS, ...ADMIN_FORMS];
