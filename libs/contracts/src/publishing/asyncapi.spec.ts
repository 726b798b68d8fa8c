import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { eventsOf } from '../registry.ts';
import { topics } from '../topics.ts';
import { asyncApiDocument } from './asyncapi.ts';
import { jsonSchemas } from './json-schemas.ts';

const specification = createRequire(import.meta.url).resolve('@asyncapi/specs/schemas/3.0.0-without-$id.json');

const document = asyncApiDocument('1.2.3') as {
  channels: Record<string, { messages: Record<string, { $ref: string }> }>;
  components: { messages: Record<string, { payload: { $ref?: string }; headers?: { required?: readonly string[] } }> };
};

describe('the AsyncAPI document', () => {
  it('is AsyncAPI 3.0', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false, logger: false, code: { optimize: false } }); // for one document
    const validate = ajv.compile(JSON.parse(readFileSync(specification, 'utf8')) as object);
    validate(document);
    expect(validate.errors).toBeNull();
  });

  it('has a channel for each topic that analysts may read', () =>
    expect(Object.keys(document.channels).sort()).toEqual([...Object.keys(eventsOf), topics.profilePersonal].sort()));

  it('tells of a tombstone that its headers name app and version', () => {
    const { messages } = document.channels[topics.profilePersonal]!;
    const [name] = Object.keys(messages).filter((message) => message !== 'PersonalRecord');
    expect(document.components.messages[name ?? '']).toMatchObject({
      payload: { type: 'null' },
      headers: { required: ['app', 'version'] },
    });
  });

  it('refers to the schema of every version of every event', () => {
    const referred = Object.values(document.components.messages).map(({ payload }) => payload.$ref?.replace('./', ''));
    for (const path of jsonSchemas().keys()) if (path.startsWith('events/')) expect(referred).toContain(path);
  });

  it('refers only to messages and schema files that exist', () => {
    const files = [...jsonSchemas().keys()];
    for (const { messages } of Object.values(document.channels))
      for (const { $ref } of Object.values(messages))
        expect(document.components.messages).toHaveProperty([$ref.replace('#/components/messages/', '')]);
    for (const { payload } of Object.values(document.components.messages))
      if (payload.$ref) expect(files).toContain(payload.$ref.replace('./', ''));
  });
});
