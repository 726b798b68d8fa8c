import { describe, expect, it } from '@jest/globals';
import { additiveFaults } from './additive.ts';
import { modelFolder, prismaModels } from './database-schemas.ts';
import { readMigrations } from './migration-folder.ts';

const name = '20270101000000_add_something';
const faults = (sql: string, called = name) => additiveFaults({ name: called, sql });

it.each(prismaModels)('finds that every migration of %s since the baseline only adds', (model) => {
  expect(readMigrations(modelFolder(model)).flatMap(additiveFaults)).toEqual([]);
});

it.each([
  'ALTER TABLE "profile" ADD COLUMN "a" TEXT;',
  'ALTER TABLE "profile" ADD COLUMN     "a" DECIMAL(30,12),\nADD COLUMN "b" TEXT NOT NULL DEFAULT \'DROP; it\';',
  '-- CreateTable, not DROP TABLE\nCREATE TABLE "t" ("id" UUID NOT NULL, CONSTRAINT "t_pkey" PRIMARY KEY ("id"));',
  'CREATE TABLE "t" ("id" UUID);\nCREATE UNIQUE INDEX "i" ON "t"("id");\nALTER TABLE "t" ADD CONSTRAINT "c" UNIQUE ("id");',
  'CREATE INDEX "i" ON "profile"("a", "b");',
  'CREATE FUNCTION f() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN DELETE FROM t; RETURN NULL; END $$;',
  'CREATE TRIGGER "t" AFTER INSERT ON "profile" FOR EACH ROW EXECUTE FUNCTION f();',
  'INSERT INTO "t" SELECT a FROM profile\nON CONFLICT DO NOTHING;',
  'ANALYZE "profile";',
])('takes what only adds: %s', (sql) => {
  expect(faults(sql)).toEqual([]);
});

it.each([
  'DROP TABLE "profile";',
  'DROP INDEX "i";',
  'ALTER TABLE "profile" DROP COLUMN "a";',
  'ALTER TABLE "profile" RENAME COLUMN "a" TO "b";',
  'ALTER TABLE "profile" RENAME TO "person";',
  'ALTER TABLE "profile" ALTER COLUMN "a" SET DATA TYPE BIGINT;',
  'ALTER TABLE "profile" ALTER COLUMN "a" SET NOT NULL;',
  'ALTER TABLE "profile" ADD COLUMN "a" TEXT NOT NULL;',
  'ALTER TABLE "profile" ADD COLUMN "a" TEXT, DROP COLUMN "b";',
  'ALTER TABLE "profile" ADD COLUMN "a" TEXT UNIQUE;',
  'ALTER TABLE "profile" ADD CONSTRAINT "c" CHECK ("a" > 0);',
  'CREATE UNIQUE INDEX "i" ON "profile"("a");',
  'CREATE TABLE "t" ("id" UUID); ALTER TABLE "profile" DROP COLUMN "a";',
  'CREATE TRIGGER "t" BEFORE INSERT ON "profile" FOR EACH ROW EXECUTE FUNCTION f();',
  'INSERT INTO "profile" SELECT 1;',
  'INSERT INTO "profile" SELECT 1 ON CONFLICT (a) DO UPDATE SET b = 1;',
  'UPDATE profile SET a = 1;',
  'TRUNCATE "profile";',
])('names what the version before could not live with: %s', (sql) => {
  expect(faults(sql)).toHaveLength(1);
});

describe('a contract step', () => {
  const sql = 'ALTER TABLE "profile" DROP COLUMN "a";';
  const called = '20270101000000_contract_drop_a';

  it('may take away what nothing uses since a version that it names', () => {
    expect(faults(`-- Nothing uses it since version 0.3.0: profile.a\n${sql}`, called)).toEqual([]);
  });

  it('may not, without saying so in its name and its first line', () => {
    expect(faults(sql, called)).toEqual([expect.stringContaining('first line')]);
    expect(faults(`-- Nothing uses it since version 0.3.0: profile.a\n${sql}`)).toHaveLength(1);
  });
});

it('leaves alone what was there before versions worked side by side', () => {
  expect(faults('DROP TABLE "profile";', '20261122030000_settle_dead_letters')).toEqual([]);
  expect(faults('DROP TABLE "profile";', '20261122030001_later')).toHaveLength(1);
});
