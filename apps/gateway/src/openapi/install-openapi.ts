import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { docsPage, docsScript } from './docs-page.ts';
import { openapiDocument } from './openapi-document.ts';

/** Of the package swagger-ui-dist, the files that the page needs, with their types. */
const assets = {
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const;

/** The page loads from here alone; Swagger UI writes styles of its own. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const assetLifetimeSeconds = 3600;

/** Serves `/openapi.json`, and `/docs` to read it by, without a key. To be called before the application is initialised. */
export function installOpenapi(app: NestFastifyApplication): void {
  const http = app.getHttpAdapter().getInstance();
  let document: string | null = null;

  http.get('/openapi.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').send((document ??= JSON.stringify(openapiDocument()))),
  );
  http.get('/docs', (_request, reply) =>
    reply.header('content-security-policy', pagePolicy).type('text/html; charset=utf-8').send(docsPage),
  );
  http.get('/docs/docs.js', (_request, reply) => cached(reply, 'text/javascript; charset=utf-8').send(docsScript));
  for (const [file, type] of Object.entries(assets))
    http.get(`/docs/${file}`, (_request, reply) =>
      cached(reply, type).send(createReadStream(join(assetFolder(), file))),
    );
}

const cached = (reply: FastifyReply, type: string) =>
  reply.header('cache-control', `public, max-age=${assetLifetimeSeconds}`).type(type);

/** Looked for when it is first needed: the page is for people, and a gateway does without. */
const assetFolder = () => dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
