import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startHub } from 'tidings/hub';
import { encodeWebhookSecret, verifyWebhook } from 'tidings/webhooks';

const [path = 'dist', data = 'data'] = process.argv.slice(2);
/** The number of changes to wait for here. */
const CHANGES = 5;
const secret = encodeWebhookSecret(randomBytes(32));
const done = new Set();
let told = () => {};
const isTold = new Promise((resolve) => {
  told = resolve;
});

// The receiver: verify the bytes, answer the challenge, and deal with each delivery once.
const receiver = createServer(async (request, response) => {
  const body = await buffer(request);
  const verified = verifyWebhook({ headers: request.headers, body, secrets: [secret], now: new Date() });
  if (!verified.ok) return response.writeHead(401).end(verified.issues[0].message);
  const event = JSON.parse(body.toString());
  response.end(event.type === 'subscription.verify' ? event.data.challenge : '');
  if (event.type !== 'change' || done.has(verified.value.id)) return;
  done.add(verified.value.id);
  console.log(event.data.action, event.data.boundary);
  if (done.size === CHANGES) told();
});
await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));

// The hub: it tells the receiver of all that is in its log, and of what comes.
await writeFile('webhook.secret', secret, { mode: 0o600 });
const hub = await startHub({
  port: 0,
  data,
  allowPrivate: true,
  sources: [{ id: 'docs', kind: 'folder', path, site: 'https://docs.example/', intervalSeconds: 1 }],
  subscriptions: [
    { url: `http://127.0.0.1:${receiver.address().port}/`, from: 'start', secretFile: './webhook.secret' },
  ],
});

await isTold;
await hub.close();
receiver.close();
receiver.closeAllConnections();
