import type { VerbGroup } from './verb.ts';

export const KEYS: VerbGroup = {
  name: 'keys',
  summary: 'Manage the key that signs the facts of my API, and that of a provable log.',
  verbs: [
    {
      name: 'new',
      args: '',
      summary: 'Make the key that signs what I tell of my API, or my provable log. Nobody else may read the file.',
      load: async () => (await import('./commands/keys.ts')).keysNew,
    },
    {
      name: 'rotate',
      args: '',
      summary: 'Sign with a new key from now on. What the old one signed stays valid.',
      load: async () => (await import('./commands/keys.ts')).keysRotate,
    },
    {
      name: 'revoke',
      args: '<key-id>',
      summary: 'A key was stolen: nobody believes it any more. What it said is said again by the key that signs now.',
      load: async () => (await import('./commands/keys.ts')).keysRevoke,
    },
    {
      name: 'list',
      args: '',
      summary: 'The keys of a file, oldest first. Their secrets stay in it.',
      load: async () => (await import('./commands/keys.ts')).keysList,
    },
  ],
};

export const APIKEYS: VerbGroup = {
  name: 'apikeys',
  summary: 'Manage the API keys of the clients of a hub.',
  verbs: [
    {
      name: 'issue',
      args: '',
      summary: 'A new key for a client, printed this once.',
      load: async () => (await import('./commands/apikeys.ts')).apikeysIssue,
    },
    {
      name: 'list',
      args: '',
      summary: 'Every key: how it begins, what it is good for, and whether it counts.',
      load: async () => (await import('./commands/apikeys.ts')).apikeysList,
    },
    {
      name: 'revoke',
      args: '<key>',
      summary: 'This key counts no more.',
      load: async () => (await import('./commands/apikeys.ts')).apikeysRevoke,
    },
    {
      name: 'usage',
      args: '[key]',
      summary: 'What was asked with each key, or with one day by day.',
      load: async () => (await import('./commands/apikeys.ts')).apikeysUsage,
    },
  ],
};
