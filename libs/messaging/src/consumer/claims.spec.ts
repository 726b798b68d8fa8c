import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@paywright/platform';
import type { PartitionStart, TopicPartition } from '../message.ts';
import { Assignment } from './assignment.ts';
import { Claims } from './claims.ts';

const place = (partition: number): TopicPartition => ({ topic: 'topic', partition });
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Claims whose database answers when it is told to. */
function claimsAnsweredLater() {
  const asked: number[][] = [];
  const answers: (() => void)[] = [];
  const sought: number[] = [];
  const claim = async (partitions: readonly TopicPartition[]): Promise<readonly PartitionStart[]> => {
    asked.push(partitions.map(({ partition }) => partition));
    await new Promise<void>((resolve) => answers.push(resolve));
    return partitions.map((one) => ({ ...one, offset: '0' }));
  };
  const control = {
    pause: () => undefined,
    resume: () => undefined,
    seek: ({ partition }: PartitionStart) => void sought.push(partition),
  };
  const logger = createLogger({ service: 'test', level: 'error' });
  return { claims: new Claims(claim, control, logger), asked, answers, sought };
}
const assigned = (...partitions: number[]) => new Assignment(partitions.map(place), new AbortController().signal);

describe('claims', () => {
  it('are made one after the other, so that the newest assignment’s is the last', async () => {
    const { claims, asked, answers, sought } = claimsAnsweredLater();
    const [former, next] = [assigned(0), assigned(0, 1)];
    void claims.claim(former.partitions, former, () => undefined);
    await turn();
    former.end();
    const claimed: number[] = [];
    const last = claims.claim(next.partitions, next, ({ partition }) => claimed.push(partition));
    await turn();
    expect(asked).toEqual([[0]]);
    answers[0]!();
    await turn();
    expect(asked).toEqual([[0], [0, 1]]);
    expect(claims.has(place(0))).toBe(false);
    answers[1]!();
    await last;
    expect([claimed, sought]).toEqual([[0, 1], [0, 1]]); // prettier-ignore
  });

  it('of an assignment that ends while it waits for its turn are not made', async () => {
    const { claims, asked, answers } = claimsAnsweredLater();
    const [first, second, third] = [assigned(0), assigned(1), assigned(2)];
    void claims.claim(first.partitions, first, () => undefined);
    void claims.claim(second.partitions, second, () => undefined);
    second.end();
    const last = claims.claim(third.partitions, third, () => undefined);
    await turn();
    answers[0]!();
    await turn();
    answers[1]!();
    await last;
    expect(asked).toEqual([[0], [2]]);
  });
});
