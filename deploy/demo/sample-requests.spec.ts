import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { sampleRequests } from './sample-requests.ts';

it('is what the README shows, which takes the key from the file of a running product', () => {
  const readme = readFileSync(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8');
  const key = `$(node -p 'require("./.data/runtime.json").demo.secretKey')`;
  expect(readme).toContain(`\`\`\`sh\n${sampleRequests('http://127.0.0.1:3000', key)}\n\`\`\``);
});
