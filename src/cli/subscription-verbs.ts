import type { VerbGroup } from './verb.ts';

export const SUBSCRIPTION: VerbGroup = {
  name: 'subscription',
  summary: 'Manage the webhook subscriptions of a hub.',
  verbs: [
    {
      name: 'add',
      args: '<url>',
      summary: 'Send changes to a URL as they happen. The secret is printed only once.',
      load: async () => (await import('./commands/subscription-add.ts')).subscriptionAdd,
    },
    {
      name: 'list',
      args: '',
      summary: 'List the subscriptions, their state, and how far each is behind.',
      load: async () => (await import('./commands/subscription-keep.ts')).subscriptionList,
    },
    {
      name: 'show',
      args: '<id>',
      summary: 'Show the state of a subscription and its deliveries: times, responses, and what was never accepted.',
      load: async () => (await import('./commands/subscription-keep.ts')).subscriptionShow,
    },
    {
      name: 'test',
      args: '<id>',
      summary: 'Send a test event now and show the response.',
      load: async () => (await import('./commands/subscription-keep.ts')).subscriptionTest,
    },
    {
      name: 'replay',
      args: '<id>',
      summary: 'Resend everything after a cursor, or one delivery, with the same ids.',
      load: async () => (await import('./commands/subscription-keep.ts')).subscriptionReplay,
    },
    {
      name: 'rotate',
      args: '<id>',
      summary: 'Create a new secret. By default, the old one also signs for another 24 hours.',
      load: async () => (await import('./commands/subscription-add.ts')).subscriptionRotate,
    },
    {
      name: 'pause',
      args: '<id>',
      summary: 'Send nothing to a subscription until it is resumed.',
      load: async () => (await import('./commands/subscription-keep.ts')).subscriptionPause,
    },
    {
      name: 'resume',
      args: '<id>',
      summary: 'Continue a subscription where it stopped, even one that was disabled after failures.',
      load: async () => (await import('./commands/subscription-keep.ts')).subscriptionResume,
    },
    {
      name: 'remove',
      args: '<id>',
      summary: 'Delete a subscription. Nothing more is sent to it.',
      load: async () => (await import('./commands/subscription-keep.ts')).subscriptionRemove,
    },
  ],
};
