/**
 * A bare node:http server that knows one answer, as little as a server can do for it: who sends the header gets it, and others get 404.
 *
 *     node hub-child-bare.mjs <file with the body> <{ status, headers, when: [name, value] } as JSON>
 *
 * Prints its address.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [file, json] = process.argv.slice(2);
const body = readFileSync(file);
const {
  status,
  headers,
  when: [name, value],
} = JSON.parse(json);

const server = createServer((request, response) => {
  if (request.headers[name] !== value) response.writeHead(404).end();
  else if (status === 304) response.writeHead(status, headers).end();
  else response.writeHead(status, headers).end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));
process.once('SIGTERM', () => process.exit(0));
