import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandGroup, reported } from '../testing/command-group.ts';
import { answerOf, askedToDiscard, askedToRetry } from '../testing/dead-letter-desk.ts';
import { rowsOf, testReadModel } from '../testing/read-model.ts';

const { pool } = await testReadModel();
let group: CommandGroup;
beforeEach(async () => {
  group = await CommandGroup.open(pool);
});
afterEach(async () => await group[Symbol.asyncDispose]());

async function failed() {
  await group.send([reported('first')]);
  return group.untilLetter({ status: 'open', attempts: 1 });
}

describe('a dead letter of a command', () => {
  it('is kept without the command, counted, and kept once though it is told twice', async () => {
    const letter = await failed();
    expect(letter).toMatchObject({ consumer: 'impression', topic: 'impression.commands', app_id: 7, payload: null });
    await group.send([reported('second')]);
    await group.untilOpen(2);
    await group.startDesk(); // is told of both again, before the third
    await group.send([reported('third')]);
    await group.untilOpen(3);
    const { rows } = await pool.query('select attempts from dead_letter');
    expect(rows).toEqual([{ attempts: 1 }, { attempts: 1 }, { attempts: 1 }]);
  });

  it('is carried out once when it is retried, and its client may repeat it', async () => {
    const { id } = await failed();
    group.mended = true;
    const command = askedToRetry(id);
    expect(await answerOf(group.desk(), command)).toMatchObject({ id, status: 'retried', nextDeadLetter: null });
    await group.untilStored(1);
    expect(await answerOf(group.desk(), command)).toMatchObject({ id, status: 'retried' });
    await group.send([reported('first')]); // the client's own repeat
    await group.send([reported('another')]);
    await group.untilStored(2);
    expect(await rowsOf(pool, 'audit')).toMatchObject([{ actor: 'ops', action: 'DeadLetterRetried', app_id: 7 }]);
  });

  it('is open again when it fails again, with one attempt more, and can be retried from there', async () => {
    const { id } = await failed();
    await answerOf(group.desk(), askedToRetry(id));
    await group.untilLetter({ id, status: 'open', attempts: 2, offset: '1', settled_by: null });
    group.mended = true;
    expect(await answerOf(group.desk(), askedToRetry(id))).toMatchObject({ status: 'retried' });
    await group.untilStored(1);
    await group.untilLetter({ id, status: 'retried', attempts: 2 });
  });

  it('cannot be retried once its command is gone, and can be discarded', async () => {
    const { id } = await failed();
    await group.forgetCommands();
    expect(await answerOf(group.desk(), askedToRetry(id))).toEqual({
      code: 'DEAD_LETTER_NOT_RETRIABLE',
      message:
        'It cannot be retried: impression.commands holds it no more, and dead letters hold no commands. Its sender may send it again.',
    });
    expect(await answerOf(group.desk(), askedToDiscard(id))).toMatchObject({
      status: 'discarded',
      skippedVersion: null,
    });
    expect(await answerOf(group.desk(), askedToRetry(id))).toMatchObject({ code: 'DEAD_LETTER_SETTLED' });
    group.mended = true;
    await group.send([reported('first')]);
    await group.untilStored(1);
  });

  it('is sent once when two ask at once', async () => {
    const { id } = await failed();
    group.mended = true;
    const answers = await Promise.all([1, 2, 3].map(() => answerOf(group.desk(), askedToRetry(id))));
    expect(answers.filter((answer) => 'status' in answer)).toHaveLength(1);
    await group.untilStored(1);
  });

  it('survives a crash behind its publication: it is sent again, and done once', async () => {
    const { id } = await failed();
    group.mended = true;
    const command = askedToRetry(id);
    const crashing = group.desk((name) => {
      if (name === 'after_retry_publish') throw new Error('killed');
    });
    await expect(crashing.handle([command])).rejects.toThrow('killed');
    await group.untilStored(1);
    expect(await group.untilLetter({ id, status: 'open' })).toMatchObject({ attempts: 1 });
    expect(await answerOf(group.desk(), command)).toMatchObject({ status: 'retried' });
    await group.send([reported('behind it')]);
    await group.untilStored(2);
  });

  it('leaves a command without an id where it is', async () => {
    await group.send([reported('nameless', { id: '' })]);
    const { id } = await group.untilLetter({ status: 'open' });
    const answer = await answerOf(group.desk(), askedToRetry(id));
    expect(answer).toMatchObject({
      code: 'DEAD_LETTER_NOT_RETRIABLE',
      message: expect.stringContaining('no key or no id'),
    });
  });
});
