/**
 * A bare node:http server with one answer, the minimum that a server can do: a request with the header gets it, others get 404.
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
