import type { History } from '../../faults/history.ts';
import type { Finding } from './finding.ts';

/** I9: a request that is repeated under its Idempotency-Key gets the same status and the same bytes. */
export const sameAnswerAgain = ({ answersAgain }: Pick<History, 'answersAgain'>): readonly Finding[] =>
  answersAgain
    .filter(({ first, again }) => again !== first)
    .map(({ request, first, again }) => ({
      ...({ invariant: 'I9', kind: 'wrong' } as const),
      sentence: `${request}: answered ${first}, and again ${again}`,
    }));
