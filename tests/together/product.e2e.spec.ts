import { afterAll, beforeAll, describe } from '@jest/globals';
import { conformanceCases, patiently } from '../conformance/conformance-cases.ts';
import { purchaseCases } from '../purchases/cases.ts';
import { World } from '../purchases/world.ts';

const startMs = 240_000;
let opened: World;
const world = (): World => opened;

beforeAll(async () => {
  opened = await World.open(patiently);
}, startMs);
afterAll(() => opened?.close(), startMs);

// Purchases come first: they search all topics and tables, again and again, and conformance fills them.
describe('purchases', () => purchaseCases(world));
describe('conformance', () => conformanceCases(() => ({ url: world().product.gateway, ...world().tokens })));
