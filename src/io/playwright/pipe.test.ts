import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createBrowserPipe, createMessageReader } from './pipe.ts';

test('messages are whole however they are cut', () => {
  const { reader, texts } = startReader();
  for (const byte of Buffer.from('{"id":1}\0{"id":2,"word":"žluť"}\0')) reader.take(Buffer.from([byte]));
  reader.take(Buffer.from('{"id":3}\0{"id":4}\0{"id"'));
  reader.take(Buffer.from(':5}\0'));
  expect(texts).toEqual(['{"id":1}', '{"id":2,"word":"žluť"}', '{"id":3}', '{"id":4}', '{"id":5}']);
});

test('what a page writes on the console is dropped unread, however long', () => {
  const { reader, texts, reasons } = startReader();
  reader.take(Buffer.from('{"method":"Runtime.consoleAPICalled","params":{"text":"'));
  for (let pieces = 0; pieces < 3000; pieces += 1) reader.take(Buffer.alloc(100_000, 'x'));
  reader.take(Buffer.from('"}}\0{"id":1}\0'));
  expect(texts).toEqual(['{"id":1}']);
  expect(reasons).toEqual([]);
});

test('a message without end is broken off, and nothing after it is heard', () => {
  const { reader, texts, reasons } = startReader();
  reader.take(Buffer.from('{"method":"Page.javascriptDialogOpening","params":{"message":"'));
  for (let pieces = 0; pieces < 700; pieces += 1) reader.take(Buffer.alloc(100_000, 'x'));
  reader.take(Buffer.from('"}}\0{"id":1}\0'));
  expect(reasons).toEqual(['the browser had too much to say about it']);
  expect(texts).toEqual([]);
});

test('words that nobody understands, and a listener that throws, are failures and no crash', async () => {
  const read = new PassThrough();
  const broken = new Promise<string>((resolve) => {
    createBrowserPipe({ read, write: new PassThrough(), onBroken: resolve });
  });
  read.write('not JSON\0');
  expect(await broken).toMatch(/not understood/);

  const thrown = new Promise<string>((resolve) => {
    const pipe = createBrowserPipe({ read, write: new PassThrough(), onBroken: resolve });
    pipe.onmessage = () => {
      throw new Error('unexpected id');
    };
  });
  read.write('{"id":7}\0');
  expect(await thrown).toMatch(/unexpected id/);
});

function startReader() {
  const texts: string[] = [];
  const reasons: string[] = [];
  const reader = createMessageReader({
    deliver: (text) => texts.push(text),
    onBroken: (reason) => reasons.push(reason),
  });
  return { reader, texts, reasons };
}
