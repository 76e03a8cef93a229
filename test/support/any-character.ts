import fc from 'fast-check';

/** The unit for strings with any Unicode character. fast-check's own unit takes a second to prepare in each process. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff })
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));
