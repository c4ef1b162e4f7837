/** What Node's HTTP costs with nothing behind it: constant bytes. `bare <size>`. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [size = '18'] = process.argv.slice(2);
const bytes = Buffer.alloc(Number(size), 0x20);
const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length };

const server = createServer({ keepAliveTimeout: 65_000 }, (_request, response) => {
  response.writeHead(200, headers).end(bytes);
}).listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
