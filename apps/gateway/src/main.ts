import 'reflect-metadata';
import { listening, startProcess, type ProcessContext, type ProcessParts } from '@paywright/platform';
import { gatewayConfig, type GatewayConfig } from './config.ts';
import { createGatewayApp } from './gateway-app.ts';
import { leave } from './http/draining.ts';
import { openGateway } from './open-gateway.ts';

/** Above the longest a request works: what is in flight is answered. */
const drainMs = 9_000;

await startProcess({ name: 'gateway', config: gatewayConfig, open });

/** The gateway's parts, and the server before them. */
async function open(context: ProcessContext<GatewayConfig>): Promise<ProcessParts> {
  const { GATEWAY_HOST: host, GATEWAY_PORT: port, DRAIN_DELAY_MS: delayMs } = context.config;
  const gateway = openGateway(context);
  const app = await createGatewayApp(gateway.parts);
  return {
    checks: gateway.checks,
    start: async (stopping) => {
      await gateway.start(stopping);
      await listening('GATEWAY', () => app.listen({ host, port }));
    },
    closeWith: (lifecycle) => {
      lifecycle.onShutdown('clients', () => leave(app, delayMs), delayMs + 1_000);
      lifecycle.onShutdown('requests', () => app.close(), drainMs);
      gateway.closeWith(lifecycle);
    },
    addresses: async () => ({ gateway: (await app.getUrl()).replace('[::1]', '127.0.0.1') }),
  };
}
