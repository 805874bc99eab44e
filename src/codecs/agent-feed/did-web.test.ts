import { expect } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { didOf, isSameDid } from './did-web.ts';

clause('AF-ID2', 'names a host, and a port only where it is not the default one', () => {
  expect(didOf(new URL('https://api.example'))).toBe('did:web:api.example');
  expect(didOf(new URL('https://API.Example:443/path?x'))).toBe('did:web:api.example');
  expect(didOf(new URL('https://h:8443'))).toBe('did:web:h%3A8443');
  expect(didOf(new URL('https://127.0.0.1:8443'))).toBe('did:web:127.0.0.1%3A8443');
  expect(didOf(new URL('https://[::1]:8443'))).toBe('did:web:%5B%3A%3A1%5D%3A8443');
  expect(didOf(new URL('https://bücher.example'))).toBe('did:web:xn--bcher-kva.example');
});

clause('AF-ID2', 'compares without case, and with nothing else left out', () => {
  expect(isSameDid('did:web:h%3a8443', 'did:web:h%3A8443')).toBe(true);
  expect(isSameDid('did:web:API.example', 'did:web:api.example')).toBe(true);
  expect(isSameDid('did:web:h:8443', 'did:web:h%3A8443')).toBe(false);
  expect(isSameDid('did:web:api.example.', 'did:web:api.example')).toBe(false);
  expect(isSameDid('did:web:\u212Aey.example', 'did:web:key.example')).toBe(false);
});
