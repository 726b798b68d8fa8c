import { afterAll, beforeAll } from '@jest/globals';
import { purchaseCases } from './cases.ts';
import { World } from './world.ts';

const startMs = 240_000;
let opened: World;

beforeAll(async () => {
  opened = await World.open();
}, startMs);
afterAll(() => opened?.close(), startMs);

purchaseCases(() => opened);
