/**
 * An endpoint for webhooks in a process of its own: node webhook-receiver-child.mjs <port> <journal> <secrets>
 *
 * What comes is written down before it is answered. Secrets are a JSON file: path → secret.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const [port = '0', journal = '', secretsFile = ''] = process.argv.slice(2);
const secrets = JSON.parse(readFileSync(secretsFile, 'utf8'));

const server = createServer((request, response) => {
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => {
    const text = Buffer.concat(pieces).toString('utf8');
    const line = {
      path: request.url,
      id: request.headers['webhook-id'],
      atMs: Date.now(),
      isValid: isValid(secrets[request.url], text, request.headers),
      text,
    };
    appendFileSync(journal, `${JSON.stringify(line)}\n`);
    const { type, data } = JSON.parse(text);
    response.end(type === 'subscription.verify' ? data.challenge : '');
  });
});
server.listen(Number(port), '127.0.0.1', () => process.stdout.write(`at ${server.address().port}\n`));

function isValid(secret, text, headers) {
  try {
    new Webhook(secret).verify(text, headers);
    return true;
  } catch {
    return false;
  }
}
