import { describe, expect, test } from 'vitest';
import { expectInOrder } from '../../log/expect-in-order.contract.ts';
import { draft, drafts } from '../../log/log-fixtures.contract.ts';
import type { Journal, JournalWrite, PlacedWrite, WriteAnswer } from './journal.ts';

/** One place where a journal can live: all that are opened there share it. */
export interface JournalPlace extends AsyncDisposable {
  open(): Promise<Journal>;
  /** Gives a source or a role to somebody, and the number under which it is held. */
  give(task: string): Promise<number>;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export function write(kind: string, rest: Partial<JournalWrite> = {}): JournalWrite {
  return { kind, body: bytesOf(`body of ${kind}`), ...rest };
}

export function placedOf(answers: readonly WriteAnswer[]): PlacedWrite[] {
  return answers.filter((answer) => 'rev' in answer);
}

/** What every journal promises. `makePlace` gives a new, empty place each time. */
export function describeJournal(name: string, makePlace: () => Promise<JournalPlace>): void {
  describe(name, () => {
    test('writes get the next places, with their changes, and everybody reads the same', async () => {
      await using place = await makePlace();
      await using journal = await place.open();
      await using other = await place.open();
      expect(await journal.end()).toEqual({ epoch: expect.any(String), rev: 0, seq: 0 });
      const answers = placedOf(
        await journal.append([
          write('visit', { drafts: [draft('a', { note: 'grüße 🦉 \0' }), draft('b')] }),
          write('fact', { body: Uint8Array.of(0, 255, 1, 92, 39) }),
          write('visit', { drafts: drafts(1) }),
        ]),
      );
      expect(answers.map(({ rev }) => rev)).toEqual([1, 2, 3]);
      expect(answers.map(({ changes }) => changes.map(({ seq }) => seq))).toEqual([[1, 2], [], [3]]);
      const read = await other.read(0, 100);
      expect(read.map(comparable)).toEqual(answers.map(comparable));
      expectInOrder(read.flatMap(({ changes }) => changes));
      expect(await other.end()).toEqual({ epoch: (await journal.end()).epoch, rev: 3, seq: 3 });
    });

    test('reading goes on behind a place, up to as many as wanted', async () => {
      await using place = await makePlace();
      await using journal = await place.open();
      await journal.append(Array.from({ length: 5 }, () => write('visit', { drafts: drafts(2) })));
      expect((await journal.read(1, 2)).map(({ rev }) => rev)).toEqual([2, 3]);
      expect((await journal.read(1, 2)).flatMap(({ changes }) => changes.map(({ seq }) => seq))).toEqual([3, 4, 5, 6]);
      expect(await journal.read(5, 2)).toEqual([]);
    });

    test('a page ends behind some 8 MB', async () => {
      await using place = await makePlace();
      await using journal = await place.open();
      await journal.append(Array.from({ length: 4 }, () => write('text', { body: new Uint8Array(3 * 2 ** 20) })));
      expect((await journal.read(0, 100)).map(({ rev }) => rev)).toEqual([1, 2, 3]);
      expect((await journal.read(3, 100)).map(({ rev }) => rev)).toEqual([4]);
    });

    test('runs have times of their own; what belongs to the run before has its time', async () => {
      await using place = await makePlace();
      await using journal = await place.open();
      const answers = placedOf(
        await journal.append([
          write('feed', { drafts: [draft('a')] }),
          write('feed', { drafts: [draft('b')], isMore: true }),
          write('feed', { drafts: [draft('c')] }),
        ]),
      );
      const [one, more, other] = answers.flatMap(({ changes }) => changes.map(({ time }) => time));
      expect(more).toBe(one);
      expect(other).not.toBe(one);
      const [alone] = placedOf(await journal.append([write('feed', { drafts: [draft('d')], isMore: true })]));
      expect(alone?.changes[0]?.time).not.toBe(other);
    });

    test('a wrong draft is refused to whoever brings it, and to nobody beside', async () => {
      await using place = await makePlace();
      await using journal = await place.open();
      const outcomes = await Promise.allSettled([
        journal.append([write('visit', { drafts: drafts(1) })]),
        journal.append([write('visit', { drafts: [draft('x', { source: 'Not Allowed' })] })]),
        journal.append([write('visit', { drafts: drafts(1) })]),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await journal.end()).toMatchObject({ rev: 2, seq: 2 });
    });

    test('an old token is refused, alone of its call, and nothing of it is made', async () => {
      await using place = await makePlace();
      await using journal = await place.open();
      await journal.append([write('source', { plan: [{ id: 'docs', host: 'docs.example', dueAtMs: 0 }] })]);
      const old = await place.give('source:docs');
      const token = await place.give('source:docs');
      const answers = await journal.append([
        write('visit', { fence: { task: 'source:docs', token: old }, drafts: drafts(1) }),
        write('visit', { fence: { task: 'source:docs', token }, drafts: drafts(1) }),
        write('visit', { fence: { task: 'source:other', token }, drafts: drafts(1) }),
        write('step', { fence: { task: 'role:projector', token }, drafts: drafts(1) }),
      ]);
      expect(answers).toMatchObject([{ refused: 'fenced' }, { rev: 2 }, { refused: 'fenced' }, { refused: 'fenced' }]);
      expect(await journal.end()).toMatchObject({ rev: 2, seq: 1 });
    });

    test('a role is a task too', async () => {
      await using place = await makePlace();
      await using journal = await place.open();
      const old = await place.give('role:projector');
      const token = await place.give('role:projector');
      const step = (under: number) => write('step', { fence: { task: 'role:projector', token: under } });
      expect(await journal.append([step(old), step(token)])).toMatchObject([{ refused: 'fenced' }, { rev: 1 }]);
    });

    test('whoever has released a source, was overruled, or visits one that was forgotten writes no more', async () => {
      await using place = await makePlace();
      await using journal = await place.open();
      const planned = { id: 'docs', host: 'docs.example', dueAtMs: 0 };
      await journal.append([write('source', { plan: [planned] })]);
      const visit = (token: number, rest: Partial<JournalWrite> = {}) =>
        write('visit', { fence: { task: 'source:docs', token }, ...rest });
      const released = await place.give('source:docs');
      const plan = [{ ...planned, releases: true }] as const;
      expect(await journal.append([visit(released, { plan }), visit(released)])).toMatchObject([
        { rev: 2 },
        { refused: 'fenced' },
      ]);
      const overruled = await place.give('source:docs');
      expect(await journal.append([visit(overruled)])).toMatchObject([{ rev: 3 }]);
      await journal.append([write('source', { plan: [{ ...planned, overrules: true }] })]);
      expect(await journal.append([visit(overruled)])).toEqual([{ refused: 'fenced' }]);
      const gone = await place.give('source:docs');
      const again = [write('remove', { forget: ['docs'] }), write('source', { plan: [planned] }), visit(gone)];
      expect((await journal.append(again))[2]).toEqual({ refused: 'fenced' });
      expect(await place.give('source:docs')).toBeGreaterThan(gone);
    });

    test('a source that somebody else has written is not overwritten', async () => {
      await using place = await makePlace();
      await using journal = await place.open();
      await using other = await place.open();
      const edit = (expectedRev: number) =>
        write('source', { plan: [{ id: 'docs', host: 'docs.example', dueAtMs: undefined, expectedRev }] });
      expect(await journal.append([edit(0)])).toMatchObject([{ rev: 1 }]);
      expect(await other.append([edit(0)])).toEqual([{ refused: 'overtaken' }]);
      expect(await other.append([edit(1), edit(1)])).toMatchObject([{ rev: 2 }, { refused: 'overtaken' }]);
      const visited = write('visit', { fence: { task: 'source:docs', token: await place.give('source:docs') } });
      expect(await journal.append([visited])).toMatchObject([{ rev: 3 }]);
      expect(await other.append([edit(2)])).toEqual([{ refused: 'overtaken' }]);
      await journal.append([write('remove', { forget: ['docs'] })]);
      expect(await other.append([edit(3)])).toEqual([{ refused: 'overtaken' }]);
    });

    test('an edit by who knows all that was written is made, whatever was written of others', async () => {
      await using place = await makePlace();
      await using journal = await place.open();
      const edit = (expectedRev: number) =>
        write('source', { plan: [{ id: 'docs', host: 'docs.example', dueAtMs: 0, expectedRev }] });
      await journal.append([edit(0), write('fact'), write('fact')]);
      expect(await journal.append([edit(3)])).toMatchObject([{ rev: 4 }]);
      expect(await journal.append([edit(3)])).toEqual([{ refused: 'overtaken' }]);
    });

    test('everybody hears of news', async () => {
      await using place = await makePlace();
      await using journal = await place.open();
      await using other = await place.open();
      let heard = 0;
      using _listening = other.onNews(() => {
        heard += 1;
      });
      await expect.poll(() => heard).toBeGreaterThan(0);
      const before = heard;
      await journal.append([write('fact')]);
      await expect.poll(() => heard).toBeGreaterThan(before);
    });

    test('what was asked for before the close is made, and nothing behind it', async () => {
      await using place = await makePlace();
      const journal = await place.open();
      const appends = [journal.append([write('fact')]), journal.append([write('fact')])];
      await journal[Symbol.asyncDispose]();
      expect((await Promise.all(appends)).flat()).toMatchObject([{ rev: 1 }, { rev: 2 }]);
      await expect(journal.append([write('fact')])).rejects.toThrow('The journal is closed.');
    });
  });
}

function comparable({ body, ...rest }: PlacedWrite): unknown {
  return { ...rest, body: [...body] };
}
