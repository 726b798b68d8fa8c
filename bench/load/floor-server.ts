import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers everything at once with a small JSON body: what is measured against it is the generator's own share. */
const body = JSON.stringify({ ok: true, data: {} });
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
