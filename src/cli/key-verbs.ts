import type { VerbGroup } from './verb.ts';

export const KEYS: VerbGroup = {
  name: 'keys',
  summary: 'Manage the keys that sign the facts about your API, or a provable log.',
  verbs: [
    {
      name: 'new',
      args: '',
      summary: 'Create a key that signs facts about your API, or a provable log, in a file that only you can read.',
      load: async () => (await import('./commands/keys.ts')).keysNew,
    },
    {
      name: 'rotate',
      args: '',
      summary: 'Switch to a new signing key. What the old key signed stays valid.',
      load: async () => (await import('./commands/keys.ts')).keysRotate,
    },
    {
      name: 'revoke',
      args: '<key-id>',
      summary: 'Revoke a stolen key, and sign the facts of it that still hold again with the current key.',
      load: async () => (await import('./commands/keys.ts')).keysRevoke,
    },
    {
      name: 'list',
      args: '',
      summary: 'List the keys in a file, oldest first, without their secrets.',
      load: async () => (await import('./commands/keys.ts')).keysList,
    },
  ],
};

export const APIKEYS: VerbGroup = {
  name: 'apikeys',
  summary: 'Manage the API keys for clients of a hub.',
  verbs: [
    {
      name: 'issue',
      args: '',
      summary: 'Create a key for a client. It is printed only once.',
      load: async () => (await import('./commands/apikeys.ts')).apikeysIssue,
    },
    {
      name: 'list',
      args: '',
      summary: 'List all keys with their prefix, tier and state.',
      load: async () => (await import('./commands/apikeys.ts')).apikeysList,
    },
    {
      name: 'revoke',
      args: '<key>',
      summary: 'Revoke a key, so that it is no longer accepted.',
      load: async () => (await import('./commands/apikeys.ts')).apikeysRevoke,
    },
    {
      name: 'usage',
      args: '[key]',
      summary: 'Show the requests made with each key, or with one key day by day.',
      load: async () => (await import('./commands/apikeys.ts')).apikeysUsage,
    },
  ],
};
