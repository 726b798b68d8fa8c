import { describe, expect, it } from '@jest/globals';
import { sqlFaultOf } from './error-code.ts';

describe('what an error of a database is about', () => {
  it.each([
    ['rows', ['21000', '22P02', '22003', '23505', '23514', '54000']],
    ['database', ['08006', '0A000', '25006', '25P02', '26000', '3F000', '40001', '42501', '42703', '42883', '42P01']],
    ['database', ['53100', '55P03', '57014', '58030', 'F0000', 'P0001', 'XX000']],
    [null, ['', '42', 'EPIPE', 'ECONNRESET', 'ERR_INVALID_ARG_TYPE', 'P2002', 'UNKNOWN', 'NOT_LEADER_FOR_PARTITION']],
  ])('is %s', (expected, codes) => {
    for (const code of codes) expect([code, sqlFaultOf({ code })]).toEqual([code, expected]);
  });

  it('is nothing where no error has a code', () => {
    expect([new Error('x'), '42P01', null].map(sqlFaultOf)).toEqual([null, null, null]);
  });
});
