import type { VerbGroup } from './verb.ts';

export const SUBSCRIPTION: VerbGroup = {
  name: 'subscription',
  summary: 'Manage whom a hub tells by webhook.',
  verbs: [
    {
      name: 'add',
      args: '<url>',
      summary: 'Tell this address what changes, as it happens. Its secret is printed this once.',
      load: async () => (await import('./commands/subscription-add.ts')).subscriptionAdd,
    },
    {
      name: 'list',
      args: '',
      summary: 'Who is told, how each stands, and how far it is behind.',
      load: async () => (await import('./commands/subscription-keep.ts')).subscriptionList,
    },
    {
      name: 'show',
      args: '<id>',
      summary: 'How one stands, with its deliveries: when, what was answered, what nobody took.',
      load: async () => (await import('./commands/subscription-keep.ts')).subscriptionShow,
    },
    {
      name: 'test',
      args: '<id>',
      summary: 'Send a test event now, and say what came back.',
      load: async () => (await import('./commands/subscription-keep.ts')).subscriptionTest,
    },
    {
      name: 'replay',
      args: '<id>',
      summary: 'Send again what lies behind a cursor, or one delivery.',
      load: async () => (await import('./commands/subscription-keep.ts')).subscriptionReplay,
    },
    {
      name: 'rotate',
      args: '<id>',
      summary: 'A new secret; the old one signs beside it for a day.',
      load: async () => (await import('./commands/subscription-add.ts')).subscriptionRotate,
    },
    {
      name: 'pause',
      args: '<id>',
      summary: 'Send nothing until it is resumed.',
      load: async () => (await import('./commands/subscription-keep.ts')).subscriptionPause,
    },
    {
      name: 'resume',
      args: '<id>',
      summary: 'Go on where it stood, also with one that was disabled because it failed.',
      load: async () => (await import('./commands/subscription-keep.ts')).subscriptionResume,
    },
    {
      name: 'remove',
      args: '<id>',
      summary: 'Tell it nothing any more, and forget it.',
      load: async () => (await import('./commands/subscription-keep.ts')).subscriptionRemove,
    },
  ],
};
