/**
 * A bare node:http server that answers one file, as little as a server can do for it: 304 to who names its ETag, else 200.
 *
 *     node hub-child-bare.mjs <file> <headers as JSON>
 *
 * Prints its address.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [file, json] = process.argv.slice(2);
const body = readFileSync(file);
const headers = JSON.parse(json);
const whole = { ...headers, 'content-length': body.length };

const server = createServer((request, response) => {
  if (request.headers['if-none-match'] === headers.etag) response.writeHead(304, headers).end();
  else response.writeHead(200, whole).end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));
process.once('SIGTERM', () => process.exit(0));
