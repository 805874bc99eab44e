import { setMaxListeners } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from './hub-random.ts';

/** What clients of a hub do to starve it and its other clients. */
export const CLIENT_ATTACKS = [
  'headers that never end',
  'many connections',
  'documents that pause their host',
  'documents without end',
  'another Host',
  'answers that nobody reads',
] as const;
export type ClientAttack = (typeof CLIENT_ATTACKS)[number];

export interface ClientOptions {
  readonly index: number;
  readonly port: number;
  /** Origins of watched sources. */
  readonly victims: readonly string[];
  readonly random: Random;
  readonly signal: AbortSignal;
  /** What came of one attack: the status, or how the connection ended. */
  readonly onOutcome: (outcome: string) => void;
}

const MANY = 200;
const PIPELINED = 500;
const BREATH_MS = 100;
/** Longer than a hub waits for a reader. */
const HOLD_MS = 60_000;
const REST_MS = 5000;

/** Attacks until the signal ends it, from an address of its own. */
export async function runClient(attack: ClientAttack, options: ClientOptions): Promise<void> {
  setMaxListeners(0, options.signal);
  const sockets = new Set<Socket>();
  const open = () => openFrom(options, sockets);
  try {
    while (!options.signal.aborted) {
      await attackOnce(attack, open, options);
      await pause(BREATH_MS, undefined, { signal: options.signal }).catch(() => {});
    }
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

async function attackOnce(attack: ClientAttack, open: () => Socket, options: ClientOptions): Promise<void> {
  const { victims, random, onOutcome } = options;
  const victim = random.pick(victims);
  const doc = (url: string) =>
    `GET /doc?url=${encodeURIComponent(url)} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`;
  switch (attack) {
    case 'headers that never end': {
      const socket = open();
      socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n');
      const timer = setInterval(() => socket.write('X-A: b\r\n'), 1000);
      socket.once('close', () => clearInterval(timer));
      onOutcome(await outcomeOf(socket, options.signal));
      return;
    }
    case 'many connections': {
      const opened = Array.from({ length: MANY }, open);
      const outcomes = await Promise.all(opened.map((socket) => firstLine(socket, 500)));
      for (const outcome of outcomes) onOutcome(outcome);
      for (const socket of opened) socket.destroy();
      return;
    }
    case 'documents that pause their host':
      onOutcome(await ask(open, doc(`${victim}trap/${random.fraction()}`), options.signal));
      return;
    case 'documents without end': {
      const asked = Array.from({ length: 20 }, () => ask(open, doc(`${victim}page`), options.signal));
      for (const outcome of await Promise.all(asked)) onOutcome(outcome);
      return;
    }
    case 'another Host':
      onOutcome(
        await ask(
          open,
          'GET /api/v1/changes HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
          options.signal,
        ),
      );
      return;
    case 'answers that nobody reads': {
      const socket = open();
      socket.pause();
      socket.write('GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(PIPELINED));
      await pause(HOLD_MS, undefined, { signal: options.signal }).catch(() => {});
      onOutcome(options.signal.aborted ? 'stopped' : await readOn(socket));
      socket.destroy();
    }
  }
}

function openFrom({ index, port }: ClientOptions, sockets: Set<Socket>): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: `127.30.0.${index + 1}` });
  sockets.add(socket);
  socket.on('error', () => {});
  socket.once('close', () => sockets.delete(socket));
  return socket;
}

async function ask(open: () => Socket, request: string, signal: AbortSignal): Promise<string> {
  const socket = open();
  socket.write(request);
  return await outcomeOf(socket, signal);
}

/** The status of the first answer, or how it ended without one. */
async function outcomeOf(socket: Socket, signal: AbortSignal): Promise<string> {
  let text = '';
  socket.on('data', (bytes: Buffer) => {
    if (text.length < 100) text += bytes.toString('latin1');
  });
  const stop = () => socket.destroy();
  signal.addEventListener('abort', stop, { once: true });
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  signal.removeEventListener('abort', stop);
  return /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? (signal.aborted ? 'stopped' : 'cut');
}

/** Whether a connection was ended while nobody read from it: who does not read does not hear of it. */
async function readOn(socket: Socket): Promise<string> {
  const isCut = new Promise<string>((resolve) => socket.once('close', () => resolve('cut')));
  socket.resume();
  return await Promise.race([isCut, pause(REST_MS).then(() => 'kept')]);
}

/** What is said within so long to who says nothing. */
async function firstLine(socket: Socket, ms: number): Promise<string> {
  const heard = new Promise<string>((resolve) => {
    socket.once('data', (bytes: Buffer) => resolve(/^HTTP\/1\.1 (\d{3})/.exec(bytes.toString('latin1'))?.[1] ?? '?'));
    socket.once('close', () => resolve('cut'));
  });
  return await Promise.race([heard, pause(ms).then(() => 'open')]);
}
