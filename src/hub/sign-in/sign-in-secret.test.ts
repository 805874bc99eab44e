import { expect, test } from 'vitest';
import { SealedVisits } from './sealed-visit.ts';
import { signInSecret } from './sign-in-secret.ts';

test('a sign-in that one process began ends at another one of the same hub, and at no other hub', () => {
  const processOf = (adminHash: string) =>
    new SealedVisits({
      key: signInSecret(adminHash, 'visit'),
      random: (size) => crypto.getRandomValues(new Uint8Array(size)),
      now: () => 0,
    });
  const { visit, sealed } = processOf('one').begin('sources');
  expect(processOf('one').take(sealed, visit.state)).toMatchObject({ to: 'sources' });
  expect(processOf('other').take(sealed, visit.state)).toBeUndefined();
});

test('forms and sign-ins have secrets of their own, long enough for both', () => {
  const [form, visit] = [signInSecret('one', 'form'), signInSecret('one', 'visit')];
  expect(form).not.toEqual(visit);
  expect([form.length, visit.length]).toEqual([32, 32]);
});
