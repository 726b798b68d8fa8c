import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };
const last = 0x10ffff - surrogates.count;

/**
 * Every character that Unicode has room for, as the unit of `fc.string`. Its own 'binary' draws the same ones, behind a
 * table of all million of them that each process takes 0.6 s to fill.
 */
export const anyCharacter = fc.integer({ min: 0, max: last }).map(
  (place) => String.fromCodePoint(place < surrogates.first ? place : place + surrogates.count),
  (text) => {
    const [character] = typeof text === 'string' ? [...text] : [];
    const point = character?.codePointAt(0);
    if (point === undefined || character !== text) throw new Error('It is not one character.');
    return point < surrogates.first ? point : point - surrogates.count;
  },
);
