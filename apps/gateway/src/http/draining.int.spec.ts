import { Agent, request, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { secretKey, startTestGateway, type TestGateway } from '../testing/test-gateway.ts';
import { leave } from './draining.ts';

let gateway: TestGateway;
let agent: Agent;
beforeEach(async () => {
  gateway = await startTestGateway();
  await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
});
afterEach(async () => {
  agent.destroy();
  await gateway.app.close();
});

/** One request on the one connection that the client keeps. */
async function ask() {
  const url = new URL('/v2/profiles', await gateway.app.getUrl());
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { agent, headers: { authorization: secretKey } }, resolve)
      .on('error', reject)
      .end();
  });
  answer.resume();
  await new Promise((resolve) => answer.once('end', resolve));
  return { status: answer.statusCode, connection: answer.headers.connection };
}

describe('an instance that is to end', () => {
  it('keeps connections before that', async () => {
    expect(await ask()).toEqual({ status: 405, connection: 'keep-alive' });
  });

  it('answers requests on kept connections, and asks their clients to go', async () => {
    await ask();
    const left = leave(gateway.app, 200);
    expect(await ask()).toEqual({ status: 405, connection: 'close' });
    expect(await ask()).toEqual({ status: 405, connection: 'close' }); // on a new connection: it still listens
    await left;
  });

  it('answers a request that is on its way on a kept connection in the moment of the signal', async () => {
    await ask();
    const asked = ask();
    const ended = leave(gateway.app, 200).then(() => gateway.app.close());
    await expect(asked).resolves.toEqual({ status: 405, connection: 'close' });
    await ended;
  });
});
