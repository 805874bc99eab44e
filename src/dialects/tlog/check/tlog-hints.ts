import { type FixHint, type FixHints, headerHint, OF_OPERATION, OF_READERS } from '../../fix-hint.ts';

const NOTE: FixHint = {
  where: '/.well-known/tidings/checkpoint; `tidings publish --log-key` writes and signs it',
  write:
    'docs.example/.well-known/tidings\n42\n<base64 of the root>\n\n— docs.example/.well-known/tidings <base64 of key id and signature>',
};
const REBUILT: FixHint = {
  none: 'Tiles follow from the entries: `tidings fsck` names the files that differ, and the copy of an earlier publish has them.',
};

export const TLOG_HINTS: FixHints = {
  'TL-*': OF_OPERATION,
  'TL-N*': NOTE,
  'TL-N7': OF_READERS,
  'TL-N8': OF_READERS,
  'TL-N11': OF_READERS,
  'TL-N13': {
    where: '/.well-known/tidings/vkey, as one line',
    write: '<name>+<8 hex digits of the key id>+<base64 of type byte and key>',
  },
  'TL-C*': NOTE,
  'TL-C3': OF_READERS,
  'TL-C8': {
    none: 'Two heads of one log contradict each other. Nothing that is written now mends that: `tidings audit` keeps both as evidence.',
  },
  'TL-T*': REBUILT,
  'TL-T1': headerHint('/.well-known/tidings/checkpoint', ['Content-Type', 'text/plain; charset=utf-8']),
  'TL-T2': headerHint('/.well-known/tidings/checkpoint', ['Cache-Control', 'no-cache']),
  'TL-T3': headerHint('/.well-known/tidings/tile/*', ['Content-Type', 'application/octet-stream']),
  'TL-T10': OF_READERS,
  'TL-T11': OF_READERS,
  'TL-T12': headerHint('/.well-known/tidings/tile/*', ['Cache-Control', 'public, max-age=31536000, immutable']),
  'TL-T13': OF_READERS,
  'TL-E*': REBUILT,
  'TL-E1': headerHint('/.well-known/tidings/tile/entries/*', ['Content-Type', 'application/octet-stream']),
  'TL-E7': OF_READERS,
  'TL-E8': OF_READERS,
  'TL-P*': OF_READERS,
  'TL-P13': NOTE,
  'TL-O*': REBUILT,
  'TL-O4': OF_READERS,
  'TL-O5': OF_READERS,
};
