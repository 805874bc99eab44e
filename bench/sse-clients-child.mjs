/**
 * Many readers of events in one process, over plain sockets.
 *
 *     node sse-clients-child.mjs <port> <connections> <address to connect from> <path>
 *
 * Prints a line when all are connected. `run <events>` on stdin waits until each has received that many more, and prints the result as JSON: how many came out
 * of order, and how late each was. `end` ends it.
 */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

const [port, count, localAddress, path] = process.argv.slice(2);
const CONNECTING_AT_ONCE = 100;
const SEQ = '"seq":';
const TIME = '"title":"';

/** In tenths of a millisecond. */
let late = new Map();
let wrong = 0;
let seen = 0;
let wanted = Number.POSITIVE_INFINITY;
let lastAt = 0;
let finish = () => {};

const readers = [];
for (let open = 0; open < Number(count); open += CONNECTING_AT_ONCE) {
  const some = Math.min(CONNECTING_AT_ONCE, Number(count) - open);
  readers.push(...(await Promise.all(Array.from({ length: some }, openReader))));
}
console.log('connected');

// Also when the parent process is killed.
process.stdin.once('end', () => process.exit(0));
for await (const line of createInterface({ input: process.stdin })) {
  const [word, events] = line.split(' ');
  if (word === 'end') break;
  wanted = Number(events) * readers.length;
  const isDone = new Promise((done) => {
    finish = done;
  });
  if (seen < wanted) await isDone;
  const { rss } = process.memoryUsage();
  console.log(JSON.stringify({ seen, wrong, lastAt, rss, late: [...late] }));
  [seen, wrong, wanted, late] = [0, 0, Number.POSITIVE_INFINITY, new Map()];
}
process.exit(0);

async function openReader() {
  const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress });
  const reader = { rest: '', seq: 0 };
  await new Promise((done, fail) => {
    socket.once('error', fail);
    socket.once('data', done);
    socket.on('data', (bytes) => take(reader, bytes.latin1Slice(0, bytes.length)));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n`);
  });
  return reader;
}

function take(reader, text) {
  const all = reader.rest === '' ? text : reader.rest + text;
  let from = 0;
  for (;;) {
    const at = all.indexOf(SEQ, from);
    if (at === -1) break;
    const end = all.indexOf('\n\n', at);
    if (end === -1) break;
    const seq = Number.parseInt(all.slice(at + SEQ.length, at + SEQ.length + 12), 10);
    if (reader.seq !== 0 && seq !== reader.seq + 1) wrong += 1;
    reader.seq = seq;
    const time = all.indexOf(TIME, at) + TIME.length;
    note(Number(all.slice(time, all.indexOf('"', time))));
    from = end + 2;
  }
  // Anything but an event is at most as long as a head.
  reader.rest = all.slice(Math.max(from, all.lastIndexOf('event: change')));
  if (reader.rest.length > 100_000) reader.rest = '';
}

function note(sentAt) {
  const now = Number(process.hrtime.bigint());
  const tenths = Math.floor((now - sentAt) / 1e5);
  late.set(tenths, (late.get(tenths) ?? 0) + 1);
  seen += 1;
  lastAt = now;
  if (seen === wanted) finish();
}
