// unleash-server with one flag of two variants, behind its frontend API. Tells its parent where, once it answers.
import { start } from 'unleash-server';

const token = 'default:development.bench-frontend-token';
const flag = 'paywall';
const [databaseUrl, port] = [process.env.PEER_DATABASE_URL, Number(process.env.PEER_PORT)];
const base = `http://127.0.0.1:${port}`;

const { stop } = await start({
  databaseUrl,
  db: { ssl: false },
  server: { host: '127.0.0.1', port },
  authentication: {
    type: 'none',
    initApiTokens: [
      { tokenName: 'bench', type: 'frontend', environment: 'development', projects: ['default'], secret: token },
    ],
  },
  frontendApi: { refreshIntervalInMs: 500 },
  versionCheck: { enable: false },
  telemetry: false,
  logLevel: 'error',
});

async function admin(method, path, body) {
  const answer = await fetch(`${base}/api/admin${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
}

const environment = `/projects/default/features/${flag}/environments/development`;
const variant = (name) => ({ name, weight: 500, weightType: 'variable', stickiness: 'random' });
await admin('POST', '/projects/default/features', { name: flag, type: 'experiment' });
await admin('POST', `${environment}/strategies`, {
  name: 'flexibleRollout',
  parameters: { rollout: '100', stickiness: 'default', groupId: flag },
  variants: [variant('calm'), variant('bold')],
});
await admin('POST', `${environment}/on`);

const path = '/api/frontend';
for (;;) {
  const answer = await fetch(`${base}${path}?userId=1`, { headers: { authorization: token } });
  if (answer.ok && (await answer.json()).toggles.some(({ name, variant: chosen }) => name === flag && chosen.enabled))
    break;
  await new Promise((done) => setTimeout(done, 100));
}
process.send({ url: base, path, authorization: token });
process.on('disconnect', async () => {
  await stop();
  process.exit(0);
});
